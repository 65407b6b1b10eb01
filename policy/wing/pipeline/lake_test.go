package pipeline_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/policy"
	"example.com/augur/policy/wing/pipeline"
	"example.com/augur/policy/workload/paper"
)

// defaultLake is of 2,000 jobs a day: two weeks, and one more that is not to be known.
var defaultLake = sync.OnceValues(func() (lake struct {
	*paper.LakeLog
	log *provenance.Log
}, err error) {
	if lake.LakeLog, err = paper.DefaultLake().Log(); err == nil {
		lake.log = lake.Provenance()
	}
	return lake, err
})

// lakeConfig is for the history of a lake: two weeks are months, as there is no more.
func lakeConfig(lake *paper.LakeLog) pipeline.Config {
	return pipeline.Config{
		End:     provenance.Time(lake.Begin()),
		Classes: provenance.ClassConfig{Month: 7 * 24 * time.Hour, Months: 2},
	}
}

// A hit counts what was found and what is true.
type hit struct{ found, true, both int }

func (h *hit) add(found, true bool) {
	for _, c := range []struct {
		to    *int
		count bool
	}{{&h.found, found}, {&h.true, true}, {&h.both, found && true}} {
		if c.count {
			*c.to++
		}
	}
}

func (h hit) String() string {
	share := func(n, of int) float64 { return float64(n) / float64(max(1, of)) }
	return fmt.Sprintf("%d\t%d\t%.4f\t%.4f\t", h.found, h.true, share(h.both, h.found), share(h.both, h.true))
}

// All dependencies of a generated lake are found, and no others, and all downloads; nothing recurs
// that does not. Of what else recurs, is periodic, polls and is hard, the tables say how much: of all
// jobs, and without those of the first days, which read what is not in the log.
func TestLakeTruth(t *testing.T) {
	lake, err := defaultLake()
	if err != nil {
		t.Fatal(err)
	}
	c := lakeConfig(lake.LakeLog)
	t.Run("all", func(t *testing.T) { testLake(t, lake.LakeLog, lake.log, c) })
	if testing.Short() {
		return
	}
	c.Classes = provenance.ClassConfig{Start: 4 * days, End: c.End, Month: 5 * 24 * time.Hour, Months: 2}
	t.Run("later", func(t *testing.T) { testLake(t, lake.LakeLog, lake.log, c) })
}

func testLake(t *testing.T, lake *paper.LakeLog, log *provenance.Log, c pipeline.Config) {
	r, err := pipeline.Run(log, c)
	if err != nil {
		t.Fatal(err)
	}
	id := func(job uint32) policy.JobID { return policy.JobID(job) + 1 }
	var truths []paper.LakeTruth
	history := uint32(0)
	for i := range log.Jobs {
		truth, err := lake.Truth(id(uint32(i)))
		if err != nil {
			t.Fatal(err)
		}
		truths = append(truths, truth)
		if log.Jobs[i].Submitted < provenance.Time(lake.Begin()) {
			history++
		}
	}
	reads := make(map[[2]policy.JobID]bool)
	for i := range history {
		if log.Jobs[i].State == provenance.NoInput { // and did not read
			continue
		}
		for _, from := range truths[i].Reads {
			reads[[2]policy.JobID{from, id(i)}] = true
		}
	}

	var dependencies, recurring, periodic, polling, hard, hardPolling hit
	dependencies.true = len(reads)
	for k, d := range r.Found.Dependencies {
		dependencies.found++
		if reads[[2]policy.JobID{id(d.From), id(d.To)}] {
			dependencies.both++
		}
		traits, truth := r.Classes.Dependencies[k], truths[d.To]
		if truth.Template >= 0 && truths[d.From].Template >= 0 && traits.Has(provenance.Recurring) {
			isHard := truth.Kind == paper.LakeBlind || truth.Kind == paper.LakePolling
			hard.add(traits.Has(provenance.Hard), isHard)
			if truth.Kind == paper.LakePolling {
				hardPolling.add(traits.Has(provenance.Hard), true)
			}
		}
	}
	for i := range history {
		j, traits := &r.Log.Jobs[i], r.Classes.Templates[r.Log.Jobs[i].Template]
		recurring.add(traits.Has(provenance.Recurring), truths[i].Template >= 0)
		periodic.add(traits.Has(provenance.Periodic), truths[i].Template >= 0 && truths[i].Periodic)
		polling.add(traits.Has(provenance.Polling), truths[i].Template >= 0 && truths[i].Kind == paper.LakePolling)
		downloads := 0
		for _, at := range lake.Downloads(id(i)) {
			if at := provenance.Time(at); at < r.Config.End && (j.State == provenance.Running || at.Sub(j.Completed) <= r.Config.Window) {
				downloads++
			}
		}
		if r.Values()[i] != float64(downloads) {
			t.Errorf("job %d: got value %v, want %d downloads", id(i), r.Values()[i], downloads)
		}
	}

	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tfound\ttrue\tprecision\trecall\t")
	for _, row := range []struct {
		name string
		hit  hit
	}{
		{"dependencies", dependencies}, {"recurring jobs", recurring}, {"periodic jobs", periodic}, {"polling jobs", polling},
		{"recurring dependencies that are hard", hard}, {"and polling", hardPolling},
	} {
		fmt.Fprintf(w, "%s\t%v\n", row.name, row.hit)
	}
	w.Flush()
	t.Logf("%d jobs of the history\n%s", history, table.String())

	if h := recurring; h.found != h.both || h.found == 0 {
		t.Errorf("recurring jobs: found %d, of which %d are so, want all", h.found, h.both)
	}
	if h := dependencies; h.found != h.both || h.true != h.both || h.true == 0 {
		t.Errorf("dependencies: found %d, of which %d are true, want all %d", h.found, h.both, h.true)
	}
}

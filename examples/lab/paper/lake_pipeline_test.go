package paper_test

import (
	"testing"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/lab/paper"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/wing/pipeline"
)

// lakeConfig is for the history of a lake: two weeks are months, as there is no more.
func lakeConfig(lake *paper.LakeLog) pipeline.Config {
	return pipeline.Config{
		End:     provenance.Time(lake.Begin()),
		Classes: provenance.ClassConfig{Month: 7 * 24 * time.Hour, Months: 2},
	}
}

func lakeTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	lake := defaultLake(t)
	config, values := lakeConfig(lake), make(map[*provenance.Job]int)
	config.Value = func(j *provenance.Job, downloads []provenance.Download) float64 {
		values[j] = len(downloads)
		return float64(len(downloads))
	}
	r := jobtest.Must(pipeline.Run(lake.Provenance(), config))
	id := func(job uint32) policy.JobID { return policy.JobID(job) + 1 }
	reads := make(map[[2]policy.JobID]bool)
	recurring := 0
	for i := range r.Log.Jobs {
		j := &r.Log.Jobs[i]
		if j.Submitted >= r.Config.End {
			continue
		}
		truth := jobtest.Must(lake.Truth(id(uint32(i))))
		if j.State != provenance.NoInput { // which did not read
			for _, from := range truth.Reads {
				reads[[2]policy.JobID{from, id(uint32(i))}] = true
			}
		}
		if r.Classes.Templates[j.Template].Has(provenance.Recurring) {
			recurring++
			if truth.Template < 0 {
				t.Errorf("job %d is said to recur", id(uint32(i)))
			}
		}
		downloads := 0
		for _, at := range lake.Downloads(id(uint32(i))) {
			if at := provenance.Time(at); at < r.Config.End && (j.State == provenance.Running || at.Sub(j.Completed) <= r.Config.Window) {
				downloads++
			}
		}
		if values[j] != downloads {
			t.Errorf("job %d: got %d downloads, want %d", id(uint32(i)), values[j], downloads)
		}
	}
	for _, d := range r.Found.Dependencies {
		if pair := [2]policy.JobID{id(d.From), id(d.To)}; reads[pair] {
			delete(reads, pair)
		} else {
			t.Errorf("job %d is said to read of job %d", pair[1], pair[0])
		}
	}
	if len(reads) > 0 || len(r.Found.Dependencies) == 0 || recurring == 0 {
		t.Errorf("%d dependencies are not found, of %d; %d jobs recur", len(reads), len(reads)+len(r.Found.Dependencies), recurring)
	}
}

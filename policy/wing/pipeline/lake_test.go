package pipeline_test

import (
	"sync"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/internal/jobtest"
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

func lakeTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	lake := jobtest.Must(defaultLake())
	r := jobtest.Must(pipeline.Run(lake.log, lakeConfig(lake.LakeLog)))
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
		if r.Values()[i] != float64(downloads) {
			t.Errorf("job %d: got value %v, want %d downloads", id(uint32(i)), r.Values()[i], downloads)
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

package slearn

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// ended shows what came true of jobs to a function.
type ended struct {
	Estimator
	see func(*policy.Job, Record)
}

func (e ended) Ended(j *policy.Job, r Record) {
	e.see(j, r)
	e.Estimator.Ended(j, r)
}

// A gang ends with its slowest task: 20 s at speed 0.5 are 10 s at speed 1.
func TestGangBySpeed(t *testing.T) {
	gang := &workload.Job{
		Job:      policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 4, Cores: 1, Gang: true}}},
		Runtimes: [][]policy.Duration{{10 * s, 10 * s, 10 * s, 10 * s}},
	}
	work := 0.0
	c := GSConfig{Forecast: NewForecast(ended{plans(func(*policy.Job) Plan { return Plan{When: Never} }), func(_ *policy.Job, r Record) { work = r.Work }})}
	c.BySpeed = true
	js, truth := workload.Split([]*workload.Job{gang})
	cluster := sim.Cluster(sim.Partition{Nodes: 1, Cores: 2}, sim.Partition{Nodes: 1, Cores: 2, Speed: 0.5})
	if _, err := sim.Run(t.Context(), sim.Config{Nodes: cluster, Jobs: js, Truth: truth}, must(NewGS(c))); err != nil {
		t.Fatal(err)
	}
	if work != 40 {
		t.Errorf("%v core-seconds of work, want 40", work)
	}
}

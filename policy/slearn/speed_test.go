package slearn

import (
	"math"
	"math/rand/v2"
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

// The tasks of a job are alike, but one partition is four times as fast as the other. By speed
// the estimates are right, by pilots and by history, wherever tasks run, and so is what is
// learned and what jobs attain; by elapsed time none is.
func TestBySpeed(t *testing.T) {
	var jobs []*workload.Job
	for i := range 40 {
		runtimes := make([]policy.Duration, 60)
		for k := range runtimes {
			runtimes[k] = 10 * s
		}
		j := bag(policy.JobID(i+1), policy.Duration(i)*40*s, runtimes...)
		j.Attrs = []policy.Attr{{Name: "user", Value: "u"}}
		jobs = append(jobs, j)
	}
	cluster := sim.Cluster(sim.Partition{Nodes: 3, Cores: 8, Speed: 2}, sim.Partition{Nodes: 3, Cores: 8, Speed: 0.5})
	for _, bySpeed := range []bool{true, false} {
		for name, e := range map[string]Estimator{
			"pilots":   must(NewSampling(SamplingConfig{Src: rand.NewPCG(1, 2)})),
			"history":  newHistory(HistoryConfig{Point: Winner}),
			"attained": plans(func(*policy.Job) Plan { return Plan{When: Never} }),
		} {
			estimated, right, worked := 0, 0, 0
			c := GSConfig{Forecast: NewForecast(ended{e, func(_ *policy.Job, r Record) {
				if r.Estimated {
					estimated++
				}
				if r.Estimated && math.Abs(r.Estimate-600) < 1e-6 {
					right++
				}
				if math.Abs(r.Work-600) < 1e-6 && math.Abs(r.Runtimes.Sum()-600) < 1e-6 {
					worked++
				}
			}})}
			c.BySpeed = bySpeed
			g := must(NewGS(c))
			js, truth := workload.Split(jobs)
			attained := 0.0
			if _, err := sim.Run(t.Context(), sim.Config{Nodes: cluster, Jobs: js, Truth: truth}, watch{g, func(*policy.Event, []policy.Action) error {
				if e, ok := g.Explain(7); ok {
					attained = max(attained, e.Attained)
				}
				return nil
			}}); err != nil {
				t.Fatal(err)
			}
			if bySpeed && (right != estimated || worked != 40 || math.Abs(attained-600) > 1e-6) {
				t.Errorf("%s by speed: %d of %d estimates are right, %d of 40 works, and job 7 attained %v core-seconds; want all, and 600", name, right, estimated, worked, attained)
			}
			if !bySpeed && (right > 0 || worked > 0 || math.Abs(attained-600) < 10) {
				t.Errorf("%s by elapsed time: %d of %d estimates are right, %d of 40 works, and job 7 attained %v core-seconds; want none, and not 600", name, right, estimated, worked, attained)
			}
			if name != "attained" && estimated < 39 {
				t.Errorf("%s: %d jobs were estimated, want all but perhaps the first", name, estimated)
			}
		}
	}
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

package main

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A job that is done in time, one that is late, one that is given up, and two of best effort: the second was
// killed once and ends after the last job has come.
func TestSigmaMeasure(t *testing.T) {
	const hour = policy.Time(time.Hour)
	slo := &policy.SLO{Deadline: 2 * hour}
	got := sigmaMeasure(&sim.Result{Jobs: []sim.JobRecord{
		{Outcome: policy.Done, Tasks: 2, Submitted: 0, Ended: 2 * hour, Service: 2 * 3600, SLO: slo},
		{Outcome: policy.Done, Tasks: 1, Submitted: 0, Ended: 3 * hour, Service: 2 * 3600, SLO: slo},
		{Outcome: policy.GivenUp, Tasks: 9, Ended: hour, SLO: slo},
		{Outcome: policy.Done, Tasks: 3, Submitted: hour, Ended: 2 * hour, Service: 3 * 3600},
		{Outcome: policy.Done, Tasks: 1, Submitted: hour, Ended: 6 * hour, Service: 5 * 3600, Wasted: 2 * 3600},
	}}, 4*hour)
	if want := (sigmaRun{miss: got.miss, goodput: 2 + 2 + 3 + 1, best: 3 + 1}); got != want || math.Abs(got.miss-200./3) > 1e-9 {
		t.Errorf("got %+v, want %+v with 66.7 %% missed", got, want)
	}
}

// The closed form against numbers.
func TestSigmaNormal(t *testing.T) {
	for _, n := range []sigmaNormal{{distuv.Normal{Mu: 10, Sigma: 3}}, {distuv.Normal{Mu: 1, Sigma: 2}}, {distuv.Normal{Mu: -5, Sigma: 1}}, {distuv.Normal{Mu: 1e4, Sigma: 100}}} {
		for _, at := range [][2]float64{{0, 1}, {0, 10}, {5, 12}, {9.9, 10.1}, {0, 100}, {9_000, 11_000}, {7, 7}} {
			want := quad.Fixed(n.Survival, at[0], at[1], 200, nil, 0)
			if got := n.SurvivalIntegral(at[0], at[1]); math.Abs(got-want) > 1e-9*max(1, at[1]) {
				t.Errorf("%+v from %v to %v: got %v, want %v", n.Normal, at[0], at[1], got, want)
			}
		}
		if got := n.SurvivalIntegral(0, 1e300); math.IsNaN(got) || math.IsInf(got, 0) {
			t.Errorf("%+v without end: %v", n.Normal, got)
		}
	}
}

// A greedy Prio kills the best-effort job that started last, and one that is aware of what a job prefers the last there.
func TestSigmaGreedy(t *testing.T) {
	job := func(id policy.JobID, submitted time.Duration) *workload.Job {
		return &workload.Job{
			Job:      policy.Job{ID: id, Submitted: policy.Time(submitted), Stages: []policy.Stage{{Tasks: 1, Cores: 1, Gang: true}}},
			Runtimes: [][]policy.Duration{{100 * time.Second}},
		}
	}
	urgent := job(3, 4*time.Second)
	urgent.SLO = &policy.SLO{Deadline: policy.Time(time.Hour), Utility: 1}
	urgent.Stages[0].Prefer, urgent.Stages[0].Elsewhere = []policy.PartitionID{1}, 2
	for aware, want := range map[bool][]float64{true: {201, 101, 104}, false: {100, 200, 204}} {
		jobs, truth := workload.Split([]*workload.Job{job(1, 0), job(2, time.Second), urgent})
		nodes := sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}, sim.Partition{Nodes: 1, Cores: 1})
		result, err := sim.Run(t.Context(), sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth}, newSigmaGreedy(aware))
		if err != nil {
			t.Fatal(err)
		}
		got := each(result.Jobs, func(j sim.JobRecord) float64 { return j.Ended.Seconds() })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("aware %v (-want +got):\n%s", aware, diff)
		}
	}
}

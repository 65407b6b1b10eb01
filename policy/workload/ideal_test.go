package workload_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// staged returns a job of up to six stages, which may be gangs and read earlier or later
// ones, some through pipes.
func staged(id policy.JobID, rng *rand.Rand) *workload.Job {
	n := 1 + rng.IntN(6)
	j := &workload.Job{Job: policy.Job{ID: id, Submitted: policy.Time(id) * policy.Time(time.Hour)}}
	places := rng.Perm(n) // the order in which they can run
	for i := range n {
		stage := policy.Stage{Tasks: 1 + rng.Uint32N(5), Cores: 1 + rng.Int32N(2), Gang: rng.IntN(3) == 0}
		for k := range n {
			if places[k] < places[i] && rng.IntN(2) == 0 {
				stage.Reads = append(stage.Reads, policy.Dep{Stage: uint32(k), Pipe: rng.IntN(2) == 0})
			}
		}
		runtimes := make([]policy.Duration, stage.Tasks)
		for k := range runtimes {
			runtimes[k] = policy.Duration(rng.IntN(100)) * s
		}
		j.Stages = append(j.Stages, stage)
		j.Runtimes = append(j.Runtimes, runtimes)
	}
	return j
}

// On a cluster with room for all of it, a job takes as long as Ideal says.
func TestIdealIsWhatAJobTakesAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var jobs []*workload.Job
	for id := range policy.JobID(500) {
		jobs = append(jobs, staged(id+1, rng))
	}
	for _, r := range runtest.FIFO(t, jobs, sim.Partition{Nodes: 100, Cores: 4}).Jobs {
		if j := jobs[r.ID-1]; r.JCT() != j.Ideal() {
			t.Errorf("job %d: took %v, want %v: %+v", r.ID, r.JCT(), j.Ideal(), j)
		}
	}
}

func TestIdealOfChainSaturates(t *testing.T) {
	j := jobtest.Bag(1, 0, math.MaxInt64-1)
	j.Stages = append(j.Stages, policy.Stage{Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 0}}})
	j.Runtimes = append(j.Runtimes, []policy.Duration{2})
	if got := j.Ideal(); got != math.MaxInt64 {
		t.Errorf("got %v, want the longest Duration", got)
	}
}

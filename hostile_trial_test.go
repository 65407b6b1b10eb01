package augur_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// trial lets a policy that was made with hostile numbers schedule five jobs on three nodes, under the checker of package sim: some wait, one
// has a straggler, one two stages, and one a deadline. It says if that breaks a rule, does not come to an
// end, or leaves a job that is neither done nor given up.
func trial(p policy.Scheduler) error {
	jobs, truth := workload.Split(trialJobs())
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	result, err := sim.Run(ctx, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 3, Cores: 2}), Jobs: jobs, Truth: truth}, p)
	switch {
	case err != nil && strings.Contains(err.Error(), "do not fit into policy.Time"):
		return nil // it may wait until there is no more time
	case err != nil:
		return err
	}
	for _, j := range result.Jobs {
		if j.Outcome != policy.Done && j.Outcome != policy.GivenUp {
			return fmt.Errorf("job %d is %v", j.ID, j.Outcome)
		}
	}
	return nil
}

func trialJobs() []*workload.Job {
	const s = time.Second
	job := func(id policy.JobID, submitted policy.Time, runtimes ...[]policy.Duration) *workload.Job {
		j := &workload.Job{
			Job: policy.Job{
				ID: id, Submitted: submitted, At: time.Unix(1e9, 0).Add(time.Duration(submitted)), Queue: "q", Priority: float64(id),
				Attrs: []policy.Attr{{Name: "user", Value: "u"}},
			},
			Runtimes: runtimes,
			Luck:     &workload.Luck{Ratios: []float64{1}, Base: make([]policy.Duration, len(runtimes))},
		}
		for i, of := range runtimes {
			stage := policy.Stage{Tasks: uint32(len(of)), Cores: 1}
			if i > 0 {
				stage.Reads = []policy.Dep{{Stage: uint32(i - 1), Pipe: true}}
			}
			j.Stages = append(j.Stages, stage)
			j.Luck.Base[i] = s
		}
		return j
	}
	of := func(runtimes ...policy.Duration) []policy.Duration { return runtimes }
	deadline := job(4, policy.Time(2*s), of(3*s, 3*s, 3*s))
	deadline.SLO = &policy.SLO{Deadline: policy.Time(60 * s), Utility: 10}
	return []*workload.Job{
		job(1, 0, of(s, s, s, s, s, s, s, 30*s)),
		job(2, 0, of(5*s, 5*s), of(2*s, 2*s, 2*s)),
		job(3, policy.Time(s), of(7*s, 1, 7*s)),
		deadline,
		job(5, policy.Time(20*s), of(s/2)),
	}
}

package probing

import (
	"fmt"

	"example.com/augur/policy"
)

// An Estimator says what the tasks of a job will take, on average over all of them and at
// speed 1, when the job is submitted; false if it cannot say. Hawk, Eagle and BigC
// tell short jobs from long ones by it. It must depend on the job alone, and on what it was
// taught before, between two Steps, of what the policy had been told by then: the same events then give the same
// actions. Package journal says under "What is not in it" how that survives a restart.
type Estimator func(j *policy.Job) (mean policy.Duration, ok bool)

// MeanRuntime returns the estimator that is always right: it knows the runtimes. It takes
// time in proportion to the tasks of the job.
func MeanRuntime(truth policy.Truth) Estimator {
	return func(j *policy.Job) (policy.Duration, bool) {
		if truth == nil {
			return 0, false
		}
		mean, n := 0.0, 0.0 // of as many tasks, ns
		for i := range j.Stages {
			c := policy.Copy{Task: policy.Task{Job: j.ID, Stage: uint32(i)}}
			for ; c.Index < j.Stages[i].Tasks; c.Index++ {
				d, ok := truth.Runtime(c)
				if !ok || d < 0 {
					return 0, false
				}
				n++
				mean += (float64(d) - mean) / n
			}
		}
		if !(mean < float64(policy.Never/2)) {
			return policy.Duration(policy.Never / 2), true
		}
		return policy.Duration(mean), true
	}
}

// checkClasses returns an error that names what a config lacks to tell short jobs from
// long ones.
func checkClasses(config string, e Estimator, cutoff policy.Duration) error {
	switch {
	case e == nil:
		return fmt.Errorf("probing: %s.Estimate is nil, want an estimator of mean task runtimes", config)
	case cutoff <= 0:
		return fmt.Errorf("probing: %s.Cutoff is %v, want above 0 s", config, cutoff)
	}
	return nil
}

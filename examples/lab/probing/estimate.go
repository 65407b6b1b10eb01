package probing

import (
	"fmt"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// An Estimator estimates how long the tasks of a job take, on average and at speed 1, when the job is submitted, and
// returns false if it does not know. Hawk, Eagle and BigC use it to distinguish short jobs from long ones. It must
// depend only on the job, and on what it was taught before, between two Steps, from events that the policy had heard
// by then: the same events then give the same actions. Package journal explains under "What is not in it" how that
// survives a restart.
type Estimator func(j *policy.Job) (mean policy.Duration, ok bool)

// MeanRuntime returns the estimator that knows the true runtimes. It takes time in proportion to the tasks of the
// job.
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
		return saturate.To[policy.Duration](mean), true
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

package slearn

import (
	"errors"
	"fmt"

	"example.com/augur/policy"
)

// Oracle is the [Estimator] that knows: it predicts the work of each job without error
// (SLearn, section 5.1.3). Make it with [NewOracle].
type Oracle struct{ truth policy.Truth }

// NewOracle returns an Oracle of jobs whose runtimes are known to truth, or an error if that
// is nil.
func NewOracle(truth policy.Truth) (*Oracle, error) {
	if truth == nil {
		return nil, errors.New("slearn: Oracle without a truth, want the runtimes of the tasks")
	}
	return &Oracle{truth}, nil
}

// Plan implements [Estimator]. It takes time in proportion to the job's tasks. A gang counts
// with its longest task. The error names a task that the truth does not know.
func (o *Oracle) Plan(j *policy.Job, _ policy.Time) (Plan, error) {
	work := 0.0
	for i := range j.Stages {
		s := &j.Stages[i]
		sum, longest := 0.0, 0.0
		for t := range s.Tasks {
			c := policy.Copy{Task: policy.Task{Job: j.ID, Stage: uint32(i), Index: t}}
			d, ok := o.truth.Runtime(c)
			if !ok {
				return Plan{}, fmt.Errorf("slearn: Oracle does not know the runtime of %v", c)
			}
			sum += d.Seconds()
			longest = max(longest, d.Seconds())
		}
		if s.Gang {
			sum = longest
		}
		work += float64(sum * float64(s.Width()))
	}
	return Plan{Work: work}, nil
}

// Work implements [Estimator]; GS never calls it, since there are no pilots.
func (*Oracle) Work(*policy.Job, policy.Time, []float64) float64 { return 0 }

// Ended implements [Estimator].
func (*Oracle) Ended(*policy.Job, Record) {}

// LAS is the [Estimator] that knows nothing: jobs go by the service that they have attained,
// and sink from queue to queue as they get more (SLearn, section 5.1.3). Its zero value is
// ready for use. Unlike the LAS of package policy/baseline, under which a higher queue goes
// before all lower ones, its queues share the cluster.
type LAS struct{}

// Plan implements [Estimator].
func (LAS) Plan(*policy.Job, policy.Time) (Plan, error) { return Plan{When: Never}, nil }

// Work implements [Estimator]; GS never calls it, since there are no pilots.
func (LAS) Work(*policy.Job, policy.Time, []float64) float64 { return 0 }

// Ended implements [Estimator].
func (LAS) Ended(*policy.Job, Record) {}

package baseline

import (
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// SRPT serves the job with the least remaining work first. It is clairvoyant: it knows the true runtimes. The work of
// a job is runtime times cores at speed 1, in core-seconds, summed over its unfinished tasks; a gang counts with its
// longest task. What a running task has already done is not subtracted, and tasks are not preempted. Ties go to the
// earlier submission, then to the smaller ID. It returns an error if truth is nil.
//
// Submitting a job takes time in proportion to its tasks; any other step takes time logarithmic in the number of
// waiting jobs.
//
// # Source
//
// L. Schrage, "A proof of the optimality of the shortest remaining processing time
// discipline", Operations Research 16(3), 1968. It is optimal on one server that may
// preempt; here there are many, and they may not.
func SRPT(truth policy.Truth) (central.Order, error) {
	if truth == nil {
		return nil, fmt.Errorf("baseline: SRPT without a truth, want the runtimes of the tasks")
	}
	return &srpt{truth: truth, ordered: inOrder(byKey)}, nil
}

// NewSRPT returns the policy whose turn is [SRPT].
func NewSRPT(truth policy.Truth) (*central.Scheduler, error) {
	t, err := SRPT(truth)
	if err != nil {
		return nil, err
	}
	return of(t), nil
}

type srpt struct {
	*ordered
	truth policy.Truth
}

func (p *srpt) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Submitted:
		work := 0.0
		for i := range j.Job.Stages {
			c := policy.Copy{Task: policy.Task{Job: j.Job.ID, Stage: uint32(i)}}
			for ; c.Index < j.Job.Stages[i].Units(); c.Index++ {
				w, err := p.work(j.Job, c)
				if err != nil {
					return err
				}
				work += w
			}
		}
		_ = p.ordered.Note(ev, j)
		p.jobs.Get(j.Job.ID).key = work
		return nil
	case policy.Finished:
		work, _ := p.work(j.Job, ev.Copy) // which was known when the job came
		p.jobs.Get(j.Job.ID).key -= work
	}
	return p.ordered.Note(ev, j)
}

// work returns the core-nanoseconds of a task or gang: whole numbers, which leave no rest when they are subtracted, up to
// 2^53 of them in a job, 104 days.
func (p *srpt) work(j *policy.Job, c policy.Copy) (float64, error) {
	stage := &j.Stages[c.Stage]
	longest := policy.Duration(0)
	c.N = 0
	for end := c.Index + stage.UnitTasks(); c.Index < end; c.Index++ {
		d, ok := p.truth.Runtime(c)
		if !ok {
			return 0, fmt.Errorf("baseline: SRPT does not know the runtime of %v", c)
		}
		longest = max(longest, d)
	}
	return float64(longest) * float64(stage.Width()), nil
}

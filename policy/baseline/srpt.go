package baseline

import (
	"cmp"
	"fmt"

	"example.com/augur/policy"
)

// SRPT serves the job with the least remaining work first. It is clairvoyant: it knows
// the true runtimes. The work of a job is that of its tasks which are not finished,
// runtime times cores at speed 1, in core-seconds; a gang counts with its longest task.
// What a running task has already done is not taken off, and tasks are not preempted.
// Ties go to the earlier submission, then to the smaller ID.
//
// To submit a job takes time in proportion to its tasks; else Step takes time
// logarithmic in the number of jobs that wait, for each event and action.
//
// # Source
//
// L. Schrage, "A proof of the optimality of the shortest remaining processing time
// discipline", Operations Research 16(3), 1968. It is optimal on one server that may
// preempt; here there are many, and they may not.
type SRPT struct {
	inOrder
	truth policy.Truth
}

// NewSRPT returns an SRPT policy for jobs whose runtimes are known to truth, or an error
// if that is nil.
func NewSRPT(truth policy.Truth) (*SRPT, error) {
	if truth == nil {
		return nil, fmt.Errorf("baseline: SRPT without a truth, want the runtimes of the tasks")
	}
	return &SRPT{truth: truth, inOrder: newInOrder(func(a, b *jobView) int {
		if c := cmp.Compare(a.Own.key, b.Own.key); c != 0 {
			return c
		}
		return bySubmission(a, b)
	})}, nil
}

// Step implements [policy.Scheduler].
func (p *SRPT) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	change, err := p.change(ev)
	if err != nil {
		return actions, err
	}
	j, err := p.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	if j != nil {
		j.Own.key += change
	}
	p.note(j, ev)
	return p.start(ev, actions), nil
}

// change returns by how much an event changes the remaining work of its job.
func (p *SRPT) change(ev *policy.Event) (work float64, err error) {
	switch ev.Kind {
	case policy.Submitted:
		if ev.Job == nil {
			return 0, nil // for the View to refuse
		}
		for i := range ev.Job.Stages {
			c := policy.Copy{Task: policy.Task{Job: ev.Job.ID, Stage: uint32(i)}}
			for ; c.Index < ev.Job.Stages[i].Units(); c.Index++ {
				w, err := p.work(ev.Job, c)
				if err != nil {
					return 0, err
				}
				work += w
			}
		}
	case policy.Finished:
		if j := p.view.Job(ev.Copy.Job); j != nil && int64(ev.Copy.Stage) < int64(len(j.Stages)) {
			work, err = p.work(j.Job, ev.Copy)
		}
	}
	if ev.Kind == policy.Finished {
		work = -work
	}
	return work, err
}

// work returns the core-seconds of a task or gang.
func (p *SRPT) work(j *policy.Job, c policy.Copy) (float64, error) {
	stage := &j.Stages[c.Stage]
	longest := policy.Duration(0)
	c.N = 0
	for end := c.Index + stage.Tasks/stage.Units(); c.Index < end; c.Index++ {
		d, ok := p.truth.Runtime(c)
		if !ok {
			return 0, fmt.Errorf("baseline: SRPT does not know the runtime of %v", c)
		}
		longest = max(longest, d)
	}
	return longest.Seconds() * float64(stage.Width()), nil
}

package baseline

import (
	"cmp"
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// Shortest serves the job with the least remaining work first, by the scheduler's Forecast: mean runtime times cores,
// over its unfinished tasks. A job that the Forecast does not know goes by its attained service. So pilots of new
// jobs go first, and jobs that turn out to be long go back. Ties go to the earlier submission, then to the smaller
// ID. With the truth as Forecast it is [SRPT], except for gangs and for tasks that differ within a stage.
//
// A step takes time logarithmic in the number of waiting jobs, and that of [central.Books.Left].
func Shortest() central.Order { return &shortest{ordered: inOrder(byKey)} }

type shortest struct {
	*ordered
	left  func(j *central.Job) (work float64, ok bool)
	grown bool // a job has another place than it was claimed for
}

// Bind implements [central.Turn].
func (p *shortest) Bind(b central.Books) error {
	if b.Forecast == nil {
		return fmt.Errorf("baseline: Shortest without a Forecast; set central.Config.Forecast")
	}
	b.View.Serves, p.left = true, b.Left
	return p.ordered.Bind(b)
}

// Claim implements [central.Turn].
func (p *shortest) Claim(j *central.Job, c central.Claim) {
	e := p.jobs.Get(j.Job.ID)
	left, ok := p.left(j)
	if e.served = !ok; e.served {
		left = p.view.Service(j)
	}
	e.key = left
	p.ordered.Claim(j, c)
}

// Next implements [central.Turn]. Running jobs have attained more service since their last Claim, so the first may
// have changed.
func (p *shortest) Next() *central.Job {
	for {
		e, ok := p.waiting.Peek()
		switch {
		case !ok:
			return nil
		case !e.served || p.view.Service(e.job) == e.key:
			return e.job
		}
		e.key = p.view.Service(e.job)
		e.lastKey = e.key
		p.waiting.Fix(e.handle)
		p.grown = true
	}
}

// Reordered implements [central.Order].
func (p *shortest) Reordered() bool {
	before := p.grown
	p.grown = false
	return before
}

// byKey orders by key, then by submission.
func byKey(a, b *entry) int {
	if c := cmp.Compare(a.key, b.key); c != 0 {
		return c
	}
	return arrival(a, b)
}

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

// Note implements [central.Turn].
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
	for end := c.Index + stage.Tasks/stage.Units(); c.Index < end; c.Index++ {
		d, ok := p.truth.Runtime(c)
		if !ok {
			return 0, fmt.Errorf("baseline: SRPT does not know the runtime of %v", c)
		}
		longest = max(longest, d)
	}
	return float64(longest) * float64(stage.Width()), nil
}

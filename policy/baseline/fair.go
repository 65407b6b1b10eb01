package baseline

import (
	"cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// Fair gives every job an equal share of the cores, and passes on what a job cannot use: each free core goes to the
// job with the fewest cores, among those with something to start. That is max-min fairness without preemption: a
// share is reached as tasks end. Ties go to the earlier submission, then to the smaller ID. If each job is a single gang, Fair is
// [FIFO]: a job that waits holds no cores, so all that wait are equal. A step takes time logarithmic in the number of
// waiting jobs.
func Fair() central.Order {
	o := inOrder(func(a, b *entry) int {
		if c := cmp.Compare(a.cores, b.cores); c != 0 {
			return c
		}
		return arrival(a, b)
	})
	o.byCores = true
	return o
}

// NewFair returns the policy whose turn is [Fair].
func NewFair() *central.Scheduler { return of(Fair()) }

// Fewest serves the job first whose remaining tasks, over all stages, need the fewest cores in sum: shortest
// remaining processing time without known runtimes. Ties go to the earlier submission, then to the smaller ID. A step
// takes time logarithmic in the number of waiting jobs.
func Fewest() central.Order {
	return &fewest{inOrder(byKey)}
}

type fewest struct{ *ordered }

func (p *fewest) Note(ev *policy.Event, j *central.Job) error {
	_ = p.ordered.Note(ev, j)
	switch ev.Kind {
	case policy.Submitted:
		e := p.jobs.Get(j.Job.ID)
		for i := range j.Job.Stages {
			e.key += float64(int64(j.Job.Stages[i].Units()) * j.Job.Stages[i].Width())
		}
	case policy.Finished:
		p.jobs.Get(j.Job.ID).key -= float64(j.Job.Stages[ev.Copy.Stage].Width())
	}
	return nil
}

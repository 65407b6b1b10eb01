package baseline

import (
	"cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/queue"
)

// FIFO serves jobs in the order of their submission; ties go to the smaller ID. A job may start all its tasks before
// the next one gets a core. A step takes time logarithmic in the number of waiting jobs.
func FIFO() central.Order {
	o := inOrder(arrival)
	o.fixed, o.direct = true, central.BySubmission
	return o
}

// NewFIFO returns the policy whose turn is [FIFO].
func NewFIFO() *central.Scheduler { return of(FIFO()) }

// Ordered serves jobs in the caller's order. order compares two jobs by their descriptions, as for slices.SortFunc;
// it must always give the same answer for the same two jobs. Ties go to the earlier submission, then to the smaller
// ID. Nil makes it FIFO. A step takes time logarithmic in the number of waiting jobs.
func Ordered(order func(a, b *policy.Job) int) central.Order {
	if order == nil {
		return FIFO()
	}
	o := inOrder(func(a, b *entry) int {
		if c := order(a.job.Job, b.job.Job); c != 0 {
			return c
		}
		return arrival(a, b)
	})
	o.fixed = true
	return o
}

// NewOrdered returns the policy whose turn is [Ordered]: a policy of your own without writing Step.
func NewOrdered(order func(a, b *policy.Job) int) *central.Scheduler { return of(Ordered(order)) }

// Priority serves the job with the greatest [policy.Job.Priority] first. Ties go to the earlier submission,
// then to the smaller ID. A stream of urgent jobs starves the others.
func Priority() central.Order {
	return Ordered(func(a, b *policy.Job) int { return cmp.Compare(b.Priority, a.Priority) })
}

// NewPriority returns the policy whose turn is [Priority].
func NewPriority() *central.Scheduler { return of(Priority()) }

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

// Note implements [central.Turn].
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

// of returns the policy with a turn and no other parts.
func of(t central.Turn) *central.Scheduler {
	s, err := central.New(central.Config{Turn: t})
	if err != nil {
		panic(err) // a turn is all that it needs
	}
	return s
}

// ordered serves jobs in an order.
type ordered struct {
	view    *central.View
	jobs    policy.Table[policy.JobID, entry]
	compare func(a, b *entry) int
	direct  func(a, b *central.Job) int // the same, if it needs no entries; else nil
	fixed   bool                        // it changes for no job that waits, but for what Reordered says
	byCores bool                        // it goes by the cores that jobs have
	waiting *queue.Heap[*entry]         // the jobs with something to start
}

// An entry is the record of a job for the turns that are an order.
type entry struct {
	job       *central.Job
	submitted policy.Time
	id        policy.JobID
	cores     int64   // by its last claim, if the order goes by that
	key       float64 // what the order goes by, if it is a number
	handle    queue.Handle

	served    bool  // for Shortest: the key is attained service
	lastCores int64 // those by which it has its place in the queue
	lastKey   float64
}

func inOrder(compare func(a, b *entry) int) *ordered {
	return &ordered{compare: compare, waiting: queue.NewHeap(compare)}
}

// arrival is the order of submission.
func arrival(a, b *entry) int {
	if a.submitted != b.submitted {
		return cmp.Compare(a.submitted, b.submitted)
	}
	return cmp.Compare(a.id, b.id)
}

// Bind implements [central.Turn].
func (o *ordered) Bind(b central.Books) error {
	return b.Enter(&o.view)
}

// Note implements [central.Turn].
func (o *ordered) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Submitted:
		o.jobs.Put(j.Job.ID, &entry{job: j, submitted: j.Job.Submitted, id: j.Job.ID})
	case policy.Ended:
		o.jobs.Delete(j.Job.ID)
	}
	return nil
}

// Claim implements [central.Turn]: a job leaves the queue when it wants nothing, moves if it is there, and else
// joins.
func (o *ordered) Claim(j *central.Job, c central.Claim) {
	e := o.jobs.Get(j.Job.ID)
	if o.byCores {
		e.cores = c.Cores
	}
	_, queued := o.waiting.Get(e.handle)
	switch {
	case !c.Wants:
		o.waiting.Remove(e.handle)
		return
	case !queued:
		e.handle = o.waiting.Push(e)
	case o.fixed || e.cores == e.lastCores && e.key == e.lastKey:
		return
	default:
		o.waiting.Fix(e.handle)
	}
	e.lastCores, e.lastKey = e.cores, e.key
}

// Next implements [central.Turn].
func (o *ordered) Next() *central.Job {
	if e, ok := o.waiting.Peek(); ok {
		return e.job
	}
	return nil
}

// Compare implements [central.Order].
func (o *ordered) Compare(a, b *central.Job) int {
	if o.direct != nil {
		return o.direct(a, b)
	}
	return o.compare(o.jobs.Get(a.Job.ID), o.jobs.Get(b.Job.ID))
}

// Fixed reports whether the order of waiting jobs changes only as Reordered reports.
func (o *ordered) Fixed() bool { return o.fixed }

// Reordered implements [central.Order].
func (*ordered) Reordered() bool { return false }

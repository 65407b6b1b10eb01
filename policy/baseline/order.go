package baseline

import (
	"cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/queue"
)

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
	cores     int64   // by its last Update, if the order goes by that
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

func (o *ordered) Bind(b central.Books) error {
	return b.Enter(&o.view)
}

func (o *ordered) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Submitted:
		o.jobs.Put(j.Job.ID, &entry{job: j, submitted: j.Job.Submitted, id: j.Job.ID})
	case policy.Ended:
		o.jobs.Delete(j.Job.ID)
	}
	return nil
}

// Update implements [central.Turn]: a job leaves the queue when it wants nothing, moves if it is there, and else
// joins.
func (o *ordered) Update(j *central.Job, u central.Usage) {
	e := o.jobs.Get(j.Job.ID)
	if o.byCores {
		e.cores = u.Cores
	}
	_, queued := o.waiting.Get(e.handle)
	switch {
	case !u.Wants:
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

func (o *ordered) Next() *central.Job {
	if e, ok := o.waiting.Peek(); ok {
		return e.job
	}
	return nil
}

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

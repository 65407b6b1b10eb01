package baseline

import (
	"cmp"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// FIFO serves jobs in the order of their submission; of those submitted at once, the
// smaller ID goes first. A job may start all its tasks before the next one gets a core.
//
// Step takes time logarithmic in the number of jobs that wait, for each action.
type FIFO struct{ inOrder }

// NewFIFO returns a FIFO policy.
func NewFIFO() *FIFO { return &FIFO{newInOrder(bySubmission)} }

// Ordered serves first the job that an order of the caller's puts first: a policy of one's own
// without a Step of one's own. Of jobs that are equal in it the earlier submission goes first, then
// the smaller ID. While there is no room for the first job the others wait with it.
//
// Step takes time logarithmic in the number of jobs that wait, for each action.
type Ordered struct{ inOrder }

// NewOrdered returns a policy that serves jobs in an order, a comparison as for slices.SortFunc by
// what jobs say of themselves: it must give the same for the same two jobs at any time. Nil puts none
// first, which makes it FIFO. An order by what jobs have (cores, service) is a policy on
// [policy.View].
func NewOrdered(order func(a, b *policy.Job) int) *Ordered {
	if order == nil {
		return &Ordered{newInOrder(bySubmission)}
	}
	return &Ordered{newInOrder(func(a, b *jobView) int {
		if c := order(a.Job, b.Job); c != 0 {
			return c
		}
		return submission(a.Job, b.Job)
	})}
}

func bySubmission(a, b *jobView) int { return submission(a.Job, b.Job) }

func submission(a, b *policy.Job) int {
	return cmp.Or(cmp.Compare(a.Submitted, b.Submitted), cmp.Compare(a.ID, b.ID))
}

// job is what the policies that are inOrder keep of a job, besides what the View keeps.
type job struct {
	handle  queue.Handle // in the queue of waiting jobs; stale while it is not there
	key     float64      // what the order goes by, if it is a number
	widest  int64        // cores of the widest unit, for Multifactor
	spot    spot         // among the candidates for backfilling
	user    int32        // whom Multifactor charges
	refused bool         // the host found no room for its last Start
}

type jobView = policy.JobView[job]

// inOrder serves jobs in an order. While the first job's next task, or gang, finds no
// room, the others wait with it, so that nothing wide starves. What looks like room may be
// none, if it is spread over many nodes or lacks memory: a job whose Start was refused
// tries again alone, until it gets one through.
type inOrder struct {
	view    policy.View[job]
	compare func(a, b *jobView) int
	waiting *queue.Heap[*jobView] // the jobs with something to start
}

func newInOrder(compare func(a, b *jobView) int) inOrder {
	return inOrder{compare: compare, waiting: queue.NewHeap(compare)}
}

// Step implements [policy.Scheduler].
func (p *inOrder) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	j, err := p.view.Observe(ev) // which jobs there are, what of them waits, what is free
	if err != nil {
		return actions, err
	}
	p.note(j, ev)
	return p.start(ev, actions), nil
}

// note keeps the queue of waiting jobs up to date with one that something has happened
// to: it leaves when nothing of it waits, moves if it is there, and else joins.
func (p *inOrder) note(j *jobView, ev *policy.Event) {
	if j == nil {
		return // the event was not about a job
	}
	if ev.Kind == policy.Started || ev.Kind == policy.Refused {
		j.Own.refused = ev.Kind == policy.Refused
	}
	p.place(j)
}

func (p *inOrder) place(j *jobView) {
	switch {
	case j.Waiting == 0:
		p.waiting.Remove(j.Own.handle)
	case !p.waiting.Fix(j.Own.handle):
		j.Own.handle = p.waiting.Push(j)
	}
}

// start starts what is first in the queue as long as there is room for it.
func (p *inOrder) start(ev *policy.Event, actions []policy.Action) []policy.Action {
	if !p.view.Decide(ev) {
		return actions
	}
	for {
		j, ok := p.waiting.Peek()
		if !ok || !p.view.Fits(j) {
			return actions
		}
		actions = append(actions, p.view.Start(j, 0))
		p.place(j) // one task less waits, and the job has more cores
		if j.Own.refused {
			return actions
		}
	}
}

// Compare returns a negative number if job a goes before job b, a positive one if it goes after,
// whether they have something to start or not. A job that is not there goes last.
func (p *inOrder) Compare(a, b policy.JobID) int { return p.view.Compare(a, b, p.compare) }

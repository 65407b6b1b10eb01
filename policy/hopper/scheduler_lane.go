package hopper

import (
	"cmp"

	"example.com/augur/queue"
)

// A lane is slots for tasks, for copies, or for both.
type lane struct {
	slots int64 // that there are
	used  int64
	turns order
}

// A holding is what a job has of a lane.
type holding struct {
	job    *jobView
	slots  int64
	memory float64 // bytes
	wants  bool    // one more slot
	handle queue.Handle
}

// An order says which job is next of those that want one more slot of a lane.
type order interface {
	// placed says that what a job has or wants is another thing than it was, or what is left of the
	// job. What it has was so many slots and bytes less.
	placed(s *holding, slots int64, memory float64)
	remove(s *holding)
	resize(slots, memory int64)
	next() *holding // nil if there is none
}

// place notes what a job has, and whether it wants more.
func (l *lane) place(s *holding, slots int64, memory float64, wants bool) {
	more, bytes := slots-s.slots, memory-s.memory
	s.slots, s.memory, s.wants = slots, memory, wants
	l.used += more
	l.turns.placed(s, more, bytes)
}

// fits reports whether there is room for something so wide. What is wider than the lane
// waits until it has the lane to itself.
func (l *lane) fits(width int64) bool { return l.used == 0 || l.used+width <= l.slots }

func (s *Scheduler) newTurns() order {
	switch s.config.Allocator {
	case SRPT:
		return newInOrder(func(a, b *holding) int { return cmp.Compare(a.job.Own.left, b.job.Own.left) })
	case Fair:
		return newInOrder(func(a, b *holding) int { return cmp.Compare(a.slots, b.slots) })
	case DRF:
		shares, err := queue.NewDRF[*holding](0, 0)
		must(err)
		return &dominant{shares}
	}
	pool, err := NewPool(PoolConfig{Epsilon: s.config.Epsilon})
	must(err)
	return &virtual{s: s, pool: pool}
}

// inOrder serves jobs in some order, ties by submission.
type inOrder struct{ waiting *queue.Heap[*holding] }

func newInOrder(compare func(a, b *holding) int) *inOrder {
	return &inOrder{queue.NewHeap(func(a, b *holding) int {
		x, y := a.job.Job, b.job.Job
		return cmp.Or(compare(a, b), cmp.Compare(x.Submitted, y.Submitted), cmp.Compare(x.ID, y.ID))
	})}
}

func (o *inOrder) placed(s *holding, _ int64, _ float64) {
	if !s.wants {
		o.waiting.Remove(s.handle)
	} else if !o.waiting.Fix(s.handle) {
		s.handle = o.waiting.Push(s)
	}
}

func (o *inOrder) remove(s *holding) { o.waiting.Remove(s.handle) }
func (*inOrder) resize(_, _ int64)   {}

func (o *inOrder) next() *holding {
	s, _ := o.waiting.Peek()
	return s
}

// dominant serves jobs by dominant resource fairness.
type dominant struct{ shares *queue.DRF[*holding] }

func (d *dominant) placed(s *holding, slots int64, memory float64) {
	if _, ok := d.shares.Get(s.handle); !ok {
		handle, err := d.shares.Add(s)
		must(err)
		s.handle = handle
	}
	if slots != 0 || memory != 0 {
		d.shares.Charge(s.handle, float64(slots), memory)
	}
	if s.wants {
		d.shares.Join(s.handle)
	} else {
		d.shares.Leave(s.handle)
	}
}

func (d *dominant) remove(s *holding) { d.shares.Remove(s.handle) }

func (d *dominant) resize(slots, memory int64) {
	must(d.shares.SetCapacity(float64(max(0, slots)), float64(max(0, memory))))
}

func (d *dominant) next() *holding {
	s, _ := d.shares.Next()
	return s
}

// must is for errors that cannot be, since what they are about was checked before.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

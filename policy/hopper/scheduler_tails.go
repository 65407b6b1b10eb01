package hopper

import (
	"iter"
	"math"
	"math/bits"
)

// learn takes in the runtimes of a phase that is over, as multiples of their median, but for one that
// reads another through a pipe: those say for how long its tasks waited for their input. Those of
// copies that lost a race, or that the rule had killed, are what their last reports said. They are
// the longest: to leave them out makes the tail too light, and so does to know only that they are
// longer, since it is just those that would have been longest that are cut short.
func (s *Scheduler) learn(j *jobView, p *phase) {
	finished := &p.tracker.phase.Finished
	median := finished.At(finished.Len() / 2)
	if j.Own.seat == nil || p.waits || finished.Len() < fewest || !(median > 0) {
		return
	}
	runtimes := s.runtimes[:0]
	for runtime := range finished.All() {
		runtimes = append(runtimes, runtime)
	}
	runtimes = append(runtimes, p.lost...)
	changed := false
	for i := range spread(len(runtimes)) {
		if x := runtimes[i] / median; x > 0 && x <= math.MaxFloat64 {
			c, err := s.tails.Add(j.Own.group, x)
			must(err)
			changed = changed || c
		}
	}
	s.runtimes = runtimes
	if changed {
		s.follows = s.members.Len()
	}
}

// fewest is how many tasks a stage has at least of which tails are learnt, so that their
// median says something.
const fewest = 10

// spread yields the numbers below n, each once, in an order in which the first of them are
// spread over all: a tail may be fitted, or a window be full, when only some of the runtimes of
// a stage have been added, and these must not be its shortest or its longest.
//
// The order is that of the numbers with their bits reversed: of the first i of them, as many as
// there should be are below any m, but for log2(n) or so (R. Béjian and H. Faure, "Discrépance de la
// suite de van der Corput", 1978).
func spread(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		unused := bits.LeadingZeros32(uint32(max(1, n) - 1))
		for i := range uint64(1) << (32 - unused) {
			if k := uint64(bits.Reverse32(uint32(i))) >> unused; k < uint64(n) && !yield(int(k)) {
				return
			}
		}
	}
}

// follow gives one job the tail of its group, if tails have changed since it was last asked about:
// if all jobs were given it at once, a step would take time in proportion to their number.
func (s *Scheduler) follow() {
	first := s.members.Front()
	if s.follows == 0 || first == nil {
		return
	}
	s.follows--
	s.members.MoveToBack(first)
	j := first.Value.(*jobView)
	if tail := s.tails.Tail(j.Own.group); tail != j.Own.tail {
		j.Own.tail, j.Own.changed = tail, true
		s.place(j)
	}
}

// enrol gives a job that comes its tail, and puts it behind those that are to follow.
func (s *Scheduler) enrol(j *jobView) {
	own := &j.Own
	if s.config.Group == "" {
		own.tail = s.tails.c.Start
		return
	}
	own.group, _ = j.Job.Attr(s.config.Group)
	own.tail = s.tails.Tail(own.group)
	own.seat = s.members.PushBack(j)
}

package hopper

import (
	"container/list"
	"iter"
	"math"
	"math/bits"
)

// learn takes in the runtimes of a phase that is over, as multiples of their median. Those of
// copies that lost a race, or that the rule had killed, are what their last reports said. They are
// the longest: to leave them out makes the tail too light, and so does to know only that they are
// longer, since it is just those that would have been longest that are cut short.
func (s *Scheduler) learn(j *jobView, p *phase) {
	finished := &p.tracker.phase.Finished
	median := finished.At(finished.Len() / 2)
	if j.Own.kin == nil || finished.Len() < fewest || !(median > 0) {
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
		s.retail(j.Own.kin)
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

// kin is the jobs of one group.
type kin struct {
	jobs list.List // of *jobView, by when they were given the group's tail, the longest ago first
	wait int       // how many of them, the first, have yet to be given it
}

// retail says that the tail of a group is another one. Its jobs are given it one by one, or
// else a step would take time in proportion to their number.
func (s *Scheduler) retail(k *kin) {
	if k.wait == 0 {
		s.changing = append(s.changing, k)
	}
	k.wait = k.jobs.Len()
}

// follow gives one job the tail of its group, if there is one that has yet to be given it.
// Groups take turns.
func (s *Scheduler) follow() {
	if len(s.changing) == 0 {
		return
	}
	s.turn++
	at := s.turn % len(s.changing)
	k := s.changing[at]
	if first := k.jobs.Front(); first != nil {
		k.jobs.MoveToBack(first)
		j := first.Value.(*jobView)
		if tail := s.tails.Tail(j.Own.group); tail != j.Own.tail {
			j.Own.tail, j.Own.changed = tail, true
			s.place(j)
		}
	}
	if k.wait--; k.wait <= 0 || k.jobs.Len() == 0 {
		k.wait = 0
		s.changing[at] = s.changing[len(s.changing)-1]
		s.changing = s.changing[:len(s.changing)-1]
	}
}

// enrol puts a job into its group.
func (s *Scheduler) enrol(j *jobView) {
	own := &j.Own
	if s.config.Group == "" {
		own.tail = s.tails.c.Start
		return
	}
	own.group, _ = j.Job.Attr(s.config.Group)
	own.tail = s.tails.Tail(own.group)
	if own.kin = s.kin[own.group]; own.kin == nil {
		own.kin = &kin{}
		s.kin[own.group] = own.kin
	}
	own.seat = own.kin.jobs.PushBack(j)
}

// dismiss takes a job out of its group.
func (s *Scheduler) dismiss(j *jobView) {
	if k := j.Own.kin; k != nil {
		k.jobs.Remove(j.Own.seat)
	}
}

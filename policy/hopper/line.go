package hopper

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"sort"

	"example.com/augur/policy"
)

// A line is the jobs with tasks, and how the slots are shared among them: [EpsilonFair] while jobs come, shrink and go.
type line struct {
	water
	seats []*seat // by place
	queue []*seat // by tasks
	wants int     // jobs that want a slot
	known bool    // water is as of the last change
	next  seat    // what put puts

	// Before these places of the queue there is no job that waits, and none that is short. So a step that starts many tasks
	// does not begin anew for each of them.
	passed [2]int
}

// byTasks is the order in which jobs that are short of their shares get slots.
func byTasks(a, b *seat) int { return cmp.Or(cmp.Compare(a.order, b.order), byPlace(a, b)) }

// put changes seat s into is. A job without tasks is not in the line: it has no share and cannot use a slot.
func (l *line) put(s *seat, is seat) {
	if s.belongs(waits, 0) {
		l.wants--
	}
	if is.belongs(waits, 0) {
		l.wants++
	}
	l.next = *s
	if is.used < s.used {
		l.passed = [2]int{}
	}
	if l.next.used = is.used; l.next != is {
		l.next, l.passed = is, [2]int{}
		behind := s.pays > 0 && is.pays > 0 && byPlace(s, &l.last) > 0 && byPlace(&l.next, &l.last) > 0
		l.known = l.known && behind // behind the edge demands do not matter
		l.seats = move(l.seats, s, &l.next, byPlace)
		l.queue = move(l.queue, s, &l.next, byTasks)
	}
	*s = is
}

// find returns the index of a seat in a list, or where it would be.
func find(list []*seat, s *seat, compare func(a, b *seat) int) int {
	return sort.Search(len(list), func(i int) bool { return compare(list[i], s) >= 0 })
}

// move moves a seat to where it belongs in a list after a change.
func move(list []*seat, s, is *seat, compare func(a, b *seat) int) []*seat {
	from, to := find(list, s, compare), find(list, is, compare)
	switch {
	case s.pays == 0:
		return slices.Insert(list, to, s)
	case is.pays == 0:
		return slices.Delete(list, from, from+1)
	case to > from:
		to--
		copy(list[from:to], list[from+1:to+1])
	default:
		copy(list[to+1:from+1], list[to:from])
	}
	list[to] = s
	return list
}

// of returns the slots of a job.
func (l *line) of(s *seat) float64 {
	l.solve()
	return l.share(s)
}

// solve shares the slots, if anything has changed since it did.
func (l *line) solve() {
	if !l.known {
		l.settle(l.seats)
		l.known, l.passed[short] = true, 0
	}
}

// An among says which jobs are meant.
type among int

const (
	waits among = iota // those that want a slot
	short              // those of them that have less than their share, by more than its rounding
)

const shortPart = 1e-9

// belongs reports whether a job with that share is one of those that are meant.
func (s *seat) belongs(who among, share float64) bool {
	return s.pays > 0 && !math.IsInf(s.used, 1) && (who == waits || share-s.used >= shortPart)
}

// all yields those jobs in the order of the queue. l must not change meanwhile.
func (l *line) all(who among) iter.Seq[policy.JobID] {
	return func(yield func(policy.JobID) bool) {
		if l.wants == 0 {
			return
		}
		l.solve()
		none := true
		for i := l.passed[who]; i < len(l.queue); i++ {
			s := l.queue[i]
			if !s.belongs(who, l.share(s)) {
				continue
			}
			if none {
				l.passed[who], none = i, false
			}
			if !yield(s.id) {
				return
			}
		}
		if none {
			l.passed[who] = len(l.queue)
		}
	}
}

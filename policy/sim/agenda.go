package sim

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
)

// timed is an event that will happen at a known instant.
type timed struct {
	at    policy.Time
	order uint64 // the class in the highest byte, then the order of making
	index uint32 // of the attempt, node, ask, message or fault concerned
	what  happening
}

func (t *timed) before(u *timed) bool {
	return t.at < u.at || t.at == u.at && t.order < u.order
}

// A ticket names a timed event that may be cancelled. The zero ticket names none.
type ticket uint32

func (t *timed) ticket() ticket { return ticket(t.order) }

// A happening is a kind of timed event.
type happening uint8

const (
	copyDue   happening = iota // a copy has run for as long as it should
	copyFreed                  // the cost of a Suspend has passed
	copyBack                   // the cost of a Resume has passed
	restarts
	nodeFails
	nodeBack
	askDue
	alarmDue
	lateAlarmDue // the same, of a host that is late
	mailAside
	jobCancelled
	slipDue
)

// class orders what happens in one instant (rule Time of package policy). What comes over the wires happens between
// the classes: reports and orders after class 1, mail after class 3, and jobs after class 4. Actions that the host
// carries out late count as answers: they come last.
func (h happening) class() uint64 {
	switch h {
	case copyDue, copyFreed, copyBack:
		return 0
	case restarts, nodeFails, nodeBack:
		return 1
	case askDue:
		return 2
	case alarmDue, lateAlarmDue:
		return 3
	case slipDue:
		return 5
	default:
		return 4
	}
}

// isExternal reports whether an event will happen whatever the policy does from now on, and may help. If no such
// event is left, and the policy only talks to itself, the run has stalled. Random outages of nodes do not count,
// since they never end.
func (s *cluster) isExternal(what happening, index uint32) bool {
	switch what {
	case askDue, alarmDue, lateAlarmDue, mailAside, restarts, nodeFails:
		return false
	case nodeBack:
		return int(index) < len(s.config.Faults.Outages)
	}
	return true
}

// after schedules an event after a delay.
func (s *cluster) after(d policy.Duration, what happening, index uint32) ticket {
	if d > policy.Time(math.MaxInt64).Sub(s.now) {
		s.fail(fmt.Errorf("sim: at %v s, %v more do not fit into policy.Time", s.now.Seconds(), d))
	}
	return s.at(s.now.Add(d), what, index)
}

func (s *cluster) at(at policy.Time, what happening, index uint32) ticket {
	if s.seq++; ticket(s.seq) == 0 {
		s.seq++
	}
	if s.isExternal(what, index) {
		s.external++
	}
	t := timed{at, what.class()<<56 | s.seq, index, what}
	s.agenda.push(t)
	return t.ticket()
}

// cancelEvent cancels the event of an attempt, if it is still to come.
func (s *cluster) cancelEvent(t *ticket) {
	if *t != 0 {
		s.external--
		s.cancelAlarm(t)
	}
}

// cancelAlarm cancels an alarm, if there is one. Its entry stays in the agenda without a ticket until it comes up, or
// until such entries are the majority.
func (s *cluster) cancelAlarm(t *ticket) {
	if *t == 0 {
		return
	}
	*t = 0
	if s.forsaken++; s.forsaken > 64 && 2*s.forsaken > len(s.agenda) {
		s.agenda = slices.DeleteFunc(s.agenda, func(t timed) bool { return !s.stands(&t) })
		slices.SortFunc(s.agenda, func(t, u timed) int { return cmp.Or(cmp.Compare(t.at, u.at), cmp.Compare(t.order, u.order)) })
		s.forsaken = 0 // and what is sorted is a heap
	}
}

// stands reports whether an event has not been cancelled.
func (s *cluster) stands(t *timed) bool {
	switch t.what {
	case copyDue, copyFreed, copyBack:
		return s.attempts.At(int32(t.index)).event == t.ticket()
	case alarmDue, lateAlarmDue:
		return *s.alarm(policy.NodeID(t.index)) == t.ticket()
	}
	return true
}

// upcoming returns the next timed event, nil if there is none.
func (s *cluster) upcoming() *timed {
	for len(s.agenda) > 0 {
		if t := &s.agenda[0]; s.stands(t) {
			return t
		}
		s.agenda.pop()
		s.forsaken--
	}
	return nil
}

// An agenda is a heap of timed events, a 4-ary tree like [queue.Heap]. It has no handles, which cost a memory write
// for each move of an entry: hardly anything is ever cancelled.
type agenda []timed

func (a *agenda) push(t timed) {
	*a = append(*a, t)
	a.up(len(*a)-1, t)
}

// pop takes out the first entry.
func (a *agenda) pop() {
	heap := *a
	n := len(heap) - 1
	last := heap[n]
	*a = heap[:n]
	if n > 0 {
		a.up(a.sink(0), last)
	}
}

// up moves the hole at i towards the root until t fits into it.
func (a *agenda) up(i int, t timed) {
	heap := *a
	for i > 0 {
		parent := (i - 1) / 4
		if !t.before(&heap[parent]) {
			break
		}
		heap[i] = heap[parent]
		i = parent
	}
	heap[i] = t
}

// sink moves the hole at i to a leaf, whose index it returns.
func (a *agenda) sink(i int) int {
	heap := *a
	for {
		first := 4*i + 1
		if first >= len(heap) {
			return i
		}
		least := first
		for j := first + 1; j < min(first+4, len(heap)); j++ {
			if heap[j].before(&heap[least]) {
				least = j
			}
		}
		heap[i] = heap[least]
		i = least
	}
}

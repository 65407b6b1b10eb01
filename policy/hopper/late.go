package hopper

import (
	"fmt"
	"math"
	"sort"
)

// LATEConfig describes a [LATE] rule. The zero value has the values that its authors found best.
type LATEConfig struct {
	// Cap is the share of the cluster's slots, Room.Slots, that extra copies may take, SpeculativeCap, > 0 and at
	// most 1; 0 means 0.1. A copy starts while fewer than Cap·Slots run, so one may in 4 slots.
	Cap float64
	// Slow is the quantile of progress rates below which a task is slow, SlowTaskThreshold, > 0
	// and at most 1; 0 means 0.25.
	Slow float64
}

// LATE copies the slow task that will end last: longest approximate time to end. A task's progress rate is the share of its
// work that is done, divided by the time it has run. Its time to end is the rest of its work divided by that rate. When
// there is a slot,
//
//  1. no copy is started if extra copies run in Cap of the cluster's slots already;
//  2. of the tasks with one copy, those are candidates whose rate is below the Slow quantile of the rates of all tasks
//     of the phase, running and finished (whose rate is 1 / their runtime);
//  3. the candidate with the longest time to end gets a copy; ties go to the lower task.
//
// So a task has at most two copies at once, and 16 over its life. LATE needs no t_new. A task whose rate is unknown is no
// candidate and does not count.
//
// Next takes O(n + log m) time with n running tasks and m finished ones, for each task that it looks at: by time to end,
// until one is slow.
//
// # Source
//
// M. Zaharia, A. Konwinski, A. Joseph, R. Katz and I. Stoica, "Improving MapReduce performance in heterogeneous
// environments", OSDI 2008, section 4. LATE also starts no copy on a slow node: a host that knows its slow nodes need
// not ask for their slots. That finished tasks count, and that the quantile interpolates linearly, are ours.
type LATE struct{ config LATEConfig }

// NewLATE returns the rule LATE. It returns an error that names the field that is out of range.
func NewLATE(c LATEConfig) (*LATE, error) {
	if c.Cap == 0 {
		c.Cap = 0.1
	}
	if c.Slow == 0 {
		c.Slow = 0.25
	}
	switch {
	case !(c.Cap > 0 && c.Cap <= 1):
		return nil, fmt.Errorf("hopper: LATEConfig.Cap is %v, want more than 0, at most 1, or 0 for 0.1", c.Cap)
	case !(c.Slow > 0 && c.Slow <= 1):
		return nil, fmt.Errorf("hopper: LATEConfig.Slow is %v, want more than 0, at most 1, or 0 for 0.25", c.Slow)
	}
	return &LATE{c}, nil
}

// Next returns the slow task that will end last.
func (l *LATE) Next(p *Phase, r Room) (Move, bool) {
	if room := l.config.Cap * float64(r.Slots); float64(r.Copies) >= room-1e-9 { // 0.07 of 100 is 7
		return Move{}, false
	}
	for fast := math.Inf(1); ; {
		best, longest := -1, math.Inf(-1)
		for i := range p.Running {
			r := &p.Running[i]
			if r.Copies == 1 && !r.spent() && r.Rate < fast && r.Remaining > longest {
				best, longest = i, r.Remaining
			}
		}
		if best < 0 || l.slow(p, p.Running[best].Rate) {
			return p.duplicate(best)
		}
		fast = p.Running[best].Rate // who is as fast is not slow either
	}
}

// slow reports whether the rate of a task is below the quantile.
//
// The quantile lies at q (n-1) in the order of all n rates, counted from 0. No other rate lies between neighbours in
// that order, so a rate is below the quantile if at most q (n-1), rounded up, of all rates are no larger.
func (l *LATE) slow(p *Phase, rate float64) bool {
	n := len(p.Finished)
	atMost := n - sort.Search(n, func(i int) bool { return !(1/p.Finished[i] > rate) })
	for i := range p.Running {
		if other := p.Running[i].Rate; !math.IsNaN(other) {
			n++
			if other <= rate {
				atMost++
			}
		}
	}
	return float64(atMost) <= math.Ceil(l.config.Slow*float64(n-1)-1e-9)
}

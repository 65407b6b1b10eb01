package hopper

import (
	"fmt"
	"math"

	"example.com/augur/policy"
)

// SimpleConfig describes a [Simple] rule. The zero value is the rule of the paper's
// examples, but for the Delay, which is 1 time unit there.
type SimpleConfig struct {
	// Delay is for how long a task has to have run before it can be seen to straggle, ≥ 0.
	Delay policy.Duration
	// Copies is the largest number of copies of a task that run at once, ≥ 2; 0 means 2.
	Copies int
}

// Simple is the rule of Hopper's examples: a task gets another copy if what its present
// one has still to run, t_rem, is longer than a new one would run, t_new. That is known once the task has
// run for a small time, the delay.
//
// If several tasks qualify, the one with the longest t_rem goes first; ties go to the lower
// task. Next takes O(n) time with n tasks that run, and does not allocate.
//
// # Source
//
// Hopper, section 2.1. There the task whose copy is first, and a largest number of copies, are
// not said.
type Simple struct {
	delay  float64 // s
	copies int
}

// NewSimple returns the rule. The error names the field that is outside its range.
func NewSimple(c SimpleConfig) (*Simple, error) {
	if c.Copies == 0 {
		c.Copies = 2
	}
	switch {
	case c.Delay < 0:
		return nil, fmt.Errorf("hopper: SimpleConfig.Delay is %v, want at least 0 s", c.Delay)
	case c.Copies < 2:
		return nil, fmt.Errorf("hopper: SimpleConfig.Copies is %d, want at least 2, or 0 for 2", c.Copies)
	}
	return &Simple{c.Delay.Seconds(), c.Copies}, nil
}

// Next returns the task with the longest t_rem among those that qualify.
func (s *Simple) Next(p *Phase, _ Room) (Move, bool) {
	best, longest := -1, math.Inf(-1)
	for i := range p.Running {
		r := &p.Running[i]
		if r.Copies < s.copies && r.Elapsed >= s.delay && r.Remaining > r.New && r.Remaining > longest {
			best, longest = i, r.Remaining
		}
	}
	return p.duplicate(best)
}

// duplicate is the move that gives the i-th task that runs another copy; none if i is negative.
func (p *Phase) duplicate(i int) (Move, bool) {
	if i < 0 {
		return Move{}, false
	}
	return Move{Kind: Duplicate, Task: p.Running[i].Task}, true
}

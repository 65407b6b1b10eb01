package hopper

import (
	"fmt"
	"math"

	"example.com/augur/policy"
)

// SimpleConfig describes a [Simple] rule. The zero value is the rule of the thesis' examples, except that Delay is 1
// time unit there.
type SimpleConfig struct {
	// Delay is how long a task must have run before it can be seen to straggle, ≥ 0.
	Delay policy.Duration
}

// Simple is the rule of Hopper's examples: a task gets another copy if its present copy still has longer to run,
// t_rem, than a new one would, t_new. That is known once the task has run for a short time, the delay.
//
// If several tasks qualify, the one with the longest t_rem goes first; ties go to the lower task. At most two copies
// of a task run at once, and 16 over its life. Next takes O(n) time with n running tasks.
//
// # Source
//
// Hopper, section 2.1, which does not say which task goes first, nor how many copies a task may have.
type Simple struct {
	delay float64 // s
}

// NewSimple returns the rule Simple. It returns an error if Delay is out of range.
func NewSimple(c SimpleConfig) (*Simple, error) {
	if c.Delay < 0 {
		return nil, fmt.Errorf("hopper: SimpleConfig.Delay is %v, want at least 0 s", c.Delay)
	}
	return &Simple{c.Delay.Seconds()}, nil
}

// Next returns the task with the longest t_rem among those that qualify.
func (s *Simple) Next(p *Phase, _ Room) (Move, bool) {
	best, longest := -1, math.Inf(-1)
	for i := range p.Running {
		r := &p.Running[i]
		if r.Copies < 2 && !r.spent() && r.Elapsed >= s.delay && r.Remaining > r.New && r.Remaining > longest {
			best, longest = i, r.Remaining
		}
	}
	return p.duplicate(best)
}

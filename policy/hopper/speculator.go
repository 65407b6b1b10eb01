package hopper

import (
	"fmt"
	"math"

	"example.com/augur/policy"
)

// A Speculator is a rule that says which tasks of a job get another copy: [Simple], [LATE],
// [Mantri] and [GRASS] are such rules.
//
// It is asked for one move at a time. The host fills in a [Phase] and a [Room], by hand
// or with a [Tracker], and asks. After it has carried out a move, it brings both up to date and asks again,
// until the answer is false:
//
//   - with best-effort speculation it asks for as long as the job may have one more slot, before or after
//     the job's waiting tasks have theirs;
//   - with budgeted speculation it asks for as long as one of the slots reserved for copies is free;
//   - under Hopper it asks for as long as the job has less than its share, before waiting tasks.
//
// A rule knows nothing of how slots are shared, so each works under every allocator. It
// does not change what it is given and keeps no reference to it. It has to bound the copies of a
// task that run at once, since a host starts what it wants: the rules here say their bound. To a [Scheduler]
// a Duplicate of a task of which 64 copies run is no move. Equal questions get equal answers.
// Nothing is safe for concurrent use.
type Speculator interface {
	// Next returns what to do next, and false if the phase needs no copy now: slots that are
	// free are then for waiting tasks.
	Next(p *Phase, r Room) (Move, bool)
}

// A Phase is what a rule knows of the tasks of one stage of a job, at one instant. All spans
// are in seconds.
type Phase struct {
	Running []Running // the tasks of which a copy runs, by Task, increasing
	Waiting int       // how many tasks have no copy that runs and are not finished

	// Finished has the runtimes of the phase's finished tasks, s, increasing: those of the copies that
	// ended first.
	Finished []float64

	// New is for how long the first copy of a waiting task, or another copy of a task of
	// common size, would run, t_new; NaN if that is not known yet.
	New float64

	// Slots is how many slots the job has, those that are free included. The tasks left,
	// divided by Slots, are so many waves.
	Slots int

	// Left is how long it is until the deadline at which what is finished counts, for jobs that
	// may leave tasks out; 0 if all tasks have to finish.
	Left float64
}

// A Running is a task of which one copy runs or several do.
type Running struct {
	Task     uint32 // its index in the stage
	Copies   int    // that run or are about to, c ≥ 1
	Restarts int    // how often a copy was killed to start it anew

	Elapsed  float64 // for how long its oldest copy has run, s
	Progress float64 // the share of its work that its foremost copy has done, 0 to 1

	// Rate is how much of its work the foremost copy does in a second; NaN if that is not known.
	Rate float64

	// Remaining is for how long the copy that will be first still has to run, t_rem; NaN if that is
	// not known, +Inf if nothing is known to move.
	Remaining float64
	// New is for how long another copy would run, t_new; NaN if that is not known.
	New float64

	// Last is the number of the copy that will be last: the one to kill.
	Last uint32
	// Youngest is for how long its youngest copy has run, s.
	Youngest float64
}

// A Room is what a rule knows of the rest of the cluster.
type Room struct {
	Slots int // of the cluster
	// Copies is how many extra copies run in the cluster, those beside the first of their task, or
	// how many slots they take where tasks are wide.
	Copies int
}

// A Move is what a rule wants done with a task that runs. Of the rules here only [Mantri] wants
// anything but a Duplicate.
type Move struct {
	Kind MoveKind
	Task uint32
	// Copy is the copy to be killed by Restart and Drop.
	Copy uint32
}

// A MoveKind says what a [Move] does.
type MoveKind uint8

// The moves.
const (
	Duplicate MoveKind = iota // start another copy beside those that run
	Restart                   // kill the only copy, and start another one; this takes no slot
	Drop                      // kill one of several copies; this gives back a slot
)

var moveKinds = [...]string{"Duplicate", "Restart", "Drop"}

// String returns the kind's name.
func (k MoveKind) String() string {
	if int(k) < len(moveKinds) {
		return moveKinds[k]
	}
	return fmt.Sprintf("MoveKind(%d)", uint8(k))
}

// saving is what another copy saves of the slots' time, if the copies that run and the new one
// all end when the new one does: c*t_rem - (c+1)*t_new.
func (r *Running) saving() float64 {
	c := float64(r.Copies)
	return c*r.Remaining - (c+1)*r.New
}

// SimpleConfig describes a [Simple] rule. The zero value is the rule of the paper's
// examples, but for the Delay, which is 1 time unit there.
type SimpleConfig struct {
	// Delay is for how long a task has to have run before it can be seen to straggle, ≥ 0.
	Delay policy.Duration
}

// Simple is the rule of Hopper's examples: a task gets another copy if what its present
// one has still to run, t_rem, is longer than a new one would run, t_new. That is known once the task has
// run for a small time, the delay.
//
// If several tasks qualify, the one with the longest t_rem goes first; ties go to the lower
// task. No more than two copies of a task run at once. Next takes O(n) time with n tasks that run, and does not allocate.
//
// # Source
//
// Hopper, section 2.1. There the task whose copy is first, and a largest number of copies, are
// not said.
type Simple struct {
	delay float64 // s
}

// NewSimple returns the rule. The error names the field that is outside its range.
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
		if r.Copies < 2 && r.Elapsed >= s.delay && r.Remaining > r.New && r.Remaining > longest {
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

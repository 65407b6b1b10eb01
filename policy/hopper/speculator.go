package hopper

import (
	"fmt"
)

// A Speculator is a rule that says which tasks of a job get another copy: [Simple], [LATE], [Mantri] and [GRASS].
//
// The host fills in a [Phase] and a [Room], by hand or with a [Tracker], and asks for one move. It carries out the
// move, updates both and asks again, until the answer is false: as long as the job may have one more slot, or as one of
// the slots reserved for copies is free, or, under Hopper, as the job has less than its share.
//
// A rule does not know how slots are shared, so each works with every allocator. It does not change its arguments and keeps
// no reference to them. Equal questions get equal answers. A rule must bound the copies of a task, both those that run at
// once and those over its life, since a host starts what it wants. The rules here stop at 16 over a life: the papers bound
// what runs at once, but a copy that is lost, fails or is dropped would make room for the next one for ever. A [Speculation]
// ignores a Duplicate or a Restart of a task that has had 16 copies. A rule that never returns Restart or Drop says so by a
// method Kills() bool that returns false, or it does not go with [central.Nodes]. Nothing here is safe for concurrent use,
// and no rule here allocates.
type Speculator interface {
	// Next returns the next move. It returns false if the phase needs no copy now, so that free slots go to waiting
	// tasks.
	Next(p *Phase, r Room) (Move, bool)
}

// A Phase is what a rule knows of the tasks of one stage of a job at one instant. All times are in seconds.
type Phase struct {
	Running []Running // the tasks with a running copy, by Task, increasing
	Waiting int       // the number of unfinished tasks without a running copy

	// Finished holds the runtimes of the phase's finished tasks, s, increasing: each that of the task's first copy to
	// end.
	Finished []float64

	// New is how long the first copy of a waiting task, or another copy of a task of common size, would run, t_new;
	// NaN if that is not known yet.
	New float64

	// Slots is the number of the job's slots, including free ones. Remaining tasks divided by Slots are waves. In a
	// [Speculation] these are the cores that the job holds and the one that is free, or its share if the Turn has shares.
	Slots int

	// Left is the time left until the deadline, for jobs that may leave tasks unfinished then; 0 if all tasks must
	// finish.
	Left float64
}

// A Running is a task with at least one running copy.
type Running struct {
	Task     uint32 // its index in the stage
	Copies   int    // that run or are about to, c ≥ 1
	Started  int    // copies that it has had over its life, these included; 0 if unknown
	Restarts int    // how often a copy was killed to start it anew

	Elapsed float64 // for how long its oldest copy has run, s

	// Rate is the share of its work that the foremost copy does in a second; NaN if unknown.
	Rate float64

	// Remaining is how long the first copy to end still has to run, t_rem; NaN if unknown, +Inf if no copy is known
	// to make progress.
	Remaining float64
	// New is how long another copy would run, t_new; NaN if unknown.
	New float64

	// Last is the number of the copy that will be last: the one to kill.
	Last uint32
	// Youngest is for how long its youngest copy has run, s.
	Youngest float64
}

// A Room is what a rule knows of the rest of the cluster.
type Room struct {
	Slots int // of the cluster
	// Copies is the number of extra copies that run in the cluster, beside the first of their task. If tasks are
	// wide, it is the number of slots that extra copies take.
	Copies int
}

// A Move is what a rule wants done with a running task. Of the rules here only [Mantri] returns other moves than
// Duplicate.
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
	Restart                   // kill the only copy and start a new one; this takes no slot
	Drop                      // kill one of several copies; this frees a slot
)

var moveKinds = [...]string{"Duplicate", "Restart", "Drop"}

// String returns the kind's name.
func (k MoveKind) String() string {
	if int(k) < len(moveKinds) {
		return moveKinds[k]
	}
	return fmt.Sprintf("MoveKind(%d)", uint8(k))
}

// maxCopies is the largest number of copies that a task has over its life. A rule without a bound would take every core, or
// kill and start copies for ever.
const maxCopies = 16

// spent reports whether the task has had as many copies as it may have.
func (r *Running) spent() bool { return max(r.Copies, r.Started) >= maxCopies }

// saving is the slot-seconds that another copy saves if it ends first and all copies then stop: c*t_rem -
// (c+1)*t_new.
func (r *Running) saving() float64 {
	c := float64(r.Copies)
	return c*r.Remaining - (c+1)*r.New
}

// duplicate returns the move that copies the i-th running task, and false if i is negative.
func (p *Phase) duplicate(i int) (Move, bool) {
	if i < 0 {
		return Move{}, false
	}
	return Move{Kind: Duplicate, Task: p.Running[i].Task}, true
}

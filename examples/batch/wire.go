package main

import "example.com/augur/policy"

// What passes between the scheduler and a machine are lines of JSON on a socket. Either may go down and come back, so
// both bear what comes twice. A machine that has a copy, or had it, does not start it again. And a machine keeps what it has reported, in
// order, until the scheduler has it in its journal; a scheduler that comes back hears all the rest once more.

// An order is what the scheduler wants done on a machine.
type order struct {
	Do      verb
	Copy    policy.Copy `json:",omitzero"`
	Command string      `json:",omitempty"` // start
	Env     []string    `json:",omitempty"` // start
	Seq     uint64      `json:",omitempty"` // forget

	Saved, Reload policy.Duration `json:",omitempty"` // start: what the copy goes on from, and how long it reloads that
}

type verb string

const (
	start   verb = "start"   // reported as Started
	suspend verb = "suspend" // reported as Suspended
	resume  verb = "resume"  // reported as Resumed
	kill    verb = "kill"    // reported as Killed, if the copy has not ended otherwise
	save    verb = "save"    // the same, but first the copy may save what it has done
	forget  verb = "forget"  // reports up to this one are in the journal
	quit    verb = "quit"    // kill what runs, and end
)

// A report is what a machine says. The first one on a connection is Joined, with what it has reported before: only when the
// scheduler has heard all of that does it know which of its orders are still to be carried out.
type report struct {
	Seq     uint64
	Kind    policy.EventKind
	Copy    policy.Copy     `json:",omitzero"`
	Service policy.Duration `json:",omitzero"` // greater at each Suspended of a copy; with what it went on from
	Saved   policy.Duration `json:",omitzero"` // at an end: what the next copy may go on from

	Node   policy.NodeID `json:",omitzero"` // Joined, as what follows
	Cores  int32         `json:",omitzero"`
	Copies []policy.Copy `json:",omitempty"` // that it has, or whose end is not in the journal
	Log    []report      `json:",omitempty"` // that the journal may not have
}

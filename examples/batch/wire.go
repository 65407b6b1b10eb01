package main

import "example.com/augur/policy"

// What passes between the scheduler and a machine are lines of JSON on a socket. Both sides bear what comes twice, since either
// may have gone down and come back: an order about a copy that the machine knows changes nothing that is so already, and is answered
// once more.

// An order is what the scheduler wants done on a machine.
type order struct {
	Do      verb
	Copy    policy.Copy
	Command string   `json:",omitempty"` // start
	Env     []string `json:",omitempty"` // start
}

type verb string

const (
	start   verb = "start"   // answered by Started, or Refused if no core is free
	suspend verb = "suspend" // answered by Suspended
	resume  verb = "resume"  // answered by Resumed, or by Suspended with Idle set if no core is free
	kill    verb = "kill"    // answered by Killed
	forget  verb = "forget"  // the end of this copy is in the journal
	quit    verb = "quit"    // kill what runs, and end
)

// A report is what a machine says. The first one on a connection is Joined, with all copies that the machine knows: what they
// are, as the last report of each said it.
type report struct {
	Kind    policy.EventKind
	Copy    policy.Copy     `json:",omitzero"`
	Service policy.Duration `json:",omitzero"`
	Idle    bool            `json:",omitempty"`

	Node   policy.NodeID `json:",omitzero"` // Joined, as the next two
	Cores  int32         `json:",omitzero"`
	Copies []report      `json:",omitempty"`
}

package kairos

import (
	"fmt"

	"example.com/augur/policy"
)

// A MoveKind says what a [Move] asks for.
type MoveKind uint8

// The kinds of moves.
const (
	_ MoveKind = iota
	// Suspend takes Task off Core, where another one follows. It keeps its memory.
	Suspend
	// Start lets Task begin on Core.
	Start
	// Resume lets Task go on, on Core.
	Resume
)

// String returns the kind's name.
func (k MoveKind) String() string {
	if names := [...]string{Suspend: "Suspend", Start: "Start", Resume: "Resume"}; k > 0 && int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("MoveKind(%d)", uint8(k))
}

// A Move is a command that a [Node] gives its host: suspend a task, start one or resume one. Carry out moves in their
// order: a core is left before it is taken.
type Move[K comparable] struct {
	Kind MoveKind
	Task K
	Core int // number of the core, 0 to Cores-1
}

// String returns the move in a line, as in
//
//	Resume b on core 0
func (m Move[K]) String() string { return fmt.Sprintf("%v %v on core %d", m.Kind, m.Task, m.Core) }

// The kinds of messages between the centre and the nodes. Fields that are not mentioned are 0.
const (
	_ uint32 = iota
	// assign: the node is to do a task. Copy, Seq is the number of the assignment, Value the memory in bytes.
	assign
	// adopt: after a restart, the node has this task already. Copy, Value is the memory in bytes.
	adopt
	// begin: the node knows all that it needs, and may decide. Seq is the number of the last assignment.
	begin
	// withdraw: the job of an assignment is over, and the node shall not begin it. Copy.
	withdraw
	// heartbeat: how the node is. Seq is the number of the last assignment seen, Count the tasks, Copy.N the number of the
	// heartbeat, Value what ties are broken by. Of an adaptive node Copy.Job is 1 if it makes an offer, and Value is the
	// credit in ns.
	heartbeat
	// refuse: the node has no place for an assignment. Copy.
	refuse
)

// assignment makes a message of kind assign or adopt. Value is exact up to 2^53 bytes and limited to that, so that no
// task seems too large for a node that could just hold it.
func assignment(kind uint32, h held, number uint64) policy.Msg {
	return policy.Msg{Kind: kind, Copy: h.copy, Seq: number, Value: float64(min(h.memory, 1<<53))}
}

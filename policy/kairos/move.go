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
	// Start lets Task begin on Core, whose timer is to fire at Timer.
	Start
	// Resume lets Task go on, on Core, whose timer is to fire at Timer.
	Resume
	// Renew says that Task, at the end of its quantum, stays on Core, whose timer is to
	// fire at Timer.
	Renew
	// Idle says that Core has no task now; its timer is to be stopped. Task is the one that
	// it had.
	Idle
)

var moveKinds = [...]string{"", "Suspend", "Start", "Resume", "Renew", "Idle"}

// String returns the kind's name.
func (k MoveKind) String() string {
	if k > 0 && int(k) < len(moveKinds) {
		return moveKinds[k]
	}
	return fmt.Sprintf("MoveKind(%d)", uint8(k))
}

// A Move is one thing that a [Node] wants done. Moves are to be carried out in their order:
// a core is left before it is taken.
//
// A timer that is set replaces the one that its core had. A host that has one alarm for the
// whole node need not look at Timer, Renew and Idle; see [Node.Next].
type Move[K comparable] struct {
	Kind  MoveKind
	Task  K
	Core  int         // 0 to Cores-1
	Timer policy.Time // of Start, Resume and Renew
}

// String says it in a line, as in
//
//	Resume b on core 0 until 1m40s
//
// with instants as time since the epoch.
func (m Move[K]) String() string {
	switch m.Kind {
	case Suspend:
		return fmt.Sprintf("Suspend %v on core %d", m.Task, m.Core)
	case Idle:
		return fmt.Sprintf("Idle core %d after %v", m.Core, m.Task)
	}
	return fmt.Sprintf("%v %v on core %d until %v", m.Kind, m.Task, m.Core, policy.Duration(m.Timer))
}

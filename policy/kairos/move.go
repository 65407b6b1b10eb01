package kairos

import "fmt"

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

var moveKinds = [...]string{"", "Suspend", "Start", "Resume"}

// String returns the kind's name.
func (k MoveKind) String() string {
	if k > 0 && int(k) < len(moveKinds) {
		return moveKinds[k]
	}
	return fmt.Sprintf("MoveKind(%d)", uint8(k))
}

// A Move is one thing that a [Node] wants done. Moves are to be carried out in their order:
// a core is left before it is taken.
type Move[K comparable] struct {
	Kind MoveKind
	Task K
	Core int // 0 to Cores-1
}

// String says it in a line, as in
//
//	Resume b on core 0
func (m Move[K]) String() string { return fmt.Sprintf("%v %v on core %d", m.Kind, m.Task, m.Core) }

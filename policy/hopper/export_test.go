package hopper

// What tests of how the package is used look at besides.
//
// GS and RAS are the two rules that GRASS is made of, with its default bound on copies.
type (
	GS  struct{}
	RAS struct{}
)

func (GS) Next(p *Phase, r Room) (Move, bool)  { return gs{copies: 16}.Next(p, r) }
func (RAS) Next(p *Phase, r Room) (Move, bool) { return ras{copies: 16}.Next(p, r) }

const HomogeneousTail = homogeneousTail

// Reset forgets everything but the memory.
func (t *Tracker) Reset() { t.reset() }

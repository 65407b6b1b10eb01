package hopper

// What tests of how the package is used look at besides.
type (
	GS  = gs
	RAS = ras
)

const HomogeneousTail = homogeneousTail

// Reset forgets everything but the memory.
func (t *Tracker) Reset() { t.reset() }

package kairos

import (
	"fmt"
	"math/rand/v2"
)

// CentralConfig describes a [Central]. The zero value is valid: nodes get no more tasks than
// they have cores.
type CentralConfig struct {
	// Queue is how many tasks a node may have besides one for each of its cores, Q in the
	// paper, 0 to MaxQueue. The more, the sooner a short task comes to a node, where it need
	// not wait for the long ones; the fewer, the fewer tasks wait on one node while another
	// has an idle core. The paper has 4 on nodes of 4 cores and 2 on nodes of 1.
	Queue int

	// Tie says which of the nodes with the fewest tasks gets the next one. The default is
	// LeastVariance.
	Tie Tie

	// Src is what AtRandom draws from, and is required then. The others do not look at it.
	Src rand.Source
}

// MaxQueue is the largest Queue of a [Central].
const MaxQueue = 1 << 20

// A Tie says which of the nodes with the fewest tasks gets the next one (sections 3.3.3 and
// 5.3.2, Fig. 6).
type Tie uint8

// The ways to break ties.
const (
	// LeastVariance takes the node whose tasks vary the least in attained service, Var in
	// the paper. Least attained service works best among tasks of different size: many short
	// tasks on one node preempt one another, and many long ones take turns without end, so
	// a new task goes where it is likely to add variety.
	LeastVariance Tie = iota
	// LeastSum takes the node whose tasks have attained the least service in all, Sum in the
	// paper: if past service tells of what is still to come, it has the least to do.
	LeastSum
	// AtRandom takes any of them, all being equally likely, Random in the paper.
	AtRandom
)

// check returns errors that call the configuration by a name.
func (c CentralConfig) check(name string) error {
	switch {
	case c.Queue < 0 || c.Queue > MaxQueue:
		return fmt.Errorf("kairos: %s.Queue is %d, want 0 to %d", name, c.Queue, MaxQueue)
	case c.Tie > AtRandom:
		return fmt.Errorf("kairos: %s.Tie is %d, want LeastVariance, LeastSum or AtRandom", name, c.Tie)
	case c.Tie == AtRandom && c.Src == nil:
		return fmt.Errorf("kairos: %s.Src is nil, want a source of randomness for AtRandom", name)
	}
	return nil
}

package kairos

import (
	"fmt"
	"math"

	"example.com/augur/policy"
)

// MaxCores is the largest number of cores of a [Node].
const MaxCores = 1 << 20

// NodeConfig describes a [Node]. Cores and Quantum are required; for the rest the zero value
// is the paper's rule.
type NodeConfig struct {
	Cores int // how many tasks run at once, N in the paper, 1 to MaxCores

	// Quantum is for how long a task runs before the node asks whether another one is to
	// have its core, W in the paper, > 0. It should let the shortest tasks end within one, and be
	// long beside what it costs to suspend one: 50 s in the paper's cluster, 20 ms perhaps for
	// goroutines.
	Quantum policy.Duration

	// Starvation says when a suspended task has waited too long. The default is NotServed.
	Starvation StarvationRule

	// Counter is how many quanta (NotServed) or preemptions (Preempted) are too many, ≥ 1; 0
	// means 3. Counter quanta may be no longer than 2^62-1 ns, 146 years.
	Counter int

	// Undisturbed is for how many quanta a starved task then runs, ≥ 1; 0 means 2. These
	// too may last 2^62-1 ns at most.
	Undisturbed int

	// Firm lets a task that comes while all cores are left undisturbed wait for its turn,
	// without having begun, as the youngest of the suspended. Default false: it takes the core
	// of the oldest, as any task that comes. Then a node of one core under steady arrivals
	// may suspend a starved task as soon as it goes on, again and again.
	Firm bool

	// Lead is by how much more service than the youngest suspended task a running one must
	// have attained to give way to it at the end of its quantum, ≥ 0. The default 0 is
	// the paper's rule: tasks of equal service take turns. The authors' code has half a quantum,
	// which spares some changes: a task that has just overtaken another goes on for a while.
	Lead policy.Duration

	// Memory is what the node has for its tasks, in bytes, ≥ 0. The default 0 means that
	// memory is not accounted for, as in the paper, and that what tasks say of theirs is not looked
	// at. See the section on memory of Node.
	Memory int64
}

// A StarvationRule says when a suspended task of a [Node] has waited too long.
type StarvationRule uint8

// The rules of starvation.
const (
	// NotServed is the paper's rule: a task starves once it has had no service for Counter
	// quanta. The one without service for the longest time then gets the next core whose task
	// ends or whose timer fires, whatever services are attained, and has it for the
	// Undisturbed quanta.
	NotServed StarvationRule = iota
	// Preempted is the rule of the authors' code: a task that has been preempted Counter times is
	// left Undisturbed when its turn comes again, and the count begins anew. It
	// bounds how often a task is disturbed, but not for how long it waits.
	Preempted
	// Never leaves tasks to plain least attained service: a long one may wait as long as
	// younger ones keep coming.
	Never
)

// maxSpan bounds the time from a node's first event to its last, each span of its
// configuration, and the service that a task may bring with it, so that no sum of two
// overflows.
const maxSpan = policy.Duration(1<<62 - 1)

// checked returns the configuration with its defaults filled in. Errors call it by a name.
func (c NodeConfig) checked(name string) (NodeConfig, error) {
	if c.Counter == 0 {
		c.Counter = 3
	}
	if c.Undisturbed == 0 {
		c.Undisturbed = 2
	}
	switch {
	case c.Cores < 1 || c.Cores > MaxCores:
		return c, fmt.Errorf("kairos: %s.Cores is %d, want 1 to %d", name, c.Cores, MaxCores)
	case c.Quantum <= 0 || c.Quantum > maxSpan:
		return c, fmt.Errorf("kairos: %s.Quantum is %v, want more than 0 s, at most %v", name, c.Quantum, maxSpan)
	case c.Starvation > Never:
		return c, fmt.Errorf("kairos: %s.Starvation is %d, want NotServed, Preempted or Never", name, c.Starvation)
	case c.Counter < 1 || c.Starvation == NotServed && int64(c.Counter) > int64(maxSpan/c.Quantum) || int64(c.Counter) > math.MaxUint32:
		return c, fmt.Errorf("kairos: %s.Counter is %d, want at least 1 and that many quanta of %v in %v, or 0 for 3", name, c.Counter, c.Quantum, maxSpan)
	case c.Undisturbed < 1 || int64(c.Undisturbed) > int64(maxSpan/c.Quantum):
		return c, fmt.Errorf("kairos: %s.Undisturbed is %d, want at least 1 and that many quanta of %v in %v, or 0 for 2", name, c.Undisturbed, c.Quantum, maxSpan)
	case c.Lead < 0 || c.Lead > maxSpan:
		return c, fmt.Errorf("kairos: %s.Lead is %v, want 0 s to %v", name, c.Lead, maxSpan)
	case c.Memory < 0:
		return c, fmt.Errorf("kairos: %s.Memory is %d bytes, want at least 0", name, c.Memory)
	}
	return c, nil
}

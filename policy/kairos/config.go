package kairos

import (
	"fmt"
	"math"
	"math/rand/v2"

	"example.com/augur/policy"
)

// MaxCores is the largest number of cores of a [Node].
const MaxCores = 1 << 20

// NodeConfig describes a [Node]. Cores and Quantum are required; the other zero values are the paper's rule.
type NodeConfig struct {
	Cores int // number of tasks that run at once, N in the paper, 1 to MaxCores

	// Quantum is how long a task runs before the node decides whether another one gets its core, W in the paper, > 0.
	// It should let the shortest tasks end within one, and be long compared with the cost of a suspension: 50 s in
	// the paper's cluster, perhaps 20 ms for goroutines.
	Quantum policy.Duration

	// Starvation says when a suspended task has waited too long. The default is NotServed.
	Starvation StarvationRule

	// Counter is the number of quanta (NotServed) or preemptions (Preempted) after which a task starves, ≥ 1; 0 means
	// 3. Counter quanta may last at most 2^62-1 ns, 146 years.
	Counter int

	// Undisturbed is how many quanta a starved task then runs, ≥ 1; 0 means 2. These too may last at most 2^62-1 ns.
	Undisturbed int

	// ArrivalsWait protects starved tasks from arrivals too: if all cores are left undisturbed, a new task waits for
	// its turn without having begun, as the youngest of the suspended. Default false: it takes the core of the oldest,
	// as any new task does. With false, a node of one core under steady arrivals may suspend a starved task again as
	// soon as it goes on.
	ArrivalsWait bool

	// Hysteresis is how much more service a running task must have attained than the youngest suspended one to give way at
	// the end of its quantum, ≥ 0. The default 0 is the paper's rule: tasks of equal service take turns. The authors'
	// code has half a quantum, which spares some changes: a task that has just overtaken another goes on for a while.
	Hysteresis policy.Duration

	// Memory is the node's memory for tasks, in bytes, ≥ 0. The default 0 means no limit, as in the paper: the node
	// then ignores the memory of tasks. See the section on memory of Node.
	Memory int64
}

// A StarvationRule says when a suspended task of a [Node] has waited too long.
type StarvationRule uint8

// The rules of starvation.
const (
	// NotServed is the paper's rule: a task starves once it has had no service for Counter quanta. The task that has
	// been without service longest then gets the next core whose task ends or whose timer fires, whatever services
	// the tasks have attained, and keeps it for the Undisturbed quanta.
	NotServed StarvationRule = iota
	// Preempted is the rule of the authors' code: a task that has been preempted Counter times is left Undisturbed
	// when its turn comes again, and the count starts again. It bounds how often a task is preempted, but not how
	// long it waits.
	Preempted
	// Never is plain least attained service: a long task may wait as long as younger ones keep coming.
	Never
)

// maxSpan bounds the time from a node's first event to its last, each duration of its configuration, and the service
// of a restored task, so that no sum of two overflows.
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
	case c.Hysteresis < 0 || c.Hysteresis > maxSpan:
		return c, fmt.Errorf("kairos: %s.Hysteresis is %v, want 0 s to %v", name, c.Hysteresis, maxSpan)
	case c.Memory < 0:
		return c, fmt.Errorf("kairos: %s.Memory is %d bytes, want at least 0", name, c.Memory)
	}
	return c, nil
}

// CentralConfig describes a [Central]. The zero value is valid: nodes get no more tasks than they have cores.
type CentralConfig struct {
	// Queue is how many tasks a node may have besides one for each of its cores, Q in the paper, 0 to MaxQueue. With
	// a larger Queue a short task comes to a node sooner, where it need not wait for long ones; with a smaller one
	// fewer tasks wait on one node while another has an idle core. The paper has 4 on nodes of 4 cores and 2 on nodes
	// of 1.
	Queue int

	// Tie decides which of the nodes with the fewest tasks gets the next one. The default is LeastVariance.
	Tie Tie

	// Src draws between nodes that are still equal after Tie, such as those with at most one task, whose variance is
	// 0: the paper names no second rule. Nil means a source with a fixed seed.
	Src rand.Source
}

// MaxQueue is the largest Queue of a [Central].
const MaxQueue = 1 << 20

// A Tie decides which of the nodes with the fewest tasks gets the next one (sections 3.3.3 and 5.3.2, Fig. 6).
type Tie uint8

// The ways to break ties.
const (
	// LeastVariance takes the node whose tasks vary least in attained service, Var in the paper. Least attained
	// service works best with tasks of different size: many short tasks on one node preempt each other, and many long
	// ones take turns endlessly. So a new task goes where it is likely to add variety.
	LeastVariance Tie = iota
	// LeastSum takes the node whose tasks have attained the least service in all, Sum in the paper: if past service
	// predicts what is still to come, it has the least to do.
	LeastSum
	// AtRandom takes any of them with equal probability, Random in the paper.
	AtRandom
)

// check returns errors that call the configuration by a name.
func (c CentralConfig) check(name string) error {
	switch {
	case c.Queue < 0 || c.Queue > MaxQueue:
		return fmt.Errorf("kairos: %s.Queue is %d, want 0 to %d", name, c.Queue, MaxQueue)
	case c.Tie > AtRandom:
		return fmt.Errorf("kairos: %s.Tie is %d, want LeastVariance, LeastSum or AtRandom", name, c.Tie)
	}
	return nil
}

// Config describes a [Scheduler]. Start from [DefaultConfig].
//
// # What to set
//
// [NewAdaptive] has nothing to set. Here Node.Quantum matters most. Choose about the runtime of a short task: a
// preempted task may wait for a quantum behind a long one that came later, and a starved long task runs for two.
// Central.Queue matters little as long as nodes are seldom full. Node.Starvation helps the longest jobs, mostly at
// the cost of the others. Tasks never move, so long ones may take turns on one node while others are idle.
// docs/kairos.md has measurements.
type Config struct {
	// Node describes the nodes. Its Cores and Memory must be 0: they are those of each node.
	Node NodeConfig

	// Central describes the centre. Its Queue must be at least 1 if short tasks are to overtake long ones.
	Central CentralConfig

	// Heartbeat is the least time between two heartbeats of a node, Δ in the paper, ≥ 0. A
	// node sends one only if tasks have come, ended, or been suspended since its last one.
	//
	// A single centre hears of ended tasks from the host, so it needs heartbeats only for the measure that breaks
	// ties. A node whose measure was and still is 0 sends none: the variance of at most one task is 0. With several
	// centres, a task may wait up to this long although a node has room, because its centre has not heard yet that
	// another centre's task ended.
	Heartbeat policy.Duration

	// KeepAlive is how long after a heartbeat a node sends another one even if nothing has happened, ≥ 0; 0 means
	// never. It updates the variance of running tasks, and replaces heartbeats that are lost. With a single centre,
	// nodes without tasks or news are silent.
	KeepAlive policy.Duration

	// Centres is the number of centres over the same nodes, 1 to 2^16; 0 means 1. Jobs are dealt out to them in turn,
	// by ID. Until a node's next heartbeat a centre does not know what the others have sent to it, so a node may be
	// sent too much; it sends back what it has no place for.
	Centres int
}

// DefaultConfig returns the parameters of Kairos' cluster of 30 nodes with 4 cores (section 5.2): a queue of 4 tasks
// and a quantum of 50 s. On nodes of one core the paper has a queue of 2. A node sends at most one heartbeat a
// second, and at least one a minute; the paper does not say how often.
//
// Node.ArrivalsWait is not set, as in Algorithm 1: a new task runs at once, and the young wait least. On nodes of one core that
// may suspend a starved task as soon as it goes on. Set Node.ArrivalsWait if no task may be suspended for much longer than
// Counter + Undisturbed quanta, as section 3.2 promises.
func DefaultConfig() Config {
	return Config{
		Node:      NodeConfig{Quantum: 50e9},
		Central:   CentralConfig{Queue: 4},
		Heartbeat: 1e9, KeepAlive: 60e9,
	}
}

// checked returns the configuration with its defaults filled in. Errors call it by a name.
func (c Config) checked(name string) (Config, error) {
	switch {
	case c.Node.Cores != 0 || c.Node.Memory != 0:
		return c, fmt.Errorf("kairos: %s.Node has %d cores and %d bytes, want 0: they are those of each node", name, c.Node.Cores, c.Node.Memory)
	case c.Heartbeat < 0:
		return c, fmt.Errorf("kairos: %s.Heartbeat is %v, want at least 0", name, c.Heartbeat)
	case c.KeepAlive < 0:
		return c, fmt.Errorf("kairos: %s.KeepAlive is %v, want at least 0", name, c.KeepAlive)
	case c.Centres < 0 || c.Centres > 1<<16:
		return c, fmt.Errorf("kairos: %s.Centres is %d, want 1 to %d, or 0 for 1", name, c.Centres, 1<<16)
	case c.Centres > 1 && c.KeepAlive == 0:
		return c, fmt.Errorf("kairos: %s.KeepAlive is 0 with %d centres, want more: each must hear at last what the others have done", name, c.Centres)
	}
	c.Centres = max(1, c.Centres)
	probe := c.Node
	probe.Cores = 1
	if _, err := probe.checked(name + ".Node"); err != nil {
		return c, err
	}
	if err := c.Central.check(name + ".Central"); err != nil {
		return c, err
	}
	return c, nil
}

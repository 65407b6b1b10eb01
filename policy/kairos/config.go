package kairos

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"time"

	"example.com/augur/policy"
)

// MaxCores is the largest number of cores of a node.
const MaxCores = 1 << 20

// NodeConfig describes a [Node]. Cores and Quantum are required; the other zero values are the paper's rule.
type NodeConfig struct {
	Cores int // number of tasks that run at once, N in the paper, 1 to MaxCores

	// Quantum is how long a task runs before the node decides whether another one gets its core, W in the paper, more
	// than 0 and at most 48 years. It should let the shortest tasks end within one, and be long compared with the cost
	// of a suspension: 50 s in the paper's cluster, perhaps 20 ms for goroutines.
	Quantum policy.Duration

	// Starvation says when a suspended task has waited too long. The default is NotServed.
	Starvation StarvationRule

	// ArrivalsWait protects starved tasks from arrivals too: if all cores are left undisturbed, a new task waits for
	// its turn without having begun, as the youngest of the suspended. Default false: it takes the core of the oldest,
	// as any new task does. With false, a node of one core under steady arrivals may suspend a starved task again as
	// soon as it goes on. Set it if no task may be suspended for much longer than five quanta.
	ArrivalsWait bool

	// Hysteresis is how much more service a running task must have attained than the youngest suspended one to give way at
	// the end of its quantum, ≥ 0. The default 0 is the paper's rule: tasks of equal service take turns. The authors'
	// code has half a quantum, which spares some changes: a task that has just overtaken another goes on for a while.
	Hysteresis policy.Duration

	// Memory is the node's memory for tasks, in bytes, ≥ 0. The default 0 means no limit, as in the paper: the node
	// then ignores the memory of tasks.
	Memory int64
}

// A StarvationRule says when a suspended task of a [Node] has waited too long.
type StarvationRule uint8

// The rules of starvation.
const (
	// NotServed is the paper's rule: a task starves once it has had no service for three quanta. The task that has
	// been without service longest then gets the next core whose task ends or whose timer fires, whatever services
	// the tasks have attained, and is left undisturbed there for two quanta.
	NotServed StarvationRule = iota
	// Preempted is the rule of the authors' code: a task that has been preempted three times is left undisturbed for two
	// quanta when its turn comes again, and the count starts again. It bounds how often a task is preempted, but not how
	// long it waits.
	Preempted
	// Never is plain least attained service: a long task may wait as long as younger ones keep coming.
	Never
)

// The numbers of the rules of starvation: the paper's simulations have 3, and its authors' code has both.
const (
	counter    = 3 // quanta without service, or preemptions
	protection = 2 // quanta
)

// maxSpan bounds the time from a node's first event to its last, and the service of a restored task, so that no sum of
// two overflows.
const maxSpan = policy.Duration(1<<62 - 1)

// check returns errors that call the configuration by a name.
func (c NodeConfig) check(name string) error {
	switch {
	case c.Cores < 1 || c.Cores > MaxCores:
		return fmt.Errorf("kairos: %s.Cores is %d, want 1 to %d", name, c.Cores, MaxCores)
	case c.Quantum <= 0 || c.Quantum > maxSpan/counter:
		return fmt.Errorf("kairos: %s.Quantum is %v, want more than 0 s, at most %v", name, c.Quantum, maxSpan/counter)
	case c.Starvation > Never:
		return fmt.Errorf("kairos: %s.Starvation is %d, want NotServed, Preempted or Never", name, c.Starvation)
	case c.Hysteresis < 0 || c.Hysteresis > maxSpan:
		return fmt.Errorf("kairos: %s.Hysteresis is %v, want 0 s to %v", name, c.Hysteresis, maxSpan)
	case c.Memory < 0:
		return fmt.Errorf("kairos: %s.Memory is %d bytes, want at least 0", name, c.Memory)
	}
	return nil
}

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

// MaxQueue is the largest Queue.
const MaxQueue = 1 << 20

// Config describes the paper's Kairos. The zero Config is that of its cluster of 30 nodes with 4 cores (section 5.2). Choose
// Node.Quantum about the runtime of a short task: a preempted task may wait for a quantum behind a long one that came later, and a starved long task runs for two.
// The others matter less: see docs/kairos.md.
type Config struct {
	// Node describes the nodes. Its Cores and Memory must be 0: they are those of each node. Its Quantum 0 means 50 s.
	Node NodeConfig

	// Queue is how many tasks a node may have besides one for each of its cores, Q in the paper, to MaxQueue. 0 means 4, and
	// below 0 none. With a
	// larger Queue a short task comes to a node sooner, where it need not wait for long ones; with a smaller one fewer
	// tasks wait on one node while another has an idle core. With none no short task overtakes long ones, since that
	// happens on nodes. The paper has 4 on nodes of 4 cores and 2 on nodes of 1.
	Queue int

	// Tie decides which of the nodes with the fewest tasks gets the next one. The default is LeastVariance.
	Tie Tie

	// Src draws between nodes that are still equal after Tie, such as those with at most one task, whose variance is
	// 0: the paper names no second rule. Nil means a source with a fixed seed.
	Src rand.Source

	// Heartbeat is the least time between two heartbeats of a node, Δ in the paper, which does not say how long it is. 0 means
	// 1 s, and below 0 that it may be as short as you like. They are needed only for what
	// ties are broken by, since the centre hears of ended tasks from the host. So a node sends one only if tasks have
	// come, ended, or been suspended since its last one and it has two tasks or more, or if a minute has passed.
	Heartbeat policy.Duration
}

// keepAlive is how long after a heartbeat a node with tasks sends another one even if nothing has happened: services
// have grown, and the first may have been lost.
const keepAlive = policy.Duration(60e9)

// filled returns c with its defaults, or an error that names the field that is out of range.
func (c Config) filled() (Config, error) {
	c.Node.Quantum = cmp.Or(c.Node.Quantum, 50*time.Second)
	c.Queue, c.Heartbeat = max(0, cmp.Or(c.Queue, 4)), max(0, cmp.Or(c.Heartbeat, time.Second))
	probe := c.Node
	probe.Cores = 1
	switch {
	case c.Node.Cores != 0 || c.Node.Memory != 0:
		return c, fmt.Errorf("kairos: Config.Node has %d cores and %d bytes, want 0: they are those of each node", c.Node.Cores, c.Node.Memory)
	case c.Queue > MaxQueue:
		return c, fmt.Errorf("kairos: Config.Queue is %d, want at most %d, below 0 for none, or 0 for 4", c.Queue, MaxQueue)
	case c.Tie > AtRandom:
		return c, fmt.Errorf("kairos: Config.Tie is %d, want LeastVariance, LeastSum or AtRandom", c.Tie)
	}
	return c, probe.check("Config.Node")
}

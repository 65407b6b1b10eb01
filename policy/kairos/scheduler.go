package kairos

import (
	"fmt"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// Config describes a [Scheduler]. Start from [DefaultConfig].
//
// # What to set
//
// Node.Quantum decides most. Let it be of the order of what a short task takes: one that was
// preempted may wait for a quantum behind a long one that came later, and a starved long one
// runs for two. These are 99th percentiles of the completion times of short jobs on nodes of
// one core, with a queue of 2, at load 0.9:
//
//   - A part of Yahoo's trace, whose short tasks take 13 s (median): 182 s with a quantum of
//     100 s. Under Eagle it is 1437 s.
//   - A part of Google's, whose short tasks take 231 s: 2.4e3 s with 100 s, 3.0e3 s with 1000 s,
//     9.9e3 s with the 10,000 s of the paper. Under Eagle it is 2.2e3 s; at load
//     0.93 it is 2.7e3 s, and 2.5e3 s with 100 s.
//
// Central.Queue matters little as long as nodes are seldom full: from 1 to 8 it changes the 2.4e3
// s by 2 %. On the cluster of the paper, with bursts that fill it, the mean is 516, 525 and 543
// s with 2, 4 and 8.
//
// Node.Starvation serves the longest jobs. On that cluster the others pay for it: by the default the
// median is 438 s and the 99th percentile 1918 s; with Never they are 330 s and 2556 s. On
// Yahoo's trace it helps both: short jobs have 221 s with Never, and the 99th percentile of long
// ones is 12.4e3 s, with Never 15.8e3 s.
//
// Tasks never move, so long ones may take turns on one node while others are idle: on both
// traces the longest jobs end later than under a policy that does not preempt. The program
// examples/reproduce measures all this.
type Config struct {
	// Node describes the nodes. Its Cores and Memory must be 0: they are those that each
	// node has.
	Node NodeConfig

	// Central describes the centre. Its Queue is required to be at least 1 if short tasks
	// are to pass by long ones.
	Central CentralConfig

	// Heartbeat is the least time between two heartbeats of a node, Δ in the paper, ≥ 0. A
	// node speaks only if tasks have come, ended, or been suspended since it last did. A single
	// centre hears of ends elsewhere, so that what it still needs to be told is what breaks
	// ties: nothing if this is 0 as before, as the variance is of one task or none. With several
	// centres a node may have room for so long, and for Gossip more, beside a task that waits at one of
	// them: that does not know yet that tasks of another have ended.
	Heartbeat policy.Duration

	// KeepAlive is how long after a heartbeat a node speaks again though nothing has
	// happened, ≥ 0; 0 means never. It brings the variance of the tasks that run up to date,
	// and makes up for heartbeats that are lost. With a single centre, nodes that have no tasks, or
	// nothing to tell, are silent.
	KeepAlive policy.Duration

	// Centres is the number of centres over the same nodes, 1 to 2^16; 0 means 1. Jobs are
	// dealt out to them in turn, by ID. What one has sent to a node the others do not know
	// before that node's next heartbeat, so that a node may be sent too much; it sends back
	// what it has no place for.
	Centres int

	// Gossip is how long one centre keeps what it hears from nodes until it tells the
	// others, ≥ 0. The default 0 means that they share their state: all hear each heartbeat
	// at once. It is not read with one centre.
	Gossip policy.Duration
}

// DefaultConfig returns the parameters of Kairos' cluster of 30 nodes with 4 cores (section
// 5.2): a queue of 4 tasks and a quantum of 50 s. A node speaks once a second at most, and
// once a minute at least; the paper does not say how often.
//
// Nodes are not Firm, as in Algorithm 1: a task that comes runs at once, and the young have the
// least to wait. Take it so for nodes of several cores, where an arrival finds a core that is
// not left undisturbed. On nodes of one core it may suspend a starved task as soon as that goes
// on; if no task may stand still for much longer than Counter + Undisturbed quanta, as section
// 3.2 promises, take Node.Firm. On 200 nodes of one core with Q = 2 and W = 100 s, at load 0.9,
// the longest time without service falls from 592 s to 500 s by that, the 99th percentile of
// short jobs' completion times grows by 11 %, and their mean by 2 %; with four cores a node
// the means are within 1 % of each other.
func DefaultConfig() Config {
	return Config{
		Node:      NodeConfig{Quantum: 50e9},
		Central:   CentralConfig{Queue: 4},
		Heartbeat: 1e9, KeepAlive: 60e9,
	}
}

// A Scheduler is Kairos behind the contract of package policy: a [Central], and a [Node] on
// each node. Nothing need be known of how long tasks run.
//
// Jobs are served in the order of submission, each task of a job before the next job; stages
// in their order, as they become Ready. Tasks that are to be tried again come first in their
// job. The centre sends tasks to nodes, where they run by least attained service.
//
// Each task takes one core. Step returns an error for a job with tasks of several
// cores, or with gangs, and does not take it. Partitions that a stage prefers are not looked
// at.
//
// A node whose memory is accounted for holds no more tasks, running or suspended, than it has
// memory for; others wait there, without having begun. The centre does not look at memory
// but for tasks that some node could never hold: for these it looks at every node, and
// while none has a place, later jobs wait with them.
//
// A step of the centre takes time logarithmic in the number of nodes and of jobs, for each
// event and each action; one of a node is logarithmic in the number of its tasks, and linear
// in that of its cores when it speaks. They allocate when a job or a node comes or goes, and
// while tables grow.
//
// # Several centres
//
// The paper says that its centre could be several, which gossip or share their state
// (section 7.2). With Config.Centres they are as many Centrals in one process, and what each
// does not know of the others is kept from it. On 500 nodes of one core at load 0.9, with a
// heavy-tailed workload (TestCostOfCentres), completion times over those with one centre are
//
//	centres  state           mean  median   mean of the jobs' own ratios
//	      2  shared          1.00    1.00   1.02
//	      4  shared          0.99    1.00   1.02
//	     16  shared          1.00    1.00   1.02
//	      2  gossip of 10 s  0.98    1.04   1.09
//	      4  gossip of 10 s  1.00    1.06   1.12
//	     16  gossip of 10 s  1.00    1.07   1.13
//
// so that it is short jobs which pay for what is heard late, and little. A node then speaks to all
// centres, and more often.
//
// # Source
//
// Kairos, section 3 and Algorithms 1 and 2.
type Scheduler struct {
	*central.Distributed
	nodes *Nodes
}

// Nodes are the nodes of Kairos under any turn: a [Central] at the centre, and a [Node] on each node. They are for
// central.Config.Node.
type Nodes struct {
	config   Config
	view     *central.View
	claim    func(j *central.Job)
	returned func(c policy.Copy, again bool)
	jobs     policy.Table[policy.JobID, entry]
	centres  []centre
	memory   policy.Table[policy.NodeID, int64]
	stale    map[policy.Copy]bool  // copies on nodes, of tasks that have finished
	least    int64                 // memory of a node, MaxInt64 if it is not accounted for on any
	shy      delayed[policy.JobID] // jobs that wait a little after a refusal
	gossip   delayed[rumour]       // heartbeats that other centres have not heard yet
}

// entry is what the centre keeps of a job.
type entry struct {
	sent   int         // assignments that are not over
	copies int         // of these, those that are not the first of their task
	until  policy.Time // when it tries again after a refusal
}

// A centre is one of those that send tasks to the nodes.
type centre struct{ *Central[policy.Copy] }

// A rumour is a heartbeat on its way from one centre to the others.
type rumour struct {
	report Report
	centre int // for which it is
}

// NewScheduler returns a scheduler: the nodes of Kairos under first come, first served. The error names the field that is
// outside its range.
func NewScheduler(c Config) (*Scheduler, error) {
	n, err := NewNodes(c)
	if err != nil {
		return nil, err
	}
	s, err := central.NewDistributed(central.Config{Turn: newDealt(n), Node: n})
	return &Scheduler{s, n}, err
}

// NewNodes returns the nodes. The error names the field that is outside its range.
func NewNodes(c Config) (*Nodes, error) {
	switch {
	case c.Node.Cores != 0 || c.Node.Memory != 0:
		return nil, fmt.Errorf("kairos: Config.Node has %d cores and %d bytes, want 0: they are those of each node", c.Node.Cores, c.Node.Memory)
	case c.Heartbeat < 0:
		return nil, fmt.Errorf("kairos: Config.Heartbeat is %v, want at least 0", c.Heartbeat)
	case c.KeepAlive < 0:
		return nil, fmt.Errorf("kairos: Config.KeepAlive is %v, want at least 0", c.KeepAlive)
	case c.Centres < 0 || c.Centres > 1<<16:
		return nil, fmt.Errorf("kairos: Config.Centres is %d, want 1 to %d, or 0 for 1", c.Centres, 1<<16)
	case c.Centres > 1 && c.KeepAlive == 0:
		return nil, fmt.Errorf("kairos: Config.KeepAlive is 0 with %d centres, want more: each must hear at last what the others have done", c.Centres)
	case c.Gossip < 0:
		return nil, fmt.Errorf("kairos: Config.Gossip is %v, want at least 0", c.Gossip)
	}
	c.Centres = max(1, c.Centres)
	probe := c.Node
	probe.Cores = 1
	if _, err := probe.checked("Config.Node"); err != nil {
		return nil, err
	}
	if err := c.Central.check("Config.Central"); err != nil {
		return nil, err
	}
	s := &Nodes{config: c, stale: make(map[policy.Copy]bool), least: math.MaxInt64}
	for range c.Centres {
		c, err := NewCentral[policy.Copy](s.config.Central)
		if err != nil {
			return nil, err
		}
		s.centres = append(s.centres, centre{c})
	}
	return s, nil
}

// of returns which centre serves a job.
func (s *Nodes) of(id policy.JobID) int { return int(uint64(id) % uint64(len(s.centres))) }

// where returns the node that a copy was sent to, and false if it has not been sent, or its end
// has been heard. It looks at all nodes.
func (s *Nodes) where(c policy.Copy) (node policy.NodeID, ok bool) {
	centre := s.centres[s.of(c.Job)]
	for node := range centre.nodes() {
		if _, ok := centre.number(c, node); ok {
			return node, true
		}
	}
	return 0, false
}

// Package probing holds distributed policies in which nodes have queues and jobs send probes to them: Sparrow, Hawk
// and Eagle. Hawk and Eagle distinguish short jobs from long ones. So does BigC, the central policy with preemption
// that they are compared with. Start with [NewSparrow], [NewHawk], [NewEagle] or [NewBigC].
//
// Hawk, Eagle and BigC use an [Estimator] of how long the tasks of a job take. [MeanRuntime] is the one that knows
// the truth. None of them runs gangs.
//
//	p, err := probing.NewSparrow(probing.Config{Src: rand.NewPCG(1, 2)})
//	result, err := sim.Run(ctx, config, p)
//
// # When not to use it
//
// If one scheduler can keep up with all jobs, a central policy, such as those of packages baseline and slearn, does
// better: it sees all free cores. Probes are for clusters with very many short tasks.
//
// # Cost
//
// A step of a node's part takes time in proportion to its queue, which holds a few probes at usual loads. A step of
// the centre takes constant time for each action, and logarithmic time for each long task; under Eagle each long job
// also takes time in proportion to the nodes.
//
// # Source
//
// Each constructor names its paper.
package probing

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// Config describes a policy that probes. Src is required, and for Hawk and Eagle Estimate and Cutoff. Sparrow treats
// all jobs as short and ignores these two. The defaults are those of the papers for the Google trace, where the
// authors' cutoff is 1129.532 s. For other traces their cutoffs are 90.5811 s (Yahoo), 272.783 s (Cloudera) and
// 76.5951 s (Facebook), with a LongShare of 98, 91 and 98 %.
type Config struct {
	// Src draws the nodes that get probes.
	Src rand.Source
	// ProbeRatio is the number of probes for each short task, 1 to 1000; 0 means 2.
	ProbeRatio float64

	// Estimate estimates how long the tasks of a job take. A job that it does not know is long.
	Estimate Estimator
	// Cutoff is the task time from which on a job is long, > 0.
	Cutoff policy.Duration
	// LongShare is the share of the nodes on which long tasks may run, above 0, at most 1; 0
	// means 0.83. It should be near the share of the work that is in long jobs.
	LongShare float64

	// Bypass limits how long a probe may be overtaken under Eagle, in multiples of its own estimate; finite, > 0; 0
	// means 5.
	Bypass float64
	// FreshVector lets Eagle's rejected probes use the nodes that have long tasks now. Otherwise they use the newest
	// bit vector among the nodes that the job has probed; a node gets one with each long task.
	FreshVector bool
}

// NewSparrow returns a policy of batch sampling with late binding. When a job of t tasks comes, it sends 2t probes to
// random nodes, where they wait in a queue, first in first out. When a core is free for the first probe, the node
// asks the job's scheduler for a task. The first t probes to ask get one. The scheduler tells the others that no task
// is left, and the node drops all its probes of that job. So tasks go where queues are short in time, although nobody
// knows the queues or the runtimes. The core waits for the answer, one round trip. A core may be idle beside a
// waiting task as long as no probe of its job is on that node.
//
// It is a [policy.Distributed]: schedulers share no state except the queues of the nodes. Ours are all at the centre,
// which sends again what is lost with a node.
//
// A step of a part takes time in proportion to its queue. A step of the centre takes constant time for each action,
// and time in proportion to all tasks and probes when a node is lost. At most 65,536 probes of a job are out at a
// time, and one step sends at most twice as many for all jobs together. The rest follow as tasks start.
//
// # Source
//
// K. Ousterhout, P. Wendell, M. Zaharia and I. Stoica, "Sparrow: distributed, low latency
// scheduling", SOSP 2013, section 3. We differ: probes that are no longer needed are not called back (proactive
// cancellation), but wait until the turn of the first of them on their node. There are no priorities, and no
// constraints on placement except the size of a node.
func NewSparrow(c Config) (*Scheduler, error) {
	return newScheduler(sparrow, c)
}

// NewHawk returns a hybrid: short jobs, of which there are many, send probes as in [NewSparrow], and the centre
// places long jobs, which make most of the load.
//
//   - A long task goes to the node where it would wait least. The wait is the sum of the estimates of the long tasks
//     that were sent there and have not ended, minus the time that each has run, up to its estimate.
//   - Long tasks run only on a part of the nodes, short ones on all: so some nodes are never blocked by a long task.
//   - A node is a queue, first in first out. A node that becomes idle asks up to ten random nodes, among those open
//     to long tasks, for the first row of probes that waits there behind a long task, and takes over the first row
//     that it finds (randomized stealing). If nothing waits any more of the jobs of that row, it asks ten more nodes.
//
// What holds for Sparrow (parts, faults, cost) holds here. Placing a long task takes time logarithmic in the number
// of nodes; one step places at most 65,536 of a job.
//
// # Source
//
// P. Delgado, F. Dinu, A.-M. Kermarrec and W. Zwaenepoel, "Hawk: hybrid datacenter scheduling", USENIX ATC 2015,
// section 3. We differ: a node asks through the centre, which must know where each probe is, so a try takes a round
// trip, and stolen probes one way more. If lost nodes leave too few for long jobs, others are opened to them.
func NewHawk(c Config) (*Scheduler, error) {
	return newScheduler(hawk, c)
}

// NewEagle returns a policy in which short tasks never wait behind long ones, and short jobs with little left go
// first. Long tasks are placed as in [NewHawk], on a part of the nodes; short jobs send probes as in [NewSparrow],
// but at least 20. What is new:
//
//   - Divide, by succinct state sharing. With each long task a node gets a bit vector of the nodes that have long
//     tasks. A node that runs a long task, or has one in its queue, rejects probes. The probe then goes to a random
//     node that has none, by the newest bit vector among the nodes that the job has probed. If that node rejects it
//     too, the probe goes to a node that is open to short jobs only.
//   - Distributed shortest remaining processing time. A node first serves the probe whose job has the least work
//     left, without preemption, as far as Bypass lets it overtake.
//   - Stick to your probes. A probe that was given a task keeps its place in the queue, for the next task of the same
//     job, until none waits. So jobs that began end soon.
//
// Nodes count, not cores, as in the paper, whose nodes run one task at a time: on a node with many cores a single
// long task keeps all short ones away, even from free cores. A host with such nodes should present each core, or a
// few cores, as a node.
//
// What holds for Sparrow (parts, faults, cost) and Hawk (placing of long tasks) holds here. The bit vector of a long
// job takes time in proportion to the nodes, and a bit for each node as long as the job is the last long one of some
// node.
//
// # Source
//
// P. Delgado, D. Didona, F. Dinu and W. Zwaenepoel, "Job-aware scheduling in Eagle: divide and stick to your probes",
// SoCC 2016; the parameters are those of the authors' simulator, whose bypass limit is also in estimated durations,
// not a number of probes. We differ: no probe ever waits for more than its limit, whoever is chosen. The work left
// counts the unfinished tasks, as the node was told with a probe or with the job's last task; the simulator reads
// from memory how many have not started. So probes of a job without waiting tasks stay in the queue until the turn of
// the first of them, where the simulator removes them, and short jobs take about a tenth longer at loads where they
// wait long. Bit vectors stay at the centre, where all schedulers are. The probes of a job go to different nodes
// while there are enough, where the simulator draws each node independently.
func NewEagle(c Config) (*Scheduler, error) {
	return newScheduler(eagle, c)
}

// newScheduler returns an error that names the field of Config that is outside its range.
func newScheduler(k kind, c Config) (*Scheduler, error) {
	c.ProbeRatio, c.LongShare, c.Bypass = cmp.Or(c.ProbeRatio, 2), cmp.Or(c.LongShare, 0.83), cmp.Or(c.Bypass, 5)
	switch {
	case c.Src == nil:
		return nil, fmt.Errorf("probing: Config.Src is nil, want a source of randomness")
	case !(c.ProbeRatio >= 1 && c.ProbeRatio <= 1000):
		return nil, fmt.Errorf("probing: Config.ProbeRatio is %v, want 1 to 1000, or 0 for 2", c.ProbeRatio)
	case !(c.LongShare > 0 && c.LongShare <= 1):
		return nil, fmt.Errorf("probing: Config.LongShare is %v, want above 0, at most 1, or 0 for 0.83", c.LongShare)
	case !(c.Bypass > 0) || math.IsInf(c.Bypass, 0):
		return nil, fmt.Errorf("probing: Config.Bypass is %v, want a finite number above 0, or 0 for 5", c.Bypass)
	}
	s := &Scheduler{config: c, kind: k, rng: rand.New(c.Src), batch: maxBatch}
	s.waits = queue.NewHeap(s.lessWait)
	switch k {
	case sparrow:
		s.config.Estimate, s.config.LongShare = nil, 1
		return s, nil
	case eagle:
		s.minProbes = 20
	}
	if err := checkClasses("Config", c.Estimate, c.Cutoff); err != nil {
		return nil, err
	}
	return s, nil
}

// Package kairos schedules without any estimate of runtimes: each node serves its tasks by least attained service,
// and the centre keeps the queues of the nodes short.
//
// If runtimes are heavy-tailed, a task that has run for a short time is likely to end soon, and one that has run for
// long is likely to go on. So each node serves its tasks by least attained service (LAS). [Node], Algorithm 1 of the
// paper, runs a new task at once, in the place of the task that has run longest, and lets tasks of equal service take
// turns.
//
// LAS works best if short tasks meet long ones, and it cannot help tasks that are not on a node yet. So the centre,
// [Central], Algorithm 2, gives each node a few more tasks than it has cores, evenly, and prefers nodes whose tasks
// vary least in attained service: the others have short and long tasks already.
//
// Both are plain types that any host can drive without the contract of package policy. A worker pool needs only a
// Node, if its tasks stop when they are told to (as processes do; see examples/nodehost) or after each slice of their
// work (as goroutines may; see Example (Pool) in example_pool_test.go). [NewScheduler] combines both behind the
// contract; start from [DefaultConfig]. Hosts that place tasks themselves can ask an [Advisor].
//
// # Which one to take
//
// The paper's Kairos has a quantum W and a queue Q, which must suit the jobs. It has two weaknesses. Jobs with very
// many tasks fill all places of all nodes, one for each core and Q more, and short tasks then wait at the centre. And
// if W is long compared with short tasks, a preempted short task waits for W.
//
// [NewAdaptive] has nothing to set if tasks take seconds or more (see [AdaptiveConfig]): a fair turn at the centre, and
// nodes that hold at most two tasks a core ([AdaptiveNode]). Take it, unless you want the paper's. docs/kairos.md has
// measurements of both.
//
// # Words
//
// The comments on [NewAdaptive] use these. Credit is the service that a task has attained minus the time that it has
// been suspended; a [Claim] is the credit that a task must have before a new task may take its core. A task is out from
// when it is sent to a node until it ends. A pair is two tasks of one core: one runs, and one is suspended. A turn
// decides which job is next: see [central.Turn].
//
// # Formulae
//
// These are the paper's.
//
// Let A(i) be the service that task i has attained so far, and W the quantum. A new task takes an idle core, or else
// that of the running task with the greatest A. When a task ends, the suspended task with the least A goes on. At the
// end of a quantum of task i, the suspended task j with the least A takes its core if
//
//	A(j) ≤ A(i)
//
// so that tasks of equal service take turns. A task that has had no service for 3·W gets the next core whose task ends
// or whose quantum is over. The centre sends a task to the node with the least
//
//	tasks - N, then variance of A over its tasks, then any of them
//
// among the nodes with fewer than N + Q tasks, for N cores and a queue of Q; if there is none, the task waits.
//
// # When not to use it
//
// If runtimes are known or can be learnt, because jobs recur or have many tasks, an order by runtimes needs no
// preemption (packages slearn and predict). If all tasks take about as long, LAS only delays them: run each to its
// end. Kairos is not for services that run forever, nor for tasks that cannot be suspended or whose memory cannot
// stay meanwhile. It refuses gangs and tasks of several cores.
//
// # Cost
//
// An event of a [Node] takes O(n) time for n tasks and cores, which are few; an event of a [Central] takes O(log m)
// for m nodes. Neither allocates in the steady state. A change of task costs the host a suspension; there is at most
// one for each quantum of each core and one for each task that comes or ends.
//
// # The code
//
// Begin with node.go, Algorithm 1, and its lists in tasks.go; then read central.go, Algorithm 2, and order.go, which
// chooses the node; then nodes.go and part.go, the two sides of the contract, and message.go, what nodes report to
// hosts and centres. The adaptive Kairos is in adaptive_node.go and adaptive.go.
//
// # Source
//
// Kairos: P. Delgado, D. Didona, F. Dinu and W. Zwaenepoel, "Kairos: preemptive data center
// scheduling without runtime estimates", SoCC 2018. Sections and lines of algorithms named in this
// package are those of this paper.
package kairos

import (
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
)

// A Scheduler is Kairos behind the contract of package policy: a [Central], and a [Node] on each node, or the nodes
// of [NewAdaptive]. It needs no runtimes.
//
// The paper's Kairos serves jobs in the order of submission, and all tasks of a job before the next job. The stages
// of a job go in their order, as they become Ready, but tasks that are to be tried again go first. The centre sends
// tasks to nodes, which serve them by least attained service.
//
// Each task takes one core. Step returns an error for a job with gangs or with tasks of several cores, and does not
// take the job. It ignores the partitions that a stage prefers.
//
// A node with a memory limit holds no more tasks, running or suspended, than it has memory for; under the paper's
// Kairos further tasks wait there, without having begun. The centre considers memory only for tasks that some node
// could never hold: for these it looks at every node, and while none has a place, later jobs wait too.
//
// A step of the centre takes time logarithmic in the number of nodes and of jobs, for each event and each action; a
// step of a node is linear in the number of its tasks and cores. They allocate when a job or a node comes or goes,
// and while tables grow.
//
// # Several centres
//
// The paper says that there could be several centres that share their state (section 7.2). Config.Centres makes as
// many Centrals in one process. All hear each heartbeat, but none knows what the others have just sent. A node then
// reports to all centres, and more often. The loss is small: see docs/kairos.md.
//
// # Source
//
// Kairos, section 3 and Algorithms 1 and 2.
type Scheduler struct {
	*central.Distributed
	nodes *Nodes
}

// NewScheduler returns a scheduler: the nodes of Kairos with first come, first served. It returns an error that names
// the field that is out of range.
func NewScheduler(c Config) (*Scheduler, error) {
	n, err := NewNodes(c)
	if err != nil {
		return nil, err
	}
	s, err := central.NewDistributed(central.Config{Turn: newDealt(n), Node: n})
	return &Scheduler{s, n}, err
}

// dealt is the turn of several centres. Each serves its own jobs first come, first served. If the first job of a
// centre finds no place, that centre waits and the next one goes on.
type dealt struct {
	nodes *Nodes
	turns []central.Turn
}

// newDealt returns first come, first served for as many centres as there are.
func newDealt(n *Nodes) central.Turn {
	if len(n.centres) == 1 {
		return baseline.FIFO()
	}
	d := &dealt{nodes: n}
	for range n.centres {
		d.turns = append(d.turns, baseline.FIFO())
	}
	return d
}

// Bind implements [central.Turn].
func (d *dealt) Bind(b central.Books) error {
	for _, t := range d.turns {
		if err := t.Bind(b); err != nil {
			return err
		}
	}
	return nil
}

// Note implements [central.Turn].
func (d *dealt) Note(ev *policy.Event, j *central.Job) error {
	if j != nil {
		return d.turns[d.nodes.of(j.Job.ID)].Note(ev, j)
	}
	return nil
}

// Claim implements [central.Turn].
func (d *dealt) Claim(j *central.Job, c central.Claim) { d.turns[d.nodes.of(j.Job.ID)].Claim(j, c) }

// Next implements [central.Turn].
func (d *dealt) Next() *central.Job {
	for i := range d.turns {
		if d.nodes.centres[i].full() {
			continue
		}
		if j := d.turns[i].Next(); j != nil {
			if stage, ok := j.Next(); ok && d.nodes.Fits(j, stage) {
				return j
			}
		}
	}
	return nil
}

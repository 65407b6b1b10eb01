// Package kairos schedules without any estimate of how long tasks run: Kairos, least attained
// service on every node under a centre that keeps their queues short.
//
// A task that has run for a short time so far is likely to end soon, if runtimes are
// heavy-tailed, and one that has run for long is likely to go on. So each node serves the
// tasks that it holds by least attained service: [Node], Algorithm 1 of the paper, makes a
// new task run at once, in the place of the one that has run the longest, and lets tasks of
// equal service take turns.
//
// LAS works best where short tasks meet long ones, and cannot work for tasks that have not
// come to a node. So the centre, [Central], Algorithm 2, gives nodes a few more tasks than
// they have cores, as many to each, and prefers those whose tasks vary the least so far.
//
// Both are plain types that any host can drive, without the contract of package policy: a
// worker pool needs a Node and no more, if its tasks stop when they are told to (as processes do;
// see examples/nodehost) or after each slice of their work (as goroutines may; see Example (Pool) in
// example_pool_test.go). [NewScheduler] makes both together behind the contract; start that from
// [DefaultConfig]. For hosts that place tasks themselves, and ask where, there is an [Advisor],
// and an [AdaptiveAdvisor] for the rule of [NewAdaptive].
//
// # Which one to take
//
// The paper's Kairos has a quantum W and a queue Q, which must suit the jobs. Two things defeat it. Jobs of very many tasks
// fill the N + Q places of all nodes, and short tasks then wait at the centre. And if W is long beside short tasks, a short
// one that was preempted waits for W.
//
// [NewAdaptive] makes one that has nothing to set: a fair turn at the centre, and nodes that hold at most two tasks a core. Take
// that, unless you want the paper's. Its node is an [AdaptiveNode]. What was measured of both is in docs/kairos.md.
//
// # Words
//
// Credit is the service that a task has attained less the time for which it has stood suspended; a claim is the credit that a new
// task wants to see before it takes a core. A task is out from when it is sent to a node until it ends. A pair is two tasks of
// one core: one runs, and one is suspended. A turn says which job is next: see [central.Turn].
//
// # Formulae
//
// These are the paper's.
//
// With A(i) the service that task i has attained up to now, and W the quantum: a task that
// comes takes an idle core, or else that of the running task with the greatest A. When a task
// ends, the suspended one with the least A goes on. At the end of a quantum of task i, the
// suspended task j with the least A takes its core if
//
//	A(j) ≤ A(i)
//
// so that tasks of equal service take turns. A task that has had no service for 3·W goes next.
// The centre sends a task to the node with the least
//
//	tasks - N, then variance of A over its tasks, then any of them
//
// of the nodes with fewer than N + Q tasks, for N cores and a queue of Q; else the task waits.
//
// # When not to use it
//
// Where runtimes are known or can be learnt, as from jobs that recur or have many tasks, an
// order by them does without preemption (packages slearn and predict). Where all tasks take
// about as long, those of equal service only delay one another: let them run to their end. It
// is not for services that run for ever, nor for tasks that cannot be suspended or whose
// memory cannot stay meanwhile, nor for gangs and tasks of several cores, which it refuses.
//
// # Cost
//
// An event takes a [Node] O(n) time for n tasks and cores, of which there are few, and a [Central] O(log m) for
// m nodes; neither allocates in the steady state. A change of task costs the host
// what suspending costs it; there is at most one for each quantum of each core and one for
// each task that comes or ends.
//
// # The code
//
// To read it, begin with node.go, Algorithm 1, and its lists in tasks.go; then central.go, Algorithm 2, and order.go,
// which says which node is next; then nodes.go and part.go, the two sides of the contract, and message.go,
// what nodes say to their hosts and centres. The adaptive one is in adaptive_node.go and adaptive.go.
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

// A Scheduler is Kairos behind the contract of package policy: a [Central], and a [Node] on
// each node, or what [NewAdaptive] has in their place. Nothing need be known of how long tasks run.
//
// Under the paper's Kairos jobs are served in the order of submission, each task of a job before the next job; stages
// in their order, as they become Ready. Tasks that are to be tried again come first in their
// job. The centre sends tasks to nodes, where they run by least attained service.
//
// Each task takes one core. Step returns an error for a job with tasks of several
// cores, or with gangs, and does not take it. Partitions that a stage prefers are not looked
// at.
//
// A node whose memory is accounted for holds no more tasks, running or suspended, than it has
// memory for; under the paper's others wait there, without having begun. That centre does not look at memory
// but for tasks that some node could never hold: for these it looks at every node, and
// while none has a place, later jobs wait with them.
//
// A step of the centre takes time logarithmic in the number of nodes and of jobs, for each
// event and each action; one of a node is linear in the number of its tasks and cores. They allocate when a job or a node comes or goes, and
// while tables grow.
//
// # Several centres
//
// The paper says that its centre could be several, which share their state (section 7.2). With Config.Centres
// they are as many Centrals in one process. All hear each heartbeat, and what one has just sent the others
// do not know. A node then speaks to all centres, and more often. It costs little: see docs/kairos.md.
//
// # Source
//
// Kairos, section 3 and Algorithms 1 and 2.
type Scheduler struct {
	*central.Distributed
	nodes *Nodes
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

// dealt is the turn of several centres. Jobs are dealt out to them, and each serves its own first come, first served.
// A centre whose first job finds no place waits, and the next centre goes on.
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

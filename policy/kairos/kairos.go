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
// see examples/nodehost) or after each slice of their work (as goroutines may; see the pool among
// the examples). [Scheduler] is both together behind the contract; start that from
// [DefaultConfig]. For hosts that place tasks themselves, and ask where, there is an [Advisor].
//
// To read it, begin with node.go, Algorithm 1, and its lists in tasks.go; then central.go, Algorithm 2, and order.go,
// which says which node is next; then nodes.go and part.go, the two sides of the contract, and message.go,
// what nodes say to their hosts and centres.
//
// # Formulae
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
//	tasks - N, then variance of A over its tasks, then ID
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
// node IDs up to m; neither allocates in the steady state. A change of task costs the host
// what suspending costs it; there is at most one for each quantum of each core and one for
// each task that comes or ends.
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
// event and each action; one of a node is linear in the number of its tasks and cores. They allocate when a job or a node comes or goes, and
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

// A rumour is a heartbeat on its way from one centre to the others.
type rumour struct {
	report Report
	centre int // for which it is
}

// A delayed list holds things until they are due. Add them in the order in which they are due.
type delayed[T any] struct {
	list []timed[T] // from head on
	head int
}

type timed[T any] struct {
	at policy.Time
	x  T
}

func (d *delayed[T]) add(at policy.Time, x T) {
	if len(d.list) == cap(d.list) && d.head > len(d.list)/2 {
		d.list, d.head = d.list[:copy(d.list, d.list[d.head:])], 0
	}
	d.list = append(d.list, timed[T]{at, x})
}

// next returns when the first one is due, Never if there is none.
func (d *delayed[T]) next() policy.Time {
	if d.head == len(d.list) {
		return policy.Never
	}
	return d.list[d.head].at
}

// due takes out the first one, and returns false if it is not due yet.
func (d *delayed[T]) due(now policy.Time) (x T, ok bool) {
	if d.next() > now || d.head == len(d.list) {
		return x, false
	}
	x = d.list[d.head].x
	d.head++
	return x, true
}

// heard passes a heartbeat on to its centre, at once or after Config.Gossip.
func (s *Nodes) heard(ev *policy.Event) {
	r := reportOf(ev.Node, &ev.Msg, s.config.Central.Tie)
	centre := int(ev.Msg.Copy.Stage)
	if s.config.Gossip > 0 && ev.Msg.Kind == heartbeat && int(ev.Node)%len(s.centres) != centre {
		s.gossip.add(ev.Time.Add(s.config.Gossip), rumour{r, centre})
		return
	}
	_, _ = s.centres[centre].Heartbeat(r)
}

// pause lets a job wait for a second after a host or a full node refused one of its tasks. If it were sent anew at once,
// it could be refused for ever at one instant. With one centre
// that is rare: it happens when the node still has tasks of a job that is over.
func (s *Nodes) pause(j *central.Job, now policy.Time) {
	e := s.jobs.Get(j.Job.ID)
	j.Held, e.until = true, now.Add(policy.Duration(1e9))
	s.shy.add(e.until, j.Job.ID)
}

// comeRound delivers the heartbeats that are due, and lets jobs try again that have waited.
func (s *Nodes) comeRound(now policy.Time) {
	for r, ok := s.gossip.due(now); ok; r, ok = s.gossip.due(now) {
		_, _ = s.centres[r.centre].Heartbeat(r.report)
	}
	for id, ok := s.shy.due(now); ok; id, ok = s.shy.due(now) {
		if e := s.jobs.Get(id); e != nil && e.until <= now {
			j := s.view.Job(id)
			j.Held = false
			s.claim(j)
		}
	}
}

// Until implements [central.Nodes].
func (s *Nodes) Until() policy.Time { return min(s.gossip.next(), s.shy.next()) }

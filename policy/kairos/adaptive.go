package kairos

import (
	"cmp"
	"math/rand/v2"

	"example.com/augur/histogram"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
)

// AdaptiveConfig describes the cluster of an adaptive Kairos. The zero value is right for most.
type AdaptiveConfig struct {
	// Floor is that of each [AdaptiveNode]; 0 means 1 s.
	Floor policy.Duration

	// Heartbeat is the least time between two heartbeats of a node, ≥ 0; 0 means 1 s. A node sends one only if tasks have come,
	// ended, or changed places since its last one. When a task has taken the core that it offers, it offers the next one at once.
	Heartbeat policy.Duration

	// KeepAlive is how long after a heartbeat that offers a core a node sends another one, since the first may be lost, ≥ 0; 0
	// means 60 s.
	KeepAlive policy.Duration

	// Runtimes are those of all tasks that have finished, in seconds, to which those to come are added. nil stands for none. A
	// host that keeps the histogram over a restart, and hands it to the new scheduler, loses nothing.
	Runtimes *histogram.Histogram

	// Centres is how many centres there are, 1 to 65,536; 0 means 1. See [Scheduler].
	Centres int
}

// NewAdaptive returns a Kairos that has nothing to set: adaptive nodes under a fair turn. The error names the field that is outside
// its range.
//
// The job with the fewest tasks out is next; a task is out from when it is sent until it ends, suspended or not. It goes where a core is idle. If
// none is, the job waits until one is, or until its stage has been ready for a tenth of the median runtime and some task has the
// credit that the job must [Claim]; it then takes the core of the task with the greatest credit. How nodes serve tasks, and what
// that bounds, is told by [AdaptiveNode].
//
// So a job with few tasks out soon finds a core, as long as there are long tasks, and one with many waits for idle cores: a burst
// of thousands of tasks cannot fill the nodes, which is where the Kairos of the paper fails. If all tasks take as long, nothing
// is ever preempted, and the schedule is that of [baseline.Fair].
//
// The median of runtimes that a claim needs is that of all tasks that have finished. Until one has, nothing is preempted.
//
// A step of the centre takes time logarithmic in the number of nodes and of jobs. Where nodes account for memory, it looks at all
// nodes if the first has not enough for a task.
//
// # When not to use it
//
// Short jobs gain, and long ones may end later than under Fair. Tasks never move to another node, so two long ones may share a core
// while another node is idle: on a cluster of some tens of cores the 99th percentile of all jobs is a third longer.
//
// # Source
//
// It is this library's own. What was measured, and where others are better, is in docs/kairos.md.
func NewAdaptive(c AdaptiveConfig) (*Scheduler, error) {
	n, err := NewAdaptiveNodes(c)
	if err != nil {
		return nil, err
	}
	s, err := central.NewDistributed(central.Config{Turn: newDealt(n, func() central.Turn { return &fewestOut{baseline.Fair(), n} }), Node: n})
	return &Scheduler{s, n}, err
}

// fewestOut is the fair turn by how many tasks are out: what is suspended counts too.
type fewestOut struct {
	central.Order
	nodes *Nodes
}

// Claim implements [central.Turn].
func (f *fewestOut) Claim(j *central.Job, c central.Claim) {
	if e := f.nodes.jobs.Get(j.Job.ID); e != nil {
		c.Cores = int64(e.sent)
	}
	f.Order.Claim(j, c)
}

// NewAdaptiveNodes returns the nodes of [NewAdaptive], for any turn: only who is next differs then, and claims and waits are the same.
// Set them as central.Config.Node. The error names the field that is outside its range.
func NewAdaptiveNodes(c AdaptiveConfig) (*Nodes, error) {
	k := Config{
		Node: NodeConfig{Quantum: 1}, Heartbeat: cmp.Or(c.Heartbeat, 1e9), KeepAlive: cmp.Or(c.KeepAlive, 60e9), Centres: c.Centres,
	}
	if _, err := (AdaptiveNodeConfig{Cores: 1, Floor: c.Floor}).checked("AdaptiveConfig"); err != nil {
		return nil, err
	}
	k, err := k.checked("AdaptiveConfig")
	if err != nil {
		return nil, err
	}
	n, err := NewNodes(k)
	if err != nil {
		return nil, err
	}
	n.adaptive, n.floor = true, c.Floor
	for i, centre := range n.centres {
		var rng *rand.Rand
		if len(n.centres) > 1 {
			rng = rand.New(rand.NewPCG(1, uint64(i)))
		}
		centre.pairs, centre.order = true, newAged(rng)
	}
	n.past, err = newPast(c.Runtimes)
	return n, err
}

// Claim says how much credit a running task must have before a new one may take its core: 2·(out + 1)·median. The median is that of all
// runtimes so far, and out is how many tasks the job of the new one has out already, at least 0. The more a job has, the longer must others
// have run that make way for it. While no task has ended, and there is no median, claim the greatest Duration: only an
// idle core will do then.
func Claim(out int, median policy.Duration) policy.Duration {
	if claim := 2 * (float64(max(0, out)) + 1) * float64(median); claim < float64(maxSpan) {
		return policy.Duration(claim)
	}
	return maxSpan
}

// patience is the part of the median runtime for which the tasks of a stage wait for idle cores before they take one.
const patience = 10

// A past is what is known of the runtimes of tasks that have finished.
type past struct {
	runtimes *histogram.Histogram // s
	median   policy.Duration      // of these, maxSpan if there are none, or if it is that long
}

// newPast returns what a histogram knows, nil for nothing.
func newPast(runtimes *histogram.Histogram) (p past, err error) {
	if p.runtimes = runtimes; runtimes == nil {
		p.runtimes, err = histogram.New(histogram.Config{})
	}
	p.learn(0)
	return p, err
}

// learn takes note of a runtime, 0 for none.
func (p *past) learn(runtime policy.Duration) {
	if runtime > 0 {
		_ = p.runtimes.Add(runtime.Seconds()) // which is a number
	}
	p.median = maxSpan
	if p.runtimes.Count() > 0 {
		if median := p.runtimes.Quantile(0.5) * 1e9; median < float64(maxSpan) {
			p.median = policy.Duration(max(0, median))
		}
	}
}

// from returns the instant from when on a job may take the core of a task. The job has so many tasks out, its last stage was ready
// at one instant, and the credit of the task is 0 at another.
func (p *past) from(out int, ready, zero policy.Time) policy.Time {
	if p.median == maxSpan {
		return policy.Never
	}
	return max(ready.Add(p.median/patience), zero.Add(p.asks(out)))
}

// asks returns the claim of a job with so many tasks out, above 0.
func (p *past) asks(out int) policy.Duration { return max(1, Claim(out, p.median)) }

// reach returns the node that gets the next task of a job, 0 if there is none, from when on, and what it claims: of a node with an
// idle core nothing else will do, as another centre may be first.
func (s *Nodes) reach(j *central.Job, stage uint32) (node policy.NodeID, at policy.Time, claim policy.Duration) {
	c := s.centres[s.of(j.Job.ID)]
	node, ok := c.order.next()
	if !ok {
		return 0, 0, 0
	}
	if memory := j.Job.Stages[stage].Memory; s.left(node) < memory {
		if node = s.roomiest(c, memory); node == 0 {
			return 0, 0, 0
		}
	}
	w := c.workers.Get(node)
	if w.free > 0 {
		return node, s.view.Now(), maxSpan
	}
	e := s.jobs.Get(j.Job.ID)
	return node, s.from(e.sent, e.ready, w.offer.zero), s.asks(e.sent)
}

// left returns the memory that tasks leave on a node.
func (s *Nodes) left(node policy.NodeID) int64 {
	left := *s.memory.Get(node)
	if s.least == maxMemory {
		return left
	}
	for _, c := range s.centres {
		for a := range c.on(node) {
			left -= s.view.Job(a.Task.Job).Job.Stages[a.Task.Stage].Memory
		}
	}
	return left
}

// roomiest returns the first node that has so much memory left, 0 if there is none. It looks at all nodes.
func (s *Nodes) roomiest(c *Central[policy.Copy], memory int64) policy.NodeID {
	var best *spot
	for node := range c.nodes() {
		w := &c.workers.Get(node).spot
		if w.placed && (best == nil || c.order.(*aged).compare(w, best) < 0) && s.left(node) >= memory {
			best = w
		}
	}
	if best == nil {
		return 0
	}
	return best.id
}

// due returns when a job whose turn it is may take a core.
func (s *Nodes) due() policy.Time {
	due := policy.Never
	for _, t := range s.turns {
		j := t.Next()
		if j == nil {
			continue
		}
		if stage, ok := j.Next(); ok {
			if node, at, _ := s.reach(j, stage); node != 0 && at > s.view.Now() {
				due = min(due, at)
			}
		}
	}
	return due
}

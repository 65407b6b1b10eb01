package kairos

import (
	"cmp"

	"example.com/augur/histogram"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
)

// AdaptiveConfig describes the cluster of an adaptive Kairos. The zero value is right for tasks of seconds and more. For far shorter
// ones set all three spans in proportion.
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
}

// NewAdaptive returns a Kairos that has nothing to set: adaptive nodes under a fair turn. The error names the field that is outside
// its range.
//
// The job with the fewest tasks out is next; a task is out from when it is sent until it ends, suspended or not. It goes where a core is idle. If
// none is, the job waits until one is, or until its last stage has been ready for a tenth of the median runtime and some task has the
// credit that the job must [Claim]; it then takes the core of the task with the greatest credit. How nodes serve tasks, and what
// that bounds, is told by [AdaptiveNode].
//
// So a job with few tasks out soon finds a core, as long as there are long tasks, and one with many waits for idle cores: a burst
// of thousands of tasks cannot fill the nodes, which is where the Kairos of the paper fails. If all tasks take as long, nothing
// is ever preempted, and the schedule is that of [baseline.Fair], but for nodes that account for memory.
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
	s, err := central.NewDistributed(central.Config{Turn: baseline.Fair(), Node: n})
	return &Scheduler{s, n}, err
}

// NewAdaptiveNodes returns the nodes of [NewAdaptive], for any turn: only who is next differs then, and claims and waits are the same.
// Some turns go by the cores that a job has, as [baseline.Fair] does. They are told of all its tasks that are out.
// Set them as central.Config.Node. The error names the field that is outside its range.
func NewAdaptiveNodes(c AdaptiveConfig) (*Nodes, error) {
	k := Config{Node: NodeConfig{Quantum: 1}, Heartbeat: cmp.Or(c.Heartbeat, 1e9), KeepAlive: cmp.Or(c.KeepAlive, 60e9)}
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
	n.centres[0].pairs, n.centres[0].order = true, newAged()
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

// The tasks of a job wait for 1/patience of the median runtime, from when its last stage was ready, before they take a core that is not
// idle: an idle one may come meanwhile, and half the preemptions are spared. See docs/kairos.md.
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
	return max(ready.Add(p.median/patience), zero.Add(max(1, Claim(out, p.median))))
}

// reach returns the node that gets the next task of a job, of so much memory, and from when on; 0 if there is none.
func (s *Nodes) reach(j *central.Job, memory int64) (node policy.NodeID, at policy.Time) {
	c := s.centres[0]
	node, ok := c.order.next()
	if !ok {
		return 0, 0
	}
	if s.left(node) < memory {
		if node = s.first(func(id policy.NodeID) bool { return s.left(id) >= memory }); node == 0 {
			return 0, 0
		}
	}
	return node, s.since(j, node)
}

// since returns from when on a job may have a core of a node.
func (s *Nodes) since(j *central.Job, node policy.NodeID) policy.Time {
	w := s.centres[0].workers.Get(node)
	if w.free > 0 {
		return s.view.Now()
	}
	e := s.jobs.Get(j.Job.ID)
	return s.from(e.sent, e.ready, w.offer.zero)
}

// apart returns the node for a copy. That of another copy of its task will not do if there is any other, since the slow copy
// would be the one that has to make way.
func (s *Nodes) apart(j *central.Job, copy policy.Copy, node policy.NodeID) policy.NodeID {
	if copy.N == 0 {
		return node
	}
	other := s.first(func(id policy.NodeID) bool {
		for a := range s.centres[0].on(id) {
			if a.Task.Task == copy.Task {
				return false
			}
		}
		return s.since(j, id) <= s.view.Now() && s.left(id) >= j.Job.Stages[copy.Stage].Memory
	})
	if other == 0 {
		return node
	}
	return other
}

// left returns the memory that tasks leave on a node.
func (s *Nodes) left(node policy.NodeID) int64 {
	left := *s.memory.Get(node)
	if s.least == maxMemory {
		return left
	}
	for a := range s.centres[0].on(node) {
		left -= s.view.Job(a.Task.Job).Job.Stages[a.Task.Stage].Memory
	}
	return left
}

// first returns the first node that has a core to offer and will do, 0 if there is none. It looks at all nodes.
func (s *Nodes) first(will func(id policy.NodeID) bool) policy.NodeID {
	c := s.centres[0]
	var best *spot
	for node := range c.nodes() {
		w := &c.workers.Get(node).spot
		if (w.free > 0 || w.offer.open) && (best == nil || byAge(w, best) < 0) && will(node) {
			best = w
		}
	}
	if best == nil {
		return 0
	}
	return best.id
}

// due returns when the job whose turn it is may have a core.
func (s *Nodes) due() policy.Time {
	j := s.turn.Next()
	if j == nil {
		return policy.Never
	}
	memory := int64(0) // that of a copy is not known here
	if stage, ok := j.Next(); ok {
		memory = j.Job.Stages[stage].Memory
	}
	node, at := s.reach(j, memory)
	if node == 0 || at <= s.view.Now() {
		return policy.Never
	}
	return at
}

// Out implements the method of [central.Nodes] that turns go by: what is suspended counts too.
func (s *Nodes) Out(j *central.Job) int64 {
	if e := s.jobs.Get(j.Job.ID); e != nil && s.adaptive {
		return int64(e.sent)
	}
	return j.Cores
}

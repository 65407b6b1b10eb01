package kairos

import (
	"cmp"

	"example.com/augur/histogram"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
)

// AdaptiveConfig describes the cluster of an adaptive Kairos. The zero value suits tasks of seconds and more. For far
// shorter tasks reduce all three durations in proportion.
type AdaptiveConfig struct {
	// Floor is the Floor of each [AdaptiveNode]; 0 means 1 s.
	Floor policy.Duration

	// Heartbeat is the least time between two heartbeats of a node, ≥ 0; 0 means 1 s. A node sends one only if tasks
	// have come, ended, or changed places since the last one. When the core that it offers is taken, it offers the next
	// one at once.
	Heartbeat policy.Duration

	// KeepAlive is how long after a heartbeat that offers a core a node sends it again, since the first may be lost,
	// ≥ 0; 0 means 60 s.
	KeepAlive policy.Duration

	// Runtimes holds the runtimes of all tasks that have finished, in seconds; the scheduler adds to it. Nil: none
	// yet. A host that keeps the histogram over a restart and passes it to the new scheduler loses nothing.
	Runtimes *histogram.Histogram
}

// NewAdaptive returns a Kairos without parameters to set: adaptive nodes under a fair turn. It returns an error that
// names the field that is out of range.
//
// The job with the fewest tasks out is next; a task is out from when it is sent until it ends, suspended or not. It
// goes to an idle core. If there is none, the job waits until there is one, or until it may take the core of a running
// task: the stage that became ready last must have been so for a tenth of the median runtime, and the task must have
// the credit that the job must [Claim]. It takes the core of the task with the greatest credit. [AdaptiveNode]
// describes how nodes serve tasks, and the bounds of that.
//
// So a job with few tasks out soon finds a core, as long as there are long tasks, and a job with many waits for idle
// cores. A burst of thousands of tasks, which defeats the paper's Kairos, cannot fill the nodes. If all tasks take
// equally long, nothing is preempted, and the schedule is that of [baseline.Fair], except on nodes with a memory
// limit.
//
// A claim uses the median runtime of all tasks that have finished. Until one has, nothing is preempted.
//
// A step of the centre takes time logarithmic in the number of nodes and of jobs. If nodes have memory limits, it
// looks at all nodes if the first has too little for a task.
//
// # When not to use it
//
// Short jobs gain, and long ones may end later than under Fair. Tasks never move to another node, so two long tasks
// may share a core while another node is idle. On a cluster of some tens of cores that makes the slowest jobs clearly
// slower.
//
// # Source
//
// This library's own. docs/kairos.md has measurements, and cases where others are better.
func NewAdaptive(c AdaptiveConfig) (*Scheduler, error) {
	n, err := NewAdaptiveNodes(c)
	if err != nil {
		return nil, err
	}
	s, err := central.NewDistributed(central.Config{Turn: baseline.Fair(), Node: n})
	return &Scheduler{s, n}, err
}

// NewAdaptiveNodes returns the nodes of [NewAdaptive] for any turn: claims and waits stay the same. Set them as
// central.Config.Node. A turn that goes by the cores of a job, such as [baseline.Fair], is told all its tasks that
// are out. It returns an error that names the field that is out of range.
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

// Claim returns the credit that a running task must have before a new task may take its core: 2·(out + 1)·median.
// median is the median of all runtimes so far, and out ≥ 0 is how many tasks the new task's job already has out: the
// more it has, the longer must others have run before they make way. While no task has ended there is no median, and
// the claim is the greatest Duration, so only an idle core will do.
func Claim(out int, median policy.Duration) policy.Duration {
	if claim := 2 * (float64(max(0, out)) + 1) * float64(median); claim < float64(maxSpan) {
		return saturate.To[policy.Duration](claim)
	}
	return maxSpan
}

// The tasks of a job wait for 1/patience of the median runtime, from when its last stage was ready, before they take
// a core that is not idle. An idle core may come meanwhile, which spares many preemptions. See docs/kairos.md.
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
			p.median = saturate.To[policy.Duration](max(0, median))
		}
	}
}

// from returns the instant from which on a job may take the core of a task, given how many tasks the job has out,
// when its last stage was ready, and when the credit of the task is 0.
func (p *past) from(out int, ready, zero policy.Time) policy.Time {
	if p.median == maxSpan {
		return policy.Never
	}
	return max(ready.Add(p.median/patience), zero.Add(max(1, Claim(out, p.median))))
}

// reach returns the node for the next task of a job, given its memory, and the instant from which on; 0 if there is
// none.
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

// since returns the instant from which on a job may have a core of a node.
func (s *Nodes) since(j *central.Job, node policy.NodeID) policy.Time {
	w := s.centres[0].workers.Get(node)
	if w.free > 0 {
		return s.view.Now()
	}
	e := s.jobs.Get(j.Job.ID)
	return s.from(e.sent, e.ready, w.offer.zero)
}

// apart returns the node for a copy. It avoids the node of another copy of the same task if it can, since the slow
// copy would be the one that makes way.
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

// left returns the memory of a node that is left by its tasks.
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

// Out implements the method of [central.Nodes] for turns: suspended tasks count too.
func (s *Nodes) Out(j *central.Job) int64 {
	if e := s.jobs.Get(j.Job.ID); e != nil && s.adaptive {
		return int64(e.sent)
	}
	return j.Cores
}

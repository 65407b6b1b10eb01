package kairos

import (
	"cmp"

	"example.com/augur/histogram"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/queue"
)

// NewAdaptive returns a Kairos without parameters to set: adaptive nodes under [baseline.Fair].
//
// Let out be the tasks of a job that have been sent to a node and have not ended, running or suspended, and m the median
// runtime of all tasks that have finished. The credit of a task is the service that it has attained, minus the total time that
// it has been suspended. The next task is one of the job with the fewest out, and goes to an idle core. If there is none, it
// takes the core of the running task with the greatest credit if
//
//   - the stage of the job that became ready last has been so for m/10 at least, and
//   - that credit is at least 2·(out + 1)·m: the more the job has, the longer must others have run before they make way.
//
// Otherwise the job waits for either, and those behind it too. Until a task has finished, nothing is preempted.
//
// So a job with few tasks out soon finds a core, as long as there are long tasks, and a job with many waits for idle
// cores. A burst of thousands of tasks, which defeats the paper's Kairos, cannot fill the nodes. If all tasks take
// equally long, nothing is preempted, and the schedule is that of [baseline.Fair], except on nodes with a memory
// limit.
//
// # The nodes
//
// A node holds at most two tasks a core: one runs, and the other is suspended.
//
//   - A task that arrives gets an idle core. If there is none, it takes the core of the task with the greatest credit
//     among those that run on a core without a suspended task. That task is suspended, and the two are a pair. If the
//     greatest credit is 0 or less, or if there is no room in memory beside all others, the node accepts no task.
//   - When the running task of a pair has attained one and a half times the service of the other, the two change
//     places. Services below 1 s count as 1 s.
//   - When a task ends, the other one of its pair goes on. If it had none, the suspended task with the least service
//     on any other core gets the idle core.
//
// So a task that needs less than one and a half times what the other has had ends before it gives way, and two long tasks
// take turns that get longer. For example, a task of 30 s arrives at 0 and one of 20 s at 10 s. They have the core as
//
//	0 s     10       25      37.5     42.5    50 s
//	| first | second | first | second | first |
//
// Let A be the service that a task has attained, or 1 s if that is more. Then one suspension lasts at most 1.5·A, and
// all of them together at most 2.5·A. Proof: if a task was suspended for S before it joined a pair, S is less than its
// service, or it would have no credit. In the pair it is suspended while the other one runs, which is at most 1.5·A. So
// a task of at least 1 s is on the node for at most 3.5 times its own runtime, whatever arrives. A restart of
// the host is an exception: how long a task was suspended before is then not known.
//
// # When not to use it
//
// Short jobs gain, and long ones may end later than under Fair. Tasks never move to another node, so two long tasks
// may share a core while another node is idle. On a cluster of some tens of cores that makes the slowest jobs clearly
// slower.
//
// # Source
//
// This library's own. From Kairos, section 3, it takes queues on the nodes, so that tasks run soon, and least attained
// service. docs/kairos.md has measurements, and cases where others are better.
func NewAdaptive() *central.Distributed {
	d, err := central.NewDistributed(central.Config{Turn: baseline.Fair(), Node: NewAdaptiveNodes()})
	if err != nil {
		panic(err) // a turn and nodes are all that it needs
	}
	return d
}

// NewAdaptiveNodes returns the nodes of [NewAdaptive] for any turn. What a job waits for before it takes a core stays the
// same. A turn that goes by the cores of a job, such as [baseline.Fair], is told all its tasks that are out.
func NewAdaptiveNodes() *Nodes {
	n := newNodes(Config{Heartbeat: 1e9})
	n.adaptive, n.centre.offers = true, queue.NewHeap((*worker).compare)
	n.median = maxSpan
	n.runtimes, _ = histogram.New(histogram.Config{}) // the zero Config is good
	return n
}

// An offer says that a node without an idle core would suspend a task for a new one.
type offer struct {
	open bool
	zero policy.Time // when the credit of that one is 0
}

// The tasks of a job wait for 1/patience of the median runtime, from when its last stage was ready, before they take
// a core that is not idle. An idle core may come meanwhile, which spares many preemptions. See docs/kairos.md.
const patience = 10

// A past is what is known of the runtimes of tasks that have finished.
type past struct {
	runtimes *histogram.Histogram // s
	median   policy.Duration      // of these; maxSpan if there are none
}

// learn takes note of a runtime.
func (p *past) learn(runtime policy.Duration) {
	if runtime > 0 {
		_ = p.runtimes.Add(runtime.Seconds()) // which is a number
		p.remember()
	}
}

// remember works out the median.
func (p *past) remember() {
	if p.median = maxSpan; p.runtimes != nil && p.runtimes.Count() > 0 {
		p.median = saturate.To[policy.Duration](min(p.runtimes.Quantile(0.5)*1e9, float64(maxSpan)))
	}
}

// from returns the instant from which on a job may take the core of a task, given how many tasks the job has out,
// when its last stage was ready, and when the credit of the task is 0.
func (p *past) from(out int, ready, zero policy.Time) policy.Time {
	if p.median == maxSpan {
		return policy.Never
	}
	credit := maxSpan
	if c := 2 * (float64(out) + 1) * float64(p.median); c < float64(maxSpan) {
		credit = saturate.To[policy.Duration](c)
	}
	return max(ready.Add(p.median/patience), zero.Add(max(1, credit)))
}

// reach returns the node for the next task of a job, given its memory, and the instant from which on; nil if there is
// none.
func (s *Nodes) reach(j *central.Job, memory int64) (w *worker, at policy.Time) {
	w, ok := s.centre.offers.Peek()
	if ok && w.left() < memory {
		w = s.first(func(w *worker) bool { return w.left() >= memory })
	}
	if w == nil {
		return nil, 0
	}
	return w, s.since(j, w)
}

// since returns the instant from which on a job may have a core of a node.
func (s *Nodes) since(j *central.Job, w *worker) policy.Time {
	if w.free > 0 {
		return s.view.Now()
	}
	e := s.jobs.Get(j.Job.ID)
	return s.from(e.sent, e.ready, w.offer.zero)
}

// apart returns the node for a copy. It avoids the node of another copy of the same task if it can, since the slow
// copy would be the one that makes way.
func (s *Nodes) apart(j *central.Job, h held) *worker {
	if h.copy.N > 0 {
		other := s.first(func(w *worker) bool {
			for _, o := range w.held {
				if o.copy.Task == h.copy.Task {
					return false
				}
			}
			return w.left() >= h.memory && s.since(j, w) <= s.view.Now()
		})
		if other != nil {
			return other
		}
	}
	w, _ := s.reach(j, h.memory)
	return w
}

// first returns the first node that has a core to offer and will do, nil if there is none. It looks at all of them.
func (s *Nodes) first(will func(w *worker) bool) (best *worker) {
	for w := range s.centre.offers.All() {
		if (best == nil || w.compare(best) < 0) && will(w) {
			best = w
		}
	}
	return best
}

// compare orders the nodes with a core to offer: those with idle cores go first, most of them first, then those that
// would suspend a task, the greatest credit first, then the lesser ID.
func (w *worker) compare(v *worker) int {
	switch {
	case w.free != v.free:
		return cmp.Compare(v.free, w.free)
	case w.free == 0 && w.offer.zero != v.offer.zero:
		return cmp.Compare(w.offer.zero, v.offer.zero)
	}
	return cmp.Compare(w.id, v.id)
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
	w, at := s.reach(j, memory)
	if w == nil || at <= s.view.Now() {
		return policy.Never
	}
	return at
}

// Out implements [central.CoreCounter]: suspended tasks count too.
func (s *Nodes) Out(j *central.Job) int64 {
	if e := s.jobs.Get(j.Job.ID); e != nil && s.adaptive {
		return int64(e.sent)
	}
	return j.Cores
}

package kairos

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/advise"
	"example.com/augur/policy/view"
)

// An Advisor gives advice by Kairos' rule, that of [Central], to a host that places tasks itself
// and asks a plug-in where, as kube-scheduler does. It is a [advise.Advisor] of a policy that starts
// nothing (see [advise.NewOrder]), since a distributed one such as Kairos cannot be asked: it is told
// the same events by the same rules, and what it says of its own is [Advisor.Score]. It has no grants, so that
// Admit is always false: where all nodes score 0 a job is to wait. No node need
// speak: the service that a task has attained is taken to be its age, the time since it was
// Started, as is so where nothing is suspended.
//
// A copy counts as one task whatever its cores, and one of a gang as many as it has on each node.
//
// An event takes time in proportion to the copies on its node, a question constant time. Several
// goroutines may ask at once, while nobody observes.
type Advisor struct {
	*advise.Advisor // keeps the books of what runs where, and the order of submission
	spread          *spread
}

// spread is what an Advisor knows of the nodes: a policy that starts nothing.
type spread struct {
	queue  int
	view   view.View[struct{}]
	hosts  policy.Table[policy.NodeID, host]
	widest int // cores of the widest node that has ever joined
}

// A host is what an Advisor knows of a node.
type host struct {
	cores  int
	tasks  int64
	starts []started // of its copies, in their order
	spread float64   // standard deviation of those of its tasks, s
}

type started struct {
	copy  policy.Copy
	at    policy.Time
	tasks uint32 // of the copy on this node
}

// NewAdvisor returns an Advisor without nodes or jobs. A node is full when it has a task for each
// of its cores and queue more, 0 to [MaxQueue]: Q in the paper. The error names a queue that is not.
func NewAdvisor(queue int) (*Advisor, error) {
	if queue < 0 || queue > MaxQueue {
		return nil, fmt.Errorf("kairos: an Advisor with a queue of %d, want 0 to %d", queue, MaxQueue)
	}
	p := &spread{queue: queue}
	a, err := advise.NewOrder(p)
	if err != nil {
		return nil, err
	}
	return &Advisor{a, p}, nil
}

// Step implements [policy.Scheduler]. The host starts all of its own accord, and so in a Replay.
func (p *spread) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if _, err := p.view.Observe(ev); err != nil {
		return actions, err
	}
	switch {
	case ev.Kind == policy.Joined:
		p.hosts.Put(ev.Node, &host{cores: int(ev.Info.Cores)})
		p.widest = max(p.widest, int(ev.Info.Cores))
	case ev.Kind == policy.Left:
		p.hosts.Delete(ev.Node)
	case ev.Kind == policy.Started || ev.Kind.End() && !ev.Replay:
		places(ev, func(id policy.NodeID, tasks uint32) { p.count(ev, id, tasks) })
	}
	return actions, nil
}

// places calls f for each node of an event's copy, with how many of its tasks are there.
func places(ev *policy.Event, f func(id policy.NodeID, tasks uint32)) {
	if ev.Node != 0 {
		f(ev.Node, 1)
	}
	for _, share := range ev.Gang {
		f(share.Node, share.Tasks)
	}
}

// count takes note of a copy that has started or ended on a node, of which it has so many tasks there.
func (p *spread) count(ev *policy.Event, id policy.NodeID, tasks uint32) {
	w := p.hosts.Get(id)
	if ev.Kind == policy.Started {
		w.starts = append(w.starts, started{ev.Copy, ev.Time.Add(-ev.Service), tasks})
	} else {
		w.starts = slices.DeleteFunc(w.starts, func(s started) bool { return s.copy == ev.Copy })
	}
	w.measure()
}

// measure brings the spread up to date. That of ages is that of the starts, at any time.
func (w *host) measure() {
	w.tasks, w.spread = 0, 0
	mean, squares := 0.0, 0.0
	for _, s := range w.starts {
		w.tasks += int64(s.tasks)
		x := s.at.Sub(w.starts[0].at).Seconds()
		d := x - mean
		mean += d * float64(s.tasks) / float64(max(1, w.tasks))
		squares += d * (x - mean) * float64(s.tasks)
	}
	w.spread = math.Sqrt(squares / float64(max(1, w.tasks)))
}

// free returns the free places of a node, N + Q less its tasks, at least 0.
func (p *spread) free(w *host) int { return int(max(0, int64(w.cores+p.queue)-w.tasks)) }

// Score says how well a node suits any task, 0 to 1: the greater the more places it has free, N + Q
// less its tasks, and of nodes with as many the less the ages of its tasks vary. With f for the
// free places, s for the standard deviation of the ages, and M for the most cores of any node it is
//
//	(f - 1 + 1/(1 + s/60 s)) / (M + Q)
//
// and 0 for a node that is full or not there. A host that rounds scores, as to whole numbers up to 100,
// should rank nodes by them first: a place is 1/(M + Q), and what breaks ties is worth less.
// The score does not depend on the job, but is 0 for one that is not there.
func (a *Advisor) Score(job policy.JobID, node policy.NodeID) float64 {
	p := a.spread
	w := p.hosts.Get(node)
	if w == nil || p.view.Job(job) == nil || p.free(w) == 0 {
		return 0
	}
	return (float64(p.free(w)-1) + 1/(1+w.spread/60)) / float64(p.widest+p.queue)
}

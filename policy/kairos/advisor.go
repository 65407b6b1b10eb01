package kairos

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/advise"
	"example.com/augur/policy/central"
)

// An Advisor gives advice by Algorithm 2 to a host that places tasks itself and asks a plug-in where, as kube-scheduler
// does. It embeds an [advise.Advisor] of a policy that starts nothing (see [advise.NewOrder]), since a
// distributed policy such as Kairos cannot be asked. The host reports the same events by the same rules, and calls
// [Advisor.Score]. There are no grants, so Admit always returns false: if all nodes score 0 a job must wait. Nodes
// send no reports: the attained service of a task is assumed to be the time since it was Started, which is true if
// nothing is suspended.
//
// A copy counts as one task whatever its cores, and the copy of a gang as many as it has on each node.
//
// An event takes time in proportion to the copies on its node, other calls constant time. Several goroutines may ask
// at once while none calls Observe.
type Advisor struct {
	*advise.Advisor // keeps the books of what runs where, and the order of submission
	spread          *spread
}

// spread is an Advisor's record of the nodes: a policy that starts nothing.
type spread struct {
	queue  int
	view   central.View
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

// NewAdvisor returns an Advisor without nodes or jobs. A node is full when it has one task for each of its cores and
// queue more, 0 to [MaxQueue]: Q in the paper. It returns an error if queue is out of range.
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
		stage := &p.view.Job(ev.Copy.Job).Job.Stages[ev.Copy.Stage]
		w.starts = append(w.starts, started{ev.Copy, stage.Began(ev), tasks})
	} else {
		w.starts = slices.DeleteFunc(w.starts, func(s started) bool { return s.copy == ev.Copy })
	}
	w.measure()
}

// measure updates the spread of a host. The spread of ages is that of the starts, at any time.
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

// Score returns how well a node suits any task, from 0 to 1. More free places, N + Q minus its tasks, score higher;
// among nodes with equally many, those whose tasks vary less in age score higher. With f the free places, s the
// standard deviation of the ages, and M the most cores of any node it is
//
//	(f - 1 + 1/(1 + s/60 s)) / (M + Q)
//
// and 0 for a node that is full or not there. A host that rounds scores, to whole numbers up to 100 say, should first
// rank nodes by them: a place is 1/(M + Q), and ties are broken by less than that. The score does not depend on the
// job, but is 0 for a job that is not there.
func (a *Advisor) Score(job policy.JobID, node policy.NodeID) float64 {
	p := a.spread
	w := p.hosts.Get(node)
	if w == nil || p.view.Job(job) == nil || p.free(w) == 0 {
		return 0
	}
	return (float64(p.free(w)-1) + 1/(1+w.spread/60)) / float64(p.widest+p.queue)
}

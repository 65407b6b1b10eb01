package kairos

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
)

// An Advisor gives advice by Kairos' rule, that of [Central], to a host that places tasks itself
// and asks a plug-in where, as kube-scheduler does. It stands in for a [policy.Advisor], which
// cannot ask a distributed policy such as Kairos: it is told the same events, by the same rules, and
// answers the same three questions. It grants nothing, so that Refused means nothing to it. No node need speak:
// the service that a task has attained is taken to be its age, the time since it was Started, as is
// so where nothing is suspended.
//
// A copy counts as one task whatever its cores, and one of a gang as many as it has on each node.
//
// An event takes time in proportion to the tasks on its node, a question constant time. Several
// goroutines may ask at once, while nobody observes.
type Advisor struct {
	queue  int
	view   policy.View[int] // copies of the job that run
	copies map[policy.Copy][]policy.Share
	hosts  policy.Table[policy.NodeID, host]
	open   int // nodes that are not full
	widest int // cores of the widest node that has ever joined
}

// A host is what an Advisor knows of a node.
type host struct {
	cores  int
	starts []started // of its tasks, in their order
	spread float64   // standard deviation of these, s
}

type started struct {
	copy policy.Copy
	at   policy.Time
}

// NewAdvisor returns an Advisor without nodes or jobs. A node is full when it has a task for each
// of its cores and queue more, 0 to [MaxQueue]: Q in the paper. The error names a queue that is not.
func NewAdvisor(queue int) (*Advisor, error) {
	if queue < 0 || queue > MaxQueue {
		return nil, fmt.Errorf("kairos: an Advisor with a queue of %d, want 0 to %d", queue, MaxQueue)
	}
	return &Advisor{queue: queue, copies: make(map[policy.Copy][]policy.Share)}, nil
}

// Observe takes note of what has happened. The error says that it cannot be; nothing has changed
// then.
func (a *Advisor) Observe(ev *policy.Event) error {
	if ev == nil {
		return fmt.Errorf("kairos: an Advisor observes an event that is nil")
	}
	told := *ev
	on := a.copies[ev.Copy] // of a copy that runs
	j := a.view.Job(ev.Copy.Job)
	switch {
	case ev.Kind == policy.Refused:
		return nil
	case ev.Kind == policy.Started && on != nil:
		return fmt.Errorf("kairos: %v of %v, which runs", ev.Kind, ev.Copy)
	case ev.Kind == policy.Started:
		told.Replay = true // the host did it of its own accord
		if on = slices.Clone(ev.Gang); len(on) == 0 {
			on = []policy.Share{{Node: ev.Node, Tasks: 1}}
		}
	case ev.Kind.End() && !ev.Replay && j != nil:
		if on == nil {
			return fmt.Errorf("kairos: %v of %v, which does not run", ev.Kind, ev.Copy)
		}
		told.Node, told.Gang = on[0].Node, nil
		if len(on) > 1 || on[0].Tasks > 1 {
			told.Node, told.Gang = 0, on
		}
	case ev.Kind == policy.Ended && j != nil && j.Own > 0:
		return fmt.Errorf("kairos: %v of job %d, of which %d copies run: their ends come before", ev.Kind, ev.Copy.Job, j.Own)
	case ev.Kind == policy.Left && a.busy(ev.Node):
		return fmt.Errorf("kairos: node %d has left, and copies run there: their ends come before", ev.Node)
	}
	if _, err := a.view.Observe(&told); err != nil {
		return err
	}
	switch {
	case ev.Kind == policy.Joined:
		a.hosts.Put(ev.Node, &host{cores: int(ev.Info.Cores)})
		a.widest = max(a.widest, int(ev.Info.Cores))
		a.open++
	case ev.Kind == policy.Left:
		a.open-- // nothing runs there
		a.hosts.Delete(ev.Node)
	case ev.Kind == policy.Started:
		j.Own++
		a.copies[ev.Copy] = on
		for _, share := range on {
			a.count(share.Node, func(w *host) {
				for range share.Tasks {
					w.starts = append(w.starts, started{ev.Copy, ev.Time.Add(-ev.Service)})
				}
			})
		}
	case ev.Kind.End() && !ev.Replay:
		j.Own--
		delete(a.copies, ev.Copy)
		for _, share := range on {
			a.count(share.Node, func(w *host) {
				w.starts = slices.DeleteFunc(w.starts, func(s started) bool { return s.copy == ev.Copy })
			})
		}
	}
	return nil
}

// busy reports whether a node that is there has tasks.
func (a *Advisor) busy(id policy.NodeID) bool {
	w := a.hosts.Get(id)
	return w != nil && len(w.starts) > 0
}

// count changes the tasks of a node.
func (a *Advisor) count(id policy.NodeID, change func(w *host)) {
	w := a.hosts.Get(id)
	before := a.free(w)
	change(w)
	w.measure()
	if after := a.free(w); before == 0 && after > 0 {
		a.open++
	} else if before > 0 && after == 0 {
		a.open--
	}
}

// measure brings the spread up to date. That of ages is that of the starts, at any time.
func (w *host) measure() {
	w.spread = 0
	if len(w.starts) < 2 {
		return
	}
	first, mean, squares := w.starts[0].at, 0.0, 0.0
	for i, s := range w.starts {
		x := s.at.Sub(first).Seconds()
		d := x - mean
		mean += d / float64(i+1)
		squares += float64(d * (x - mean))
	}
	w.spread = math.Sqrt(squares / float64(len(w.starts)))
}

// free returns the free places of a node, N + Q less its tasks, at least 0.
func (a *Advisor) free(w *host) int { return max(0, w.cores+a.queue-len(w.starts)) }

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
	w := a.hosts.Get(node)
	if w == nil || a.view.Job(job) == nil || a.free(w) == 0 {
		return 0
	}
	return (float64(a.free(w)-1) + 1/(1+w.spread/60)) / float64(a.widest+a.queue)
}

// Admit reports whether a job may start something now: it has something that waits, and not all nodes
// are full. If not, nobody knows when to ask again, and the time is 0: ask when something has happened.
func (a *Advisor) Admit(job policy.JobID) (ok bool, again policy.Duration) {
	j := a.view.Job(job)
	return j != nil && j.Waiting > 0 && a.open > 0, 0
}

// Compare returns a negative number if job x goes before job y, by submission and then by ID, and a
// positive one if it is the other way round. A job that is not there goes last.
func (a *Advisor) Compare(x, y policy.JobID) int {
	type view = policy.JobView[int]
	return a.view.Compare(x, y, func(x, y *view) int {
		return cmp.Or(cmp.Compare(x.Job.Submitted, y.Job.Submitted), cmp.Compare(x.Job.ID, y.Job.ID))
	})
}

package kairos

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
)

// An Advisor gives advice by Kairos' rule, that of [Central], to a host that places tasks itself
// and asks a plug-in where, as kube-scheduler does: see [policy.Advisor], whose methods these are,
// and which cannot ask a distributed policy such as Kairos. No node need speak: the service that a
// task has attained is taken to be its age, the time since it was Started, as is so where nothing
// is suspended.
//
// The host tells it what happens, in the events of package policy. A copy counts as one task
// whatever its cores, and one of a gang as many as it has on each node.
//
// An event takes time in proportion to the tasks on its node, a question constant time. Several
// goroutines may ask at once, while nobody observes.
type Advisor struct {
	queue  int
	view   policy.View[struct{}]
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
// of its cores and queue more, 0 to [MaxQueue]: Q in the paper.
func NewAdvisor(queue int) (*Advisor, error) {
	if queue < 0 || queue > MaxQueue {
		return nil, fmt.Errorf("kairos: an Advisor with a queue of %d, want 0 to %d", queue, MaxQueue)
	}
	return &Advisor{queue: queue}, nil
}

// Observe takes note of what has happened. The error says that it cannot be; nothing has changed
// then.
func (a *Advisor) Observe(ev *policy.Event) error {
	if ev == nil {
		return fmt.Errorf("kairos: an Advisor observes an event that is nil")
	}
	told := *ev
	switch {
	case ev.Kind == policy.Refused:
		return fmt.Errorf("kairos: %v of %v, which an Advisor has not asked for", ev.Kind, ev.Copy)
	case ev.Kind == policy.Started:
		told.Replay = true // the host did it of its own accord
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
		if a.free(a.hosts.Get(ev.Node)) > 0 {
			a.open--
		}
		a.hosts.Delete(ev.Node)
	case ev.Kind == policy.Started || ev.Kind.End() && !ev.Replay:
		if ev.Node != 0 {
			a.count(ev, ev.Node, 1)
		}
		for _, share := range ev.Gang {
			a.count(ev, share.Node, int(share.Tasks))
		}
	}
	return nil
}

// count takes note of a copy that has started or ended on a node.
func (a *Advisor) count(ev *policy.Event, node policy.NodeID, tasks int) {
	w := a.hosts.Get(node)
	before := a.free(w)
	if ev.Kind == policy.Started {
		for range tasks {
			w.starts = append(w.starts, started{ev.Copy, ev.Time.Add(-ev.Service)})
		}
	} else {
		w.starts = slices.DeleteFunc(w.starts, func(s started) bool { return s.copy == ev.Copy })
	}
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
// and 0 for a node that is full or not there. The job counts only if it is not there: then it is 0.
func (a *Advisor) Score(job policy.JobID, node policy.NodeID) float64 {
	w := a.hosts.Get(node)
	if w == nil || a.view.Job(job) == nil || a.free(w) == 0 {
		return 0
	}
	return (float64(a.free(w)-1) + 1/(1+w.spread/60)) / float64(a.widest+a.queue)
}

// Admit reports whether a job may start something now: unless all nodes are full. If not, nobody
// knows when to ask again, and the time is 0: when something has ended.
func (a *Advisor) Admit(job policy.JobID) (ok bool, again policy.Duration) {
	return a.open > 0 && a.view.Job(job) != nil, 0
}

// Compare returns a negative number if job x goes before job y, by submission and then by ID, and a
// positive one if it is the other way round. A job that is not there goes last.
func (a *Advisor) Compare(x, y policy.JobID) int {
	type view = policy.JobView[struct{}]
	return a.view.Compare(x, y, func(x, y *view) int {
		return cmp.Or(cmp.Compare(x.Job.Submitted, y.Job.Submitted), cmp.Compare(x.Job.ID, y.Job.ID))
	})
}

package policy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// An Advisor lets a host that decides for itself ask a policy for advice. Such hosts, of which
// kube-scheduler and most cluster managers are some, have no place for a policy that orders what
// is to be started where. They ask plug-ins: which of two jobs goes first ([Advisor.Compare]), how
// well a node suits a job ([Advisor.Score]), whether a job may start now, and if not, when to ask
// again ([Advisor.Admit]). A host may ask any of the three, and leave the others.
//
// The host tells the Advisor what happens ([Advisor.Observe]), in the events of this package.
// The policy behind it answers them as ever, and each Start that it wants made is a grant: the
// job is admitted, and its units that have grants come first. The policy counts the cores of a
// grant as taken until the host says that it has Started what was granted, or that it could not:
// Refused.
//
// A host need not keep to it. What it has started without a grant the policy is told with
// [Event].Replay set, as of a copy that it finds running after a restart. So a host that only asks
// for an order may start what it likes, in any order.
//
// What else a policy wants done, such as Kill of what is to be preempted, is in [Advisor.Orders], for
// hosts that can; policies that never preempt have none.
//
// The host is held to H1 to H6, with these reliefs: a grant needs no answer before its job is Ended,
// Again need not be set with Refused, and Woken may be told at any time. A pod of Kubernetes, or a
// request of a server, is a job of one stage with one task: Submitted and Ready when it comes,
// Started as copy 0 when it runs, Finished and Ended when it is done.
//
// Any central policy can be asked. Two optional methods make the answers better, and the Advisor
// looks for them: Compare(a, b JobID) int, of policies that have an order of all jobs, and
// Planned(id JobID) (at Time, ok bool), of those that plan ahead.
//
// An event costs what it costs the policy, and O(g) more for a job with g grants; when a node has
// left, for all jobs. A job takes about 100 bytes, a grant 48 and a copy that runs 24. Compare, Score,
// Admit and Grants change nothing: several goroutines may ask at once, while nobody observes.
type Advisor struct {
	policy  Scheduler
	jobs    Table[JobID, advised]
	nodes   Table[NodeID, Node]
	running map[Task]uint32 // copies of each task
	fastest float64         // speed of the fastest node that has joined

	now     Time
	alarm   Time   // that the policy has asked for; 0: none
	grants  uint64 // made so far
	actions []Action
	orders  []Action
	replies []Event // on behalf of the host, to be told
}

// advised is what an Advisor knows of a job.
type advised struct {
	job    *Job
	grants []grant // in the order in which they were made
}

// A grant is a Start that has not been answered.
type grant struct {
	action Action
	number uint64 // among all that were made
}

// NewAdvisor returns an Advisor that asks a policy to which nothing has been told yet. A
// [Distributed] policy is refused: its parts would have to be on nodes.
func NewAdvisor(s Scheduler) (*Advisor, error) {
	if s == nil {
		return nil, errors.New("policy: the policy of an Advisor is nil")
	}
	if _, ok := s.(Distributed); ok {
		return nil, fmt.Errorf("policy: an Advisor cannot ask a %T, which has parts on nodes", s)
	}
	return &Advisor{policy: s, running: make(map[Task]uint32)}, nil
}

// Observe tells the policy what has happened. Copies are numbered as P1 says, the attempts at
// each task from 0. The error says that the event cannot be; nothing has changed then.
func (a *Advisor) Observe(ev *Event) error {
	if ev == nil {
		return errors.New("policy: an Advisor observes an event that is nil")
	}
	if ev.Kind == Woken && (a.alarm == 0 || ev.Time < a.alarm) {
		return nil
	}
	told := *ev
	a.replies = a.replies[:0]
	answered, err := a.before(&told)
	if err != nil {
		return err
	}
	if err := a.tell(&told); err != nil {
		if answered.number > 0 { // the grant is as it was
			j := a.jobs.Get(ev.Copy.Job)
			j.grants = append(j.grants, answered)
			slices.SortFunc(j.grants, func(x, y grant) int { return cmp.Compare(x.number, y.number) })
		}
		return err
	}
	a.now = ev.Time
	a.after(&told)
	for i := 0; i < len(a.replies); i++ { // a reply may bring others
		reply := a.replies[i]
		if err := a.tell(&reply); err != nil {
			return err
		}
	}
	return nil
}

// Orders returns what the policy wants done besides Starts, in its order, and forgets it: Kill,
// Suspend, Resume and Report of copies, and GiveUp of jobs. What the host does of it, it observes, as
// it does what it does of its own accord.
func (a *Advisor) Orders() []Action {
	orders := a.orders
	a.orders = nil
	return orders
}

// before makes of an event what the policy is to hear. It returns the grant that the event
// answers, which is one no more, and takes back those that it overtakes.
func (a *Advisor) before(ev *Event) (answered grant, err error) {
	j := a.jobs.Get(ev.Copy.Job)
	if j == nil || ev.Replay {
		return grant{}, nil // of what is impossible here, the policy knows
	}
	switch {
	case ev.Kind == Started:
		return a.started(j, ev)
	case ev.Kind == Refused:
		i := j.find(ev.Copy)
		if i < 0 {
			return grant{}, fmt.Errorf("policy: %v of %v, which is not granted", ev.Kind, ev.Copy)
		}
		answered = j.take(i)
		ev.Partition, ev.Again = answered.action.Partition, a.idle(j, ev.Copy.Task)
	case ev.Kind.End():
		ev.Again = ev.Again && !j.granted(ev.Copy.Task) // else it is being started
	case ev.Kind == Ended:
		for len(j.grants) > 0 {
			if err := a.withdraw(j, 0, ev.Time); err != nil {
				return grant{}, err
			}
		}
	}
	return answered, nil
}

// started makes of a Started what the policy is to hear: the answer to a grant, or else that a copy
// is found running.
func (a *Advisor) started(j *advised, ev *Event) (answered grant, err error) {
	on := ev.Gang
	if len(on) == 0 {
		on = []Share{{Node: ev.Node}}
	}
	if i := j.find(ev.Copy); i >= 0 && a.meets(&j.grants[i].action, on) {
		answered = j.take(i)
		ev.Partition = answered.action.Partition
		return answered, nil
	}
	for _, share := range on { // else the policy would not have the event
		if a.nodes.Get(share.Node) == nil {
			return grant{}, fmt.Errorf("policy: %v of %v on node %d, which is not there", ev.Kind, ev.Copy, share.Node)
		}
	}
	for i := len(j.grants) - 1; i >= 0; i-- {
		if j.grants[i].action.Copy.Task == ev.Copy.Task {
			if err := a.withdraw(j, i, ev.Time); err != nil {
				return grant{}, err
			}
		}
	}
	ev.Replay, ev.Partition = true, 0
	return grant{}, nil
}

// meets reports whether all nodes are where a grant says.
func (a *Advisor) meets(g *Action, on []Share) bool {
	return !slices.ContainsFunc(on, func(s Share) bool {
		n := a.nodes.Get(s.Node)
		return n == nil || g.Node != 0 && g.Node != n.ID || g.Partition != 0 && g.Partition != n.Partition
	})
}

// withdraw tells the policy that a grant was not carried out, and will not be.
func (a *Advisor) withdraw(j *advised, i int, now Time) error {
	g := j.take(i).action
	return a.tell(&Event{Time: now, Kind: Refused, More: true, Copy: g.Copy, Partition: g.Partition})
}

// after takes note of an event that the policy has heard.
func (a *Advisor) after(ev *Event) {
	switch {
	case ev.Kind == Submitted:
		a.jobs.Put(ev.Job.ID, &advised{job: ev.Job})
	case ev.Kind == Ended:
		a.jobs.Delete(ev.Copy.Job)
	case ev.Kind == Joined:
		n := *ev.Info
		a.nodes.Put(n.ID, &n)
		a.fastest = max(a.fastest, n.Speed)
	case ev.Kind == Left:
		a.nodes.Delete(ev.Node)
		for _, j := range a.jobs.All() {
			a.refuse(j, func(g *Action) bool { return g.Node == ev.Node })
		}
	case ev.Kind == Started:
		a.running[ev.Copy.Task]++
	case ev.Kind.End() && !ev.Replay:
		if a.running[ev.Copy.Task]--; a.running[ev.Copy.Task] == 0 {
			delete(a.running, ev.Copy.Task)
		}
		if ev.Kind == Finished {
			j := a.jobs.Get(ev.Copy.Job)
			a.refuse(j, func(g *Action) bool { return g.Copy.Task == ev.Copy.Task })
			for i := range a.replies {
				a.replies[i].Again = false
			}
		}
	}
}

// refuse takes back the grants of a job that the host can no longer carry out.
func (a *Advisor) refuse(j *advised, gone func(g *Action) bool) {
	for i := 0; i < len(j.grants); {
		g := j.grants[i].action
		if !gone(&g) {
			i++
			continue
		}
		j.take(i)
		a.replies = append(a.replies, Event{Time: a.now, Kind: Refused, Copy: g.Copy, Partition: g.Partition, Again: a.idle(j, g.Copy.Task)})
	}
}

// idle reports whether no copy of a task runs or is granted.
func (a *Advisor) idle(j *advised, t Task) bool { return a.running[t] == 0 && !j.granted(t) }

func (j *advised) granted(t Task) bool {
	return slices.ContainsFunc(j.grants, func(g grant) bool { return g.action.Copy.Task == t })
}

// take takes a grant out.
func (j *advised) take(i int) grant {
	g := j.grants[i]
	j.grants = slices.Delete(j.grants, i, i+1)
	return g
}

func (j *advised) find(c Copy) int {
	return slices.IndexFunc(j.grants, func(g grant) bool { return g.action.Copy == c })
}

// tell tells the policy of an event, and keeps its answer.
func (a *Advisor) tell(ev *Event) error {
	if ev.Kind == Woken {
		a.alarm = 0
	}
	var err error
	if a.actions, err = a.policy.Step(ev, a.actions[:0]); err != nil {
		return err
	}
	for _, action := range a.actions {
		j := a.jobs.Get(action.Copy.Job)
		switch {
		case action.Kind == Wake:
			a.alarm = action.At
		case action.Kind == Send || action.Kind == Post: // to itself
			a.replies = append(a.replies, Event{Time: ev.Time, Kind: Arrived, Msg: action.Msg})
		case j == nil: // it has ended
		case action.Kind == Start:
			a.grants++
			j.grants = append(j.grants, grant{action, a.grants})
		case action.Kind == GiveUp || j.find(action.Copy) < 0:
			a.orders = append(a.orders, action)
		case action.Kind == Kill:
			a.refuse(j, func(g *Action) bool { return g.Copy == action.Copy })
		}
	}
	return nil
}

package policy

import (
	"fmt"
	"slices"
)

// started makes of a Started what the policy is to hear: the answer to a grant, or else that a copy
// is found running.
func (a *Advisor) started(j *advised, ev *Event) (answered grant, err error) {
	if slices.ContainsFunc(a.running[ev.Copy.Task], func(r attempt) bool { return r.n == ev.Copy.N }) {
		return grant{}, fmt.Errorf("policy: %v of %v, which runs", ev.Kind, ev.Copy)
	}
	on := ev.Gang
	if len(on) == 0 {
		on = []Share{{Node: ev.Node}}
	}
	for _, share := range on {
		if a.nodes.Get(share.Node) == nil {
			return grant{}, fmt.Errorf("policy: %v of %v on node %d, which is not there", ev.Kind, ev.Copy, share.Node)
		}
	}
	if i := j.find(ev.Copy); i >= 0 && a.meets(&j.grants[i].action, on) {
		answered = j.take(i)
		ev.Partition = answered.action.Partition
		return answered, nil
	}
	if ev.Service < 0 {
		return grant{}, fmt.Errorf("policy: %v of %v with %v of service, want at least 0 s", ev.Kind, ev.Copy, ev.Service)
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

// locate says where the copy of an event runs, if the host does not.
func (a *Advisor) locate(ev *Event) error {
	i := slices.IndexFunc(a.running[ev.Copy.Task], func(r attempt) bool { return r.n == ev.Copy.N })
	if i < 0 {
		return fmt.Errorf("policy: %v of %v, which does not run", ev.Kind, ev.Copy)
	}
	r := &a.running[ev.Copy.Task][i]
	if ev.Node != 0 && ev.Node != r.node || len(ev.Gang) > 0 && !slices.Equal(ev.Gang, r.gang) {
		return fmt.Errorf("policy: %v of %v on node %d %v, and it runs on node %d %v", ev.Kind, ev.Copy, ev.Node, ev.Gang, r.node, r.gang)
	}
	ev.Node, ev.Gang = r.node, r.gang
	return nil
}

// empty returns an error if a copy runs on a node.
func (a *Advisor) empty(id NodeID) error {
	there := 0
	for _, attempts := range a.running {
		for _, r := range attempts {
			if r.node == id || slices.ContainsFunc(r.gang, func(s Share) bool { return s.Node == id }) {
				there++
			}
		}
	}
	if there > 0 {
		return fmt.Errorf("policy: node %d has left, and %d copies run there: their ends come before (H4)", id, there)
	}
	return nil
}

// ended forgets a copy, and the other grants of a task that is finished.
func (a *Advisor) ended(ev *Event) {
	j, task := a.jobs.Get(ev.Copy.Job), ev.Copy.Task
	left := slices.DeleteFunc(a.running[task], func(r attempt) bool { return r.n == ev.Copy.N })
	if a.running[task] = left; len(left) == 0 {
		delete(a.running, task)
	}
	j.copies--
	if ev.Kind == Finished {
		a.refuse(j, func(g *Action) bool { return g.Copy.Task == task })
		for i := range a.replies {
			a.replies[i].Again = false
		}
	}
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
func (a *Advisor) idle(j *advised, t Task) bool { return len(a.running[t]) == 0 && !j.granted(t) }

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

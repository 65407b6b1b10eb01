package advise

import (
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// started changes a Started to what the policy must hear: the answer to a grant, or a copy that is found running.
func (a *Advisor) started(j *advised, ev *policy.Event) (answered grant, err error) {
	if a.attempt(ev.Copy) >= 0 {
		return grant{}, fmt.Errorf("advise: %v of %v, which runs", ev.Kind, ev.Copy)
	}
	on := ev.Gang
	if len(on) == 0 {
		on = []policy.Share{{Node: ev.Node}}
	}
	for _, share := range on {
		if a.nodes.Get(share.Node) == nil {
			return grant{}, fmt.Errorf("advise: %v of %v on node %d, which is not there", ev.Kind, ev.Copy, share.Node)
		}
	}
	if i := a.find(j, ev.Copy); i >= 0 && a.meets(&j.grants[i], on) {
		answered = a.take(j, i)
		ev.Replay, ev.Partition = false, answered.partition
		return answered, nil
	}
	if ev.Service < 0 {
		return grant{}, fmt.Errorf("advise: %v of %v with %v of service, want at least 0 s", ev.Kind, ev.Copy, ev.Service)
	}
	for a.granted[ev.Copy.Task] > 0 {
		i := slices.IndexFunc(j.grants, func(g grant) bool { return g.copy.Task == ev.Copy.Task })
		if err := a.withdraw(j, i, ev.Time); err != nil {
			return grant{}, err
		}
	}
	ev.Replay, ev.Partition = true, 0
	return grant{}, nil
}

// attempt returns the index of a copy among the running attempts at its task, -1 if it does not run.
func (a *Advisor) attempt(c policy.Copy) int {
	return slices.IndexFunc(a.running[c.Task], func(r attempt) bool { return r.n == c.N })
}

// locate sets the node of an event if the host left it out.
func (a *Advisor) locate(ev *policy.Event) error {
	i := a.attempt(ev.Copy)
	if i < 0 {
		return fmt.Errorf("advise: %v of %v, which does not run", ev.Kind, ev.Copy)
	}
	r := &a.running[ev.Copy.Task][i]
	if ev.Node != 0 && ev.Node != r.node || len(ev.Gang) > 0 && !slices.Equal(ev.Gang, r.gang) {
		return fmt.Errorf("advise: %v of %v on node %d %v, and it runs on node %d %v", ev.Kind, ev.Copy, ev.Node, ev.Gang, r.node, r.gang)
	}
	ev.Node, ev.Gang, ev.Devices = r.node, r.gang, r.devices
	return nil
}

// empty returns an error if a copy runs on a node.
func (a *Advisor) empty(id policy.NodeID) error {
	there := 0
	for _, attempts := range a.running {
		for _, r := range attempts {
			if r.node == id || slices.ContainsFunc(r.gang, func(s policy.Share) bool { return s.Node == id }) {
				there++
			}
		}
	}
	if there > 0 {
		return fmt.Errorf("advise: node %d has left, and %d copies run there: their ends come before (rule Copy)", id, there)
	}
	return nil
}

// ended forgets a copy, and the other grants of a task that is finished.
func (a *Advisor) ended(ev *policy.Event) {
	j, task := a.jobs.Get(ev.Copy.Job), ev.Copy.Task
	i := a.attempt(ev.Copy)
	left := slices.Delete(a.running[task], i, i+1)
	if a.running[task] = left; len(left) == 0 {
		delete(a.running, task)
	}
	j.copies--
	if ev.Kind == policy.Finished && a.granted[task] > 0 {
		a.refuse(j, ev.Time, func(g *grant) bool { return g.copy.Task == task })
		for i := range a.replies {
			if a.replies[i].Copy.Task == task {
				a.replies[i].Again = false
			}
		}
	}
}

// meets reports whether all nodes agree with a grant.
func (a *Advisor) meets(g *grant, on []policy.Share) bool {
	return !slices.ContainsFunc(on, func(s policy.Share) bool {
		n := a.nodes.Get(s.Node)
		return n == nil || g.node != 0 && g.node != n.ID || g.partition != 0 && g.partition != n.Partition
	})
}

func (a *Advisor) grant(j *advised, g grant) {
	j.grants = append(j.grants, g)
	a.granted[g.copy.Task]++
}

func (a *Advisor) take(j *advised, i int) grant {
	g := j.grants[i]
	if i == 0 {
		j.grants = j.grants[1:]
	} else {
		j.grants = slices.Delete(j.grants, i, i+1)
	}
	if a.granted[g.copy.Task]--; a.granted[g.copy.Task] == 0 {
		delete(a.granted, g.copy.Task)
	}
	return g
}

func (a *Advisor) find(j *advised, c policy.Copy) int {
	if a.granted[c.Task] == 0 {
		return -1
	}
	return slices.IndexFunc(j.grants, func(g grant) bool { return g.copy == c })
}

// idle reports whether no copy of a task runs or is granted.
func (a *Advisor) idle(t policy.Task) bool { return len(a.running[t]) == 0 && a.granted[t] == 0 }

// withdraw tells the policy that a grant was not and will not be carried out.
func (a *Advisor) withdraw(j *advised, i int, now policy.Time) error {
	g := a.take(j, i)
	return a.tell(&policy.Event{Time: now, Kind: policy.Refused, More: true, Copy: g.copy, Partition: g.partition})
}

// refuse takes back the grants of a job that the host can no longer carry out.
func (a *Advisor) refuse(j *advised, now policy.Time, gone func(g *grant) bool) {
	for i := 0; i < len(j.grants); {
		if !gone(&j.grants[i]) {
			i++
			continue
		}
		g := a.take(j, i)
		a.replies = append(a.replies, policy.Event{Time: now, Kind: policy.Refused, Copy: g.copy, Partition: g.partition, Again: a.idle(g.copy.Task)})
	}
}

// tell reports an event to the policy, and keeps its answer.
func (a *Advisor) tell(ev *policy.Event) error {
	if ev.Kind == policy.Woken {
		a.alarm = policy.Never
	}
	var err error
	if a.actions, err = a.policy.Step(ev, a.actions[:0]); err != nil {
		return err
	}
	for _, o := range a.actions {
		j := a.jobs.Get(o.Copy.Job)
		switch {
		case o.Kind == policy.Wake:
			a.alarm = o.At
		case o.Kind == policy.Send || o.Kind == policy.Post: // to itself
			a.replies = append(a.replies, policy.Event{Time: ev.Time, Kind: policy.Arrived, Msg: o.Msg})
		case j == nil: // it has ended
		case o.Kind == policy.Start:
			a.grants++
			a.grant(j, grant{o.Copy, o.Node, o.Partition, a.grants})
		case o.Kind == policy.Kill && a.find(j, o.Copy) >= 0:
			a.refuse(j, ev.Time, func(g *grant) bool { return g.copy == o.Copy })
		default:
			a.orders = append(a.orders, o)
		}
	}
	return nil
}

package host

import (
	"maps"
	"slices"
	"time"

	"example.com/augur/policy"
)

// tell tells a part of the policy of an event, which has an instant of its own, and takes note of the answer.
func (e *Engine) tell(part policy.NodeID, ev policy.Event) error {
	ev.Time = max(e.now(), e.last+1)
	ev.Again = e.again(&ev)
	if ev.Kind != policy.Submitted {
		if err := e.checker.Event(part, &ev); err != nil {
			return err
		}
	}
	e.point()
	actions, err := e.journal.Step(part, &ev, nil)
	if err != nil {
		return err
	}
	if ev.Kind == policy.Submitted { // the policy could have refused it
		if err := e.checker.Event(part, &ev); err != nil {
			return err
		}
	}
	e.point()
	return e.told(part, &ev, actions)
}

// told takes note of a step, now or in a replay.
func (e *Engine) told(part policy.NodeID, ev *policy.Event, actions []policy.Action) error {
	for i := range actions {
		if err := e.checker.Action(part, ev.Time, &actions[i]); err != nil {
			return err
		}
	}
	if e.config.Heard != nil {
		e.config.Heard(part, ev, actions)
	}
	return e.note(part, ev, actions)
}

// replayed takes note of a step that the journal replays.
func (e *Engine) replayed(part policy.NodeID, ev *policy.Event, actions []policy.Action) error {
	if e.config.Rebuild {
		actions = nil
	} else if err := e.checker.Event(part, ev); err != nil {
		return err
	}
	err := e.told(part, ev, actions)
	e.changed, e.lost, e.news = e.changed[:0], e.lost[:0], e.news[:0] // see caughtUp
	return err
}

// caughtUp looks at all that may follow from what was replayed.
func (e *Engine) caughtUp() {
	for id, j := range e.jobs.All() {
		e.changed = append(e.changed, id)
		for c := range j.copies {
			if j.task(c.Task).done {
				e.lost = append(e.lost, c)
			}
		}
	}
	slices.SortFunc(e.lost, compare)
}

// inform tells what has happened to a copy or to a node: first the parts on its nodes, if there are some, then the centre.
func (e *Engine) inform(ev policy.Event) error {
	on := e.partsOf(&ev)
	for _, part := range on {
		if err := e.tell(part, ev); err != nil {
			return err
		}
	}
	if on == nil {
		return e.tell(0, ev)
	}
	return e.pass()
}

// partsOf returns the nodes whose parts hear of an event.
func (e *Engine) partsOf(ev *policy.Event) (on []policy.NodeID) {
	switch {
	case !e.parts:
	case ev.Node != 0:
		on = append(on, ev.Node)
	default:
		for _, share := range ev.Gang {
			if !slices.Contains(on, share.Node) {
				on = append(on, share.Node)
			}
		}
	}
	return on
}

// pass tells the centre what only a part has heard.
func (e *Engine) pass() error {
	for {
		ev, ok := e.ledger.Unheard()
		if !ok {
			return nil
		}
		if err := e.tell(0, ev); err != nil {
			return err
		}
	}
}

// settle tells what follows from the state and carries out what the policy wants, until nothing is left.
func (e *Engine) settle() error {
	if err := e.pass(); err != nil { // the process before this one had not come to it
		return err
	}
	for {
		if len(e.lost) > 0 {
			c := e.lost[0]
			e.lost = e.lost[1:]
			if r := e.copies[c]; r != nil {
				e.kill(r)
			}
			continue
		}
		if o, ok := e.ledger.Next(); ok {
			if err := e.carryOut(o); err != nil {
				return err
			}
			continue
		}
		if len(e.changed) == 0 {
			return nil
		}
		id := e.changed[len(e.changed)-1]
		e.changed = e.changed[:len(e.changed)-1]
		if j := e.jobs.Get(id); j != nil {
			if err := e.follow(j); err != nil {
				return err
			}
		}
	}
}

// follow tells what follows from the state of a job.
func (e *Engine) follow(j *job) error {
	of := policy.Copy{Task: policy.Task{Job: j.ID}}
	switch {
	case j.outcome == 0 && len(j.ready) > 0:
		of.Stage = j.ready[0]
		e.changed = append(e.changed, j.ID)
		return e.tell(0, policy.Event{Kind: policy.Ready, Copy: of})
	case j.outcome != 0 && len(j.copies) == 0:
		return e.tell(0, policy.Event{Kind: policy.Ended, Copy: of, Outcome: j.outcome})
	case j.outcome != 0 && !j.killed: // nothing starts any more
		j.killed = true
		for _, c := range slices.SortedFunc(maps.Keys(j.copies), compare) {
			e.kill(j.copies[c])
		}
	}
	return nil
}

// next returns how long nothing is due; -1: that depends on calls.
func (e *Engine) next() time.Duration {
	now, at := e.now(), policy.Never
	if _, rings, ok := e.ledger.Alarm(); ok {
		at = rings
	}
	if x, ok := e.timers.Peek(); ok {
		at = min(at, x.at)
	}
	if e.woken && e.failed == nil {
		return 0
	}
	if e.failed != nil || at == policy.Never {
		return -1
	}
	return min(max(0, at.Sub(now)), time.Hour)
}

// due tells what is due, and what follows.
func (e *Engine) due() error {
	if err := e.settle(); err != nil {
		return err
	}
	now := e.now()
	if err := e.expire(now); err != nil {
		return err
	}
	if e.woken {
		e.woken = false
		for _, part := range slices.Sorted(maps.Keys(e.refused)) {
			delete(e.refused, part)
			if part != 0 && e.nodes[part] == nil {
				continue
			}
			if err := e.tell(part, policy.Event{Kind: policy.Woken}); err != nil {
				return err
			}
		}
	}
	for {
		part, at, ok := e.ledger.Alarm()
		if !ok || at > now {
			return e.settle()
		}
		if err := e.tell(part, policy.Event{Kind: policy.Woken}); err != nil {
			return err
		}
	}
}

// deliver gives machines their orders, and says which jobs have ended. All of that is on disk.
func (e *Engine) deliver() error {
	for _, n := range e.outs {
		if len(n.out) > 0 && n.link != nil {
			e.point()
			n.link.give(n.out)
			n.out = n.out[:0]
		}
	}
	e.outs = e.outs[:0]
	var told []policy.JobID
	for _, s := range e.news {
		if e.config.Ended != nil && e.untold[s.ID] {
			e.config.Ended(s)
			told = append(told, s.ID)
		}
		for _, w := range e.waiters[s.ID] {
			w <- s
		}
		delete(e.waiters, s.ID)
	}
	if e.news = e.news[:0]; told == nil {
		return nil
	}
	return e.put(note{Told: told})
}

// A timer is an instant at which something is due: a machine has been silent for too long, the time of a copy ends, or a part wants to
// know how far it is.
type timer struct {
	at     policy.Time
	node   policy.NodeID // 0: it is about a copy
	copy   policy.Copy
	report bool
}

// runs takes note that a copy works from an instant on, and until when it may.
func (e *Engine) runs(r *running, from policy.Time) {
	if r.since = from; !r.job.Limited {
		return
	}
	r.limit = from.Add(max(0, r.job.Requested-r.service))
	e.timers.Push(timer{at: r.limit, copy: r.Copy})
}

// expire orders the reports that are due, ends jobs at their time limits, and gives up
// machines.
func (e *Engine) expire(now policy.Time) error {
	for {
		x, ok := e.timers.Peek()
		if !ok || x.at > now {
			return nil
		}
		e.timers.Pop()
		if x.node != 0 {
			if err := e.leave(e.nodes[x.node]); err != nil {
				return err
			}
			continue
		}
		r := e.copies[x.copy]
		if x.report {
			e.ask(r)
			continue
		}
		if r == nil || r.limit != x.at || r.saving || r.job.outcome != 0 {
			continue
		}
		if err := e.put(note{Job: r.Job, Outcome: policy.TimedOut}); err != nil {
			return err
		}
	}
}

// ask orders a report of a copy, if it goes on.
func (e *Engine) ask(r *running) {
	for i := range r.live() {
		n := e.nodes[r.seats[i].node]
		e.command(n, Order{Do: policy.Report, Copy: r.Copy})
	}
}

package central

import (
	"slices"

	"example.com/augur/policy"
)

// A halted copy was suspended, and not by this scheduler, which suspends none: the policy before it was another one.
type halted struct {
	event policy.Event // Suspended: where it is
	asked bool         // to be resumed, so that its cores are kept for it
}

// stops takes note of copies that are suspended and go on. Call it after the View has observed the event.
func (s *Scheduler) stops(ev *policy.Event) {
	at := slices.IndexFunc(s.halted, func(x halted) bool { return x.event.Copy == ev.Copy })
	switch {
	case s.config.Node != nil:
	case at >= 0 && (ev.Kind == policy.Suspended || ev.Kind == policy.Resumed || ev.Kind.End()):
		s.keep(at, false)
		if ev.Kind != policy.Suspended {
			s.halted = slices.Delete(s.halted, at, at+1)
		}
	case at < 0 && ev.Kind == policy.Suspended:
		x := halted{event: *ev}
		x.event.Gang = slices.Clone(ev.Gang)
		s.halted = append(s.halted, x)
	}
}

// keep takes the cores of a halted copy, or gives them back.
func (s *Scheduler) keep(at int, asked bool) {
	x := &s.halted[at]
	j := s.view.Job(x.event.Copy.Job)
	if j == nil || x.asked == asked {
		return
	}
	sign := int64(1)
	if asked {
		sign = -1
	}
	x.asked = asked
	s.view.held(&x.event, &j.Job.Stages[x.event.Copy.Stage], sign)
}

// resume lets halted copies go on where there are cores for them, before anything starts there.
func (s *Scheduler) resume(actions []policy.Action) []policy.Action {
	for at := range s.halted {
		x := &s.halted[at]
		j := s.view.Job(x.event.Copy.Job)
		if x.asked || j == nil {
			continue
		}
		if s.keep(at, true); s.overdrawn(&x.event) {
			s.keep(at, false)
			continue
		}
		actions = append(actions, policy.Action{Kind: policy.Resume, Copy: x.event.Copy})
	}
	return actions
}

// overdrawn reports whether a node of a copy has fewer cores than are held there.
func (s *Scheduler) overdrawn(ev *policy.Event) bool {
	if ev.Node != 0 && s.view.nodes[ev.Node].room < 0 {
		return true
	}
	return slices.ContainsFunc(ev.Gang, func(x policy.Share) bool { return s.view.nodes[x.Node].room < 0 })
}

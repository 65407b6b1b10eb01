// Package parts tells a policy and its parts, all in one place, what a record says that they were told.
package parts

import (
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// Parts are a policy and the parts of it on nodes.
type Parts struct {
	centre part
	nodes  map[policy.NodeID]*part
}

// A part is at one place, and has been told something unless it is new.
type part struct {
	policy.Scheduler
	told bool
	last policy.Time // at which it was
}

// An Error is one of the host, and not of the policy.
type Error struct{ text string }

func (e *Error) Error() string { return e.text }

func fault(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// Check returns an error about a policy that may send to parts, and hides that it makes them.
func Check(p policy.Scheduler) error {
	d, ok := p.(policy.Declarer)
	if _, makes := p.(policy.Distributed); !ok || makes || !slices.Contains(d.Actions(), policy.Send) {
		return nil
	}
	return fmt.Errorf("a %T may return Send, but is no policy.Distributed: it has no method Part; wrap the *central.Distributed, not its Scheduler", p)
}

// Of returns a policy to which nothing has been told yet, without parts.
func Of(p policy.Scheduler) *Parts {
	return &Parts{centre: part{Scheduler: p}, nodes: make(map[policy.NodeID]*part)}
}

// Centre returns the policy itself.
func (p *Parts) Centre() policy.Scheduler { return p.centre.Scheduler }

// Step tells the centre (part 0) or the part on a node of ev, and appends what it wants done to
// actions. A part is made at its first event, Joined, and made anew if its node joins again. The
// error is that of the policy, or an *Error that says that there is no such part, that none can be made, or that
// time goes back; nothing has changed then.
func (p *Parts) Step(id policy.NodeID, ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	at := &p.centre
	if id != 0 {
		was := p.nodes[id]
		if ev.Kind == policy.Joined || was == nil {
			return p.join(id, was, ev, actions)
		}
		at = was
	}
	return at.step(id, ev, actions)
}

// join makes a part, in place of the one that there was before, if any, and tells it of ev.
func (p *Parts) join(id policy.NodeID, was *part, ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	d, ok := p.centre.Scheduler.(policy.Distributed)
	switch {
	case !ok:
		return actions, fault("%v for part %d, but the policy is central and has no parts (one that wraps a policy.Distributed needs its method Part)", ev.Kind, id)
	case ev.Kind != policy.Joined:
		return actions, fault("%v for part %d, which has not joined", ev.Kind, id)
	case ev.Info == nil:
		return actions, fault("part %d joins without a node: Event.Info is nil", id)
	}
	made := new(part)
	if was != nil { // time goes on for the node
		*made = *was
	}
	if made.Scheduler = d.Part(ev.Info); made.Scheduler == nil {
		return actions, fault("the policy made no part for node %d", id)
	}
	actions, err := made.step(id, ev, actions)
	if err == nil {
		p.nodes[id] = made
	}
	return actions, err
}

func (s *part) step(id policy.NodeID, ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if s.told && ev.Time < s.last {
		who := "the centre"
		if id != 0 {
			who = fmt.Sprintf("part %d", id)
		}
		return actions, fault("%v for %s at %d ns, which is before its last event, at %d ns", ev.Kind, who, int64(ev.Time), int64(s.last))
	}
	got, err := s.Scheduler.Step(ev, actions)
	if err == nil {
		s.told, s.last = true, ev.Time
	}
	return got, err
}

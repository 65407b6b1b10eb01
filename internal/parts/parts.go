// Package parts tells a policy and its parts, all in one place, what a record says that they were told.
package parts

import (
	"errors"
	"fmt"

	"example.com/augur/policy"
)

// Parts are a policy and the parts of it on nodes.
type Parts struct {
	centre policy.Scheduler
	nodes  map[policy.NodeID]policy.Scheduler
}

// Of returns a policy to which nothing has been told yet, without parts.
func Of(p policy.Scheduler) *Parts {
	return &Parts{p, make(map[policy.NodeID]policy.Scheduler)}
}

// Centre returns the policy itself.
func (p *Parts) Centre() policy.Scheduler { return p.centre }

var errNotDistributed = errors.New("a part joins, but the policy is not distributed")

// Step tells the centre (part 0) or the part on a node of ev, and appends what it wants done to
// actions. A part is made at its first event, Joined, and made anew if its node joins again. The
// error is that of the policy, or says that there is no such part; nothing has changed then.
func (p *Parts) Step(part policy.NodeID, ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if part == 0 {
		return p.centre.Step(ev, actions)
	}
	if ev.Kind != policy.Joined {
		s := p.nodes[part]
		if s == nil {
			return actions, fmt.Errorf("part %d has not joined", part)
		}
		return s.Step(ev, actions)
	}
	d, ok := p.centre.(policy.Distributed)
	if !ok || ev.Info == nil {
		return actions, errNotDistributed
	}
	s := d.Part(ev.Info)
	actions, err := s.Step(ev, actions)
	if err == nil {
		p.nodes[part] = s
	}
	return actions, err
}

// Host returns a policy for a host that takes one, whose Step, and that of its parts, is step with
// part 0 or the ID of the node. It has parts if p has.
func Host(p policy.Scheduler, step func(part policy.NodeID, ev *policy.Event, actions []policy.Action) ([]policy.Action, error)) policy.Scheduler {
	if _, ok := p.(policy.Distributed); ok {
		return distributed{one{step, 0}}
	}
	return one{step, 0}
}

type one struct {
	step func(part policy.NodeID, ev *policy.Event, actions []policy.Action) ([]policy.Action, error)
	part policy.NodeID
}

func (o one) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	return o.step(o.part, ev, actions)
}

type distributed struct{ one }

func (d distributed) Part(n *policy.Node) policy.Scheduler { return one{d.step, n.ID} }

package policytest

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"example.com/augur/policy"
)

// wrapper stands between a host and a policy, or a part of one. It turns a panic into an error and gives the policy its
// own copies of events: so a policy that keeps an event does no harm, except in the one test that is about it.
type wrapper struct {
	policy policy.Scheduler
	part   policy.NodeID
	run    *monitor
}

func protect(p policy.Scheduler, v *monitor) policy.Scheduler {
	g := &wrapper{policy: p, run: v}
	if d, ok := p.(policy.Declarer); ok {
		v.declared = d.Actions()
	}
	if d, ok := p.(policy.Distributed); ok {
		return &distributedWrapper{g, d}
	}
	return g
}

func (g *wrapper) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if err := g.run.told(g.part, ev); err != nil {
		return actions, err
	}
	got, err := step(g.policy, new(clone(ev)), actions)
	if err == nil && len(got) < len(actions) {
		err = failure("events", "the slice held %d actions before Step, and %d after", len(actions), len(got))
	}
	if err == nil {
		err = g.run.acted(g.part, ev, got[len(actions):])
	}
	if err != nil {
		return actions, err
	}
	return got, nil
}

type distributedWrapper struct {
	*wrapper
	distributed policy.Distributed
}

func (g *distributedWrapper) Part(n *policy.Node) policy.Scheduler {
	p, err := makePart(g.distributed, new(*n))
	for _, sh := range g.run.replicas {
		if err == nil {
			err = sh.join(n)
		}
	}
	if err != nil {
		p = broken{err}
	}
	return &wrapper{policy: p, part: n.ID, run: g.run}
}

// step is Step, but a panic is an error.
func step(p policy.Scheduler, ev *policy.Event, actions []policy.Action) (got []policy.Action, err error) {
	defer func() {
		if r := recover(); r != nil {
			got, err = actions, newPanicked(r)
		}
	}()
	return p.Step(ev, actions)
}

func makePart(d policy.Distributed, n *policy.Node) (policy.Scheduler, error) {
	return made(fmt.Sprintf("Part returned nil for node %d", n.ID), func() (policy.Scheduler, error) { return d.Part(n), nil })
}

// made calls a function that makes a policy or a part. A panic is an error, and so is none, of which it says no.
func made(no string, make func() (policy.Scheduler, error)) (p policy.Scheduler, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = newPanicked(r)
		}
	}()
	if p, err = make(); err == nil && p == nil {
		err = errors.New(no)
	}
	return p, err
}

// broken is a part that could not be made.
type broken struct{ err error }

func (b broken) Step(_ *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	return actions, b.err
}

// panicked is a panic of the policy.
type panicked struct {
	value any
	stack string
}

const stackLines = 16

func newPanicked(value any) *panicked {
	_, stack, _ := strings.Cut(string(debug.Stack()), "\npanic(")
	lines := strings.SplitAfterN(stack, "\n", stackLines)
	return &panicked{value, strings.Join(lines[min(2, len(lines)):max(2, len(lines)-1)], "")}
}

func (p *panicked) Error() string { return fmt.Sprintf("it panicked: %v\n%s", p.value, p.stack) }

// clone copies an event and what it points to.
func clone(ev *policy.Event) policy.Event {
	c := *ev
	if ev.Job != nil {
		c.Job = cloneJob(ev.Job)
	}
	c.Gang = slices.Clone(ev.Gang)
	c.Msg.Data = slices.Clone(ev.Msg.Data)
	if ev.Info != nil {
		c.Info = new(*ev.Info)
	}
	return c
}

func cloneJob(j *policy.Job) *policy.Job {
	c := *j
	c.Attrs, c.Stages = slices.Clone(j.Attrs), slices.Clone(j.Stages)
	for i := range c.Stages {
		c.Stages[i].Reads = slices.Clone(c.Stages[i].Reads)
		c.Stages[i].Prefer = slices.Clone(c.Stages[i].Prefer)
		c.Stages[i].Holders = slices.Clone(c.Stages[i].Holders)
	}
	if j.SLO != nil {
		c.SLO = new(*j.SLO)
	}
	if j.Inputs != nil {
		c.Inputs = new(*j.Inputs)
		c.Inputs.Jobs = slices.Clone(j.Inputs.Jobs)
	}
	return &c
}

package policytest

import (
	"errors"
	"fmt"
	"math"

	"example.com/augur/policy"
)

// A forgery makes up an event.
type forgery struct {
	name string
	make func(w *world) policy.Event
}

// illegalCases give forged events to replicas, one for each kind of forgery, between the true events. They must not be
// answered, and must not change later answers.
func illegalCases() []testCase {
	return bubble(func(c *Config, seed uint64) *finding {
		var replicas []*replica
		for i, kind := range impossible {
			if uint64(i)%replicated != seed {
				continue
			}
			events := 0
			replicas = append(replicas, &replica{rule: "illegal", before: func(sh *replica, _ policy.NodeID, _ *policy.Event) error {
				if events++; events%forgeEvery != 0 || !sh.world.live() {
					return nil
				}
				return sh.forge(kind)
			}})
		}
		return c.follow(seed, replicas...)
	})
}

// forge tells the replica of the centre what cannot be.
func (sh *replica) forge(kind forgery) error {
	ev := sh.world.forge(kind)
	sh.says = fmt.Sprintf("after the impossible event %s, which the other did not hear, its answers change", tell(&ev))
	got, err := step(sh.parts[0], new(clone(&ev)), nil)
	switch {
	case isPanic(err):
		return fmt.Errorf("told %s: %w", tell(&ev), err)
	case len(got) > 0:
		return fmt.Errorf("told %s, it answers %s", tell(&ev), list(got))
	}
	return nil
}

// forgeEvery is the number of true events from one false one to the next.
const forgeEvery = 5

func isPanic(err error) bool {
	_, ok := errors.AsType[*panicked](err)
	return ok
}

// impossible lists forged events that are impossible, as the event itself shows, or the jobs, stages and nodes that
// exist.
var impossible = []forgery{
	{"kind 0", func(w *world) policy.Event { return w.running(0) }},
	{"kind 99", func(w *world) policy.Event { return w.running(99) }},

	{"submitted without job", func(*world) policy.Event { return about(policy.Submitted, unknownJob) }},
	{"submitted under another ID", func(w *world) policy.Event {
		ev := about(policy.Submitted, unknownJob)
		_, ev.Job = w.stage()
		return ev
	}},
	{"submitted twice", func(w *world) policy.Event {
		_, j := w.stage()
		ev := about(policy.Submitted, j.ID)
		ev.Job = j
		return ev
	}},
	{"submitted with priority NaN", badJob(func(j *policy.Job) { j.Priority = math.NaN() })},
	{"submitted without stages", badJob(func(j *policy.Job) { j.Stages = nil })},
	{"submitted with negative cores", badJob(func(j *policy.Job) { j.Stages[0].Cores = -1 })},

	{"ready, unknown job", func(*world) policy.Event { return about(policy.Ready, unknownJob) }},
	{"ready, job has ended", func(w *world) policy.Event { return about(policy.Ready, w.ended[0]) }},
	{"ready twice", func(w *world) policy.Event {
		c, _ := w.stage()
		return policy.Event{Kind: policy.Ready, Copy: c}
	}},
	{"ready, no such stage", func(w *world) policy.Event {
		c, j := w.stage()
		c.Stage = uint32(len(j.Stages))
		return policy.Event{Kind: policy.Ready, Copy: c}
	}},
	{"ended, unknown job", func(*world) policy.Event { return about(policy.Ended, unknownJob) }},
	{"ended twice", func(w *world) policy.Event { return about(policy.Ended, w.ended[len(w.ended)-1]) }},

	{"started, unknown job", amiss(policy.Started, func(_ *world, ev *policy.Event) { ev.Copy.Job = unknownJob })},
	{"started, no such stage", amiss(policy.Started, func(_ *world, ev *policy.Event) { ev.Copy.Stage = math.MaxUint32 })},
	{"started on unknown node", amiss(policy.Started, func(_ *world, ev *policy.Event) { ev.Node, ev.Gang = unknownNode, nil })},
	{"started on unknown partition", amiss(policy.Started, func(_ *world, ev *policy.Event) { ev.Partition = math.MaxUint32 })},
	{"refused, no such task", func(w *world) policy.Event {
		c, _ := w.stage()
		c.Index = math.MaxUint32
		return policy.Event{Kind: policy.Refused, Copy: c, Again: true}
	}},
	{"finished, job has ended", amiss(policy.Finished, func(w *world, ev *policy.Event) { ev.Copy.Job = w.ended[len(w.ended)-1] })},
	{"finished, no such task", amiss(policy.Finished, func(w *world, ev *policy.Event) { ev.Copy.Index = w.jobs[ev.Copy.Job].Stages[ev.Copy.Stage].Units() })},
	{"failed on unknown node", amiss(policy.Failed, func(_ *world, ev *policy.Event) { ev.Node, ev.Gang, ev.Again = math.MaxUint32, nil, true })},
	{"lost on unknown nodes", amiss(policy.Lost, func(_ *world, ev *policy.Event) {
		ev.Node, ev.Gang, ev.Again = 0, []policy.Share{{Node: unknownNode, Tasks: 1}}, true
	})},
	{"killed after negative service", amiss(policy.Killed, func(_ *world, ev *policy.Event) { ev.Service, ev.Again = -1, true })},
	{"progress NaN", amiss(policy.Progress, func(_ *world, ev *policy.Event) { ev.Value = math.NaN() })},
	{"progress 2", amiss(policy.Progress, func(_ *world, ev *policy.Event) { ev.Value = 2 })},

	{"joined without description", func(*world) policy.Event { return policy.Event{Kind: policy.Joined, Node: unknownNode} }},
	{"joined under another ID", badNode(func(n *policy.Node) { n.ID++ })},
	{"joined with negative cores", badNode(func(n *policy.Node) { n.Cores = -4 })},
	{"joined with speed NaN", badNode(func(n *policy.Node) { n.Speed = math.NaN() })},
	{"joined twice", func(w *world) policy.Event {
		n := w.running(0)
		id := n.Node
		if len(n.Gang) > 0 {
			id = n.Gang[0].Node
		}
		return policy.Event{Kind: policy.Joined, Node: id, Info: new(w.nodes[id])}
	}},
	{"left, unknown node", func(*world) policy.Event { return policy.Event{Kind: policy.Left, Node: unknownNode} }},
	{"left, node 0", func(*world) policy.Event { return policy.Event{Kind: policy.Left} }},
}

const (
	unknownJob  = 1_000_003
	unknownNode = 1_003
)

// amiss makes an event about a copy that runs, with something wrong.
func amiss(kind policy.EventKind, spoil func(w *world, ev *policy.Event)) func(w *world) policy.Event {
	return func(w *world) policy.Event {
		ev := w.running(kind)
		spoil(w, &ev)
		return ev
	}
}

// badJob makes an event that submits a job with something wrong.
func badJob(spoil func(j *policy.Job)) func(w *world) policy.Event {
	return func(*world) policy.Event {
		ev := about(policy.Submitted, unknownJob)
		ev.Job = &policy.Job{ID: unknownJob, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}
		spoil(ev.Job)
		return ev
	}
}

// badNode makes an event that joins a node with something wrong.
func badNode(spoil func(n *policy.Node)) func(w *world) policy.Event {
	return func(*world) policy.Event {
		n := &policy.Node{ID: unknownNode, Partition: 1, Cores: 4, Speed: 1}
		spoil(n)
		ev := policy.Event{Kind: policy.Joined, Node: n.ID, Info: n}
		if n.ID == unknownNode+1 {
			ev.Node = unknownNode
		}
		return ev
	}
}

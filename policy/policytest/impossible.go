package policytest

import (
	"math"

	"example.com/augur/policy"
)

// impossible lists events that cannot be, as a look at the event itself, or at the jobs,
// their stages and the nodes that there are, shows.
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
	{"submitted without tasks", badJob(func(j *policy.Job) { j.Stages[0].Tasks = 0 })},
	{"submitted with negative cores", badJob(func(j *policy.Job) { j.Stages[0].Cores = -1 })},
	{"submitted with utility NaN", badJob(func(j *policy.Job) { j.SLO = &policy.SLO{Utility: math.NaN()} })},
	{"submitted with negative request", badJob(func(j *policy.Job) { j.Requested = -1 })},

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

	{"started, unknown job", func(w *world) policy.Event {
		ev := w.running(policy.Started)
		ev.Copy.Job = unknownJob
		return ev
	}},
	{"started, no such stage", func(w *world) policy.Event {
		ev := w.running(policy.Started)
		ev.Copy.Stage = math.MaxUint32
		return ev
	}},
	{"started on unknown node", func(w *world) policy.Event {
		ev := w.running(policy.Started)
		ev.Node, ev.Gang = unknownNode, nil
		return ev
	}},
	{"started on unknown partition", func(w *world) policy.Event {
		ev := w.running(policy.Started)
		ev.Partition = math.MaxUint32
		return ev
	}},
	{"refused, no such task", func(w *world) policy.Event {
		c, _ := w.stage()
		c.Index = math.MaxUint32
		return policy.Event{Kind: policy.Refused, Copy: c, Again: true}
	}},
	{"finished, job has ended", func(w *world) policy.Event {
		ev := w.running(policy.Finished)
		ev.Copy.Job = w.ended[len(w.ended)-1]
		return ev
	}},
	{"finished, no such task", func(w *world) policy.Event {
		ev := w.running(policy.Finished)
		ev.Copy.Index = w.jobs[ev.Copy.Job].Stages[ev.Copy.Stage].Units()
		return ev
	}},
	{"failed on unknown node", func(w *world) policy.Event {
		ev := w.running(policy.Failed)
		ev.Node, ev.Gang, ev.Again = math.MaxUint32, nil, true
		return ev
	}},
	{"lost on unknown nodes", func(w *world) policy.Event {
		ev := w.running(policy.Lost)
		ev.Node, ev.Gang, ev.Again = 0, []policy.Share{{Node: unknownNode, Tasks: 1}}, true
		return ev
	}},
	{"killed after negative service", func(w *world) policy.Event {
		ev := w.running(policy.Killed)
		ev.Service, ev.Again = -1, true
		return ev
	}},
	{"progress NaN", func(w *world) policy.Event {
		ev := w.running(policy.Progress)
		ev.Value = math.NaN()
		return ev
	}},
	{"progress 2", func(w *world) policy.Event {
		ev := w.running(policy.Progress)
		ev.Value = 2
		return ev
	}},

	{"joined without description", func(*world) policy.Event { return policy.Event{Kind: policy.Joined, Node: unknownNode} }},
	{"joined under another ID", badNode(func(n *policy.Node) { n.ID++ })},
	{"joined as node 0", badNode(func(n *policy.Node) { n.ID = 0 })},
	{"joined with an ID too large", badNode(func(n *policy.Node) { n.ID = policy.MaxID + 1 })},
	{"joined without partition", badNode(func(n *policy.Node) { n.Partition = 0 })},
	{"joined with a partition too large", badNode(func(n *policy.Node) { n.Partition = math.MaxUint32 })},
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

package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/check"
)

// A containers is a cluster of YARN between a policy and the simulator: to the policy it is a host, and to the simulator a policy.
// A task has a container, and its place on a node, from when the policy starts it. A task that reads others may be
// started once all of these have begun and a share of them is done. It then waits in its container for the last of them, and uses
// no core.
//
// The cores of a node serve the tasks that the policy lets run. What these leave goes to suspended ones, as cgroups give what is
// left to containers with a small share: first to the one that has used a core for the least time, decided anew whenever
// anything happens. The policy is told as attained service for how long it has let a task run, with a core or not.
//
// Orders take no time, and nothing fails. A [check.Checker] checks both sides.
type containers struct {
	containerRules
	parts   []policy.Scheduler // the centre, then by node; nil if the policy has none there
	alarms  []policy.Time      // of the parts
	nodes   [][]*container     // what each holds, in the order of their starts
	held    map[policy.Copy]*container
	cores   []int
	jobs    map[policy.JobID]*containerJob
	queue   []containerNews
	actions []policy.Action
	checker *check.Checker
	now     policy.Time
	alarm   policy.Time // that the simulator has
}

// containerRules are what the text leaves open.
type containerRules struct {
	slowstart float64 // a stage may start when this share of each stage that it reads is done
	master    bool    // each job has one more container, from first to last, for its ApplicationMaster, which uses no core
	hold      bool    // a task that waits holds its core: suspended ones cannot have it
}

type container struct {
	copy      policy.Copy
	node      policy.NodeID
	input     *bool           // whether what it waits for is there
	lets      bool            // the policy lets it run
	runs, ran bool            // it has a core, and has had one
	let, used policy.Duration // how long it was let run, and had a core
}

type containerJob struct {
	*policy.Job
	begun, done []uint32 // tasks of each stage; a master is the last one
	told, input []bool   // of each stage: the policy knows that it is ready; all that it reads is done
}

// containerNews is an event for a part.
type containerNews struct {
	part  policy.NodeID
	event policy.Event
}

func newContainers(p policy.Scheduler, rules containerRules) *containers {
	return &containers{
		containerRules: rules, parts: []policy.Scheduler{p}, alarms: []policy.Time{policy.Never}, nodes: make([][]*container, 1),
		cores: make([]int, 1), jobs: map[policy.JobID]*containerJob{}, checker: check.New(), alarm: policy.Never, held: map[policy.Copy]*container{},
	}
}

// Step implements [policy.Scheduler].
func (c *containers) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	passed := ev.Time.Sub(c.now)
	for _, held := range c.nodes {
		for _, t := range held {
			if t.lets {
				t.let += passed
			}
			if t.runs {
				t.used += passed
			}
		}
	}
	c.now = ev.Time
	if err := c.hear(*ev); err != nil || ev.More {
		return actions, err
	}
	if err := c.serve(); err != nil {
		return actions, err
	}
	for id := range c.nodes {
		actions = c.share(id, actions)
	}
	if at := slices.Min(c.alarms); at != c.alarm {
		c.alarm = at
		actions = append(actions, policy.Action{Kind: policy.Wake, At: at})
	}
	return actions, nil
}

// hear notes a report of the simulator, and queues what it means to the policy.
func (c *containers) hear(ev policy.Event) error {
	j := c.jobs[ev.Copy.Job]
	switch ev.Kind {
	case policy.Joined:
		info := *ev.Info
		ev.Info = &info
		var part policy.Scheduler
		if d, ok := c.parts[0].(policy.Distributed); ok {
			part = d.Part(&info)
		}
		c.parts, c.alarms = append(c.parts, part), append(c.alarms, policy.Never)
		c.nodes, c.cores = append(c.nodes, nil), append(c.cores, int(info.Cores))
		c.tell(ev.Node, ev)
	case policy.Submitted:
		j := *ev.Job
		j.Stages = slices.Clone(j.Stages)
		for i := range j.Stages { // a stage may start while what it reads still runs
			j.Stages[i].Reads = slices.Clone(j.Stages[i].Reads)
			for k := range j.Stages[i].Reads {
				j.Stages[i].Reads[k].Pipe = true
			}
		}
		if c.master {
			j.Stages = append(j.Stages, policy.Stage{Tasks: 1, Cores: 1})
		}
		ev.Job = &j
		n := len(ev.Job.Stages)
		c.jobs[ev.Copy.Job] = &containerJob{ev.Job, make([]uint32, n), make([]uint32, n), make([]bool, n), make([]bool, n)}
		c.tell(0, ev)
	case policy.Ready:
		j.input[ev.Copy.Stage] = true
		c.ready(j)
	case policy.Ended:
		if c.master {
			c.finish(policy.Copy{Task: policy.Task{Job: j.ID, Stage: uint32(len(j.Stages) - 1)}})
		}
		delete(c.jobs, ev.Copy.Job)
		c.tell(0, ev)
	case policy.Finished:
		c.finish(ev.Copy)
		j.done[ev.Copy.Stage]++
		c.ready(j)
	case policy.Woken:
		for part, at := range c.alarms {
			if at <= c.now {
				c.alarms[part] = policy.Never
				c.tell(policy.NodeID(part), ev)
			}
		}
		c.alarm = policy.Never
	case policy.Started, policy.Suspended, policy.Resumed: // as it was asked for
	default:
		return fmt.Errorf("containers: %v, want a cluster in which nothing fails", ev)
	}
	return nil
}

// finish takes a container off its node.
func (c *containers) finish(copy policy.Copy) {
	t := c.held[copy]
	delete(c.held, copy)
	at := slices.Index(c.nodes[t.node], t)
	c.nodes[t.node] = slices.Delete(c.nodes[t.node], at, at+1)
	c.tell(t.node, policy.Event{Kind: policy.Finished, Copy: copy, Node: t.node, Service: t.let, Idle: !t.lets})
}

// ready tells of the stages of a job that may start from now on.
func (c *containers) ready(j *containerJob) {
	for i, stage := range j.Stages {
		may := !j.told[i]
		if last := len(j.Stages) - 1; c.master && i < last {
			may = may && j.begun[last] > 0
		}
		for _, dep := range stage.Reads {
			maps := j.Stages[dep.Stage].Tasks
			may = may && j.begun[dep.Stage] == maps && float64(j.done[dep.Stage]) >= math.Ceil(c.slowstart*float64(maps))
		}
		if may {
			j.told[i] = true
			c.tell(0, policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: j.ID, Stage: uint32(i)}}})
		}
	}
}

// tell puts an event into the queue: for a node, and for the centre, which hears of all but the node's alarms and messages.
func (c *containers) tell(part policy.NodeID, ev policy.Event) {
	ev.Time = c.now
	if part != 0 && c.parts[part] != nil {
		c.queue = append(c.queue, containerNews{part, ev})
	}
	if part == 0 || ev.Kind != policy.Woken && ev.Kind != policy.Arrived {
		c.queue = append(c.queue, containerNews{0, ev})
	}
}

// serve lets the parts of the policy hear what is in the queue, and does what they answer.
func (c *containers) serve() (err error) {
	for i := 0; i < len(c.queue) && err == nil; i++ {
		part, ev := c.queue[i].part, c.queue[i].event
		ev.More = slices.ContainsFunc(c.queue[i+1:], func(later containerNews) bool { return later.part == part })
		if err = c.checker.Event(part, &ev); err == nil {
			c.actions, err = c.parts[part].Step(&ev, c.actions[:0])
		}
		for k := range c.actions {
			if err == nil {
				err = cmp.Or(c.checker.Action(part, c.now, &c.actions[k]), c.do(part, c.actions[k]))
			}
		}
	}
	c.queue = c.queue[:0]
	return err
}

// do does what a part asks for, and queues the answer.
func (c *containers) do(part policy.NodeID, a policy.Action) error {
	t := c.held[a.Copy]
	switch {
	case a.Kind == policy.Start && cmp.Or(a.Node, part) != 0:
		j := c.jobs[a.Copy.Job]
		t = &container{copy: a.Copy, node: cmp.Or(a.Node, part), input: &j.input[a.Copy.Stage], lets: true}
		c.held[a.Copy], c.nodes[t.node] = t, append(c.nodes[t.node], t)
		c.tell(t.node, policy.Event{Kind: policy.Started, Copy: a.Copy, Node: t.node})
		j.begun[a.Copy.Stage]++
		c.ready(j)
	case a.Kind == policy.Suspend && t != nil && t.lets:
		t.lets = false
		c.tell(t.node, policy.Event{Kind: policy.Suspended, Copy: a.Copy, Node: t.node, Service: t.let})
	case a.Kind == policy.Resume && t != nil && !t.lets:
		t.lets = true
		c.tell(t.node, policy.Event{Kind: policy.Resumed, Copy: a.Copy, Node: t.node, Service: t.let})
	case a.Kind == policy.Send || a.Kind == policy.Post:
		c.tell(a.Node, policy.Event{Kind: policy.Arrived, Node: part, Msg: a.Msg})
	case a.Kind == policy.Wake:
		c.alarms[part] = max(a.At, c.now)
	case a.Kind != policy.Suspend && a.Kind != policy.Resume: // which come too late
		return fmt.Errorf("containers: cannot %v", a)
	}
	return nil
}

// claim orders the tasks of a node: those that the policy lets run, then the others by how long they have had a core.
func (t *container) claim() policy.Duration {
	if t.lets {
		return -1
	}
	return t.used
}

// share shares out the cores of a node.
func (c *containers) share(id int, actions []policy.Action) []policy.Action {
	cores := c.cores[id]
	var order []*container // whom the cores go to
	for _, t := range c.nodes[id] {
		if *t.input {
			order = append(order, t)
		} else if t.lets && c.hold {
			cores--
		}
	}
	slices.SortStableFunc(order, func(a, b *container) int { return cmp.Compare(a.claim(), b.claim()) })
	cores = min(cores, len(order))
	for _, t := range order[cores:] {
		if t.runs {
			t.runs = false
			actions = append(actions, policy.Action{Kind: policy.Suspend, Copy: t.copy})
		}
	}
	for _, t := range order[:cores] {
		if t.runs {
			continue
		}
		kind := policy.Start
		if t.ran {
			kind = policy.Resume
		}
		t.runs, t.ran = true, true
		actions = append(actions, policy.Action{Kind: kind, Copy: t.copy, Node: t.node})
	}
	return actions
}

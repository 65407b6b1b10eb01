package check_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/check"
)

const s = time.Second

// said is one thing that passes between host and policy: an event, an action or a restart.
type said struct {
	part   policy.NodeID
	event  *policy.Event
	action *policy.Action
	again  bool // a restart
}

func ev(kind policy.EventKind, job policy.JobID, index, n uint32) said {
	return said{event: &policy.Event{Kind: kind, Copy: policy.Copy{Task: task(job, 0, index), N: n}}}
}

// on puts an event on a node.
func (s said) on(node policy.NodeID) said { s.event.Node = node; return s }

// with changes an event.
func (s said) with(change func(*policy.Event)) said { change(s.event); return s }

// to says which part hears it, or does it.
func (s said) to(part policy.NodeID) said { s.part = part; return s }

var task, start, startOn, do = jobtest.Task, jobtest.Start, jobtest.StartOn, jobtest.Do

func act(a policy.Action) said { return said{action: &a} }

// checkerStory is a legal beginning: a node of two cores and a job of two tasks, of
// which the first runs.
func checkerStory() []said {
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1, Memory: 1}}}
	return []said{
		{event: &policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 2, Memory: 2, Speed: 1}}},
		{event: &policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: task(1, 0, 0)}, Job: job}},
		{event: &policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: task(1, 0, 0)}}},
		act(start(task(1, 0, 0), 0)),
		ev(policy.Started, 1, 0, 0).on(1),
	}
}

// retold is a restart after checkerStory: the node, the job and its stage, and what is said
// of copies.
func retold(copies ...said) []said {
	story := []said{{again: true}}
	for _, s := range checkerStory()[:3] {
		story = append(story, s.with(func(ev *policy.Event) { ev.Replay = true }))
	}
	return append(append(story, copies...), ev(policy.Restored, 0, 0, 0))
}

// heard shows a story to a checker and returns the first violation.
func heard(story []said) (c *check.Checker, err error) {
	c = check.New()
	for _, s := range story {
		switch {
		case s.event != nil:
			err = c.Event(s.part, s.event)
		case s.action != nil:
			err = c.Action(s.part, 0, s.action)
		case s.again:
			c.Restart()
		}
		if err != nil {
			return c, err
		}
	}
	return c, nil
}

// The Checker finds what breaks a rule, and names the rule.
func TestPromises(t *testing.T) {
	second := &policy.Job{ID: 2, Stages: []policy.Stage{{Tasks: 1, Cores: 3}, {Tasks: 2, Cores: 1, Gang: true}}}
	submit := said{event: &policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: task(2, 0, 0)}, Job: second}}
	reader := func(pipe bool) said {
		j := &policy.Job{ID: 2, Stages: []policy.Stage{{Tasks: 1, Cores: 1}, {Tasks: 1, Cores: 1, Reads: []policy.Dep{{Pipe: pipe}}}}}
		return said{event: &policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: task(2, 0, 0)}, Job: j}}
	}
	ready := func(job policy.JobID, stage uint32) said {
		return said{event: &policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: task(job, stage, 0)}}}
	}
	ended := func(o policy.Outcome) said {
		return ev(policy.Ended, 1, 0, 0).with(func(ev *policy.Event) { ev.Outcome = o })
	}
	again := func(ev *policy.Event) { ev.Again = true }
	replay := func(ev *policy.Event) { ev.Replay = true }
	started := ev(policy.Started, 1, 1, 0).on(1)
	gang := func(index, n uint32, where ...policy.Share) said {
		return ev(policy.Started, 2, index, n).with(func(ev *policy.Event) { ev.Copy.Stage, ev.Gang = 1, where })
	}
	join2 := said{event: &policy.Event{Kind: policy.Joined, Node: 2, Info: &policy.Node{ID: 2, Partition: 2, Cores: 2, Memory: 2, Speed: 1}}}

	for _, test := range []struct {
		name string
		then []said
		rule string // "" if it is legal
	}{
		{"nothing", nil, ""},
		{"time goes back", []said{ev(policy.Woken, 0, 0, 0).with(func(ev *policy.Event) { ev.Time = -1 })}, "Time"},
		{"job twice", []said{checkerStory()[1]}, "Job"},
		{"job without its description", []said{ev(policy.Submitted, 2, 0, 0)}, "Job"},
		{"description of another job", []said{ev(policy.Submitted, 3, 0, 0).with(func(ev *policy.Event) { ev.Job = second })}, "Job"},
		{"job without stages", []said{ev(policy.Submitted, 2, 0, 0).with(func(ev *policy.Event) { ev.Job = &policy.Job{ID: 2} })}, "Job"},
		{"unknown job", []said{ready(7, 0)}, "Job"},
		{"stage ready twice", []said{ready(1, 0)}, "Job"},
		{"stage ready before what it reads", []said{reader(false), ready(2, 1)}, "Job"},
		{"stage that reads a pipe", []said{reader(true), ready(2, 1)}, ""},
		{"unknown stage", []said{ready(1, 5)}, "Job"},
		{"unknown task", []said{ev(policy.Finished, 1, 9, 0).on(1)}, "Job"},
		{"done too early", []said{ev(policy.Finished, 1, 0, 0).on(1), ended(policy.Done)}, "Job"},
		{"ended without outcome", []said{ev(policy.Finished, 1, 0, 0).on(1), ended(0)}, "Job"},
		{"after Ended", []said{ev(policy.Killed, 1, 0, 0).on(1), ended(policy.GivenUp), ready(1, 0)}, "Job"},
		{"started unasked", []said{started}, "Copy"},
		{"started twice", []said{ev(policy.Started, 1, 0, 0).on(1)}, "Copy"},
		{"refused after Started", []said{ev(policy.Refused, 1, 0, 0)}, "Copy"},
		{"ends twice", []said{ev(policy.Failed, 1, 0, 0).on(1), ev(policy.Failed, 1, 0, 0).on(1)}, "Copy"},
		{"too many cores", []said{submit, ready(2, 0), act(start(task(2, 0, 0), 0)), ev(policy.Started, 2, 0, 0).on(1)}, "Node"},
		{"too much memory", []said{
			act(start(task(1, 0, 1), 0)), started,
			ev(policy.Suspended, 1, 1, 0).on(1), act(start(task(1, 0, 1), 1)), ev(policy.Started, 1, 1, 1).on(1),
		}, "Node"},
		{"service is lost", []said{
			ev(policy.Suspended, 1, 0, 0).on(1).with(func(ev *policy.Event) { ev.Service = s }), ev(policy.Resumed, 1, 0, 0).on(1),
		}, "Copy"},
		{"served while it is suspended", []said{
			ev(policy.Suspended, 1, 0, 0).on(1), ev(policy.Resumed, 1, 0, 0).on(1).with(func(ev *policy.Event) { ev.Service = s }),
		}, "Copy"},
		{"ends elsewhere", []said{ev(policy.Finished, 1, 0, 0).on(2)}, "Copy"},
		{"resumes elsewhere", []said{ev(policy.Suspended, 1, 0, 0).on(1), ev(policy.Resumed, 1, 0, 0).on(2)}, "Copy"},
		{"not on the named node", []said{join2, act(startOn(1, task(1, 0, 1), 0)), ev(policy.Started, 1, 1, 0).on(2)}, "Node"},
		{"not on the named partition", []said{
			join2, act(policy.Action{Kind: policy.Start, Copy: policy.Copy{Task: task(1, 0, 1)}, Partition: 1}),
			ev(policy.Started, 1, 1, 0).on(2).with(func(ev *policy.Event) { ev.Partition = 1 }),
		}, "Node"},
		{"partition not repeated", []said{
			act(policy.Action{Kind: policy.Start, Copy: policy.Copy{Task: task(1, 0, 1)}, Partition: 1}), ev(policy.Started, 1, 1, 0).on(1),
		}, "Copy"},
		{"again is missing", []said{
			act(start(task(1, 0, 1), 0)), ev(policy.Started, 1, 1, 0).on(1),
			ev(policy.Failed, 1, 0, 0).on(1), ev(policy.Failed, 1, 1, 0).on(1).with(again),
		}, "Copy"},
		{"resumed though it ran", []said{ev(policy.Resumed, 1, 0, 0).on(1)}, "Copy"},
		{"suspended twice", []said{ev(policy.Suspended, 1, 0, 0).on(1), ev(policy.Suspended, 1, 0, 0).on(1)}, "Copy"},
		{"resume refused", []said{
			ev(policy.Suspended, 1, 0, 0).on(1), ev(policy.Suspended, 1, 0, 0).on(1).with(func(ev *policy.Event) { ev.Idle = true }),
		}, ""},
		{"idle though it ran", []said{ev(policy.Killed, 1, 0, 0).on(1).with(func(ev *policy.Event) { ev.Idle = true })}, "Copy"},
		{"progress above 1", []said{ev(policy.Progress, 1, 0, 0).on(1).with(func(ev *policy.Event) { ev.Value = 1.5 })}, "Copy"},
		{"gang in part", []said{
			submit, ready(2, 1), act(start(task(2, 1, 0), 0)),
			{event: &policy.Event{Kind: policy.Started, Copy: policy.Copy{Task: task(2, 1, 0)}, Gang: []policy.Share{{Node: 1, Tasks: 1}}}},
		}, "Copy"},
		{"gang", []said{submit, ready(2, 1), act(start(task(2, 1, 0), 0)), ev(policy.Suspended, 1, 0, 0).on(1), gang(0, 0, policy.Share{Node: 1, Tasks: 2})}, ""},
		{"gang without room", []said{submit, ready(2, 1), act(start(task(2, 1, 0), 0)), gang(0, 0, policy.Share{Node: 1, Tasks: 2})}, "Node"},
		{"gang on one node", []said{submit, ready(2, 1), act(start(task(2, 1, 0), 0)), gang(0, 0).on(1)}, "Copy"},
		{"task as a gang", []said{
			act(start(task(1, 0, 1), 0)), ev(policy.Started, 1, 1, 0).with(func(ev *policy.Event) { ev.Gang = []policy.Share{{Node: 1, Tasks: 1}} }),
		}, "Copy"},
		{"node without its description", []said{ev(policy.Joined, 0, 0, 0).on(2)}, "Node"},
		{"description of another node", []said{ev(policy.Joined, 0, 0, 0).on(3).with(func(ev *policy.Event) { ev.Info = join2.event.Info })}, "Node"},
		{"node without cores", []said{ev(policy.Joined, 0, 0, 0).on(2).with(func(ev *policy.Event) { ev.Info = &policy.Node{ID: 2, Partition: 1, Speed: 1} })}, "Node"},
		{"node leaves its copies", []said{{event: &policy.Event{Kind: policy.Left, Node: 1}}}, "Copy"},
		{"no kind", []said{{event: &policy.Event{}}}, "Time"},
		{"a kind that there is not", []said{ev(policy.Restored+1, 1, 0, 0).to(1)}, "Time"},
		{"replay of a node without its description", []said{{again: true}, ev(policy.Joined, 0, 0, 0).on(1).with(replay)}, "Node"},
		{"part without its node's description", []said{ev(policy.Joined, 0, 0, 0).on(1).to(1)}, "Node"},
		{"part with its node's description", []said{checkerStory()[0].to(1)}, ""},
		{"unknown node leaves", []said{{event: &policy.Event{Kind: policy.Left, Node: 2}}}, "Node"},
		{"node joins twice", []said{checkerStory()[0]}, "Node"},
		{"started on an unknown node", []said{act(start(task(1, 0, 1), 0)), ev(policy.Started, 1, 1, 0).on(2)}, "Node"},
		{"started on a node that left", []said{
			ev(policy.Lost, 1, 0, 0).on(1).with(again), {event: &policy.Event{Kind: policy.Left, Node: 1}},
			act(start(task(1, 0, 0), 1)), ev(policy.Started, 1, 0, 1).on(1),
		}, "Node"},
		{"job leaves its copies", []said{ended(policy.Cancelled)}, "Copy"},
		{"finished twice", []said{
			act(start(task(1, 0, 0), 1)), ev(policy.Started, 1, 0, 1).on(1),
			ev(policy.Finished, 1, 0, 0).on(1), ev(policy.Finished, 1, 0, 1).on(1),
		}, "Copy"},
		{"again though it is finished", []said{ev(policy.Finished, 1, 0, 0).on(1).with(again)}, "Copy"},
		{"again though another runs", []said{
			act(start(task(1, 0, 0), 1)), ev(policy.Started, 1, 0, 1).on(1), ev(policy.Killed, 1, 0, 0).on(1).with(again),
		}, "Copy"},
		{"more, and nothing comes", []said{
			ev(policy.Woken, 0, 0, 0).with(func(ev *policy.Event) { ev.More = true }),
			ev(policy.Woken, 0, 0, 0).with(func(ev *policy.Event) { ev.Time = 1 }),
		}, "Time"},
		{"replay out of the blue", []said{ev(policy.Started, 1, 0, 0).on(1).with(replay)}, "Restart"},
		{"replay forgets a copy", []said{{again: true}, ev(policy.Restored, 0, 0, 0)}, "Restart"},
		{"replay invents a copy", []said{{again: true}, ev(policy.Started, 1, 1, 0).on(1).with(replay)}, "Restart"},
		{"replay names a copy twice", []said{{again: true}, ev(policy.Started, 1, 0, 0).on(1).with(replay), ev(policy.Started, 1, 0, 0).on(1).with(replay)}, "Restart"},
		{"replay finishes a task", []said{{again: true}, ev(policy.Finished, 1, 0, 0).with(replay)}, "Restart"},
		{"replay is mixed", []said{{again: true}, ev(policy.Started, 1, 0, 0).on(1).with(replay), ev(policy.Finished, 1, 0, 0).on(1)}, "Restart"},
		{"good replay", retold(ev(policy.Started, 1, 0, 0).on(1).with(replay)), ""},
		{"replay without a copy", retold(), "Restart"},
		{"replay on another node", []said{join2, {again: true}, ev(policy.Started, 1, 0, 0).on(2).with(replay)}, "Restart"},
		{"replay without a node", append([]said{join2}, retold(ev(policy.Started, 1, 0, 0).on(1).with(replay))...), "Restart"},
		{"replay without a job", append([]said{submit}, retold(ev(policy.Started, 1, 0, 0).on(1).with(replay))...), "Restart"},
		{"replay without a Ready", append([]said{submit, ready(2, 0)}, retold(ev(policy.Submitted, 2, 0, 0).with(replay).with(func(ev *policy.Event) { ev.Job = second }), ev(policy.Started, 1, 0, 0).on(1).with(replay))...), "Restart"},
		{"replay without Suspended", append([]said{act(do(policy.Suspend, task(1, 0, 0), 0)), ev(policy.Suspended, 1, 0, 0).on(1)}, retold(ev(policy.Started, 1, 0, 0).on(1).with(replay))...), "Restart"},
		{"replay without a finished task", append([]said{ev(policy.Finished, 1, 0, 0).on(1)}, retold()...), "Restart"},
		{"good replay of a finished task", append([]said{ev(policy.Finished, 1, 0, 0).on(1)}, retold(ev(policy.Finished, 1, 0, 0).with(replay))...), ""},
		{"replay of a node that was not there", []said{{again: true}, ev(policy.Joined, 0, 0, 0).on(2).with(replay)}, "Restart"},
		{"replay of an unknown task", []said{{again: true}, ev(policy.Started, 1, 2, 0).on(1).with(replay)}, "Restart"},
		{"replay without what was not answered", append([]said{
			act(start(task(1, 0, 1), 0)), act(start(task(1, 0, 1), 1)).to(1),
		}, retold(ev(policy.Started, 1, 0, 0).on(1).with(replay))...), ""},
		{"started after a restart that has forgotten it", append([]said{
			act(start(task(1, 0, 1), 0)),
		}, append(retold(ev(policy.Started, 1, 0, 0).on(1).with(replay)), started)...), "Copy"},
		{"started after a restart that has forgotten what a part wanted", append([]said{
			act(start(task(1, 0, 1), 0)).to(1),
		}, append(retold(ev(policy.Started, 1, 0, 0).on(1).with(replay)), started)...), "Copy"},
		{"no replay after a restart", []said{{again: true}, ev(policy.Finished, 1, 0, 0).on(1)}, "Restart"},
		{"service that goes back", []said{
			ev(policy.Progress, 1, 0, 0).on(1).with(func(ev *policy.Event) { ev.Service = 2 }),
			ev(policy.Finished, 1, 0, 0).on(1).with(func(ev *policy.Event) { ev.Service = 1 }),
		}, "Copy"},
		{"number of a refused Start", []said{act(start(task(1, 0, 1), 0)), ev(policy.Refused, 1, 1, 0).with(again), act(start(task(1, 0, 1), 0))}, ""},
		{"started before what was to be killed there", []said{
			act(do(policy.Kill, task(1, 0, 0), 0)), act(startOn(1, task(1, 0, 1), 0)), ev(policy.Started, 1, 1, 0).on(1),
		}, "Order"},
		{"started after what was killed there", []said{
			act(do(policy.Kill, task(1, 0, 0), 0)), act(startOn(1, task(1, 0, 1), 0)), ev(policy.Killed, 1, 0, 0).on(1).with(again), ev(policy.Started, 1, 1, 0).on(1),
		}, ""},
		{"started elsewhere before what was to be killed", []said{
			join2, act(do(policy.Kill, task(1, 0, 0), 0)), act(startOn(2, task(1, 0, 1), 0)), ev(policy.Started, 1, 1, 0).on(2),
		}, ""},
		{"started before what was to be killed later", []said{
			act(startOn(1, task(1, 0, 1), 0)), act(do(policy.Kill, task(1, 0, 0), 0)), ev(policy.Started, 1, 1, 0).on(1),
		}, ""},
		{"started before what was to be killed before a restart", append([]said{
			act(do(policy.Kill, task(1, 0, 0), 0)), act(startOn(1, task(1, 0, 1), 0)),
		}, append(retold(ev(policy.Started, 1, 0, 0).on(1).with(replay)), act(startOn(1, task(1, 0, 1), 1)), ev(policy.Started, 1, 1, 1).on(1))...), ""},
		{"the older of two copies ends first", []said{
			act(start(task(1, 0, 0), 1)), ev(policy.Started, 1, 0, 1).on(1), ev(policy.Killed, 1, 0, 0).on(1), ev(policy.Finished, 1, 0, 1).on(1),
		}, ""},
		{"gang ends elsewhere", []said{
			submit, ready(2, 1), join2, act(start(task(2, 1, 0), 0)), gang(0, 0, policy.Share{Node: 1, Tasks: 1}, policy.Share{Node: 2, Tasks: 1}),
			gang(0, 0, policy.Share{Node: 2, Tasks: 2}).with(func(ev *policy.Event) { ev.Kind = policy.Killed }),
		}, "Copy"},
		{"good replay twice", append(retold(ev(policy.Started, 1, 0, 0).on(1).with(replay)), retold(ev(policy.Started, 1, 0, 0).on(1).with(replay))...), ""},
		{"replay of an end without Again", append([]said{act(start(task(1, 0, 1), 0)), started, ev(policy.Failed, 1, 1, 0).on(1).with(again)},
			retold(ev(policy.Started, 1, 0, 0).on(1).with(replay), ev(policy.Failed, 1, 1, 0).with(replay))[:6]...), "Restart"},
		{"part kills what may have been started there", []said{act(start(task(1, 0, 1), 0)), act(do(policy.Kill, task(1, 0, 1), 0)).to(1)}, ""},
		{"part kills what it has asked for", []said{act(start(task(1, 0, 1), 0)).to(1), act(do(policy.Kill, task(1, 0, 1), 0)).to(1)}, ""},
		{"part kills elsewhere", []said{join2, act(do(policy.Kill, task(1, 0, 0), 0)).to(2)}, "Parts"},
		{"part kills what is there", []said{act(do(policy.Kill, task(1, 0, 0), 0)).to(1)}, ""},
		{"part kills its share of a gang", []said{
			submit, ready(2, 1), join2, act(start(task(2, 1, 0), 0)), gang(0, 0, policy.Share{Node: 1, Tasks: 1}, policy.Share{Node: 2, Tasks: 1}),
			act(do(policy.Kill, task(2, 1, 0), 0)).to(2),
		}, ""},
		{"part kills a gang elsewhere", []said{
			submit, ready(2, 1), join2, act(start(task(2, 1, 0), 0)), gang(0, 0, policy.Share{Node: 2, Tasks: 2}),
			act(do(policy.Kill, task(2, 1, 0), 0)).to(1),
		}, "Parts"},
		{"part hears of its share of a gang", []said{gang(0, 0, policy.Share{Node: 2, Tasks: 1}, policy.Share{Node: 1, Tasks: 1}).to(1)}, ""},
		{"part hears of a gang elsewhere", []said{gang(0, 0, policy.Share{Node: 2, Tasks: 2}).to(1)}, "Parts"},
		{"part hears of a job", []said{ready(1, 0).to(1)}, "Parts"},
		{"part hears of another node", []said{ev(policy.Started, 1, 0, 0).on(2).to(1)}, "Parts"},

		{"start of a finished task", []said{ev(policy.Finished, 1, 0, 0).on(1), act(start(task(1, 0, 0), 1))}, "Legal start"},
		{"start of an unknown job", []said{act(start(task(7, 0, 0), 0))}, "Legal start"},
		{"start of an unknown task", []said{act(start(task(1, 0, 2), 0))}, "Legal start"},
		{"start before ready", []said{submit, act(start(task(2, 0, 0), 0))}, "Legal start"},
		{"start of a gang's second task", []said{submit, ready(2, 1), act(start(task(2, 1, 1), 0))}, "Legal start"},
		{"number twice", []said{act(start(task(1, 0, 0), 0))}, "Legal start"},
		{"number left out", []said{act(start(task(1, 0, 0), 3)), act(start(task(1, 0, 0), 1)), act(start(task(1, 0, 0), 2))}, ""},
		{"number left out, then twice", []said{act(start(task(1, 0, 0), 2)), act(start(task(1, 0, 0), 1)), act(start(task(1, 0, 0), 2))}, "Legal start"},
		{"number out of order, then twice", []said{act(start(task(1, 0, 0), 2)), act(start(task(1, 0, 0), 2))}, "Legal start"},
		{"number of a long life", []said{act(start(task(1, 0, 0), policy.MaxCopies-1))}, ""},
		{"number too large", []said{act(start(task(1, 0, 0), policy.MaxCopies))}, "Legal start"},
		{"no action", []said{act(policy.Action{})}, "Legal start"},
		{"unknown node", []said{act(startOn(2, task(1, 0, 1), 0))}, "Legal start"},
		{"unknown partition", []said{act(policy.Action{Kind: policy.Start, Copy: policy.Copy{Task: task(1, 0, 1)}, Partition: 2})}, "Legal start"},
		{"message of NaN", []said{act(policy.Action{Kind: policy.Send, Msg: policy.Msg{Value: math.NaN()}})}, "Legal start"},
		{"message to an unknown node", []said{act(policy.Action{Kind: policy.Send, Node: 2})}, "Legal start"},
		{"kill of what was not started", []said{act(do(policy.Kill, task(1, 0, 1), 0))}, "Legal start"},
		{"kill of what has ended", []said{ev(policy.Failed, 1, 0, 0).on(1), act(do(policy.Kill, task(1, 0, 0), 0))}, ""},
		{"give up an unknown job", []said{act(do(policy.GiveUp, task(7, 0, 0), 0))}, "Legal start"},
		{"part starts elsewhere", []said{
			{event: &policy.Event{Kind: policy.Joined, Node: 2, Info: &policy.Node{ID: 2, Partition: 1, Cores: 2, Speed: 1}}},
			act(startOn(2, task(1, 0, 1), 0)).to(1),
		}, "Parts"},
		{"part gives up a job", []said{act(do(policy.GiveUp, task(1, 0, 0), 0)).to(1)}, "Parts"},
		{"action during a replay", []said{{again: true}, act(do(policy.Kill, task(1, 0, 0), 0))}, "Legal start"},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := len(checkerStory())
			story := append(checkerStory(), test.then...)
			if _, err := heard(story[:max(n, len(story)-1)]); err != nil {
				t.Fatalf("the story is broken before its end: %v", err)
			}
			_, err := heard(story)
			if test.rule == "" {
				if err != nil {
					t.Errorf("error %v, want none", err)
				}
				return
			}
			var v *check.Violation
			if !errors.As(err, &v) || v.Rule != test.rule {
				t.Fatalf("error %v, want a violation of %s", err, test.rule)
			}
			if last := story[len(story)-1]; v.Host != (last.action == nil) {
				t.Errorf("%v: got Host %v, want %v", err, v.Host, !v.Host)
			}
			if strings.Count(err.Error(), "\n\t") < n || !strings.Contains(err.Error(), fmt.Sprintf("rule %q", test.rule)) {
				t.Errorf("error %v, want the rule and the last events in it", err)
			}
		})
	}
}

// A Checker that has seen nothing learns from a replay, and finds then what contradicts it.
func TestCheckerBeginsWithAReplay(t *testing.T) {
	replay := func(ev *policy.Event) { ev.Replay = true }
	again := func(ev *policy.Event) { ev.Again, ev.Replay = true, true }
	idle := func(ev *policy.Event) { ev.Idle = true }
	runs := ev(policy.Started, 1, 0, 3).on(1).with(replay)
	for _, test := range []struct {
		name string
		told []said // in the replay
		then []said
		rule string
	}{
		{"nothing runs", nil, []said{act(start(task(1, 0, 0), 0)), ev(policy.Started, 1, 0, 0).on(1)}, ""},
		{"a copy goes on", []said{runs}, []said{ev(policy.Finished, 1, 0, 3).on(1), act(start(task(1, 0, 1), 0)), ev(policy.Started, 1, 1, 0).on(1)}, ""},
		{"a copy stands", []said{runs, ev(policy.Suspended, 1, 0, 3).on(1).with(replay)}, []said{
			act(start(task(1, 0, 1), 0)), ev(policy.Started, 1, 1, 0).on(1), ev(policy.Finished, 1, 0, 3).on(1).with(idle),
		}, ""},
		{"one failed and another runs", []said{ev(policy.Failed, 1, 0, 4).with(replay), runs}, []said{
			act(start(task(1, 0, 0), 5)), ev(policy.Started, 1, 0, 5).on(1),
		}, ""},
		{"a number is used", []said{ev(policy.Failed, 1, 0, 4).with(again)}, []said{act(start(task(1, 0, 0), 4))}, "Legal start"},
		{"a number is used by what runs", []said{runs}, []said{act(start(task(1, 0, 0), 3))}, "Legal start"},
		{"a finished task", []said{ev(policy.Finished, 1, 0, 0).with(replay)}, []said{act(start(task(1, 0, 0), 1))}, "Legal start"},
		{"the other finishes the job", []said{ev(policy.Finished, 1, 0, 0).with(replay), ev(policy.Started, 1, 1, 0).on(1).with(replay)}, []said{
			ev(policy.Finished, 1, 1, 0).on(1), ev(policy.Ended, 1, 0, 0).with(func(ev *policy.Event) { ev.Outcome = policy.Done }),
		}, ""},
		{"ended too soon", []said{runs}, []said{ev(policy.Ended, 1, 0, 0).with(func(ev *policy.Event) { ev.Outcome = policy.Cancelled })}, "Copy"},
		{"an unknown copy ends", nil, []said{ev(policy.Finished, 1, 0, 0).on(1)}, "Copy"},
		{"a copy twice", []said{runs, runs}, nil, "Restart"},
		{"a copy after its task is finished", []said{ev(policy.Finished, 1, 0, 0).with(replay), runs}, nil, "Restart"},
		{"a copy that stands and was not there", []said{ev(policy.Suspended, 1, 0, 0).on(1).with(replay)}, nil, "Restart"},
		{"a copy on an unknown node", []said{ev(policy.Started, 1, 0, 0).on(7).with(replay)}, nil, "Node"},
		{"a copy of an unknown job", []said{ev(policy.Started, 7, 0, 0).on(1).with(replay)}, nil, "Restart"},
		{"a stage twice", []said{ev(policy.Ready, 1, 0, 0).with(replay)}, nil, "Restart"},
		{"a second restart that forgets a copy", []said{runs}, retold(), "Restart"},
	} {
		story := append(retold(test.told...), test.then...)
		if _, err := heard(story[:len(story)-1]); err != nil && test.rule != "Restart" && test.rule != "Node" {
			t.Errorf("%s: broken before its end: %v", test.name, err)
			continue
		}
		_, err := heard(story)
		if _, unasked := heard(story[1:]); (err == nil) != (unasked == nil) {
			t.Errorf("%s: error %v after Restart, and %v without", test.name, err, unasked)
		}
		v, _ := errors.AsType[*check.Violation](err)
		switch {
		case test.rule == "" && err != nil:
			t.Errorf("%s: error %v, want none", test.name, err)
		case test.rule != "" && (v == nil || v.Rule != test.rule):
			t.Errorf("%s: error %v, want a violation of %s", test.name, err, test.rule)
		}
	}
}

// Of two copies on a node of one core, one stands; a replay says so after it has said that both are there.
func TestCheckerCountsCoresAtTheEndOfAReplay(t *testing.T) {
	replay := func(ev *policy.Event) { ev.Replay = true }
	first, second := ev(policy.Started, 1, 0, 0).on(1).with(replay), ev(policy.Started, 1, 1, 0).on(1).with(replay)
	stands := ev(policy.Suspended, 1, 1, 0).on(1).with(replay)
	one := func(story []said) []said { story[1].event.Info.Cores = 1; return story }
	if _, err := heard(one(retold(first, second, stands))); err != nil {
		t.Errorf("error %v, want none", err)
	}
	_, err := heard(one(retold(first, second)))
	if v, _ := errors.AsType[*check.Violation](err); v == nil || v.Rule != "Node" || !strings.Contains(v.Text, "1 more cores are used on node 1") {
		t.Errorf("error %v, want a violation of Node that names node 1", err)
	}
}

// Texts name who and what is wrong and not something else, and nil is not looked into.
func TestCheckerNamesWhatIsWrong(t *testing.T) {
	told := func(ev *policy.Event) func(c *check.Checker) error {
		return func(c *check.Checker) error { return c.Event(0, ev) }
	}
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}
	node := &policy.Node{ID: 2, Partition: 1, Cores: 1, Speed: 1}
	for _, test := range []struct {
		do         func(c *check.Checker) error
		rule, says string
	}{
		{told(nil), "Time", "the event is nil\nlast events and actions:\n\t0 s, an event without a kind"},
		{told(&policy.Event{Time: 5e9}), "Time", "the event's Kind is not set\nlast events and actions:\n\t5 s, an event without a kind"},
		{told(&policy.Event{Kind: 99}), "Time", "EventKind(99) is no kind of event"},
		{told(&policy.Event{Kind: policy.Joined, Node: 3}), "Node", "node 3 has joined without its description: Info is nil"},
		{told(&policy.Event{Kind: policy.Joined, Node: 3, Info: node}), "Node", "node 3 has joined, but its description, Info, is of node 2"},
		{told(&policy.Event{Kind: policy.Left, Node: 3}), "Node", "node 3 has left, but was not there"},
		{told(&policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: task(2, 0, 0)}}), "Job", "job 2 is submitted without its description: Job is nil"},
		{told(&policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: task(2, 0, 0)}, Job: job}), "Job", "job 2 is submitted, but its description, Job, is of job 1"},
		{func(c *check.Checker) error { return c.Action(1, 0, nil) }, "Legal start", "check: the policy broke rule \"Legal start\" at 0 s (node 1): the action is nil\nlast events and actions:\n\t0 s, node 1: -> ActionKind(0)"},
		{func(c *check.Checker) error { c.Restart(); return c.Event(0, nil) }, "Time", "check: the host broke rule \"Time\" at 0 s (centre): the event is nil\nlast events and actions:\n\tthe policy is restarted\n\t0 s, an"},
	} {
		err := test.do(check.New())
		if v, _ := errors.AsType[*check.Violation](err); v == nil || v.Rule != test.rule || !strings.Contains(err.Error(), test.says) {
			t.Errorf("error %v, want a violation of %s that says %q", err, test.rule, test.says)
		}
	}
}

// The last events tell a restart, and what in it is a replay.
func TestCheckerTellsOfARestart(t *testing.T) {
	story := append(checkerStory(), ev(policy.Failed, 1, 0, 0).on(1).with(func(ev *policy.Event) { ev.Again, ev.Time = true, 2e9 }))
	c, err := heard(append(story, said{again: true}))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Event(0, &policy.Event{Time: 2e9, Kind: policy.Joined, Replay: true, Node: 1, Info: story[0].event.Info}); err != nil {
		t.Fatal(err)
	}
	err = c.Event(0, &policy.Event{Time: 2e9, Kind: policy.Restored})
	want := "\n\t2 s, Failed 1/0/0#0 node 1, Again\n\tthe policy is restarted\n\t2 s, Joined node 1, Replay\n\t2 s, Restored"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error %v, want one that ends in %q", err, want)
	}
}

// What is wrong with a node or a job is told as its Validate tells it.
func TestCheckerTellsWhatIsWrong(t *testing.T) {
	node := policy.Node{ID: 1, Cores: 2, Speed: 1}
	job := policy.Job{ID: 1}
	for _, test := range []struct {
		ev   policy.Event
		want error
	}{
		{policy.Event{Kind: policy.Joined, Node: 1, Info: &node}, node.Validate()},
		{policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: task(1, 0, 0)}, Job: &job}, job.Validate()},
	} {
		err := check.New().Event(0, &test.ev)
		if inner := errors.Unwrap(err); test.want == nil || inner == nil || inner.Error() != test.want.Error() || !strings.Contains(err.Error(), test.want.Error()) {
			t.Errorf("error %v, want one that wraps %v", err, test.want)
		}
	}
}

func TestCheckerWantsAllJobsEnded(t *testing.T) {
	c, err := heard(checkerStory())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Done(); err == nil || !strings.Contains(err.Error(), "1/0/0#0 has not") {
		t.Errorf("error %v, want one that says that 1/0/0#0 has not ended", err)
	}
	unanswered, err := heard(append(checkerStory(), act(start(task(1, 0, 1), 0))))
	if err != nil {
		t.Fatal(err)
	}
	if err := unanswered.Event(0, ev(policy.Finished, 1, 0, 0).on(1).event); err != nil {
		t.Fatal(err)
	}
	if err := unanswered.Done(); err == nil || !strings.Contains(err.Error(), "Start of 1/0/1#0 was never answered") {
		t.Errorf("error %v, want one that says which Start was not answered", err)
	}
	idle, err := heard(append(checkerStory(), ev(policy.Failed, 1, 0, 0).on(1).with(func(ev *policy.Event) { ev.Again = true })))
	if err != nil {
		t.Fatal(err)
	}
	if err := idle.Done(); err == nil || !strings.Contains(err.Error(), "job 1 has not ended, and tasks of it are not finished: 2\n") {
		t.Errorf("error %v, want one that says how many tasks are not finished", err)
	}
	refused, err := heard(append(checkerStory(), ev(policy.Finished, 1, 0, 0).on(1), act(start(task(1, 0, 1), 0)), ev(policy.Refused, 1, 1, 0).with(func(ev *policy.Event) { ev.Again = true })))
	if err != nil {
		t.Fatal(err)
	}
	if err := refused.Done(); err == nil || !strings.Contains(err.Error(), "nothing since the Start of 1/0/1#0 was Refused") {
		t.Errorf("error %v, want one that says that Woken is due", err)
	}
	if err := refused.Event(0, ev(policy.Woken, 0, 0, 0).event); err != nil {
		t.Fatal(err)
	}
	if err := refused.Done(); err == nil || strings.Contains(err.Error(), "nothing since") {
		t.Errorf("error %v, want one that does not want Woken", err)
	}
	forgetful, err := heard(append(checkerStory(), ev(policy.Lost, 1, 0, 0).on(1).with(func(ev *policy.Event) { ev.Time = policy.Time(s) })))
	if err != nil {
		t.Fatal(err)
	}
	if err := forgetful.Done(); err == nil || !strings.Contains(err.Error(), "not finished: 2; Lost of 1/0/0#0 at 1 s came without Again") {
		t.Errorf("error %v, want one that names the end without Again", err)
	}
	if err := idle.Event(0, ev(policy.Woken, 0, 0, 0).with(func(ev *policy.Event) { ev.More = true }).event); err != nil {
		t.Fatal(err)
	}
	if err := idle.Done(); err == nil || !strings.Contains(err.Error(), `rule "Time"`) {
		t.Errorf("error %v, want one that says that More was set", err)
	}
	for _, next := range []said{
		ev(policy.Finished, 1, 0, 0).on(1), act(start(task(1, 0, 1), 0)), ev(policy.Started, 1, 1, 0).on(1),
		ev(policy.Finished, 1, 1, 0).on(1),
		ev(policy.Ended, 1, 0, 0).with(func(ev *policy.Event) { ev.Outcome = policy.Done }),
	} {
		if next.event != nil {
			err = c.Event(0, next.event)
		} else {
			err = c.Action(0, 0, next.action)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Done(); err != nil {
		t.Error(err)
	}
}

// huge is so much memory that the sum for a few tasks does not fit into an int64.
const huge = 1 << 61

// A sum of memory or cores that does not fit into an integer hides nothing, and is nothing to complain of where memory is not
// accounted for.
func TestCheckerCountsLargeNumbers(t *testing.T) {
	tell := func(memory int64, spec policy.Stage, restart bool, where ...policy.Share) error {
		story := []said{
			{event: &policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: math.MaxInt32, Memory: memory, Speed: 1}}},
			{event: &policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: task(1, 0, 0)}, Job: &policy.Job{ID: 1, Stages: []policy.Stage{spec}}}},
			{event: &policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: task(1, 0, 0)}}},
		}
		for _, s := range story {
			s.event.Replay = restart
		}
		if restart {
			story = append([]said{{again: true}}, story...)
		} else {
			story = append(story, act(start(task(1, 0, 0), 0)))
		}
		started := ev(policy.Started, 1, 0, 0).with(func(ev *policy.Event) { ev.Gang, ev.Replay = where, restart })
		if story = append(story, started); restart {
			story = append(story, ev(policy.Restored, 0, 0, 0))
		}
		_, err := heard(story)
		return err
	}
	for _, test := range []struct {
		name    string
		memory  int64 // of the node
		spec    policy.Stage
		restart bool
		placed  uint32
		rule    string
	}{
		{"memory that is not accounted for", 0, policy.Stage{Tasks: 3, Cores: 1, Memory: huge}, false, 3, ""},
		{"memory that comes round to 0", 8, policy.Stage{Tasks: 8, Cores: 1, Memory: huge}, false, 8, "Node"},
		{"memory for one byte", 1, policy.Stage{Tasks: 2, Cores: 1, Memory: 1}, false, 2, "Node"},
		{"memory just enough", math.MaxInt64, policy.Stage{Tasks: 3, Cores: 1, Memory: huge}, false, 3, ""},
		{"memory one task too much", math.MaxInt64, policy.Stage{Tasks: 4, Cores: 1, Memory: huge}, false, 4, "Node"},
		{"cores that come round to 0 in a replay", 0, policy.Stage{Tasks: 1 << 20, Cores: 1 << 12}, true, 1 << 20, "Node"},
		{"cores that come round to 0", 0, policy.Stage{Tasks: 1 << 20, Cores: 1 << 12}, false, 1 << 20, "Node"},
	} {
		test.spec.Gang = true
		err := tell(test.memory, test.spec, test.restart, policy.Share{Node: 1, Tasks: test.placed})
		if v, _ := errors.AsType[*check.Violation](err); (v != nil) != (test.rule != "") || v != nil && v.Rule != test.rule {
			t.Errorf("%s: got error %v, want one of rule %q", test.name, err, test.rule)
		}
	}
}

// A host that lets a task be tried for ever, though not by a simulator, is to blame for what its policy must then do.
func TestHostThatTriesForEver(t *testing.T) {
	last := ev(policy.Lost, 1, 0, policy.MaxCopies-1).with(func(ev *policy.Event) { ev.Replay, ev.Again = true, true })
	_, err := heard(append(retold(last), act(start(task(1, 0, 0), policy.MaxCopies))))
	if v, ok := err.(*check.Violation); !ok || v.Rule != "Copy" || !v.Host {
		t.Errorf("got error %v, want a violation of rule Copy by the host", err)
	}
}

package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// A past is the policy of what has already happened: it starts the tasks that run now, when they were started. Then the host
// restarts and reports the present to the policy in question. So that policy sees how long each copy has run and since when
// each job waits, and the simulator needs no other way in.
type past struct {
	runs  []beginning // to come, earliest first
	due   []beginning // that wait for their stage to be ready or for room
	asked map[policy.Task]beginning
	ready map[policy.Task]bool // by stage, the index being 0
	alarm policy.Time          // set last, Never if there was none
}

type beginning struct {
	task policy.Task
	node policy.NodeID
	at   policy.Time
}

func newPast(s *State) *past {
	p := &past{asked: make(map[policy.Task]beginning), ready: make(map[policy.Task]bool), alarm: policy.Never}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		for _, r := range j.Runs {
			p.runs = append(p.runs, beginning{j.task(r), r.Node, r.Started})
		}
	}
	slices.SortStableFunc(p.runs, func(a, b beginning) int { return cmp.Compare(a.at, b.at) })
	return p
}

// over returns an error if something that runs could not be started.
func (p *past) over() error {
	if n := len(p.due) + len(p.runs) + len(p.asked); n > 0 {
		what := append(p.due, p.runs...)
		for _, b := range p.asked {
			what = append(what, b)
		}
		return fmt.Errorf("%d of the tasks that run do not fit onto the nodes, among them %v", n,
			slices.MinFunc(what, func(a, b beginning) int { return cmp.Compare(a.task.Job, b.task.Job) }).task)
	}
	return nil
}

// Step is of policy.Scheduler.
func (p *past) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if ev.Replay {
		return actions, errors.New("the past is not told of restarts")
	}
	switch ev.Kind {
	case policy.Ready:
		p.ready[policy.Task{Job: ev.Copy.Job, Stage: ev.Copy.Stage}] = true
	case policy.Started:
		delete(p.asked, ev.Copy.Task)
	case policy.Refused:
		b := p.asked[ev.Copy.Task]
		if b.node != 0 { // a gang that was put there by the simulator may be in the way
			b.node = 0
			return p.start(b, actions), nil
		}
		delete(p.asked, b.task)
		p.due = append(p.due, b)
		return actions, nil // the cluster has not changed
	}
	if ev.More {
		return actions, nil
	}
	for len(p.runs) > 0 && p.runs[0].at <= ev.Time {
		p.due = append(p.due, p.runs[0])
		p.runs = p.runs[1:]
	}
	waiting := p.due[:0]
	for _, b := range p.due {
		if p.ready[policy.Task{Job: b.task.Job, Stage: b.task.Stage}] {
			actions = p.start(b, actions)
		} else {
			waiting = append(waiting, b)
		}
	}
	p.due = waiting
	if len(p.runs) > 0 && p.alarm != p.runs[0].at {
		p.alarm = p.runs[0].at
		actions = append(actions, policy.Action{Kind: policy.Wake, At: p.alarm})
	}
	return actions, nil
}

func (p *past) start(b beginning, actions []policy.Action) []policy.Action {
	p.asked[b.task] = b
	return append(actions, policy.Action{Kind: policy.Start, Copy: policy.Copy{Task: b.task}, Node: b.node})
}

// A watch passes all on to the policy that is asked about, and ends the run when the job has ended.
type watch struct {
	of             policy.Scheduler
	job            policy.JobID
	started, ended bool
	start, end     policy.Time
	outcome        policy.Outcome
}

var errAnswered = errors.New("the job has ended")

// Step is of policy.Scheduler.
func (w *watch) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if ev.Copy.Job == w.job {
		switch {
		case ev.Kind == policy.Started && !w.started:
			w.started, w.start = true, ev.Time
		case ev.Kind == policy.Ended:
			w.ended, w.end, w.outcome = true, ev.Time, ev.Outcome
			return actions, errAnswered
		}
	}
	return w.of.Step(ev, actions)
}

package slearn

import (
	"slices"

	"example.com/augur/policy"
)

// pilots are the tasks (or gangs) of a job that run first: as many as are wanted, in the order in which they were
// first started. The zero pilots are none.
type pilots struct {
	want     int
	tasks    []uint64  // started at least once, in increasing order
	again    int       // of these, those that wait for another Start
	cores    int64     // of their copies that run and of their Starts that are not answered
	runtimes []float64 // of those that are finished, s
	first    []int     // the plan's, until their stage is ready
}

func newPilots(p *Plan) pilots {
	n := p.Pilots
	return pilots{want: n, tasks: make([]uint64, 0, n), runtimes: make([]float64, 0, n), first: slices.Clone(p.Tasks)}
}

// wait reports whether some pilots wait for a Start.
func (p *pilots) wait() bool { return len(p.tasks) < p.want || p.again > 0 }

// all reports whether all pilots are finished.
func (p *pilots) all() bool { return len(p.runtimes) == p.want }

func (p *pilots) find(t policy.Task) (at int, key uint64, ok bool) {
	key = uint64(t.Stage)<<32 | uint64(t.Index)
	at, ok = slices.BinarySearch(p.tasks, key)
	return at, key, ok
}

// has reports whether a task is a pilot.
func (p *pilots) has(t policy.Task) bool {
	_, _, ok := p.find(t)
	return ok
}

// add adds a task if it is a pilot, or can be one, and reports whether it is new.
func (p *pilots) add(t policy.Task) (isNew, ok bool) {
	at, key, ok := p.find(t)
	if ok || len(p.tasks) == p.want {
		return false, ok
	}
	p.tasks = slices.Insert(p.tasks, at, key)
	return true, true
}

// start records a Start, which may be of another copy of a running task.
func (p *pilots) start(t policy.Task, width int64, another bool) {
	if p.want == len(p.runtimes) {
		return // all is told
	}
	if another {
		if p.has(t) {
			p.cores += width
		}
		return
	}
	isNew, ok := p.add(t)
	if !ok {
		return
	}
	p.cores += width
	if !isNew {
		p.again--
	}
}

// note handles an event about a copy with this many seconds of service.
func (p *pilots) note(ev *policy.Event, width int64, service float64) {
	if ev.Replay && (ev.Kind == policy.Started || ev.Kind == policy.Finished && ev.Service > 0) {
		p.add(ev.Copy.Task)
	}
	if !p.has(ev.Copy.Task) {
		return
	}
	switch {
	case ev.Kind == policy.Started && ev.Replay, ev.Kind == policy.Resumed:
		p.cores += width
	case ev.Kind == policy.Refused && !ev.Replay, ev.Kind == policy.Suspended && !ev.Idle, ev.Kind.End() && !ev.Idle && !ev.Replay:
		p.cores -= width
	}
	if ev.Again {
		p.again++
	}
	if ev.Kind == policy.Finished {
		p.runtimes = append(p.runtimes, service)
	}
}

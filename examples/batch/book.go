package main

import (
	"cmp"
	"fmt"

	"example.com/augur/policy"
)

// A book is what the host knows of nodes, jobs and copies. It follows from what the policy was told and has answered, so it comes
// back with the journal. The centre hears of everything, so it is enough to look at what the centre hears, but
// for what parts ask for.
type book struct {
	last    policy.Time // of the last event
	nodes   map[policy.NodeID]bool
	jobs    map[policy.JobID]*job
	copies  map[policy.Copy]*running
	refused map[policy.NodeID]bool // parts that have heard Refused, and no Woken since

	begun                                   policy.Time // at the first event
	told                                    bool        // there was one
	started, failed, lost, suspended, saves int
}

type job struct {
	spec    *policy.Job
	ready   []bool   // by stage
	left    []uint32 // tasks of each stage that are not finished
	done    map[policy.Task]bool
	failed  map[policy.Task]int // times
	saved   map[policy.Task]policy.Duration
	copies  int            // that run or are being started
	outcome policy.Outcome // as soon as it is certain
	over    bool           // Ended was told
	ended   policy.Time
}

// running is a copy that was asked for and has not ended.
type running struct {
	part    policy.NodeID      // that asked for it
	named   policy.PartitionID // by its Start
	node    policy.NodeID      // where it was started; 0: it was not
	stands  bool
	service policy.Duration // when it was suspended last, or what it went on from
}

func newBook() book {
	return book{nodes: make(map[policy.NodeID]bool), jobs: make(map[policy.JobID]*job), copies: make(map[policy.Copy]*running), refused: make(map[policy.NodeID]bool)}
}

// note takes note of a step. attempts is how often a task may fail.
func (b *book) note(part policy.NodeID, ev *policy.Event, actions []policy.Action, attempts int) error {
	if b.last = ev.Time; !b.told {
		b.begun, b.told = ev.Time, true
	}
	switch {
	case ev.Kind == policy.Refused:
		b.refused[part] = true
	case ev.Kind == policy.Woken:
		delete(b.refused, part)
	}
	j, c := b.jobs[ev.Copy.Job], b.copies[ev.Copy]
	switch {
	case part != 0 && (j == nil || !j.over): // the centre will hear of it
	case ev.Kind == policy.Joined:
		b.nodes[ev.Node] = true
	case ev.Kind == policy.Left:
		delete(b.nodes, ev.Node)
		for id, c := range b.copies {
			if c.part == ev.Node { // what its part asked for last, nobody has heard of
				b.drop(id)
			}
		}
	case ev.Kind == policy.Submitted:
		j := &job{spec: ev.Job, ready: make([]bool, len(ev.Job.Stages)), done: make(map[policy.Task]bool), failed: make(map[policy.Task]int), saved: make(map[policy.Task]policy.Duration)}
		for i := range ev.Job.Stages {
			j.left = append(j.left, ev.Job.Stages[i].Tasks)
		}
		b.jobs[ev.Copy.Job] = j
	case ev.Kind == policy.Ready:
		j.ready[ev.Copy.Stage] = true
	case ev.Kind == policy.Ended:
		j.over, j.ended = true, ev.Time
	case c == nil:
	case ev.Kind == policy.Started:
		c.node, c.service = ev.Node, ev.Service
		b.started++
	case ev.Kind == policy.Suspended:
		c.stands, c.service = true, ev.Service
		b.suspended++
	case ev.Kind == policy.Resumed:
		c.stands = false
	case ev.Kind == policy.Refused || ev.Kind.End():
		b.drop(ev.Copy)
		b.end(j, ev, attempts)
	}
	for i := range actions {
		if err := b.ask(part, &actions[i]); err != nil {
			return err
		}
	}
	return nil
}

// end takes note of how a copy has ended.
func (b *book) end(j *job, ev *policy.Event, attempts int) {
	if ev.Saved > j.saved[ev.Copy.Task] {
		j.saved[ev.Copy.Task] = ev.Saved
		b.saves++
	}
	switch task := ev.Copy.Task; ev.Kind {
	case policy.Finished:
		j.done[task] = true
		if j.left[task.Stage]--; j.finished() && j.outcome == 0 {
			j.outcome = policy.Done
		}
	case policy.Failed:
		b.failed++
		if j.failed[task]++; j.failed[task] >= attempts && j.outcome == 0 {
			j.outcome = policy.TaskFailed
		}
	case policy.Lost:
		b.lost++
	}
}

// ask takes note of what a part wants done.
func (b *book) ask(part policy.NodeID, a *policy.Action) error {
	switch a.Kind {
	case policy.Start:
		j := b.jobs[a.Copy.Job]
		for n := range a.Copy.N {
			if b.copies[policy.Copy{Task: a.Copy.Task, N: n}] != nil {
				return fmt.Errorf("the policy starts %v beside copy %d of the same task: this host has no second copies", a.Copy, n)
			}
		}
		b.copies[a.Copy] = &running{part: part, named: a.Partition}
		j.copies++
	case policy.GiveUp:
		if j := b.jobs[a.Copy.Job]; j.outcome == 0 {
			j.outcome = policy.GivenUp
		}
	case policy.Report:
		return fmt.Errorf("the policy asks how far %v is: a command does not say that", a.Copy)
	}
	return nil
}

func (b *book) drop(c policy.Copy) {
	b.jobs[c.Job].copies--
	delete(b.copies, c)
}

// again reports whether a task needs another Start, after an event that ends a copy of it or refuses it.
func (b *book) again(ev *policy.Event, attempts int) bool {
	if ev.Kind != policy.Refused && !ev.Kind.End() || ev.Kind == policy.Finished {
		return false
	}
	j := b.jobs[ev.Copy.Job]
	return j.outcome == 0 && !j.done[ev.Copy.Task] && !(ev.Kind == policy.Failed && j.failed[ev.Copy.Task]+1 >= attempts)
}

// finished reports whether all tasks are.
func (j *job) finished() bool {
	for _, n := range j.left {
		if n > 0 {
			return false
		}
	}
	return true
}

// startable returns a stage that may start, and that the policy was not told Ready of.
func (j *job) startable() (stage uint32, ok bool) {
	for i := range j.spec.Stages {
		ok := !j.ready[i]
		for _, d := range j.spec.Stages[i].Reads {
			ok = ok && j.left[d.Stage] == 0
		}
		if ok {
			return uint32(i), true
		}
	}
	return 0, false
}

func compareCopies(a, b policy.Copy) int {
	return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Index, b.Index), cmp.Compare(a.N, b.N))
}

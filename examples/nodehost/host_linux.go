package main

import (
	"context"
	"errors"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
)

// A host runs jobs as a scheduler says, on this machine, by its clock.
type host struct {
	jobs      []job
	nursery   *nursery
	scheduler scheduler
	show      func(now time.Duration, tasks []task) // what goes on, now and then; may be nil

	epoch time.Time
	tasks []task // as jobs
	ends  chan end
	live  int // processes
	over  int // tasks
}

// A task is what becomes of a job.
type task struct {
	*job
	process     *process // nil: not started, or over
	state       state
	core        int           // that it runs on
	preemptions int           // so far
	used        time.Duration // processor time that it took, as the kernel measured it
	ended       time.Duration // at which it was over
	err         error         // if it did not start, or ended with another status than 0
}

type state uint8

const (
	coming state = iota
	waiting
	running
	suspended
	over
)

func (s state) String() string {
	return [...]string{"coming", "waiting", "running", "suspended", "over"}[s]
}

type end struct {
	task int
	used time.Duration
	err  error
}

// run runs the jobs and returns what became of them. If ctx ends, or the scheduler fails, it
// kills what runs, and says so. When it returns no process of its jobs is left.
func (h *host) run(ctx context.Context) ([]task, error) {
	h.epoch, h.tasks, h.ends = time.Now(), make([]task, len(h.jobs)), make(chan end)
	for i := range h.jobs {
		h.tasks[i].job = &h.jobs[i]
	}
	err := h.serve(ctx)
	for i := range h.tasks {
		if p := h.tasks[i].process; p != nil {
			err = errors.Join(err, p.kill())
		}
	}
	for ; h.live > 0; h.live-- {
		<-h.ends
	}
	return h.tasks, err
}

// serve tells the scheduler what happens, in the order that it asks for: ends, timers,
// arrivals.
func (h *host) serve(ctx context.Context) error {
	var moves []kairos.Move[int]
	alarm, frames := time.NewTimer(0), time.NewTicker(100*time.Millisecond)
	defer alarm.Stop()
	defer frames.Stop()
	for next := 0; h.over < len(h.tasks); {
		var ended *end
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case e := <-h.ends:
			ended = &e
		case <-alarm.C:
		case <-frames.C:
			if h.show != nil {
				h.show(time.Since(h.epoch), h.tasks)
			}
			continue
		}
		now := policy.Time(time.Since(h.epoch))
		var err error
		if ended != nil {
			h.live--
			if moves, err = h.end(now, *ended, moves); err != nil {
				return err
			}
		}
		if err = h.measure(now); err != nil {
			return err
		}
		if moves, err = h.scheduler.TimersFired(now, moves); err != nil {
			return err
		}
		for ; next < len(h.jobs) && policy.Time(h.jobs[next].at) <= now; next++ {
			h.tasks[next].state = waiting
			if moves, err = h.scheduler.TaskArrived(now, next, 0, moves); err != nil {
				return err
			}
		}
		for i := 0; i < len(moves); i++ { // which a process that does not start makes longer
			if moves, err = h.do(now, moves[i], moves); err != nil {
				return err
			}
		}
		moves = moves[:0]
		wait := time.Hour
		if next < len(h.jobs) {
			wait = h.jobs[next].at - time.Since(h.epoch)
		}
		if at, ok := h.scheduler.NextTimer(); ok {
			wait = min(wait, time.Duration(at)-time.Since(h.epoch))
		}
		alarm.Reset(max(0, wait))
	}
	return nil
}

// measure tells the scheduler of the processor time that the running tasks have taken, as the
// kernel counts it: less than the time that has passed if they wait for something, or if the
// machine has other things to do.
func (h *host) measure(now policy.Time) error {
	for i := range h.tasks {
		t := &h.tasks[i]
		if t.state != running {
			continue
		}
		if used, ok := t.process.used(); ok {
			if err := h.scheduler.TaskServed(now, i, used); err != nil {
				return err
			}
		}
	}
	return nil
}

// do carries out a move.
func (h *host) do(now policy.Time, m kairos.Move[int], moves []kairos.Move[int]) ([]kairos.Move[int], error) {
	t := &h.tasks[m.Task]
	if t.state == over && m.Kind != kairos.Start {
		return moves, nil // it ended, and what was decided before that comes too late
	}
	switch m.Kind {
	case kairos.Suspend:
		t.state = suspended
		t.preemptions++
		return moves, t.process.pause()
	case kairos.Resume:
		t.state, t.core = running, m.Core
		return moves, t.process.resume()
	case kairos.Start:
		t.state, t.core = running, m.Core
		p, err := h.nursery.start(t.args, func(used time.Duration, err error) { h.ends <- end{m.Task, used, err} })
		if err != nil {
			return h.end(now, end{m.Task, 0, err}, moves)
		}
		t.process = p
		h.live++
	}
	return moves, nil
}

// end takes note of a task that is over, well or not.
func (h *host) end(now policy.Time, e end, moves []kairos.Move[int]) ([]kairos.Move[int], error) {
	t := &h.tasks[e.task]
	t.process, t.state, t.used, t.ended, t.err = nil, over, e.used, time.Duration(now), e.err
	h.over++
	return h.scheduler.TaskEnded(now, e.task, moves)
}

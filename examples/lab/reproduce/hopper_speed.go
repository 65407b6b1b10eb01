package main

import (
	"context"
	"runtime"
	"slices"
	"time"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
)

// hopperSpeed is section 6.4.3: how many tasks a second the scheduler starts with Hopper, and with
// SRPT. Published are 12,010 and 12,200 of whole frameworks, which is 98.4 %, or 1.3 µs more for
// each task. Here it is the policy alone, whose events are told again without a cluster: so the
// share says more of what else the policy does than of Hopper. The times are those of this machine,
// one after the other and in turn; that of the first seed alone. On a machine that does other work
// they say little, as the margin then shows.
func hopperSpeed(f form) item {
	b := newHopperBed("facebook, fewer jobs", paper.Facebook(), 1, f.of(200, 600))
	timed := &bed[hopperJobs]{name: b.name + ", by the clock", seeds: b.seeds, clock: true, draw: b.draw}
	return func(l *lab) func(r *report) {
		t := ask(l, timed, "Hopper and SRPT", replayed)
		return func(r *report) {
			var share, more []float64
			for _, s := range t.runs[0] {
				share = append(share, 100*s.srpt/s.hopper)
				more = append(more, 1e6*(s.hopper-s.srpt))
			}
			r.add("6.4.3", b.name, speedShare, 98.4, share)
			r.add("6.4.3", b.name, speedMore, 1.3, more)
		}
	}
}

// A speed is how long the policies take for each copy that they start, in s.
type speed struct{ hopper, srpt float64 }

// replayed runs jobs under both, and then tells both the same again, in turn.
func replayed(ctx context.Context, d hopperJobs) ([]speed, error) {
	systems := [2]hopperSystem{byHopper, rival(bySRPT, inTurn)}
	var tapes [2]*tape
	for i := range systems {
		s, err := systems[i].scheduler(&d)
		if err != nil {
			return nil, err
		}
		tapes[i] = &tape{Scheduler: s}
		if _, err := d.simulate(ctx, tapes[i]); err != nil {
			return nil, err
		}
	}
	speeds := make([]speed, 5)
	for round := range speeds {
		for i, took := range []*float64{&speeds[round].hopper, &speeds[round].srpt} {
			s, err := systems[i].scheduler(&d)
			if err != nil {
				return nil, err
			}
			if *took, err = tapes[i].replay(s); err != nil {
				return nil, err
			}
		}
	}
	return speeds, nil
}

// What is measured by the clock.
const (
	speedShare = "tasks started per second under Hopper, of those under SRPT, %"
	speedMore  = "what each task takes longer under Hopper than under SRPT, µs"
)

// A tape keeps what a scheduler is told, and how many copies it starts.
type tape struct {
	policy.Scheduler
	events []policy.Event
	starts int
}

// Step is [policy.Scheduler].
func (t *tape) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	kept := *ev
	kept.Gang = slices.Clone(ev.Gang) // the host's, as Info is
	if ev.Info != nil {
		info := *ev.Info
		kept.Info = &info
	}
	t.events = append(t.events, kept)
	before := len(actions)
	actions, err := t.Scheduler.Step(ev, actions)
	for _, a := range actions[before:] {
		if a.Kind == policy.Start {
			t.starts++
		}
	}
	return actions, err
}

// replay tells a like scheduler the same, and returns how long that took for each copy that it
// started, in s.
func (t *tape) replay(s policy.Scheduler) (float64, error) {
	var actions []policy.Action
	var err error
	runtime.GC()
	begin := time.Now()
	for i := range t.events {
		if actions, err = s.Step(&t.events[i], actions[:0]); err != nil {
			return 0, err
		}
	}
	return time.Since(begin).Seconds() / float64(t.starts), nil
}

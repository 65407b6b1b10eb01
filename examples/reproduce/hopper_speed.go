package main

import (
	"context"
	"runtime"
	"slices"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/workload"
)

// hopperSpeed is section 6.4.3: how many tasks a second the scheduler starts with Hopper, and with
// SRPT. Published are 12,010 and 12,200 of whole frameworks, which is 98.4 %, or 1.3 µs more for
// each task. Here it is the policy alone, whose events are told again without a cluster: so the
// share says more of what else the policy does than of Hopper. The times are those of this machine,
// one after the other and in turn; that of the first seed alone. On a machine that does other work
// they say little, as the margin then shows.
func hopperSpeed(ctx context.Context, r *report, f form) error {
	b := newHopperBed("facebook, fewer jobs", workload.Facebook(), 1, f.of(200, 600))
	const rounds = 5
	policies := []hopperPolicy{byHopper, rival(hopper.SRPT, copyReadings[0])}
	tapes := make([]*tape, len(policies))
	jobs, err := b.jobs(1)
	if err != nil {
		return err
	}
	for i := range policies {
		s, err := policies[i].scheduler(jobs)
		if err != nil {
			return err
		}
		tapes[i] = &tape{Scheduler: s}
		if _, err := b.simulate(ctx, jobs, tapes[i]); err != nil {
			return err
		}
	}
	var each [2][rounds]float64 // s for each task that starts
	for round := range rounds {
		for i := range policies {
			s, err := policies[i].scheduler(jobs)
			if err != nil {
				return err
			}
			if each[i][round], err = tapes[i].replay(s); err != nil {
				return err
			}
		}
	}
	var share, more []float64
	for round := range rounds {
		share = append(share, 100*each[1][round]/each[0][round])
		more = append(more, 1e6*(each[0][round]-each[1][round]))
	}
	r.add("6.4.3", b.name, speedShare, 98.4, share)
	r.add("6.4.3", b.name, speedMore, 1.3, more)
	return nil
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

package sim_test

import (
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
)

// What falls into a jump of the clock happens at its end, in the order of rule Time, whatever the order
// in which it fell due.
func TestJump(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(startOn(1, task(1, 0, 0), 0), startOn(1, task(1, 0, 1), 0), startOn(2, task(1, 0, 2), 0),
				policy.Action{Kind: policy.Report, Copy: policy.Copy{Task: task(1, 0, 2)}, At: at(5)},
				policy.Action{Kind: policy.Wake, At: at(4)})
		case ev.Kind == policy.Lost:
			return list(startOn(2, ev.Copy.Task, 1))
		}
		return nil
	}
	config := sim.Config{Faults: sim.Faults{
		Outages: []sim.Outage{{Node: 1, At: at(3), For: s}},
		Jumps:   []sim.Jump{{At: at(8), For: 2 * s}, {At: at(2), For: 7 * s}}, // they overlap
		Cancels: []sim.Cancel{{Job: 2, At: at(9.5)}},
	}}
	r := run(t, config, p, bag(1, 0, 20*s, 8*s, 11*s), bag(2, 6*s, s))
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=1
		0s Started 1/0/1#0 node=1
		0s Started 1/0/2#0 node=2
		10s Finished 1/0/1#0 node=1 service=10s
		10s Lost 1/0/0#0 node=1 service=10s again
		10s Left node=1
		10s Progress 1/0/2#0 node=2 service=10s value=0.9090909090909091
		10s Woken
		10s Submitted 2
		10s Ready 2/0
		10s Started 1/0/0#1 node=2
		11s Finished 1/0/2#0 node=2 service=11s
		30s Finished 1/0/0#1 node=2 service=20s
		30s Ended 1 Done
		30s Ended 2 Stalled`)
	if got, want := r.Faults, (sim.FaultCount{Outages: 1, Jumps: 1}); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}

// Jumps by chance depend on the seed alone, and come as often and are as long as is asked for.
func TestJumpsByChance(t *testing.T) {
	// late returns when alarms were late that are set again and again, for so long ahead.
	late := func(seconds policy.Duration, ahead policy.Duration) (times []policy.Time, jumps int) {
		set := policy.Time(0)
		p := quiet(func(ev *policy.Event) (actions []policy.Action) {
			if ev.Kind == policy.Woken && ev.Time > set {
				times = append(times, ev.Time)
			}
			if isReady(ev, 1, 0) {
				actions = list(startOn(1, task(1, 0, 0), 0))
			}
			set = ev.Time.Add(ahead)
			return append(actions, policy.Action{Kind: policy.Wake, At: set})
		})
		r := run(t, sim.Config{Faults: sim.Faults{Seed: 3, MeanSteady: 20 * s, MeanJump: 4 * s}}, p, bag(1, 0, seconds*s))
		return times, r.Faults.Jumps
	}
	coarse, jumps := late(20000, s)
	// It is 24 s on average from one jump to the next, and most take longer than a second.
	if want := 20000 / 24; jumps > want || jumps < want*3/4 || len(coarse) < want*3/4 {
		t.Errorf("%d jumps in 20,000 s, and %d late alarms, want most of %d", jumps, len(coarse), want)
	}
	fine, _ := late(2000, s/100)
	for _, at := range coarse {
		if at < policy.Time(2000*s) && !slices.Contains(fine, at) {
			t.Errorf("an alarm every 1 s is late at %v s, one every 0.01 s is not", at.Seconds())
		}
	}
}

// A run that begins within a jump tells all of its first instant.
func TestJumpAtTheBeginning(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		if isReady(ev, 2, 0) {
			return list(start(task(1, 0, 0), 0), start(task(2, 0, 0), 0))
		}
		return nil
	}
	run(t, sim.Config{Faults: sim.Faults{Jumps: []sim.Jump{{At: at(1), For: 5 * s}}}}, p, bag(1, 3*s, 4*s), bag(2, 4*s, s))
	wantLog(t, p.log, `
		3s Joined node=1
		3s Joined node=2
		3s Submitted 1
		3s Ready 1/0
		6s Submitted 2
		6s Ready 2/0
		6s Started 1/0/0#0 node=1
		6s Started 2/0/0#0 node=1
		7s Finished 2/0/0#0 node=1 service=1s
		7s Ended 2 Done
		10s Finished 1/0/0#0 node=1 service=4s
		10s Ended 1 Done`)
}

// What is planned for an instant before the first submission happens at that.
func TestFaultsBeforeTheBeginning(t *testing.T) {
	var restarted []policy.Time
	later := func() (policy.Scheduler, error) {
		return quiet(func(ev *policy.Event) []policy.Action {
			if ev.Kind == policy.Restored {
				restarted = append(restarted, ev.Time)
			}
			return nil
		}), nil
	}
	config := sim.Config{Faults: sim.Faults{
		Outages: []sim.Outage{{Node: 1, At: -9}}, Cancels: []sim.Cancel{{Job: 1, At: -7}},
		Restarts: []policy.Time{-5, at(4)}, NewPolicy: later,
	}}
	r := run(t, config, baseline.NewFIFO(), bag(1, 3*s, 4*s))
	if want := []policy.Time{at(3), at(4)}; !slices.Equal(restarted, want) {
		t.Errorf("restarts at %v, want %v", restarted, want)
	}
	// A job cannot be taken back before it is submitted.
	if got, want := r.Faults, (sim.FaultCount{Outages: 1, Restarts: 2}); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}

func TestJumpsThatAreTooFar(t *testing.T) {
	for _, f := range []sim.Faults{
		{Jumps: []sim.Jump{{At: 1<<63 - 1}}},
		{MeanSteady: 1<<63 - 1, MeanJump: 1<<63 - 1},
	} {
		r := run(t, sim.Config{Faults: f}, baseline.NewFIFO(), bag(1, 0, s))
		if got := r.Jobs[0].JCT(); got != s {
			t.Errorf("with %+v: completion time %v, want 1 s", f, got)
		}
	}
}

package sim_test

import (
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

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

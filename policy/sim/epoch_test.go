package sim_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

func epochs(t *testing.T) {
	events := func(seed uint64, begin policy.Duration) (log []string) {
		p := quiet(func(ev *policy.Event) (actions []policy.Action) {
			log = append(log, fmt.Sprint(ev.Time.Sub(policy.Time(begin)), ev.Kind, ev.Copy, ev.Service))
			wake := policy.Action{Kind: policy.Wake, At: ev.Time.Add(5 * s)}
			switch {
			case isReady(ev, 1, 0):
				for i := range uint32(4) {
					c := task(1, 0, i)
					actions = append(actions, start(c, 0), do(policy.Suspend, c, 0), do(policy.Resume, c, 0))
				}
				return append(actions, wake)
			case ev.Kind == policy.Woken:
				return list(wake, policy.Action{Kind: policy.Send, Msg: policy.Msg{Kind: 1}}, policy.Action{Kind: policy.Send, Msg: policy.Msg{Kind: 2}})
			case ev.Kind == policy.Suspended && ev.Idle:
				return list(do(policy.Resume, ev.Copy.Task, 0)) // there was no room
			}
			return nil
		})
		f := sim.Faults{Seed: seed, ActionLate: 0.5, MeanSlip: s, MeanSteady: 20 * s, MeanJump: 3 * s}
		run(t, sim.Config{Delay: s / 10, Faults: f}, p, bag(1, begin, 30*s, 31*s, 32*s, 33*s))
		return log
	}
	for seed := range uint64(20) {
		want := events(seed, 0)
		for _, begin := range []policy.Duration{-1000 * s, -12 * s, 1000 * s} {
			if diff := cmp.Diff(want, events(seed, begin)); diff != "" {
				t.Fatalf("seed %d, from %v on and not 0 s (-want +got):\n%s", seed, begin, diff)
			}
		}
	}
}

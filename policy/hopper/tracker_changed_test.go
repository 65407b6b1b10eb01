package hopper

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
)

// A phase that is brought up to date with each task that changes is the one that is made anew.
func TestTrackerKeepsThePhase(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var kept, anew Tracker
		finished := make(map[uint32]bool)
		expected := func(task uint32) float64 { return float64(task%4) - 1 } // of each fourth nothing is known
		if seed%2 == 0 {
			expected = nil
		}
		made := policy.Time(-1)
		for step := range 300 {
			now := policy.Time(step/20) * 1e9
			task, n := rng.Uint32N(30), rng.Uint32N(3)
			if finished[task] {
				continue
			}
			act := rng.IntN(20)
			for _, tracker := range []*Tracker{&kept, &anew} {
				switch {
				case act == 0:
					finished[task] = true
					must(tracker.Finish(task, policy.Duration(step)))
				case act < 5:
					must(tracker.Report(now, task, n, 1e9, 0.3))
				case act < 10:
					tracker.End(task, n)
				case act < 12:
					tracker.Restarted(task)
				default:
					must(tracker.Start(now, task, n, 0))
				}
			}
			if anew.expecting(now, expected); now != made || act == 0 {
				kept.expecting(now, expected)
				made = now
			} else {
				kept.changed(now, task, expected)
			}
			if got, want := fmt.Sprint(*kept.asked(3, 4)), fmt.Sprint(*anew.asked(3, 4)); got != want {
				t.Fatalf("seed %d, step %d: the phase is %s, want %s", seed, step, got, want)
			}
		}
	}
}

package hopper

import (
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// The median of finished tasks and reports is that of a sorted list of both.
func TestTrackerMedian(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 4))
		var tracker Tracker
		var all []float64
		for task := range uint32(rng.IntN(40)) {
			runtime := policy.Duration(1+rng.IntN(12)) * 1e9
			all = append(all, runtime.Seconds())
			if err := tracker.Start(0, task, 0, 0); err != nil {
				t.Fatal(err)
			}
			if rng.IntN(3) > 0 {
				must(tracker.Finish(task, runtime))
			} else {
				must(tracker.Report(policy.Time(runtime/2), task, 0, runtime/2, 0.5))
			}
		}
		slices.Sort(all)
		median, n, _ := tracker.median(nil)
		if n != len(all) || n > 0 && median != all[(n-1)/2] {
			t.Errorf("seed %d: median %v of %d, want that of %v", seed, median, n, all)
		}
	}
}

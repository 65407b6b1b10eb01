package policytest

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
)

// The random scenes have everything in them that may happen under a policy which only
// starts tasks.
func TestRandomScenesReachTheEdges(t *testing.T) {
	fifo := &Config{New: func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }}
	const fewest = 20
	seen := map[string]int{}
	jobs := 0
	for seed := range uint64(20) {
		sc, events := newScene(seed, sceneJobs, withFaults|withRestarts), 0
		jobs += len(sc.jobs)
		sc.shadows = []*shadow{{blind: true, before: func(_ *shadow, _ policy.NodeID, ev *policy.Event) error {
			events++
			seen["More"] += count(ev.More)
			seen["Again"] += count(ev.Again)
			seen["a gang on several nodes"] += count(len(ev.Gang) > 1)
			seen["a restart"] += count(ev.Kind == policy.Restored)
			seen["a replayed copy"] += count(ev.Replay && ev.Kind == policy.Started)
			seen[ev.Kind.String()]++
			seen[ev.Outcome.String()]++
			if ev.Kind == policy.Submitted {
				seen["a deadline"] += count(ev.Job.SLO != nil)
				seen["a request"] += count(ev.Job.Requested > 0)
				seen["stages"] += count(len(ev.Job.Stages) > 1)
			}
			return nil
		}}}
		if f := sc.run(fifo); f != nil {
			t.Fatal(f)
		}
		if events > maxShadowed/3 {
			t.Errorf("seed %d: %d events, which comes near the limit of %d", seed, events, maxShadowed)
		}
	}
	for _, want := range []string{
		"More", "Again", "a gang on several nodes", "a restart", "a replayed copy", "a deadline", "a request", "stages",
		"Refused", "Failed", "Killed", "Lost", "Joined", "Left", "Done", "NoInput", "TooLarge", "Cancelled",
	} {
		if seen[want] < fewest {
			t.Errorf("%d times %s, want at least %d", seen[want], want, fewest)
		}
	}
	if got := seen["Done"]; got < jobs*2/3 {
		t.Errorf("%d of %d jobs are done, want two thirds", got, jobs)
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

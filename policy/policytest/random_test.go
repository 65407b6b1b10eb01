package policytest

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
)

// The random scenes have everything in them that may happen under a policy which only
// starts tasks.
func TestRandomScenesReachTheEdges(t *testing.T) {
	fifo := newSuite(Config{New: func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }})
	const fewest = 20
	seen := map[string]int{}
	jobs := 0
	for seed := range uint64(20) {
		tp, sc := new(tape), newScene(seed, sceneJobs, withFaults|withRestarts)
		jobs += len(sc.jobs)
		if f := sc.run(fifo, tp); f != nil {
			t.Fatal(f)
		}
		if len(tp.entries) > maxTape/3 {
			t.Errorf("seed %d: %d entries, which comes near the limit of %d", seed, len(tp.entries), maxTape)
		}
		for i := range tp.entries {
			e := &tp.entries[i]
			ev := &e.event
			seen["More"] += count(ev.More)
			seen["Again"] += count(ev.Again)
			seen["a gang on several nodes"] += count(len(ev.Gang) > 1)
			seen["a restart"] += count(e.restart)
			seen["a replayed copy"] += count(ev.Replay && ev.Kind == policy.Started)
			seen[ev.Kind.String()]++
			seen[ev.Outcome.String()]++
			if ev.Kind == policy.Submitted {
				seen["a deadline"] += count(ev.Job.SLO != nil)
				seen["a request"] += count(ev.Job.Requested > 0)
				seen["stages"] += count(len(ev.Job.Stages) > 1)
			}
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

// Every false event is told often, when jobs, copies and nodes are there for it to spoil.
func TestFalseEventsAreTold(t *testing.T) {
	fifo := newSuite(Config{New: func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }})
	const fewest = 20
	for seed := range uint64(tapes) {
		tp, w, told := record(fifo, seed), newWorld(seed), 0
		for i := range tp.entries {
			told += count(w.live() && i%forgeEvery == 0)
			w.observe(&tp.entries[i])
		}
		if told < fewest {
			t.Errorf("seed %d: a false event is told %d times, want at least %d", seed, told, fewest)
		}
	}
}

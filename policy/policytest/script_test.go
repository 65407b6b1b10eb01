package policytest

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
)

// Scripts drawn at random bring about all that the contract knows of.
func TestScriptsReachTheEdges(t *testing.T) {
	const runs, fewest = 200, 20
	c := &Config{New: func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }}
	seen := map[string]int{}
	for seed := range uint64(runs) {
		in := newScript(randomScript(0, seed)[1:])
		sc := scripted(in)
		sh := scriptedShadow(in)
		sc.shadows = []*shadow{sh}
		forges := sh.before
		sh.before = func(sh *shadow, part policy.NodeID, ev *policy.Event) error {
			sh.says = ""
			seen[ev.Kind.String()]++
			seen[ev.Outcome.String()]++
			seen["More"] += count(ev.More)
			seen["Again"] += count(ev.Again)
			seen["Killed, Again"] += count(ev.Kind == policy.Killed && ev.Again)
			seen["Replay"] += count(ev.Replay)
			seen["a gang on several nodes"] += count(len(ev.Gang) > 1)
			seen["a stage after the first"] += count(ev.Copy.Stage > 0)
			err := forges(sh, part, ev)
			seen["an impossible event"] += count(sh.says != "")
			return err
		}
		if f := sc.run(c); f != nil {
			t.Fatalf("seed %d: %v", seed, f)
		}
	}
	for _, want := range []string{
		"Submitted", "Ready", "Ended", "Started", "Refused", "Finished", "Failed", "Killed", "Lost", "Joined", "Left", "Restored",
		"Done", "TaskFailed", "NoInput", "TooLarge", "Cancelled", "More", "Again", "Killed, Again", "Replay", "a gang on several nodes",
		"a stage after the first", "an impossible event",
	} {
		if seen[want] < fewest {
			t.Errorf("%d times %s in %d scripts, want at least %d", seen[want], want, runs, fewest)
		}
	}
	if seen["Done"] < runs {
		t.Errorf("%d jobs are done, want at least one in each of %d scripts", seen["Done"], runs)
	}
}

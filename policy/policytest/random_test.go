package policytest

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
)

var fifo = Config{New: func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }}

// edges counts what happens in scenes.
type edges map[string]int

func (seen edges) note(what string, is bool) {
	if is {
		seen[what]++
	}
}

func (seen edges) told(ev *policy.Event) {
	seen[ev.Kind.String()]++
	seen[ev.Outcome.String()]++
	seen.note("More", ev.More)
	seen.note("Again", ev.Again)
	seen.note("Killed, Again", ev.Kind == policy.Killed && ev.Again)
	seen.note("a gang on several nodes", len(ev.Gang) > 1)
	seen.note("a stage after the first", ev.Copy.Stage > 0)
	seen.note("a replayed copy", ev.Replay && ev.Kind == policy.Started)
	seen.note("a deadline", ev.Kind == policy.Submitted && ev.Job.SLO != nil)
	seen.note("a request", ev.Kind == policy.Submitted && ev.Job.Requested > 0)
}

// want wants what happens under any policy to happen often, and so much besides.
func (seen edges) want(t *testing.T, besides ...string) {
	const fewest = 20
	for _, want := range append(besides, "Submitted", "Ready", "Ended", "Started", "Refused", "Finished", "Failed", "Lost", "Joined", "Left", "Restored",
		"Done", "NoInput", "TooLarge", "Cancelled", "More", "Again", "Killed", "a gang on several nodes", "a stage after the first", "a replayed copy",
		"a deadline", "a request") {
		if seen[want] < fewest {
			t.Errorf("%d times %s, want at least %d", seen[want], want, fewest)
		}
	}
}

// The random scenes have everything in them that may happen under a policy which only starts tasks.
func TestRandomScenesReachTheEdges(t *testing.T) {
	seen, jobs := edges{}, 0
	for seed := range uint64(20) {
		sc, events := newScene(seed, sceneJobs, withFaults|withRestarts), 0
		jobs += len(sc.jobs)
		sc.replicas = []*replica{{blind: true, before: func(_ *replica, _ policy.NodeID, ev *policy.Event) error {
			events++
			seen.told(ev)
			return nil
		}}}
		if f := sc.run(&fifo); f != nil {
			t.Fatal(f)
		}
		if events > maxReplicated/3 {
			t.Errorf("seed %d: %d events, which comes near the limit of %d", seed, events, maxReplicated)
		}
	}
	seen.want(t)
	if got := seen["Done"]; got < jobs*2/3 {
		t.Errorf("%d of %d jobs are done, want two thirds", got, jobs)
	}
}

// Scripts drawn at random bring about all that the contract knows of.
func TestScriptsReachTheEdges(t *testing.T) {
	const runs = 200
	seen := edges{}
	for seed := range uint64(runs) {
		in := newScript(randomScript(0, seed)[1:])
		sc, sh := scripted(in), scriptedReplica(in)
		sc.replicas = []*replica{sh}
		forges := sh.before
		sh.before = func(sh *replica, part policy.NodeID, ev *policy.Event) error {
			seen.told(ev)
			sh.says = ""
			err := forges(sh, part, ev)
			seen.note("an impossible event", sh.says != "")
			return err
		}
		if f := sc.run(&fifo); f != nil {
			t.Fatalf("seed %d: %v", seed, f)
		}
	}
	seen.want(t, "TaskFailed", "Killed, Again", "an impossible event")
	if seen["Done"] < runs {
		t.Errorf("%d jobs are done, want at least one in each of %d scripts", seen["Done"], runs)
	}
}

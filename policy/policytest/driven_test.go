package policytest

import (
	"regexp"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
)

// Scripts drawn at random bring about all that the contract knows of.
func TestScriptsReachTheEdges(t *testing.T) {
	const runs, fewest = 200, 20
	c := &Config{New: func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }}
	words := []string{
		"Submitted", "Ready", "Ended", "Started", "Refused", "Finished", "Failed", "Killed", "Lost", "Joined", "Left", "Restored",
		"Done", "TaskFailed", "NoInput", "TooLarge", "Cancelled", "RESTART", "told falsely",
	}
	flags := []string{"more", "replay", "again", "gang"}
	later := regexp.MustCompile(`"copy":"[0-9]+/[1-9]`)
	seen := map[string]int{}
	for seed := range uint64(runs) {
		h := newDriven(c, randomScript(0, seed)[1:])
		h.verbose = true
		seen["a network"] += count(!h.immediate)
		if f := h.run(); f != nil {
			t.Fatal(f)
		}
		for _, line := range h.story {
			for _, word := range words {
				seen[word] += count(strings.Contains(line, `"`+word+`"`) || strings.HasPrefix(line, word))
			}
			for _, flag := range flags {
				seen[flag] += count(strings.Contains(line, `"`+flag+`":`))
			}
			seen["a stage after the first"] += count(later.MatchString(line))
			seen["an impossible event"] += count(strings.HasPrefix(line, "told {"))
		}
		if h.ended == h.blind {
			t.Errorf("seed %d: all jobs have ended: %v, though the policy was told what is not true: %v", seed, h.ended, h.blind)
		}
		seen["a run to the end"] += count(h.ended)
	}
	if n := seen["a run to the end"]; n < runs*3/4 {
		t.Errorf("%d of %d scripts lead to the end of all jobs, want three quarters", n, runs)
	}
	for word, n := range seen {
		if n < fewest {
			t.Errorf("%d times %s in %d scripts, want at least %d", n, word, runs, fewest)
		}
	}
	if seen["Done"] < runs {
		t.Errorf("%d jobs are done, want at least one in each of %d scripts", seen["Done"], runs)
	}
}

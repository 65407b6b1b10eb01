package experiment_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/experiment"
)

// forgetful is a policy that never hears of every fifth job.
type forgetful struct{ policy.Scheduler }

func (f forgetful) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if id := ev.Copy.Job; id > 0 && id%5 == 0 {
		ev = &policy.Event{Time: ev.Time, Kind: policy.Woken, More: ev.More}
	}
	return f.Scheduler.Step(ev, actions)
}

// A policy that leaves jobs undone is named first, and its mean is no merit.
func TestForgetful(t *testing.T) {
	for _, test := range []struct {
		baseline string
		want     []string // the lines begin so
	}{
		{"fifo", []string{
			"At load 0.9, forgetful leaves jobs undone (160 Stalled): its means are of the others, and do not count here.",
			"At load 0.9, fifo has the least mean completion time of those that do not know the runtimes: ", "By the intervals, at load 0.9, srpt is better than fifo.",
		}},
		{"forgetful", []string{
			"At load 0.9, forgetful leaves jobs undone (160 Stalled): its means are of the others, so that no ratio to it counts; take another baseline.",
		}},
	} {
		c := config("fifo", "srpt")
		c.Loads, c.Seeds, c.Baseline = []float64{0.5, 0.9}, []uint64{1, 2, 3, 4}, test.baseline
		c.Policies = append(c.Policies, experiment.Policy{Name: "forgetful", New: func(*experiment.Cell, policy.Truth) (policy.Scheduler, error) {
			return forgetful{baseline.NewFIFO()}, nil
		}})
		r := mustRun(t, c)
		if got := r.Verdict(); !slices.EqualFunc(got, test.want, strings.HasPrefix) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

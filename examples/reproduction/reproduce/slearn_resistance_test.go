package main

import (
	"math"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/slearn"
)

// compared holds what is noted of resistance to what GS says of it. Under the Oracle both are
// the truth.
type compared struct {
	*watched
	t     *testing.T
	jobs  int
	above int // with a resistance above 0
}

func (c *compared) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	actions, err := c.watched.Step(ev, actions)
	if ev.Kind == policy.Ready && err == nil {
		got := c.resistance[ev.Copy.Job]
		want, ok := c.Resistance(ev.Copy.Job)
		if !ok || math.Abs(got-want) > 1e-9*want {
			c.t.Fatalf("job %d: resistance %v, want %v", ev.Copy.Job, got, want)
		}
		c.jobs++
		if want > 0 {
			c.above++
		}
	}
	return actions, err
}

func TestResistanceUnderOracle(t *testing.T) {
	trace := slearnTraces(form{})[2]
	h, err := trace.generate(1, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := &contest{halved: h, nodes: 150, cores: trace.params.Cores, seed: 1}
	var seen *compared
	if _, err := c.runAs(t.Context(), c.oracle, func(g *slearn.GS) policy.Scheduler {
		seen = &compared{watched: &watched{g, h.execution, nil, make(map[policy.JobID]float64)}, t: t}
		return seen
	}); err != nil {
		t.Fatal(err)
	}
	if seen.jobs != len(h.execution) || seen.above < seen.jobs/2 {
		t.Errorf("%d jobs of %d were seen, %d of them with something before them, want all, and most", seen.jobs, len(h.execution), seen.above)
	}
}

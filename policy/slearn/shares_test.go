package slearn

import (
	"errors"
	"fmt"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/queue"
)

// By service, GS starts what the definition says, which here sums up at each step what each
// queue was charged and holds.
func TestServiceAgainstDefinition(t *testing.T) {
	by := [4]int{}
	for seed := range uint64(8) {
		jobs, all := mixed(seed, 150)
		plan := func(j *policy.Job) Plan {
			p := all(j)
			if p.When == Never {
				p = Plan{Work: float64(j.ID % 50)} // of all sorts, and some 0: an estimate may be wrong
			}
			return p
		}
		config := GSConfig{Forecast: NewForecast(plans(plan))}
		config.Queues = queue.MultilevelConfig{Levels: 5, First: 2, Growth: 3}
		config.Decay = 2
		config.HoldBack = seed%4 >= 2
		config.Apart = seed%8 > 3
		config.BySpeed = seed%3 == 0
		n := newNaive(config, plan)
		n.shares = newNaiveShares(n)
		_, err := sim.Run(t.Context(), troubled(seed, jobs), watch{must(NewGS(config)), func(ev *policy.Event, actions []policy.Action) error {
			n.observe(ev)
			n.queueUp(ev.Time)
			n.shares.note(ev)
			for _, a := range actions {
				if err := n.start(a, ev.Time); err != nil {
					return errors.Join(err, fmt.Errorf("measures are %v", n.shares.measures()))
				}
				n.queueUp(ev.Time)
				n.shares.place(n.jobs[a.Copy.Job])
			}
			return nil
		}})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := range by {
			by[i] += n.by[i]
		}
	}
	if min(by[0], by[1], by[3]) < 100 {
		t.Errorf("%v tasks of jobs known now, later, never, and on idle cores, want more of each but one", by)
	}
}

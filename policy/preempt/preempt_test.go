package preempt

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/gittins"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// turns are those that the filler is tested with.
var turns = []struct {
	name string
	make func(policy.Truth) (central.Order, error)
}{
	{"index", func(policy.Truth) (central.Order, error) { return gittins.New(gittins.Config{}) }},
	{"SRPT", baseline.SRPT},
	{"FIFO", func(policy.Truth) (central.Order, error) { return baseline.FIFO(), nil }},
	{"Fair", func(policy.Truth) (central.Order, error) { return baseline.Fair(), nil }},
}

// scheduler puts the filler behind a turn, over what jobs tell of themselves.
func scheduler(turn func(policy.Truth) (central.Order, error), truth policy.Truth, c Config) (*central.Scheduler, *filler, error) {
	order, err := turn(truth)
	if err != nil {
		return nil, nil, err
	}
	fill, err := NewFiller(c)
	if err != nil {
		return nil, nil, err
	}
	beliefs, err := forecast.NewBeliefs(forecast.BeliefsConfig{})
	if err != nil {
		return nil, nil, err
	}
	s, err := central.New(central.Config{Turn: order, Forecast: beliefs, Fill: fill})
	return s, fill.(*filler), err
}

// Whatever happens, the filler keeps to the contract, forgets nothing and allocates nothing in the steady state.
func TestConformance(t *testing.T) {
	for _, turn := range turns {
		t.Run(turn.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{New: func(truth policy.Truth) (policy.Scheduler, error) {
				s, _, err := scheduler(turn.make, truth, Config{Guard: 1, Idle: 0.01})
				return s, err
			}})
		})
	}
}

var _ = fmt.Sprint
var _ = rand.Int
var _ = time.Second
var _ = sim.Run
var _ workload.Job

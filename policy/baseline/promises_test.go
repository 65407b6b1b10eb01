package baseline

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/policytest"
	"example.com/augur/queue"
)

// The orders keep what central.Order asks, with a filler and without.
func TestOrdersKeepTheirPromises(t *testing.T) {
	for _, test := range []struct {
		name string
		make func(policy.Truth) (central.Order, error)
	}{
		{"FIFO", func(policy.Truth) (central.Order, error) { return FIFO(), nil }},
		{"Fair", func(policy.Truth) (central.Order, error) { return Fair(), nil }},
		{"Fewest", func(policy.Truth) (central.Order, error) { return Fewest(), nil }},
		{"Priority", func(policy.Truth) (central.Order, error) { return Priority(), nil }},
		{"SRPT", SRPT},
		{"Shortest", func(policy.Truth) (central.Order, error) { return Shortest(), nil }},
		{"LAS", func(policy.Truth) (central.Order, error) { return LAS(queue.MultilevelConfig{}) }},
		{"Multifactor", func(policy.Truth) (central.Order, error) { return Multifactor(MultifactorConfig{}) }},
	} {
		for name, fill := range map[string]func() central.Filler{"alone": func() central.Filler { return nil }, "filled": Conservative} {
			t.Run(test.name+", "+name, func(t *testing.T) {
				policytest.Test(t, policytest.Config{Allocates: true, New: func(truth policy.Truth) (policy.Scheduler, error) {
					order, err := test.make(truth)
					if err != nil {
						return nil, err
					}
					return central.New(central.Config{Turn: policytest.Order(order), Fill: fill(), Forecast: forecast.LastTwo()})
				}})
			})
		}
	}
}

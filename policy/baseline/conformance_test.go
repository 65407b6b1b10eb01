package baseline

import (
	"cmp"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/policytest"
	"example.com/augur/queue"
)

// all are the policies of this package, and some that combine their parts.
var all = []struct {
	name string
	make func(policy.Truth) (policy.Scheduler, error)
}{
	{"FIFO", func(policy.Truth) (policy.Scheduler, error) { return NewFIFO(), nil }},
	{"Fair", func(policy.Truth) (policy.Scheduler, error) { return NewFair(), nil }},
	{"SRPT", func(truth policy.Truth) (policy.Scheduler, error) { return NewSRPT(truth) }},
	{"LAS", func(policy.Truth) (policy.Scheduler, error) { return NewLAS(queue.MultilevelConfig{}) }},
	{"DRF", func(policy.Truth) (policy.Scheduler, error) { return NewDRF(DRFConfig{}) }},
	{"EASY", func(policy.Truth) (policy.Scheduler, error) { return NewEASY(), nil }},
	{"Conservative", func(policy.Truth) (policy.Scheduler, error) { return NewConservative(), nil }},
	{"Multifactor", func(policy.Truth) (policy.Scheduler, error) { return NewMultifactor(MultifactorConfig{}) }},
	{"Priority", func(policy.Truth) (policy.Scheduler, error) { return NewPriority(), nil }},
	{"Ordered", func(policy.Truth) (policy.Scheduler, error) {
		return NewOrdered(func(a, b *policy.Job) int { return cmp.Compare(a.Tasks(), b.Tasks()) }), nil
	}},
	{"Random", func(policy.Truth) (policy.Scheduler, error) { return NewRandom(rand.NewPCG(1, 2)) }},
	{"Fewest", func(policy.Truth) (policy.Scheduler, error) { return of(Fewest()), nil }},
	{"SJBF", func(policy.Truth) (policy.Scheduler, error) { return filled(FIFO(), SJBF()), nil }},
	{"EASY++", func(policy.Truth) (policy.Scheduler, error) {
		return central.New(central.Config{Turn: FIFO(), Fill: SJBF(), Forecast: forecast.LastTwo()})
	}},
	{"EASY with slack", func(policy.Truth) (policy.Scheduler, error) {
		return filled(FIFO(), must(Backfill(BackfillConfig{Slack: 0.5}))), nil
	}},
	{"Fair and EASY", func(policy.Truth) (policy.Scheduler, error) { return filled(Fair(), EASY()), nil }},
	{"Multifactor and Conservative", func(policy.Truth) (policy.Scheduler, error) {
		return filled(brisk(MultifactorConfig{}), Conservative()), nil
	}},
}

// Every policy of this package keeps to the contract, forgets nothing and allocates
// nothing in the steady state.
func TestConformance(t *testing.T) {
	for _, test := range all {
		t.Run(test.name, func(t *testing.T) { policytest.Test(t, policytest.Config{New: test.make}) })
	}
}

// The orders keep to the contract whatever happens.
func FuzzOrders(f *testing.F) {
	var configs []policytest.Config
	for _, test := range all {
		configs = append(configs, policytest.Config{New: test.make})
	}
	policytest.Fuzz(f, configs...)
}

// So do the fillers, by a forecast that changes.
func FuzzFillers(f *testing.F) {
	var configs []policytest.Config
	for _, fill := range []func() central.Filler{EASY, Conservative, SJBF} {
		configs = append(configs, policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
			_, changing := forecasts(4)
			return central.New(central.Config{Turn: FIFO(), Fill: fill(), Forecast: changing})
		}})
	}
	policytest.Fuzz(f, configs...)
}

package baseline

import (
	"cmp"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
	"example.com/augur/queue"
)

// Every policy of this package keeps to the contract, forgets nothing and allocates
// nothing in the steady state.
func TestConformance(t *testing.T) {
	for _, test := range []struct {
		name string
		new  func(policy.Truth) (policy.Scheduler, error)
	}{
		{"FIFO", func(policy.Truth) (policy.Scheduler, error) { return NewFIFO(), nil }},
		{"Fair", func(policy.Truth) (policy.Scheduler, error) { return NewFair(), nil }},
		{"SRPT", func(truth policy.Truth) (policy.Scheduler, error) { return NewSRPT(truth) }},
		{"LAS", func(policy.Truth) (policy.Scheduler, error) { return NewLAS(queue.MultilevelConfig{}) }},
		{"DRF", func(policy.Truth) (policy.Scheduler, error) { return NewDRF(DRFConfig{}) }},
		{"EASY", func(policy.Truth) (policy.Scheduler, error) { return NewEASY(), nil }},
		{"Conservative", func(policy.Truth) (policy.Scheduler, error) { return NewConservative(), nil }},
		{"Multifactor", func(policy.Truth) (policy.Scheduler, error) {
			return NewMultifactor(MultifactorConfig{})
		}},
		{"Ordered", func(policy.Truth) (policy.Scheduler, error) {
			return NewOrdered(func(a, b *policy.Job) int { return cmp.Compare(a.Tasks(), b.Tasks()) }), nil
		}},
		{"Random", func(policy.Truth) (policy.Scheduler, error) { return NewRandom(rand.NewPCG(1, 2)) }},
		{"Fewest", func(policy.Truth) (policy.Scheduler, error) { return of(Fewest()), nil }},
		{"Fair and EASY", func(policy.Truth) (policy.Scheduler, error) { return filled(Fair(), EASY()), nil }},
		{"Multifactor and Conservative", func(policy.Truth) (policy.Scheduler, error) {
			return filled(must(Multifactor(MultifactorConfig{CalcPeriod: s})), Conservative()), nil
		}},
	} {
		t.Run(test.name, func(t *testing.T) { policytest.Test(t, policytest.Config{New: test.new}) })
	}
}

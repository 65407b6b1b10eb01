package baseline

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
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
		{"LAS", func(policy.Truth) (policy.Scheduler, error) { return NewLAS(DefaultLAS()) }},
		{"DRF", func(policy.Truth) (policy.Scheduler, error) { return NewDRF(DefaultDRF()) }},
		{"EASY", func(policy.Truth) (policy.Scheduler, error) { return NewEASY(), nil }},
		{"Conservative", func(policy.Truth) (policy.Scheduler, error) { return NewConservative(), nil }},
		{"Multifactor", func(policy.Truth) (policy.Scheduler, error) {
			return NewMultifactor(DefaultMultifactor())
		}},
		{"Priority", func(policy.Truth) (policy.Scheduler, error) { return NewPriority(), nil }},
		{"Random", func(policy.Truth) (policy.Scheduler, error) { return NewRandom(rand.NewPCG(1, 2)) }},
	} {
		t.Run(test.name, func(t *testing.T) { policytest.Test(t, policytest.Config{New: test.new}) })
	}
}

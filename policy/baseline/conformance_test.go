package baseline_test

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/policytest"
)

// Every policy of this package keeps to the contract, forgets nothing and allocates
// nothing in the steady state.
func TestConformance(t *testing.T) {
	for _, test := range []struct {
		name string
		new  func(policy.Truth) (policy.Scheduler, error)
	}{
		{"FIFO", func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }},
		{"Fair", func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFair(), nil }},
		{"SRPT", func(truth policy.Truth) (policy.Scheduler, error) { return baseline.NewSRPT(truth) }},
		{"LAS", func(policy.Truth) (policy.Scheduler, error) { return baseline.NewLAS(baseline.DefaultLAS()) }},
		{"DRF", func(policy.Truth) (policy.Scheduler, error) { return baseline.NewDRF(baseline.DefaultDRF()) }},
		{"EASY", func(policy.Truth) (policy.Scheduler, error) { return baseline.NewEASY(), nil }},
		{"Conservative", func(policy.Truth) (policy.Scheduler, error) { return baseline.NewConservative(), nil }},
		{"Multifactor", func(policy.Truth) (policy.Scheduler, error) {
			return baseline.NewMultifactor(baseline.DefaultMultifactor())
		}},
		{"Priority", func(policy.Truth) (policy.Scheduler, error) { return baseline.NewPriority(), nil }},
		{"Random", func(policy.Truth) (policy.Scheduler, error) { return baseline.NewRandom(rand.NewPCG(1, 2)) }},
	} {
		t.Run(test.name, func(t *testing.T) { policytest.Test(t, policytest.Config{New: test.new}) })
	}
}

package policytest_test

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/policytest"
)

// Every policy that this package is shown passes. A new one is one line more.
func TestPolicies(t *testing.T) {
	for _, test := range []struct {
		name string
		c    policytest.Config
	}{
		{"FIFO", policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }}},
		{"Fair", policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFair(), nil }}},
		{"SRPT", policytest.Config{New: func(tr policy.Truth) (policy.Scheduler, error) { return baseline.NewSRPT(tr) }}},
		{"Priority", policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) { return baseline.NewPriority(), nil }}},
		{"Random", policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) { return baseline.NewRandom(rand.NewPCG(1, 2)) }}},
		{"fewest", policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) { return newFewest(), nil }}},
		{"assigner", policytest.Config{Prepare: bags, Allocates: true, New: func(policy.Truth) (policy.Scheduler, error) { return newAssigner(), nil }}},
	} {
		t.Run(test.name, func(t *testing.T) { policytest.Test(t, test.c) })
	}
}

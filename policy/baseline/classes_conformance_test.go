package baseline_test

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/workload"
)

// The policies that tell short jobs from long ones keep to the contract, with cutoffs at
// which some jobs of the suite are short and some long.
func TestConformanceOfClasses(t *testing.T) {
	src := func() rand.Source { return rand.NewPCG(1, 2) }
	for _, test := range []struct {
		name string
		new  func(policy.Truth) (policy.Scheduler, error)
	}{
		{"Sparrow", func(policy.Truth) (policy.Scheduler, error) {
			return baseline.NewSparrow(baseline.DefaultSparrow(src()))
		}},
		{"Hawk", func(truth policy.Truth) (policy.Scheduler, error) {
			return baseline.NewHawk(baseline.DefaultHawk(src(), baseline.MeanRuntime(truth), 4*second))
		}},
		{"Eagle", func(truth policy.Truth) (policy.Scheduler, error) {
			return baseline.NewEagle(baseline.DefaultEagle(src(), baseline.MeanRuntime(truth), 4*second))
		}},
		{"BigC", func(truth policy.Truth) (policy.Scheduler, error) {
			return baseline.NewBigC(baseline.DefaultBigC(baseline.MeanRuntime(truth), 4*second))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{New: test.new, Prepare: apart})
		})
	}
}

// apart takes gangs apart, which these policies do not serve.
func apart(j *workload.Job) {
	for i := range j.Stages {
		j.Stages[i].Gang = false
	}
}

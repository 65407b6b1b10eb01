package baseline

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
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
			return NewSparrow(DefaultSparrow(src()))
		}},
		{"Hawk", func(truth policy.Truth) (policy.Scheduler, error) {
			return NewHawk(DefaultHawk(src(), MeanRuntime(truth), 4*s))
		}},
		{"Eagle", func(truth policy.Truth) (policy.Scheduler, error) {
			return NewEagle(DefaultEagle(src(), MeanRuntime(truth), 4*s))
		}},
		{"BigC", func(truth policy.Truth) (policy.Scheduler, error) {
			return NewBigC(DefaultBigC(MeanRuntime(truth), 4*s))
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

package baseline

import (
	"cmp"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/workload"
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
		{"Priority", func(policy.Truth) (policy.Scheduler, error) { return NewPriority(), nil }},
		{"Ordered", func(policy.Truth) (policy.Scheduler, error) {
			return NewOrdered(func(a, b *policy.Job) int { return cmp.Compare(a.Tasks(), b.Tasks()) }), nil
		}},
		{"Random", func(policy.Truth) (policy.Scheduler, error) { return NewRandom(rand.NewPCG(1, 2)) }},
	} {
		t.Run(test.name, func(t *testing.T) { policytest.Test(t, policytest.Config{New: test.new}) })
	}
}

// The policies that tell short jobs from long ones keep to the contract, with cutoffs at
// which some jobs of the suite are short and some long.
func TestConformanceOfClasses(t *testing.T) {
	src := func() rand.Source { return rand.NewPCG(1, 2) }
	for _, test := range []struct {
		name string
		all  policy.Duration // of patience with the whole cluster
		node policy.Duration // and with the free cores of one
		new  func(policy.Truth) (policy.Scheduler, error)
	}{
		// Probes are drawn once, among the nodes that are there. One that comes when they have been drawn stands empty
		// until others are, for which there is no limit: for a job that comes later, or for what a lost node held. With 100
		// seeds it is 131.937 s, where each of three nodes is lost while the others are away, and all that waits has its
		// probes on the one that is back first.
		{"Sparrow", 0, 140 * s, func(policy.Truth) (policy.Scheduler, error) {
			return NewSparrow(SparrowConfig{Src: src()})
		}},
		// So are those of short jobs.
		{"Hawk", 0, 140 * s, func(truth policy.Truth) (policy.Scheduler, error) {
			return NewHawk(HawkConfig{Src: src(), Estimate: MeanRuntime(truth), Cutoff: 4 * s})
		}},
		// Moreover a node rejects probes as long as one of its tasks is long, whatever cores are free: nodes are
		// counted, not cores. So it is empty but for that task until the long one has ended: 646.316 s with 100 seeds.
		{"Eagle", 0, 650 * s, func(truth policy.Truth) (policy.Scheduler, error) {
			return NewEagle(EagleConfig{Src: src(), Estimate: MeanRuntime(truth), Cutoff: 4 * s})
		}},
		{"BigC", 0, 0, func(truth policy.Truth) (policy.Scheduler, error) {
			return NewBigC(BigCConfig{Estimate: MeanRuntime(truth), Cutoff: 4 * s})
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{New: test.new, Prepare: apart, Patience: test.all, NodePatience: test.node})
		})
	}
}

// apart takes gangs apart, which these policies do not serve.
func apart(j *workload.Job) {
	for i := range j.Stages {
		j.Stages[i].Gang = false
	}
}

package baseline

import (
	"cmp"
	"math/rand/v2"
	"slices"
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
		{"Fewest", func(policy.Truth) (policy.Scheduler, error) { return of(Fewest()), nil }},
		{"LAS and EASY", func(policy.Truth) (policy.Scheduler, error) {
			return filled(must(LAS(queue.MultilevelConfig{Levels: 6, First: 4, Growth: 2})), EASY()), nil
		}},
		{"Fair and EASY", func(policy.Truth) (policy.Scheduler, error) { return filled(Fair(), EASY()), nil }},
		{"Fair and Conservative", func(policy.Truth) (policy.Scheduler, error) { return filled(Fair(), Conservative()), nil }},
		{"Multifactor and Conservative", func(policy.Truth) (policy.Scheduler, error) {
			return filled(must(Multifactor(MultifactorConfig{CalcPeriod: s})), Conservative()), nil
		}},
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
		new  func(policy.Truth) (policy.Scheduler, error)
	}{
		{"Sparrow", func(policy.Truth) (policy.Scheduler, error) {
			return NewSparrow(SparrowConfig{Src: src()})
		}},
		{"Hawk", func(truth policy.Truth) (policy.Scheduler, error) {
			return NewHawk(HawkConfig{Src: src(), Estimate: MeanRuntime(truth), Cutoff: 4 * s})
		}},
		{"Eagle", func(truth policy.Truth) (policy.Scheduler, error) {
			return NewEagle(EagleConfig{Src: src(), Estimate: MeanRuntime(truth), Cutoff: 4 * s})
		}},
		{"BigC", func(truth policy.Truth) (policy.Scheduler, error) {
			return NewBigC(BigCConfig{Estimate: MeanRuntime(truth), Cutoff: 4 * s})
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := policytest.Config{New: test.new, Prepare: apart}
			if test.name != "BigC" { // which sends no probes
				// A node asks for one job after the other whose probes wait there, and a scene has 40 jobs: one way there and
				// one back for each.
				c.Keeps, c.Hops = probedElsewhere, 2*40
			}
			policytest.Test(t, c)
		})
	}
}

// probedElsewhere reports whether a job has neither a probe that waits on a node nor sent the task there. Probes go to nodes
// drawn once, and a node that comes later, or has a long task under Eagle, gets none: its cores stay free beside the job. A probe
// that serves one task after the other does not wait. A job that has sent nothing is no excuse.
func probedElsewhere(p policy.Scheduler, task policy.Task, node policy.NodeID) bool {
	var s *probing
	switch p := p.(type) {
	case *Sparrow:
		s = p.probing
	case *Hawk:
		s = p.probing
	case *Eagle:
		s = p.probing
	}
	j := s.view.Job(task.Job)
	if j == nil {
		return false
	}
	sent := j.Own.at[j.Own.number.of(task)]
	if sent == node || sent == 0 && j.Own.out() == 0 {
		return false
	}
	for slot, at := range j.Own.slots {
		if at == node && !slices.Contains(j.Own.by, uint32(slot)+1) {
			return false
		}
	}
	return true
}

// apart takes gangs apart, which these policies do not serve.
func apart(j *workload.Job) {
	for i := range j.Stages {
		j.Stages[i].Gang = false
	}
}

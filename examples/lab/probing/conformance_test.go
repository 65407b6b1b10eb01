package probing

import (
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/workload"
)

// The policies that tell short jobs from long ones keep to the contract, with cutoffs at
// which some jobs of the suite are short and some long.
func TestConformance(t *testing.T) {
	for _, test := range []struct {
		name string
		new  func(policy.Truth) (policy.Scheduler, error)
	}{
		{"Sparrow", func(policy.Truth) (policy.Scheduler, error) {
			return NewSparrow(Config{Src: seeded()})
		}},
		{"Hawk", func(truth policy.Truth) (policy.Scheduler, error) {
			return NewHawk(Config{Src: seeded(), Estimate: MeanRuntime(truth), Cutoff: 4 * s})
		}},
		{"Eagle", func(truth policy.Truth) (policy.Scheduler, error) {
			return NewEagle(Config{Src: seeded(), Estimate: MeanRuntime(truth), Cutoff: 4 * s})
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
	s := p.(*Scheduler)
	j := s.view.jobs.Get(task.Job)
	if j == nil {
		return false
	}
	to := j.Own.tasks[task.Stage][task.Index].node
	if to == node || to == 0 && j.Own.out() == 0 {
		return false
	}
	for slot, at := range j.Own.slots {
		stays := func(t sent) bool { return t.probe == uint32(slot)+1 }
		if at == node && !slices.ContainsFunc(j.Own.tasks, func(stage []sent) bool { return slices.ContainsFunc(stage, stays) }) {
			return false
		}
	}
	return true
}

// apart takes gangs apart and needs away, which these policies do not serve.
func apart(j *workload.Job) {
	for i := range j.Stages {
		j.Stages[i].Gang, j.Stages[i].Needs = false, nil
	}
}

// ofClasses are the policies that tell short jobs from long ones, without gangs.
func ofClasses(f *testing.F, new func(truth policy.Truth, src rand.Source) (policy.Scheduler, error)) {
	policytest.Fuzz(f, policytest.Config{Prepare: apart, New: func(truth policy.Truth) (policy.Scheduler, error) {
		return new(truth, rand.NewPCG(1, 2))
	}})
}

func FuzzSparrow(f *testing.F) {
	ofClasses(f, func(_ policy.Truth, src rand.Source) (policy.Scheduler, error) {
		return NewSparrow(Config{Src: src})
	})
}

func FuzzHawk(f *testing.F) {
	ofClasses(f, func(truth policy.Truth, src rand.Source) (policy.Scheduler, error) {
		return NewHawk(Config{Src: src, Estimate: MeanRuntime(truth), Cutoff: 4 * s})
	})
}

func FuzzEagle(f *testing.F) {
	ofClasses(f, func(truth policy.Truth, src rand.Source) (policy.Scheduler, error) {
		return NewEagle(Config{Src: src, Estimate: MeanRuntime(truth), Cutoff: 4 * s})
	})
}

func FuzzBigC(f *testing.F) {
	ofClasses(f, func(truth policy.Truth, _ rand.Source) (policy.Scheduler, error) {
		return NewBigC(BigCConfig{Estimate: MeanRuntime(truth), Cutoff: 4 * s})
	})
}

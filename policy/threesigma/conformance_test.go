package threesigma_test

import (
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// The Scheduler keeps to the contract with all that may be known of runtimes, and jobs of all kinds; what is late
// is run in half of the systems, and given up in the others. The systems left out differ from these
// in how over-estimates are handled.
func TestConformance(t *testing.T) {
	prepare := func(j *workload.Job) {
		j.Attrs = append(j.Attrs, policy.Attr{Name: "user", Value: string(rune('a' + j.ID%3))})
		if j.ID%2 == 0 {
			j.SLO = &policy.SLO{Deadline: j.Submitted.Add(j.Ideal() * 2), Utility: 1}
		}
	}
	for i, system := range []threesigma.System{threesigma.ThreeSigma, threesigma.Prio} {
		giveUp := i%2 == 1
		t.Run(system.String(), func(t *testing.T) {
			policytest.Test(t, policytest.Config{
				Prepare: prepare, Allocates: true, GivesUp: giveUp,
				// What the host has refused is tried again after a few cycles, 16 at most.
				Patience: 16 * interval, Keeps: putOff, New: scheduler(system, giveUp),
			})
		})
	}
}

// interval is the time between two cycles.
const interval = 10 * time.Second

// putOff reports whether the last cycle looked at a job and left it where it is: what is worth as much later is put off, to any
// slot of the window, and planned anew in each cycle, which may put it off again.
func putOff(p policy.Scheduler, task policy.Task, _ policy.NodeID) bool {
	return p.(*threesigma.Scheduler).Waits(task.Job)
}

// scheduler makes the Scheduler of a system.
func scheduler(system threesigma.System, giveUp bool) func(policy.Truth) (policy.Scheduler, error) {
	return func(truth policy.Truth) (policy.Scheduler, error) {
		p, err := predict.New(predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)})
		if err != nil {
			return nil, err
		}
		c, err := system.Configure(threesigma.Config{Interval: interval, Iterations: 5, GiveUpLate: giveUp}, p, truth)
		if err != nil {
			return nil, err
		}
		return threesigma.NewScheduler(c)
	}
}

// All systems; in half of them what is late is given up.
func FuzzScheduler(f *testing.F) {
	var configs []policytest.Config
	for i, system := range threesigma.Systems() {
		giveUp := i%2 == 1
		configs = append(configs, policytest.Config{GivesUp: giveUp, New: scheduler(system, giveUp)})
	}
	policytest.Fuzz(f, configs...)
}

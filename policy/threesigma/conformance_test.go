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
	for i, system := range []threesigma.System{threesigma.ThreeSigma, threesigma.PointPerfEst, threesigma.PointRealEst, threesigma.Prio} {
		if testing.Short() && i%3 > 0 {
			continue
		}
		giveUp := i%2 == 1
		t.Run(system.String(), func(t *testing.T) {
			policytest.Test(t, policytest.Config{
				Prepare: prepare, Allocates: true, GivesUp: giveUp,
				// What is worth as much later is put off, to any slot of the window of four minutes, and planned anew in
				// each cycle, which may put it off again. With 100 seeds it is 99.095 s.
				Patience: 2 * time.Minute,
				New:      scheduler(system, giveUp),
			})
		})
	}
}

// scheduler makes the Scheduler of a system, with cycles of ten seconds.
func scheduler(system threesigma.System, giveUp bool) func(policy.Truth) (policy.Scheduler, error) {
	return func(truth policy.Truth) (policy.Scheduler, error) {
		p, err := predict.New(predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)})
		if err != nil {
			return nil, err
		}
		c, err := system.Configure(threesigma.Config{Interval: 10e9, Iterations: 20, GiveUpLate: giveUp}, p, truth)
		if err != nil {
			return nil, err
		}
		return threesigma.NewScheduler(c)
	}
}

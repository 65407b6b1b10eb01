package threesigma_test

import (
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// The Scheduler keeps to the contract with jobs of all kinds, whether runtimes are known and what is late runs, or
// nothing is known and it is given up.
func TestConformance(t *testing.T) {
	prepare := func(j *workload.Job) {
		j.Attrs = append(j.Attrs, policy.Attr{Name: "user", Value: string(rune('a' + j.ID%3))})
		if j.ID%2 == 0 {
			j.SLO = &policy.SLO{Deadline: j.Submitted.Add(j.Ideal() * 2), Utility: 1}
		}
	}
	for i, knows := range []string{"history", "nothing"} {
		giveUp := i%2 == 1
		t.Run(knows, func(t *testing.T) {
			policytest.Test(t, policytest.Config{
				Prepare: prepare, Allocates: true, GivesUp: giveUp,
				// What the host has refused is tried again after a few cycles, 16 at most.
				Patience: 16 * interval, Keeps: putOff, New: scheduler(knows, threesigma.Adaptive, giveUp),
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

// scheduler makes a Scheduler that knows of runtimes what history, points of history, the truth or nothing says.
func scheduler(knows string, handling threesigma.Handling, giveUp bool) func(policy.Truth) (policy.Scheduler, error) {
	return func(truth policy.Truth) (policy.Scheduler, error) {
		c := threesigma.Config{
			Interval: interval, Iterations: 5, GiveUpLate: giveUp, Overestimate: threesigma.Overestimate{Handling: handling}, Utility: curves,
		}
		var err error
		switch knows { // history is what it has by itself
		case "nothing":
			c.Forecast = forecast.Nothing()
		case "truth":
			c.Forecast, err = forecast.Truth(truth)
		case "points":
			var p *predict.Predictor
			if p, err = predict.New(predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)}); err == nil {
				c.Forecast, err = forecast.NewHistory(forecast.HistoryConfig{Predictor: p, Point: true})
			}
		}
		if err != nil {
			return nil, err
		}
		return threesigma.NewScheduler(c)
	}
}

// curves gives each third job a curve of its own, with a deadline or without.
func curves(j *policy.Job) (threesigma.Utility, error) {
	if j.ID%3 > 0 {
		return threesigma.Utility{}, nil
	}
	return threesigma.NewUtility(threesigma.Point{Value: 2}, threesigma.Point{Time: 60, Value: 1}, threesigma.Point{Time: 60})
}

// In half of them what is late is given up.
func FuzzScheduler(f *testing.F) {
	policytest.Fuzz(f,
		policytest.Config{New: scheduler("history", threesigma.Adaptive, false)},
		policytest.Config{New: scheduler("truth", threesigma.Never, true), GivesUp: true},
		policytest.Config{New: scheduler("points", threesigma.Always, false)},
		policytest.Config{New: scheduler("nothing", threesigma.Never, true), GivesUp: true},
	)
}

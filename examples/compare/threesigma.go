package main

import (
	"errors"
	"fmt"
	"math"
	"time"

	"example.com/augur/examples/internal/parts"
	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
)

// The systems are those of 3Sigma, Table 1 and section 6.2.

const threesigmaExample = "interval=10s,slots=24,width=10s,tail=0s,threshold=0.05,value=0.01,horizon=1h,late=run,iterations=1000,candidates=400,preempt=yes"

// parseThreesigma reads what -3sigma says. What it does not say is left as 0, which is the default.
func parseThreesigma(spec string) (c threesigma.Config, err error) {
	if spec == "" {
		return c, nil
	}
	_, err = parseSpec("-3sigma", spec, func(key, value string) (err error) {
		switch key {
		case "interval":
			c.Interval, err = positive(value)
		case "slots":
			c.Window.Slots, err = whole(value, 1, 1<<16)
		case "width":
			var width time.Duration
			width, err = positive(value)
			c.Window.Width = width.Seconds()
		case "tail":
			tail, bad := time.ParseDuration(value)
			if bad != nil || tail != 0 {
				if tail, err = positive(value); err != nil {
					err = fmt.Errorf("%w, or 0s for as long as from the submission to the deadline", err)
				}
			}
			c.Overestimate.Tail = tail.Seconds()
		case "threshold":
			if c.Overestimate.Threshold, err = above0(value); err != nil || c.Overestimate.Threshold > 1 {
				err = errors.New("want a probability above 0, to 1")
			}
		case "value":
			c.BestEffort.Value, err = above0(value)
		case "horizon":
			c.BestEffort.Horizon, err = positive(value)
		case "late":
			if c.GiveUpLate = value == "giveup"; !c.GiveUpLate && value != "run" {
				err = errors.New("want run or giveup")
			}
		case "iterations":
			c.Iterations, err = whole(value, 1, math.MaxInt32)
		case "candidates":
			c.Candidates, err = whole(value, 1, math.MaxInt32)
		case "preempt":
			if c.NoPreemption = value == "no"; value != "yes" && value != "no" {
				err = errors.New("want yes or no")
			}
		default:
			err = fmt.Errorf("unknown parameter, want some of %s", threesigmaExample)
		}
		if err == nil {
			_, err = threesigma.NewScheduler(c) // whatever else it refuses, this pair has brought it
		}
		return err
	})
	return c, err
}

// underThreesigma makes 3Sigma's scheduler as one of the systems has it. Those that go by history have learnt
// from the past, if there is one, as a scheduler would have that was there when its jobs ended.
func underThreesigma(system threesigma.System) func(setting) (policy.Scheduler, error) {
	return func(s setting) (policy.Scheduler, error) {
		p, err := parts.Predictor()
		if err != nil {
			return nil, err
		}
		c, err := system.Configure(s.threesigma, p, s.truth)
		if err != nil {
			return nil, err
		}
		if h, ok := c.Forecast.(*forecast.History); ok {
			if err := s.learn(func(j *workload.Job) error {
				h.Learn(&j.Job, parts.MeanUnit(j), j.Submitted.Add(j.Ideal()))
				return nil
			}); err != nil {
				return nil, err
			}
		}
		c.Seed = s.seed
		return threesigma.NewScheduler(c)
	}
}

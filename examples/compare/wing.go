package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
)

// What became of these policies on Cosmos is in Wing, sections 6 and 7: queues with hard
// boundaries, and capacities of 20 to 100 %.

const wingExample = "queues=hard,inherit=none,window=168h,hops=0"

// wingOptions are the parameters of Wing's policies.
type wingOptions struct {
	queues  string // "": hard ones if the jobs are a lake's, else one
	inherit wing.Inheritance
	history pipeline.Config // Window, and Hops of aggregate values; 0: a week, and any
}

var inheritances = map[string]wing.Inheritance{"none": wing.FromNone, "queue": wing.FromQueue, "all": wing.FromAll}

// parseWing reads what -wing says.
func parseWing(spec string) (w wingOptions, err error) {
	if spec == "" {
		return w, nil
	}
	_, err = parseSpec("-wing", spec, func(key, value string) (err error) {
		switch key {
		case "queues":
			if w.queues = value; value != "hard" && value != "shared" && value != "one" {
				err = errors.New("want hard, shared or one")
			}
		case "inherit":
			var ok bool
			if w.inherit, ok = inheritances[value]; !ok {
				err = errors.New("want none, queue or all")
			}
		case "window":
			w.history.Window, err = positive(value)
		case "hops":
			if w.history.Hops, err = strconv.Atoi(value); err != nil || w.history.Hops < 0 || w.history.Hops > math.MaxUint16 {
				err = fmt.Errorf("want a whole number of 0, for any, to %d", math.MaxUint16)
			}
		default:
			err = fmt.Errorf("unknown parameter, want some of %s", wingExample)
		}
		return err
	})
	return w, err
}

// checkLake returns an error if what is chosen needs the jobs of a lake, at the times at which it
// had them, and they are others.
func checkLake(chosen []contender, o *options) error {
	g := o.Generator()
	lake := g != nil && g.Lake != nil
	if !lake && o.wing.queues != "" && o.wing.queues != "one" {
		return cli.Usagef("-wing queues=%s without -workload lake, want one: no queue has a share", o.wing.queues)
	}
	for _, c := range chosen {
		switch {
		case !c.lake:
		case !lake:
			return cli.Usagef("policy %s without -workload lake, want both: it goes by what jobs have read and written", c.name)
		case o.Stretch:
			return cli.Usagef("policy %s with -nodes and -load, want one of these: when output is downloaded means nothing if the arrivals are stretched", c.name)
		}
	}
	return nil
}

// byUsers makes Wing's scheduler with the priorities that users set.
func byUsers(s setting) (policy.Scheduler, error) { return newWing(s, wing.ByPriority(), nil) }

// byHistory makes Wing's scheduler with a ranker by what the history of the lake tells.
func byHistory(ranker func(*lakelab.Lab) (wing.Ranker, error)) func(setting) (policy.Scheduler, error) {
	return func(s setting) (policy.Scheduler, error) {
		lab, err := s.lab()
		if err != nil {
			return nil, err
		}
		r, err := ranker(lab)
		return newWing(s, r, err)
	}
}

// byValuation makes Wing-MIL, or MIL without what depends on a job.
func byValuation(dependents bool) func(setting) (policy.Scheduler, error) {
	return byHistory(func(l *lakelab.Lab) (wing.Ranker, error) {
		return l.MIL(pipeline.ValuationConfig{Dependents: dependents})
	})
}

// byTruth makes Wing-Agg, or Wing-Direct, for those who know the future.
func byTruth(aggregate bool) func(setting) (policy.Scheduler, error) {
	return func(s setting) (policy.Scheduler, error) {
		r, err := s.lake.Oracle(aggregate, nil)
		return newWing(s, r, err)
	}
}

// byFate makes Wing-MIL, or MIL, for those who know the future.
func byFate(dependents bool) func(setting) (policy.Scheduler, error) {
	return func(s setting) (policy.Scheduler, error) {
		r, err := s.lake.OracleMIL(dependents)
		return newWing(s, r, err)
	}
}

// newWing makes Wing's scheduler with a ranker, unless there was an error in making that.
func newWing(s setting, r wing.Ranker, err error) (policy.Scheduler, error) {
	if err != nil {
		return nil, err
	}
	return wing.NewScheduler(wing.Config{Ranker: r, Inherit: s.wing.inherit, Queues: s.queues()})
}

// queues returns those of organisations, none if there is one of all jobs.
func (s setting) queues() []wing.Queue {
	if s.lake == nil || s.wing.queues == "one" {
		return nil
	}
	return s.lake.Queues(s.wing.queues != "shared")
}

// ranker makes what says the priorities of a turn of Wing's.
func (s setting) ranker(turn string) (wing.Ranker, error) {
	lab, err := s.lab()
	if err != nil {
		return nil, err
	}
	switch turn {
	case "wing-agg":
		return lab.Agg()
	case "wing-direct":
		return lab.Direct()
	}
	return lab.MIL(pipeline.ValuationConfig{Dependents: true})
}

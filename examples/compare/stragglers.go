package main

import (
	"fmt"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy/workload"
)

const stragglersExample = "tail=1.5,bound=100,observed=on"

// stragglers are those of -stragglers.
type stragglers struct {
	workload.Stragglers
	own bool // ratios are those of the jobs themselves
}

// parseStragglers reads what -stragglers says.
func parseStragglers(spec string) (*stragglers, error) {
	s := &stragglers{}
	seen, err := parseSpec("-stragglers", spec, func(key, value string) (err error) {
		switch key {
		case "tail":
			s.Tail, err = number(value)
		case "bound":
			s.Bound, err = number(value)
		case "ratios":
			if s.own = value == "own"; !s.own {
				err = fmt.Errorf("want own")
			}
		case "observed":
			s.Observed, err = onOff(value)
		default:
			err = fmt.Errorf("unknown parameter, want some of %s, or ratios=own", stragglersExample)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if seen["tail"] == seen["ratios"] {
		return nil, cli.Usagef("-stragglers: %q: want one of tail= and ratios=own", spec)
	}
	trial := s.Stragglers
	if s.own {
		trial.Ratios = []float64{1}
	}
	if _, err := trial.Source(workload.Of(nil)); err != nil {
		return nil, cli.Usagef("-stragglers: %q: %w", spec, err)
	}
	return s, nil
}

const (
	ratiosLeast = 10   // tasks of a stage that tells ratios: fewer tell little of their median
	ratiosMost  = 4096 // as many as a workload may have
)

// on returns the jobs with copies that differ.
func (s stragglers) on(jobs []*workload.Job, seed uint64) ([]*workload.Job, error) {
	s.Seed = seed
	if s.own {
		if s.Ratios = workload.Ratios(jobs, ratiosLeast, ratiosMost); len(s.Ratios) == 0 {
			return nil, cli.Usagef("-stragglers ratios=own: no stage has %d tasks and a median above 0, want one", ratiosLeast)
		}
	}
	source, err := s.Source(workload.Of(jobs))
	if err != nil {
		return nil, cli.Usage(err)
	}
	return workload.ReadAll(source)
}

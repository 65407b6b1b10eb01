package main

import (
	"fmt"

	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/examples/internal/parts"
	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
)

// setting is what a policy is made for.
type setting struct {
	truth policy.Truth
	seed  uint64
	past  func() (workload.Source, error) // nil: nothing is known of the time before the run

	lake *lakelab.Lake                // that the jobs are of; nil: none
	lab  func() (*lakelab.Lab, error) // what its history tells; nil if lake is

	classes classes
	kairos  kairos.Config
	hopper  hopper.Config
	wing    wingOptions

	threesigma threesigma.Config
}

// parts returns what the parts of a scheduler are made for.
func (s setting) parts() *parts.Setting {
	p := &parts.Setting{
		Truth: s.truth, Seed: s.seed, Past: s.learn, Hopper: s.hopper, Kairos: s.kairos, ThreeSigma: s.threesigma,
		Queues: s.queues(), Inherit: s.wing.inherit,
	}
	if s.lake != nil {
		p.Ranker = s.ranker
	}
	return p
}

// underLine makes a line of parts.
func underLine(l parts.Line) func(setting) (policy.Scheduler, error) {
	return func(s setting) (policy.Scheduler, error) { return l.New(s.parts()) }
}

// underGS makes SLearn's generic scheduler over an estimator, with the paper's parameters.
func underGS(estimator func(*parts.Setting) (slearn.Estimator, error)) func(setting) (policy.Scheduler, error) {
	return func(s setting) (policy.Scheduler, error) {
		e, err := estimator(s.parts())
		if err != nil {
			return nil, err
		}
		return slearn.NewGS(slearn.GSConfig{Forecast: slearn.NewForecast(e)})
	}
}

func history(c slearn.HistoryConfig) func(*parts.Setting) (slearn.Estimator, error) {
	return func(s *parts.Setting) (slearn.Estimator, error) { return s.ByHistory(c) }
}

// learn shows each job of the past, if there is one, to a learner.
func (s setting) learn(from func(*workload.Job) error) error {
	if s.past == nil {
		return nil
	}
	past, err := s.past()
	if err != nil {
		return err
	}
	for j, err := range past {
		if err != nil {
			return err
		}
		if err := from(j); err != nil {
			return fmt.Errorf("job %d of the history: %w", j.ID, err)
		}
	}
	return nil
}

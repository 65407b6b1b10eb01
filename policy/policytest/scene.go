package policytest

import (
	"context"
	"errors"
	"fmt"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/check"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A scene is a run of the simulator that a policy goes through.
type scene struct {
	jobs     []*workload.Job
	config   sim.Config // but for Jobs, Truth and Faults.NewPolicy
	watch    *watch     // for room that stands empty, if not nil
	replicas []*replica // that follow the policy
	most     int        // events, or 0: it ends there
}

// run lets a policy go through the scene.
func (s *scene) run(c *Config) *finding {
	v := &monitor{replicas: s.replicas, world: newWorld(1), watch: s.watch, most: s.most}
	result, f := s.simulate(c, v)
	if f == nil {
		f = s.finished(c, v, result)
	}
	if f == nil || f.Rule == "config" || v.seen == 0 {
		return f
	}
	if _, told := errors.AsType[*check.Violation](f.Err); !told {
		f.Err = fmt.Errorf("%w%s", f.Err, v.story())
	}
	return f
}

// finished looks for jobs that should have ended otherwise.
func (s *scene) finished(c *Config, run *monitor, result *sim.Result) *finding {
	for i := range result.Jobs {
		switch j := &result.Jobs[i]; {
		case j.Outcome == policy.Stalled:
			return failure("finish", "job %d, of %d tasks, is never finished: at %v s, after %d copies of its tasks had been started, "+
				"there was nothing left that could happen; of those that are left, the first is %s", j.ID, j.Tasks, j.Ended.Seconds(), j.Copies, run.stalled)
		case j.Outcome == policy.GivenUp && !c.GivesUp:
			return failure("finish", "job %d was given up at %v s, which Config.GivesUp does not allow", j.ID, j.Ended.Seconds())
		}
	}
	return nil
}

func (s *scene) simulate(c *Config, run *monitor) (*sim.Result, *finding) {
	known, err := c.prepare(s.jobs)
	if err != nil {
		return nil, &finding{Rule: "config", Err: err}
	}
	newPolicy := func() (policy.Scheduler, error) {
		run.restart()
		p, err := c.make(known)
		for _, sh := range run.replicas {
			if err == nil {
				err = sh.restart(c, known, run.world)
			}
		}
		if err != nil {
			return nil, failure("config", "Config.New: %w", err)
		}
		if w := run.watch; w != nil && c.Keeps != nil {
			w.keeps = func(task policy.Task, node policy.NodeID) bool { return c.Keeps(p, task, node) }
		}
		return protect(p, run), nil
	}
	p, err := newPolicy()
	if err != nil {
		return nil, failed(err)
	}
	config := s.config
	jobs, truth := workload.Split(s.jobs)
	config.Jobs, config.Truth = jobs, truth
	config.Faults.NewPolicy = newPolicy
	if w := run.watch; w != nil {
		w.story, w.trying, config.Pause = run.story, s.longest(), w.pause
	}
	result, err := sim.Run(context.Background(), config, p)
	if err != nil {
		return nil, failed(err)
	}
	return result, nil
}

// longest returns for how long a task runs at most, wherever it does.
func (s *scene) longest() (longest policy.Duration) {
	slowest := 1.0
	for i := range s.config.Nodes {
		slowest = min(slowest, s.config.Nodes[i].Speed)
	}
	for _, j := range s.jobs {
		for i := range j.Stages {
			elsewhere := max(1, j.Stages[i].Elsewhere)
			for _, runtime := range j.Runtimes[i] {
				longest = max(longest, saturate.To[policy.Duration](float64(runtime)*elsewhere/slowest))
			}
		}
	}
	return longest
}

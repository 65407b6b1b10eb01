package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"example.com/augur/internal/parallel"
	"example.com/augur/policy"
)

// A Sweep runs several policies, each on the jobs of several seeds. For one seed all policies have the same jobs and
// the same luck, and the comparison is paired: it cancels the difference between seeds. All fields except Trim are
// required.
type Sweep struct {
	Seeds []uint64
	// Setup returns the configuration of the runs with a seed. It is called once for each run, concurrently, and must
	// return the same jobs, nodes and faults for the same seed. Each call needs its own Truth, from workload.Split.
	// Config.Ended must be nil. A Sweep keeps the metrics of each run and not its jobs: for figures by user, call Run
	// for each seed, as Example (Classes) does, and give RatioInterval or MeanInterval one number of each.
	Setup func(seed uint64) (Config, error)
	// Policies are the policies to compare, the first being the reference.
	Policies []Contender
	// Trim is the share of the jobs at either end that the metrics leave out: see [Result.Trim].
	Trim float64
}

// A Contender is a policy in a Sweep.
type Contender struct {
	Name string
	// New makes the policy of one run, given that run's seed and the Config that Setup returned. It is called
	// concurrently, so it must make the parts of the policy too: a part that two policies share breaks both.
	New func(seed uint64, c *Config) (policy.Scheduler, error)
}

// A SweepRun is the run of one policy with one seed.
type SweepRun struct {
	Seed   uint64
	Policy string
	Metrics
	ToFirst Comparison // with the first policy, of this seed
}

// A SweepResult is the result of a Sweep.
type SweepResult struct {
	Runs     []SweepRun // by seed and then by policy, in the order of the Sweep
	policies int
}

// Run runs the Sweep, with as many runs at a time as there are cores. The result does not depend on that number. It
// returns the error of the first run that fails, in the order of Runs, with its seed and policy. The records of jobs
// are kept until all runs of their seed have ended.
func (s *Sweep) Run(ctx context.Context) (*SweepResult, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	k := len(s.Policies)
	r := &SweepResult{Runs: make([]SweepRun, len(s.Seeds)*k), policies: k}
	results := make([]*Result, len(r.Runs))
	ended := make([]atomic.Int64, len(s.Seeds))
	err := parallel.Each(len(r.Runs), func(i int) error {
		seed, p := s.Seeds[i/k], s.Policies[i%k]
		result, err := s.run(ctx, seed, p)
		if err != nil {
			return fmt.Errorf("sim: policy %s, seed %d: %w", p.Name, seed, err)
		}
		results[i] = result
		r.Runs[i] = SweepRun{Seed: seed, Policy: p.Name, Metrics: result.Metrics()}
		if ended[i/k].Add(1) == int64(k) {
			first := i - i%k
			for j := first; j < first+k; j++ {
				r.Runs[j].ToFirst = Compare(results[j], results[first])
			}
			clear(results[first : first+k])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (s *Sweep) validate() error {
	switch {
	case len(s.Seeds) == 0:
		return errors.New("sim: Sweep.Seeds is empty, want at least 1 seed")
	case s.Setup == nil:
		return errors.New("sim: Sweep.Setup is nil, want a function that describes a run")
	case len(s.Policies) == 0:
		return errors.New("sim: Sweep.Policies is empty, want at least 1 policy")
	}
	for i, seed := range s.Seeds {
		if slices.Contains(s.Seeds[:i], seed) {
			return fmt.Errorf("sim: Sweep.Seeds has %d twice, want each once", seed)
		}
	}
	for i := range s.Policies {
		if s.Policies[i].New == nil {
			return fmt.Errorf("sim: Sweep.Policies[%d], %s, has no New, want a function that makes a policy", i, s.Policies[i].Name)
		}
	}
	return nil
}

func (s *Sweep) run(ctx context.Context, seed uint64, p Contender) (*Result, error) {
	config, err := s.Setup(seed)
	if err != nil {
		return nil, err
	}
	if config.Ended != nil {
		return nil, errors.New("Config.Ended is set, want nil in a Sweep")
	}
	scheduler, err := p.New(seed, &config)
	if err != nil {
		return nil, err
	}
	result, err := Run(ctx, config, scheduler)
	if err != nil {
		return nil, err
	}
	return result.Trim(s.Trim), nil
}

// Of returns a figure of a policy, by its index in Sweep.Policies, for each seed; nil if there is no such policy. Its mean
// has an interval by [MeanWithin] or [MeanInterval], and its ratio to that of another policy, seed by seed, by
// [RatioInterval].
func (r *SweepResult) Of(policy int, figure func(*SweepRun) float64) []float64 {
	if policy < 0 || policy >= r.policies {
		return nil
	}
	var x []float64
	for i := policy; i < len(r.Runs); i += r.policies {
		x = append(x, figure(&r.Runs[i]))
	}
	return x
}

package workload

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/internal/limits"
	"example.com/augur/internal/luck"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// Stragglers makes the copies of a task differ in runtime. Each copy of each task runs for the mean runtime of its stage
// times a ratio drawn from a Pareto distribution with mean 1, or for the median runtime of its stage times a ratio drawn
// from a list. So a second copy may overtake the first, which is what speculation relies on. Without Stragglers all copies
// of a task run for the same time.
//
// The ratio of a copy depends only on the seed and the copy, so that two policies are compared
// on the same luck. [Stragglers.Source] refuses values outside their range.
//
// # Source
//
// Hopper, section 3.3: in traces of Facebook and Bing, runtimes have Pareto tails, mostly
// with an index below 2; 1.2 fits all tasks together (section 6.4.2).
type Stragglers struct {
	Seed uint64
	// Tail is the index of the Pareto distribution, finite, above 1: the smaller, the
	// longer stragglers are. 0: Ratios are drawn instead.
	Tail float64
	// Bound is the largest ratio of the longest to the shortest copy, finite, above 1; 0 means no bound. Set it if the index
	// is near 1: otherwise the mean over the copies of a run is far from 1. The mean of the distribution stays 1.
	Bound float64
	// Ratios are equally likely, 1 to 4096, each finite and ≥ 0: runtimes of tasks, such as those of a trace, divided by the
	// median of their stage.
	Ratios []float64
	// Observed: first copies keep the runtimes of the jobs, which in a trace include the
	// stragglers already. Only further copies are drawn.
	Observed bool
}

// Source returns the jobs of another source with copies that differ, one by one and in its
// order. They are new jobs, which share unchanged parts with the old ones. The error names the
// field that is outside its range. The source ends at a job that is not valid.
func (s Stragglers) Source(jobs Source) (Source, error) {
	s.Ratios = slices.Clone(s.Ratios)
	if err := s.luck(nil).validate("workload: Stragglers", 0); err != nil {
		return nil, err
	}
	return changed(jobs, s.straggle), nil
}

// luck returns the luck of a job of stages with the given bases.
func (s *Stragglers) luck(base []policy.Duration) *Luck {
	return &Luck{Seed: s.Seed, Tail: s.Tail, Bound: s.Bound, Ratios: s.Ratios, Base: base}
}

func (s *Stragglers) straggle(old *Job) (*Job, error) {
	base := make([]policy.Duration, len(old.Runtimes))
	for i, tasks := range old.Runtimes {
		if s.Tail > 0 {
			base[i] = mean(tasks)
		} else {
			base[i] = median(tasks)
		}
	}
	j := *old
	j.Luck = s.luck(base)
	if !s.Observed {
		j.Runtimes = j.Luck.Runtimes(&j.Job)
	}
	return &j, nil
}

func mean(tasks []policy.Duration) policy.Duration {
	sum := 0.0
	for _, d := range tasks {
		sum += float64(d)
	}
	return saturate.To[policy.Duration](math.Round(sum / float64(len(tasks))))
}

// median returns the median: the mean of the middle two if their number is even.
func median(tasks []policy.Duration) policy.Duration {
	sorted := slices.Sorted(slices.Values(tasks))
	n := len(sorted)
	return sorted[(n-1)/2] + (sorted[n/2]-sorted[(n-1)/2])/2
}

// Luck determines the runtimes of further copies of a job's tasks. Each copy runs for Base of its stage times a ratio. The
// ratio is a function of the seed, the task and the number of the copy, and does not depend on earlier events. If a copy is
// stopped and another one started, that one has another ratio.
//
// The ratio is from a Pareto distribution with mean 1 and the tail
//
//	P(ratio > x) ~ x^-Tail
//
// or it is one of Ratios. [Stragglers] makes a Luck.
type Luck struct {
	Seed uint64  `json:"seed"`
	Tail float64 `json:"tail,omitzero"` // finite, above 1; 0: the ratio is one of Ratios
	// Bound is the largest quotient of two ratios, finite, above 1; 0: no bound.
	Bound  float64           `json:"bound,omitzero"`
	Ratios []float64         `json:"ratios,omitempty"` // equally likely, finite, ≥ 0, at most 4096
	Base   []policy.Duration `json:"base"`             // of each stage, ≥ 0
}

// maxRatios bounds the ratios of a job.
const maxRatios = 4096

// validate returns an error that names the first field that is out of range. of names the job or struct of the fields.
func (l *Luck) validate(of string, stages int) error {
	switch {
	case l.Tail == 0 && len(l.Ratios) == 0:
		return fmt.Errorf("%s.Tail is 0 without Ratios, want one of them", of)
	case l.Tail != 0 && len(l.Ratios) > 0:
		return fmt.Errorf("%s.Tail is %v with %d Ratios, want one of them", of, l.Tail, len(l.Ratios))
	case l.Tail != 0 && !(finite(l.Tail) && l.Tail > 1):
		return fmt.Errorf("%s.Tail is %v, want finite, above 1", of, l.Tail)
	case l.Bound != 0 && !(finite(l.Bound) && l.Bound > 1):
		return fmt.Errorf("%s.Bound is %v, want finite, above 1, or 0", of, l.Bound)
	case l.Bound != 0 && l.Tail == 0:
		return fmt.Errorf("%s.Bound is %v without Tail, want both", of, l.Bound)
	case len(l.Ratios) > maxRatios:
		return fmt.Errorf("%s.Ratios are %d, want at most %d", of, len(l.Ratios), maxRatios)
	case len(l.Base) != stages:
		return fmt.Errorf("%s.Base is of %d stages, want %d", of, len(l.Base), stages)
	}
	for i, x := range l.Ratios {
		if !(finite(x) && x >= 0) {
			return fmt.Errorf("%s.Ratios[%d] is %v, want finite, at least 0", of, i, x)
		}
	}
	for i, d := range l.Base {
		if d < 0 {
			return fmt.Errorf("%s.Base[%d] is %v, want at least 0", of, i, d)
		}
	}
	return nil
}

// copyLuck is what luck is drawn for: see package luck.
const copyLuck = 1

// Runtime returns how long a copy runs, at most 1e9 s. For the first copy too, if its runtime is drawn.
func (l *Luck) Runtime(c policy.Copy) policy.Duration {
	u := luck.Uniform(l.Seed, copyLuck, uint64(c.Job)<<32|uint64(c.Stage), uint64(c.Index)<<32|uint64(c.N))
	ratio := 0.0
	if len(l.Ratios) > 0 {
		ratio = l.Ratios[saturate.To[int](u*float64(len(l.Ratios)))]
	} else {
		ratio = l.pareto(u)
	}
	return saturate.To[policy.Duration](math.Round(min(float64(l.Base[c.Stage])*ratio, limits.Seconds*1e9)))
}

// Runtimes draws [Job].Runtimes, the runtimes of the first copies of a job. The job must have len(Base) stages.
func (l *Luck) Runtimes(j *policy.Job) [][]policy.Duration {
	runtimes := make([][]policy.Duration, len(j.Stages))
	for i := range j.Stages {
		runtimes[i] = make([]policy.Duration, j.Stages[i].Tasks)
		for k := range runtimes[i] {
			task := policy.Task{Job: j.ID, Stage: uint32(i), Index: uint32(k)}
			runtimes[i][k] = l.Runtime(policy.Copy{Task: task})
		}
	}
	return runtimes
}

// pareto returns the u-quantile of the ratios, 0 ≤ u < 1.
func (l *Luck) pareto(u float64) float64 {
	// On [1, Bound], P(> x) = (x^-b - Bound^-b) / (1 - Bound^-b), with mean b/(b-1) (1 - Bound^(1-b)) / (1 - Bound^-b).
	b, beyond, mean := l.Tail, 0.0, l.Tail/(l.Tail-1)
	if l.Bound > 0 {
		beyond = math.Pow(l.Bound, -b)
		mean *= (1 - math.Pow(l.Bound, 1-b)) / (1 - beyond)
	}
	return math.Pow(1-u*(1-beyond), -1/b) / mean
}

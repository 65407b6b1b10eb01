package workload

import (
	"fmt"
	"math"

	"example.com/augur/internal/limits"
	"example.com/augur/internal/luck"
	"example.com/augur/policy"
)

// Luck is how long further copies of a job's tasks run: each for Base of its stage times a
// ratio that is drawn for it alone, so that it is a function of the seed, the task and the
// number of the copy, and of nothing that happens before. A copy that is cut short and
// started anew as another one draws anew.
//
// The ratio is from a Pareto distribution with mean 1, whose tail is as in
//
//	P(ratio > x) ~ x^-Tail
//
// or it is one of Ratios. See [Stragglers], which makes it.
type Luck struct {
	Seed uint64  `json:"seed"`
	Tail float64 `json:"tail,omitzero"` // finite, above 1; 0: the ratio is one of Ratios
	// Bound is how many times the least ratio the largest may be, finite, above 1; 0: any
	// number of times.
	Bound  float64           `json:"bound,omitzero"`
	Ratios []float64         `json:"ratios,omitempty"` // equally likely, finite, ≥ 0, at most 4096
	Base   []policy.Duration `json:"base"`             // of each stage, ≥ 0
}

// maxRatios bounds the ratios of a job.
const maxRatios = 4096

// validate says in errors that the fields are those of a job or a struct of that name.
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

// Runtime returns how long a copy runs, at most 1e9 s; also the first one, if its runtime
// is drawn as well.
func (l *Luck) Runtime(c policy.Copy) policy.Duration {
	u := luck.Uniform(l.Seed, copyLuck, uint64(c.Job)<<32|uint64(c.Stage), uint64(c.Index)<<32|uint64(c.N))
	ratio := 0.0
	if len(l.Ratios) > 0 {
		ratio = l.Ratios[int(u*float64(len(l.Ratios)))]
	} else {
		ratio = l.pareto(u)
	}
	return policy.Duration(math.Round(min(float64(l.Base[c.Stage])*ratio, limits.Seconds*1e9)))
}

// Runtimes draws [Job].Runtimes, the runtimes of the first copies of a job, which has as many stages as
// there are in Base.
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

// pareto returns the ratio that a share u of all ratios is below, 0 ≤ u < 1.
func (l *Luck) pareto(u float64) float64 {
	// On [1, Bound], P(> x) = (x^-b - Bound^-b) / (1 - Bound^-b), with mean
	// b/(b-1) (1 - Bound^(1-b)) / (1 - Bound^-b).
	b, beyond, mean := l.Tail, 0.0, l.Tail/(l.Tail-1)
	if l.Bound > 0 {
		beyond = math.Pow(l.Bound, -b)
		mean *= (1 - math.Pow(l.Bound, 1-b)) / (1 - beyond)
	}
	return math.Pow(1-float64(u*(1-beyond)), -1/b) / mean
}

package slearn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"example.com/augur/estimate"
	"example.com/augur/policy"
)

// SamplingConfig describes a [Sampling]. Start from [DefaultSampling].
type SamplingConfig struct {
	// Source chooses the pilots; required. It is drawn from when a job comes, at most once
	// for each task of its first stage.
	Source rand.Source

	// ThinLimit lets jobs with fewer tasks bypass sampling, into the highest queue: they
	// would lose more by the delay than all jobs gain by the estimate. ≥ 0; the default is 3.
	ThinLimit int

	// AdaptLimit lets an [AdaptiveLimit] choose the limit, from ThinLimit - 2 to ThinLimit + 2;
	// ThinLimit is then at least 2. Default false: it gains nothing from 3, mean completion times
	// being 0.998, 1.010 and 1.000 times those without on 2strace, gtrace11 and gtrace19 (see
	// [Sampling]), where 5 suits best; a fixed limit of 5 has 0.97, 0.98 and 0.96, and from 5
	// it has 0.98.
	AdaptLimit bool

	// Ratio of the pilots to the tasks of a job's first stage, in (0, 1]. The default, 0, lets
	// an [AdaptiveRatio] choose it.
	Ratio float64

	// Window is T of the AdaptiveRatio and of the AdaptiveLimit, 1 to 255; 0 means 100.
	Window int

	// Statistic makes the mean runtime of all tasks, in seconds, of those of the pilots, such as
	// (*estimate.Sample).Median; see the example. It is finite and at least 0. The sample is valid
	// only during the call. The default, nil, is the mean. For mean completion times there is
	// little in it: on 2strace, gtrace11 and gtrace19 they are 1.00, 1.00 and 1.02 times as long
	// with the median, 1.00 each with the mean less a fifth of the pilots at either end, and
	// 1.00, 1.01 and 0.98 with their P90.
	Statistic func(pilots *estimate.Sample) float64
}

// DefaultSampling returns the parameters of SLearn, section 5.2.
func DefaultSampling(src rand.Source) SamplingConfig {
	return SamplingConfig{Source: src, ThinLimit: 3}
}

// Sampling is the [Estimator] of SLearn: it runs a few tasks of each wide job first, chosen
// at random, and takes their mean runtime for that of all.
//
// It pays where the runtimes of a job's tasks vary less than those of like jobs do (see
// estimate.SpaceCoV and estimate.TimeCoV), where nothing is known of jobs or what is known has
// gone stale, and where jobs wait for cores. What it costs is the delay until the pilots end, as
// far as there is no idle core for the other tasks meanwhile; see also [History]. These are mean
// completion times under 3Sigma over those under Sampling:
//   - On ten hours of Google's trace of 2011, where pilots err by 2 % and history by 46 % in the
//     median: 1.2 at load 1, 1.4 at load 2. If tasks that failed or were killed count too: 1.5.
//   - On the workloads that policy/workload makes after the traces of the paper: on gtrace19 1.4
//     to 1.5 at all loads from 0.8 to 2; on 2strace 1.0 up to load 1, and 1.2 at load 1.6; on
//     gtrace11, where history errs by 12 %, 1.0 at all loads.
//   - On the same at load 1, but a quarter of the job names take other times than in the history
//     that was learned before (workload.SLearn.Changed): 1.2 on 2strace, 1.8 on gtrace11, 1.7 on gtrace19.
//
// The paper has 1.28 on 2strace, 1.56 on gtrace11 and 1.32 on gtrace19.
//
// Of a job with stages, the pilots are tasks of the first one that reads no other, in the
// order of the job, and tell the runtimes of the tasks in all stages.
//
// # Source
//
// SLearn, section 5.1.2.
type Sampling struct {
	config  SamplingConfig
	ratio   *AdaptiveRatio // nil: fixed
	limit   *AdaptiveLimit // nil: fixed
	scratch []int
	sample  estimate.Sample
}

// NewSampling returns a Sampling. The error names the field that is outside its range.
func NewSampling(c SamplingConfig) (*Sampling, error) {
	switch {
	case c.Source == nil:
		return nil, errors.New("slearn: SamplingConfig.Source is nil, want a source of randomness")
	case c.ThinLimit < 0:
		return nil, fmt.Errorf("slearn: SamplingConfig.ThinLimit is %d, want at least 0", c.ThinLimit)
	case c.Ratio != 0 && !(c.Ratio > 0 && c.Ratio <= 1):
		return nil, fmt.Errorf("slearn: SamplingConfig.Ratio is %v, want in (0, 1], or 0 for an adaptive one", c.Ratio)
	}
	ratio, err := NewAdaptiveRatio(c.Window)
	if err != nil {
		return nil, fmt.Errorf("slearn: SamplingConfig.Window: %w", err)
	}
	if c.Ratio != 0 {
		ratio = nil
	}
	s := &Sampling{config: c, ratio: ratio}
	if c.AdaptLimit {
		if c.ThinLimit == 0 {
			return nil, errors.New("slearn: SamplingConfig.ThinLimit is 0, want at least 2 with AdaptLimit")
		}
		if s.limit, err = NewAdaptiveLimit(c.ThinLimit, c.Window); err != nil {
			return nil, fmt.Errorf("slearn: SamplingConfig.ThinLimit with AdaptLimit: %w", err)
		}
	}
	return s, nil
}

// Plan implements [Estimator]. It takes time in proportion to the tasks of the job's first stage.
func (s *Sampling) Plan(j *policy.Job, _ policy.Time) (Plan, error) {
	return s.addPilots(j, s.bypass(j))
}

// bypass returns the plan of a job as far as it is known whether it is thin.
func (s *Sampling) bypass(j *policy.Job) (p Plan) {
	p.Limit = s.config.ThinLimit
	if s.limit != nil {
		p.Limit = s.limit.Next()
	}
	p.Bypass = units(j) < int64(p.Limit)
	return p
}

// addPilots adds the pilots to the plan of a job that does not bypass.
func (s *Sampling) addPilots(j *policy.Job, p Plan) (Plan, error) {
	if p.Bypass {
		return p, nil
	}
	p.When, p.Ratio, p.Stage = Later, s.config.Ratio, firstStage(j)
	if s.ratio != nil {
		p.Ratio = s.ratio.Next()
	}
	tasks := int(j.Stages[p.Stage].Units())
	var err error
	if p.Pilots, err = estimate.PilotCount(tasks, p.Ratio); err != nil {
		return Plan{}, err
	}
	if s.scratch, err = estimate.Pilots(s.scratch[:0], tasks, p.Pilots, s.config.Source); err != nil {
		return Plan{}, err
	}
	p.Tasks = s.scratch
	return p, nil
}

// firstStage returns the first stage that reads no other.
func firstStage(j *policy.Job) uint32 {
	for i := range j.Stages {
		if len(j.Stages[i].Reads) == 0 {
			return uint32(i)
		}
	}
	return 0
}

// Work implements [Estimator].
func (s *Sampling) Work(j *policy.Job, _ policy.Time, pilots []float64) float64 {
	if s.config.Statistic != nil {
		s.sample.Reset()
		for _, runtime := range pilots {
			if s.sample.Add(runtime) != nil {
				return math.NaN()
			}
		}
		return s.config.Statistic(&s.sample) * Width(j)
	}
	sum := 0.0
	for _, runtime := range pilots {
		sum += runtime
	}
	return sum / float64(len(pilots)) * Width(j)
}

// Ended implements [Estimator].
func (s *Sampling) Ended(_ *policy.Job, r Record) {
	if r.Outcome != policy.Done || !(r.Runtimes.Sum() > 0) {
		return
	}
	normalized := r.JCT.Seconds() / r.Runtimes.Sum()
	if s.ratio != nil && r.Plan.When == Later {
		_ = s.ratio.Observe(r.Plan.Ratio, normalized) // which has the Ratio of Plan
	}
	if s.limit != nil {
		_ = s.limit.Observe(r.Plan.Limit, normalized) // and the Limit
	}
}

// Adaptive returns what chooses the ratio of the pilots, nil if that is fixed. It is to be
// looked at only.
func (s *Sampling) Adaptive() *AdaptiveRatio { return s.ratio }

// AdaptiveLimit returns what chooses the thin limit, nil if that is fixed. It is to be looked at
// only.
func (s *Sampling) AdaptiveLimit() *AdaptiveLimit { return s.limit }

package slearn

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"example.com/augur/estimate"
	"example.com/augur/policy"
)

// SamplingConfig describes a [Sampling]. Src is required; the defaults are those of SLearn,
// section 5.2.
type SamplingConfig struct {
	// Src chooses the pilots. It is drawn from when a job comes, at most once for each task of
	// its first stage.
	Src rand.Source

	// ThinLimit lets jobs with fewer tasks bypass sampling, into the highest queue: they
	// would lose more by the delay than all jobs gain by the estimate. ≥ 1, where 1 lets none;
	// 0 means 3.
	ThinLimit int

	// AdaptLimit chooses the limit of each job from ThinLimit - 2 to ThinLimit + 2, of which
	// ThinLimit is then at least 2, as the ratio is chosen: see [Sampling]. Default false: it
	// gains nothing from 3, mean completion times being 0.998, 1.010 and 1.000 times those without
	// on 2strace, gtrace11 and gtrace19, where 5 suits best; a fixed limit of 5 has 0.97, 0.98 and
	// 0.96, and from 5 it has 0.98.
	AdaptLimit bool

	// Ratio of the pilots to the tasks of a job's first stage, in (0, 1]. By default, 0, it is
	// chosen from 1 to 5 %: see [Sampling].
	Ratio float64

	// Window is T, of how many jobs the latest count where ratio or limit adapt, 1 to 255; 0
	// means 100.
	Window int

	// Statistic makes the mean runtime of all tasks, in seconds, of those of the pilots, such as
	// (*estimate.Sample).Median; see the example. It is finite and at least 0. The sample is valid
	// only during the call. The default, nil, is the mean. For mean completion times there is
	// little in it: on 2strace, gtrace11 and gtrace19 they are 1.00, 1.00 and 1.02 times as long
	// with the median, 1.00 each with the mean less a fifth of the pilots at either end, and
	// 1.00, 1.01 and 0.98 with their P90.
	Statistic func(pilots *estimate.Sample) float64
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
//   - On the workloads that policy/workload/paper makes after the traces of the paper: on gtrace19 1.4
//     to 1.5 at all loads from 0.8 to 2; on 2strace 1.0 up to load 1, and 1.2 at load 1.6; on
//     gtrace11, where history errs by 12 %, 1.0 at all loads.
//   - On the same at load 1, but a quarter of the job names take other times than in the history
//     that was learned before (paper.SLearn.Changed): 1.2 on 2strace, 1.8 on gtrace11, 1.7 on gtrace19.
//
// The paper has 1.28 on 2strace, 1.56 on gtrace11 and 1.32 on gtrace19.
//
// Of a job with stages, the pilots are tasks of the first one that reads no other, in the
// order of the job, and tell the runtimes of the tasks in all stages.
//
// # How many pilots
//
// Without a Ratio it is 1, 2, 3, 4 or 5 %, whichever has given the shortest normalised completion
// times lately: those over the job's own runtime, that of all its tasks together. The score of a
// ratio is the mean of the last T of these. The first T jobs try 3 %, the next T 2 % and the next
// T 4 %. After that each job gets the ratio with the least score, but
//
//	1 % if that is 2 % and 1.1*score(2 %) < score(3 %)
//	5 % if that is 4 % and 1.1*score(4 %) < score(3 %)
//
// as long as 1 %, or 5 %, has not been tried by T jobs that are over; from then on it competes by
// its score like the others. Of equal scores the smaller ratio wins; without any it is 3 %.
//
// With AdaptLimit the thin limit is chosen so from five of which neighbours differ by 1, the
// middle one first. The best limit depends on the load: where cores are idle, pilots delay
// nobody. Its score is the mean of ln(1 + x) over all jobs, thin or not, that came while it was in
// force, x being their normalised completion times. The mean of x itself tells nothing here: a
// thin job may wait for a thousand times its own runtime, and of 100 jobs of the workloads above
// that mean has a standard error of 36 to 318 %, that of the logarithms of 7 to 15 %.
//
// # Source
//
// SLearn, section 5.1.2 and Fig. 4, where T is 100. As printed there, 1 % would be chosen for
// ever once it had been, however it did. To adapt the limit is left to future work in section 7.
type Sampling struct {
	config  SamplingConfig
	ratio   *ladder // of 1 to 5 %; nil: fixed
	limit   *ladder // of ThinLimit - 2 to ThinLimit + 2; nil: fixed
	scratch []int
	sample  estimate.Sample
}

// NewSampling returns a Sampling. The error names the field that is outside its range.
func NewSampling(c SamplingConfig) (*Sampling, error) {
	c.ThinLimit = cmp.Or(c.ThinLimit, 3)
	switch {
	case c.Src == nil:
		return nil, errors.New("slearn: SamplingConfig.Src is nil, want a source of randomness")
	case c.ThinLimit < 1:
		return nil, fmt.Errorf("slearn: SamplingConfig.ThinLimit is %d, want at least 1, or 0 for 3", c.ThinLimit)
	case c.AdaptLimit && (c.ThinLimit < 2 || c.ThinLimit > math.MaxInt32-rungs):
		return nil, fmt.Errorf("slearn: SamplingConfig.ThinLimit is %d, want 2 to %d with AdaptLimit", c.ThinLimit, math.MaxInt32-rungs)
	case c.Ratio != 0 && !(c.Ratio > 0 && c.Ratio <= 1):
		return nil, fmt.Errorf("slearn: SamplingConfig.Ratio is %v, want in (0, 1], or 0 for an adaptive one", c.Ratio)
	case c.Window < 0 || c.Window > maxWindow:
		return nil, fmt.Errorf("slearn: SamplingConfig.Window is %d, want 1 to %d, or 0 for 100", c.Window, maxWindow)
	}
	s := &Sampling{config: c}
	if c.Ratio == 0 {
		s.ratio = newLadder(cmp.Or(c.Window, 100))
	}
	if c.AdaptLimit {
		s.limit = newLadder(cmp.Or(c.Window, 100))
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
		p.Limit += s.limit.next() - rungs/2
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
		p.Ratio = float64(s.ratio.next()+1) / 100
	}
	tasks := int(j.Stages[p.Stage].Units())
	var err error
	if p.Pilots, err = estimate.PilotCount(tasks, p.Ratio); err != nil {
		return Plan{}, err
	}
	if s.scratch, err = estimate.Pilots(s.scratch[:0], tasks, p.Pilots, s.config.Src); err != nil {
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
		s.ratio.observe(int(math.Round(100*r.Plan.Ratio))-1, normalized)
	}
	if s.limit != nil {
		s.limit.observe(r.Plan.Limit-s.config.ThinLimit+rungs/2, math.Log1p(normalized))
	}
}

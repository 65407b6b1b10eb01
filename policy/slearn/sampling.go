package slearn

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"example.com/augur/estimate"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// SamplingConfig describes a [Sampling]. Src is required; the defaults are those of SLearn,
// section 5.2.
type SamplingConfig struct {
	// Src chooses the pilots. When a job comes it draws at most one number for each task of the first stage.
	Src rand.Source

	// ThinLimit lets jobs with fewer tasks bypass sampling, into the highest queue: the delay would cost them more
	// than all jobs gain from the estimate. ≥ 1, where 1 lets none bypass; 0 means 3.
	ThinLimit int

	// Ratio of the pilots to the tasks of a job's first stage, in (0, 1]. The default 0 adapts it between 1 and 5 %:
	// see [Sampling].
	Ratio float64

	// Median takes the median of the pilots' runtimes for the mean of all tasks, and of an even number the mean of the middle
	// two. A single straggler among the pilots then does not make a job look long, but the tail of a job whose tasks differ
	// does not count either. Section 5.1.2 names both and takes the mean, which is the default. [Hybrid] goes by the
	// mean, but where its posterior is no estimate.
	Median bool
}

// Sampling is the [Estimator] of SLearn: it first runs a few tasks of each wide job, chosen at random, and estimates
// the runtime of all tasks by their mean, or their median.
//
// It pays if the runtimes of a job's tasks vary less than those of similar jobs do, if nothing is known of jobs or the
// knowledge is out of date, and if jobs wait for cores. It costs the delay until the pilots end, as far as there is no
// idle core for the other tasks meanwhile; see also [History].
//
// If a job has several stages, the pilots are tasks of the first stage that reads no other, in the order of the job,
// and stand for the tasks of all stages.
//
// # How many pilots: adaptive sampling
//
// Without a Ratio it takes 1, 2, 3, 4 or 5 %, whichever has given the shortest normalised completion times lately:
// completion time divided by the job's total runtime over all tasks. The score of a ratio is the mean of the last T =
// 100 of these. The first T jobs try 3 %, the next T 2 % and the next T 4 %. After that each job gets the ratio with
// the least score, but
//
//	1 % in place of 2 %, if 1.1*score(2 %) < score(3 %)
//	5 % in place of 4 %, if 1.1*score(4 %) < score(3 %)
//
// as long as fewer than T jobs with 1 %, or 5 %, are over; from then on that ratio competes by its score like the
// others. Ties go to the smaller ratio; without any score it is 3 %.
//
// # Source
//
// SLearn, section 5.1.2 and Fig. 4. As printed there, once 1 % is chosen it stays forever, however it does.
type Sampling struct {
	config  SamplingConfig
	ratio   *adaptive // nil: fixed
	scratch []int
}

// NewSampling returns a Sampling. It returns an error that names the field that is out of range.
func NewSampling(c SamplingConfig) (*Sampling, error) {
	c.ThinLimit = cmp.Or(c.ThinLimit, 3)
	switch {
	case c.Src == nil:
		return nil, errors.New("slearn: SamplingConfig.Src is nil, want a source of randomness, such as rand.NewPCG(1, 2)")
	case c.ThinLimit < 1:
		return nil, fmt.Errorf("slearn: SamplingConfig.ThinLimit is %d, want at least 1, or 0 for 3", c.ThinLimit)
	case c.Ratio != 0 && !(c.Ratio > 0 && c.Ratio <= 1):
		return nil, fmt.Errorf("slearn: SamplingConfig.Ratio is %v, want in (0, 1], or 0 for an adaptive one", c.Ratio)
	}
	s := &Sampling{config: c}
	if c.Ratio == 0 {
		s.ratio = &adaptive{window: 100}
	}
	return s, nil
}

// Plan implements [Estimator]. It takes time in proportion to the tasks of the job's first stage.
func (s *Sampling) Plan(j *policy.Job, _ policy.Time) (Plan, error) {
	return s.plan(j, s.thin(j))
}

// thin reports whether a job has too few tasks to be sampled.
func (s *Sampling) thin(j *policy.Job) bool { return j.Units() < int64(s.config.ThinLimit) }

// plan lets a thin job bypass, and draws the pilots of another one.
func (s *Sampling) plan(j *policy.Job, thin bool) (p Plan, err error) {
	if thin {
		return Plan{Bypass: true}, nil
	}
	p.When, p.Ratio, p.Stage = Later, s.config.Ratio, firstStage(j)
	if s.ratio != nil {
		p.Ratio = float64(s.ratio.next()) / 100
	}
	tasks := int(j.Stages[p.Stage].Units())
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
	if s.config.Median {
		sorted := slices.Sorted(slices.Values(pilots))
		pilots = sorted[(len(sorted)-1)/2 : len(sorted)/2+1]
	}
	sum := 0.0
	for _, runtime := range pilots {
		sum += runtime
	}
	return sum / float64(len(pilots)) * width(j)
}

// Ended implements [Estimator].
func (s *Sampling) Ended(j *policy.Job, r Record) error {
	learns, err := r.complete(j)
	if !learns {
		return err
	}
	if s.ratio != nil && r.Plan.When == Later && r.Runtimes.Sum() > 0 {
		s.ratio.observe(saturate.To[int](math.Round(100*r.Plan.Ratio)), r.JCT.Seconds()/r.Runtimes.Sum())
	}
	return nil
}

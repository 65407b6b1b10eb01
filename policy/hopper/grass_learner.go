package hopper

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"example.com/augur/policy"
)

// GRASSLearnerConfig describes a [GRASSLearner]. Source is required.
type GRASSLearnerConfig struct {
	// Explore is the share of jobs that use one rule from beginning to end to learn from, ξ, > 0
	// and at most 1; 0 means 0.15.
	Explore float64
	// Steps is into how many parts a job's tasks are divided, and so how finely the change
	// can be timed, ≥ 1; 0 means 20.
	Steps int
	// Samples is how many jobs of either rule have to be done before what they tell is used, ≥ 1;
	// 0 means 10.
	Samples int
	// Waves is when a job changes rules until then: see [GRASSConfig].
	Waves float64
	// Source says which jobs explore, and which rule.
	Source rand.Source
}

// A GRASSLearner finds out from the jobs of a cluster when one should change from [RAS] to [GS]. Some
// jobs, chosen at random, use only one of the two. The tasks of every job are divided into the same
// number of steps, and for either rule the learner keeps how long each step takes, on average over
// jobs with about as many waves of tasks, in units of their tasks' mean runtime. Another job is best off to
// change after step y if
//
//	(time of RAS for steps 1 .. y) + (time of GS for the steps after y)
//
// is least; among equals the last y, which saves slots. As long as too few jobs have been seen, it changes
// as GRASS does.
//
// Jobs are alike if their numbers of waves have the same power of two below them. All must finish all
// their tasks: for jobs with a deadline there is [GRASS].
//
// # Source
//
// Ananthanarayanan et al. (see [GRASS]). The paper also tells jobs apart by the use of the
// cluster and by how good estimates are. How times are added up here, and all numbers but
// ξ, are ours.
type GRASSLearner struct {
	config  GRASSLearnerConfig
	rng     *rand.Rand
	fixed   *GRASS
	classes [65]grassClass // by the bits of the waves
}

type grassClass struct {
	greedy, aware grassTimes
	after         int // the step after which to change; once enough is known
	known         bool
}

type grassTimes struct {
	jobs int
	sums []float64 // by step
}

// NewGRASSLearner returns a learner that knows nothing. The error names the field that is
// outside its range.
func NewGRASSLearner(c GRASSLearnerConfig) (*GRASSLearner, error) {
	if c.Explore == 0 {
		c.Explore = 0.15
	}
	if c.Steps == 0 {
		c.Steps = 20
	}
	if c.Samples == 0 {
		c.Samples = 10
	}
	fixed, err := NewGRASS(GRASSConfig{c.Waves})
	switch {
	case !(c.Explore > 0 && c.Explore <= 1):
		return nil, fmt.Errorf("hopper: GRASSLearnerConfig.Explore is %v, want more than 0, at most 1, or 0 for 0.15", c.Explore)
	case c.Steps < 1:
		return nil, fmt.Errorf("hopper: GRASSLearnerConfig.Steps is %d, want at least 1, or 0 for 20", c.Steps)
	case c.Samples < 1:
		return nil, fmt.Errorf("hopper: GRASSLearnerConfig.Samples is %d, want at least 1, or 0 for 10", c.Samples)
	case err != nil:
		return nil, fmt.Errorf("hopper: GRASSLearnerConfig.Waves is %v, want more than 0, or 0 for 2", c.Waves)
	case c.Source == nil:
		return nil, fmt.Errorf("hopper: GRASSLearnerConfig.Source is nil, want a source of random numbers")
	}
	return &GRASSLearner{config: c, rng: rand.New(c.Source), fixed: fixed}, nil
}

// Job returns the rule for a job that begins, with so many tasks, ≥ 1, and slots, ≥ 1.
func (l *GRASSLearner) Job(now policy.Time, tasks, slots int) (*LearnedGRASS, error) {
	if tasks < 1 || slots < 1 {
		return nil, fmt.Errorf("hopper: a job with %d tasks and %d slots, want at least 1 of each", tasks, slots)
	}
	j := &LearnedGRASS{learner: l, tasks: tasks, began: now, class: &l.classes[bits.Len(uint(tasks/slots))]}
	if l.rng.Float64() < l.config.Explore {
		j.only, j.samples = RAS{}, &j.class.aware
		if l.rng.IntN(2) == 0 {
			j.only, j.samples = GS{}, &j.class.greedy
		}
		j.ends = make([]float64, l.config.Steps)
	}
	return j, nil
}

// ChangeAfter returns the share of its tasks that a job with so many waves of tasks has finished when it
// changes to GS, and false if that is not known yet.
func (l *GRASSLearner) ChangeAfter(waves int) (share float64, ok bool) {
	c := &l.classes[bits.Len(uint(max(0, waves)))]
	return float64(c.after) / float64(l.config.Steps), c.known
}

// A LearnedGRASS is the rule of one job of a [GRASSLearner]. The host tells it when a task
// has finished. Next takes O(n) time with n tasks that run, and does not allocate.
type LearnedGRASS struct {
	learner *GRASSLearner
	class   *grassClass
	tasks   int
	began   policy.Time

	only    Speculator  // of a job that explores, else nil
	samples *grassTimes // what it adds to
	ends    []float64   // when steps have ended, s after began
	ended   int
	over    bool
}

// Next is that of [GS] or that of [RAS].
func (j *LearnedGRASS) Next(p *Phase, r Room) (Move, bool) {
	switch {
	case j.only != nil:
		return j.only.Next(p, r)
	case !j.class.known:
		return j.learner.fixed.Next(p, r)
	case j.steps(len(p.Running)+p.Waiting) >= j.class.after:
		return GS{}.Next(p, r)
	}
	return RAS{}.Next(p, r)
}

// steps returns how many steps have ended if so many tasks are left.
func (j *LearnedGRASS) steps(left int) int {
	finished := float64(max(0, j.tasks-left)) / float64(j.tasks)
	return int(float64(finished*float64(j.learner.config.Steps)) + 1e-9) // 0.29 of 100 is 29
}

// Finished says that a task has finished, and how many are left. Once none is, the learner takes
// in what a job that explored has shown. Mean is the mean runtime of the job's tasks so far, s;
// if that is not finite and more than 0 at the end, the job is not counted. After the end, it changes nothing.
func (j *LearnedGRASS) Finished(now policy.Time, left int, mean float64) {
	if j.only == nil || j.over {
		return
	}
	for steps := j.steps(left); j.ended < steps; j.ended++ {
		j.ends[j.ended] = max(0, policy.Duration(now-j.began).Seconds())
	}
	if left > 0 {
		return
	}
	j.over = true
	if !(mean > 0) || math.IsInf(mean, 1) {
		return
	}
	if j.samples.sums == nil {
		j.samples.sums = make([]float64, len(j.ends))
	}
	before := 0.0
	for i, end := range j.ends {
		j.samples.sums[i] += (end - before) / mean
		before = end
	}
	j.samples.jobs++
	j.class.learn(j.learner.config.Samples)
}

// learn finds the best step to change after, if enough jobs are known.
func (c *grassClass) learn(samples int) {
	if c.greedy.jobs < samples || c.aware.jobs < samples {
		return
	}
	time := 0.0 // of changing after step y, less that of GS all the way
	best := 0.0
	c.known, c.after = true, 0
	for y := range c.aware.sums {
		time += c.aware.sums[y]/float64(c.aware.jobs) - c.greedy.sums[y]/float64(c.greedy.jobs)
		if time <= best {
			best, c.after = time, y+1
		}
	}
}

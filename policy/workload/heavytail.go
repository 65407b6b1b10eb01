package workload

import (
	"math"

	"example.com/augur/internal/calendar"
	"example.com/augur/internal/heavytail"
	"example.com/augur/internal/limits"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// HeavyTail generates jobs like those of analytics clusters: most are short and narrow, few hold most of the work, and many
// are runs of a recurring program. Jobs are bags of one-core tasks, so backfilling has nothing to fill. Their attributes, from which a predictor may learn, are
// user, program, and hour and day of submission.
//
// A program belongs to one user and has a width and a runtime of its own, drawn from bounded Pareto and lognormal
// distributions; a recurring job is a run of a program picked by Zipf's law, with noise on its runtime. Any other job is a
// program that runs once. Arrivals are a Poisson process whose rate swings with the hour of the day. They begin at midnight,
// where it is half the mean: of the first 500 jobs the load is a third of that of 5,000, so give fewer jobs a smaller
// cluster, or call [ToLoad]. No job requests a time: [FillRequested] does.
//
// It is made for comparing policies, not fitted to a trace. Start from [DefaultHeavyTail].
type HeavyTail struct {
	Seed uint64
	Jobs int // 1 to 10^8
}

// DefaultHeavyTail returns the parameters of the workload called heavytail: 5,000 jobs
// with about 21,000 tasks over seven hours, from midnight on a Monday.
func DefaultHeavyTail() HeavyTail { return HeavyTail{Seed: 1, Jobs: 5000} }

// maxGenerated bounds the jobs of a generator: the last of them arrives before 1e9 s.
const maxGenerated = 1e8

// Source returns the jobs, in order of submission, the first at instant 0 or a little later. The
// same values give the same jobs, except that times may differ by a nanosecond on another
// processor architecture, whose exponential rounds differently.
func (g HeavyTail) Source() (Source, error) {
	if err := check("HeavyTail", []option{{"Jobs", g.Jobs, g.Jobs >= 1 && g.Jobs <= maxGenerated, "1 to 10^8"}}); err != nil {
		return nil, err
	}
	return func(yield func(*Job, error) bool) {
		h := &heavytail.Generator{Recurring: 0.7, WidthTail: 1.1, MaxWidth: 1000}
		h.Begin(g.Seed, 0x6865617679)
		for range g.Jobs {
			if !yield(nextHeavyTail(h), nil) {
				return
			}
		}
	}, nil
}

const taskSigma = 0.4 // of the logarithm of runtimes between the tasks of a run

// nextHeavyTail returns the next job.
func nextHeavyTail(h *heavytail.Generator) *Job {
	h.Arrive()
	p, _ := h.Draw()
	mean := p.Runtime * math.Exp(heavytail.RunSigma*h.Rng.NormFloat64())
	runtimes := make([]policy.Duration, p.Width)
	for i := range runtimes {
		// A lognormal with mean 1, so that mean is the mean over tasks.
		x := mean * math.Exp(taskSigma*h.Rng.NormFloat64()-taskSigma*taskSigma/2)
		runtimes[i] = saturate.To[policy.Duration](math.Round(min(x, limits.Seconds) * 1e9))
	}
	submitted := saturate.To[policy.Duration](h.Now * 1e9)
	j := &Job{
		Job: policy.Job{
			ID:        policy.JobID(h.Made),
			Submitted: policy.Time(submitted),
			At:        heavytail.Start.Add(submitted),
			Attrs: []policy.Attr{
				{Name: "user", Value: p.User},
				{Name: "program", Value: p.Name},
			},
			Stages: []policy.Stage{{Tasks: uint32(p.Width), Cores: 1}},
		},
		Runtimes: [][]policy.Duration{runtimes},
	}
	calendar.Add(&j.Job)
	return j
}

package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"example.com/augur/policy"
)

// ToLoad returns the jobs, which are in order of submission, stretched so that they offer
// the given load to so many cores, as [Measure] measures it: exactly, but for the rounding
// of arrivals to nanoseconds. Both are finite and above 0. It leaves the old jobs
// unchanged. See [Stretch].
func ToLoad(jobs []*Job, cores, load float64) ([]*Job, error) {
	if !(cores > 0) || math.IsInf(cores, 0) {
		return nil, fmt.Errorf("workload: load of %v cores, want a finite number above 0", cores)
	}
	if !(load > 0) || math.IsInf(load, 0) {
		return nil, fmt.Errorf("workload: load is to be %v, want a finite number above 0", load)
	}
	if err := inOrder(jobs); err != nil {
		return nil, err
	}
	offered := Measure(jobs)
	if !(offered.Span() > 0) || !(offered.Work > 0) {
		return nil, fmt.Errorf("workload: %d jobs with %v core-seconds of work over %v s cannot be brought to a load, want both above 0",
			len(jobs), offered.Work, offered.Span())
	}
	return Stretch(jobs, offered.Load(cores)/load)
}

func inOrder(jobs []*Job) error {
	for i := 1; i < len(jobs); i++ {
		if a, b := jobs[i-1], jobs[i]; b.Submitted < a.Submitted {
			return fmt.Errorf("workload: job %d is submitted before job %d, which precedes it; want order of submission", b.ID, a.ID)
		}
	}
	return nil
}

// ScaleWidth multiplies the number of tasks of each stage by a factor, which is finite and
// above 0: rounded, halves up, to at least 1. Runtimes are drawn from the stage's own:
// with replacement for the tasks that are added, the first ones being kept; without for
// those that stay when some go. So their distribution stays, and the work is multiplied by
// the factor, both but for rounding and chance; so is what they write, and where they read
// is no longer known.
//
// What is drawn for a job depends on the seed, its ID and its stages alone. It returns new
// jobs and leaves the old ones, which must be valid, unchanged. The error names a job that
// would have more than 2^28 tasks.
func ScaleWidth(jobs []*Job, factor float64, seed uint64) ([]*Job, error) {
	if !(factor > 0) || math.IsInf(factor, 0) {
		return nil, fmt.Errorf("workload: widths scaled by %v, want a finite factor above 0", factor)
	}
	return resize(jobs, seed, func(tasks uint32) float64 { return max(1, math.Floor(float64(float64(tasks)*factor)+0.5)) })
}

// LimitWidth takes tasks away from each stage that has more than most, which is at least
// 1; those that stay are drawn as [ScaleWidth] does.
func LimitWidth(jobs []*Job, most int, seed uint64) ([]*Job, error) {
	if most < 1 {
		return nil, fmt.Errorf("workload: widths limited to %d, want at least 1", most)
	}
	return resize(jobs, seed, func(tasks uint32) float64 { return min(float64(tasks), float64(most)) })
}

// Each function of this package that draws for a job on its own has a stream of random
// numbers for it, so that no choice depends on another job.
const (
	widthStream = 1 + iota
	bootstrapStream
	deadlineStream
	localityStream
	memoryStream
)

func draws(seed, kind uint64, id policy.JobID) *rand.Rand {
	return rand.New(rand.NewPCG(seed, kind<<32|uint64(id)))
}

func resize(jobs []*Job, seed uint64, width func(tasks uint32) float64) ([]*Job, error) {
	resized := make([]*Job, len(jobs))
	for i, j := range jobs {
		if err := j.Validate(); err != nil {
			return nil, err
		}
		total := 0.0
		for k := range j.Stages {
			total += width(j.Stages[k].Tasks)
		}
		if total > policy.MaxTasks {
			return nil, fmt.Errorf("workload: job %d would have %g tasks, want at most 2^28", j.ID, total)
		}
		rng := draws(seed, widthStream, j.ID)
		r := *j
		r.Stages = slices.Clone(j.Stages)
		r.Runtimes = make([][]policy.Duration, len(j.Runtimes))
		for k := range r.Stages {
			n := int(width(j.Stages[k].Tasks))
			r.Stages[k].Tasks = uint32(n)
			r.Runtimes[k] = redraw(j.Runtimes[k], n, rng)
			r.Stages[k].Data = resizedData(&j.Stages[k], n)
		}
		resized[i] = &r
	}
	return resized, nil
}

// resizedData returns what is known of the data of a stage that gets n tasks: it writes in
// proportion, and where they read is not known.
func resizedData(s *policy.Stage, n int) *policy.Data {
	if s.Data == nil || n == int(s.Tasks) {
		return s.Data
	}
	return &policy.Data{Output: int64(math.Round(float64(s.Data.Output) / float64(s.Tasks) * float64(n)))}
}

// redraw returns n of the given runtimes: all and further ones drawn with replacement, or
// a simple random sample in the old order.
func redraw(from []policy.Duration, n int, rng *rand.Rand) []policy.Duration {
	to := make([]policy.Duration, 0, n)
	if n >= len(from) {
		to = append(to, from...)
		for len(to) < n {
			to = append(to, from[rng.IntN(len(from))])
		}
		return to
	}
	for i, d := range from {
		if rng.IntN(len(from)-i) < n-len(to) {
			to = append(to, d)
		}
	}
	return to
}

// Window returns the jobs submitted from one instant until before another, moved so that
// the first of these is instant 0. Deadlines keep their distance from submission, IDs and
// calendar times stay. Inputs that are not in the window are dropped, as if those jobs
// were done before it. It returns new jobs and leaves the old ones unchanged.
func Window(jobs []*Job, from, to policy.Time) ([]*Job, error) {
	if from >= to || !near(from) {
		return nil, fmt.Errorf("workload: a window from %v s to %v s, want it to end later than it begins, within 4.6e9 s of instant 0", from.Seconds(), to.Seconds())
	}
	var in []*Job
	ids := make(map[policy.JobID]bool)
	for _, j := range jobs {
		if from <= j.Submitted && j.Submitted < to {
			in = append(in, j)
			ids[j.ID] = true
		}
	}
	for i, j := range in {
		if !near(j.Submitted) {
			return nil, fmt.Errorf("workload: job %d is submitted at %v s, want it within 4.6e9 s of instant 0", j.ID, j.Submitted.Seconds())
		}
		m, err := move(j, policy.Time(j.Submitted.Sub(from)))
		if err != nil {
			return nil, err
		}
		m.Inputs = renamed(j.Inputs, func(id policy.JobID) (policy.JobID, bool) { return id, ids[id] })
		in[i] = m
	}
	return in, nil
}

// farthest is so near to instant 0 that no difference between two such instants wraps.
const farthest = policy.Time(math.MaxInt64 / 2)

func near(t policy.Time) bool { return -farthest <= t && t <= farthest }

// move returns a copy of j that is submitted at instant to.
func move(j *Job, to policy.Time) (*Job, error) {
	ok := near(j.Submitted) && near(to)
	if ok && j.SLO != nil {
		left := float64(j.SLO.Deadline) - float64(j.Submitted)
		ok = near(j.SLO.Deadline) && math.Abs(float64(to)+left) <= float64(farthest)
	}
	if !ok {
		return nil, fmt.Errorf("workload: job %d is moved from %v s to %v s, want both, and its deadlines, within 4.6e9 s of instant 0",
			j.ID, j.Submitted.Seconds(), to.Seconds())
	}
	m := *j
	m.Submitted = to
	if j.SLO != nil {
		slo := *j.SLO
		slo.Deadline = to.Add(slo.Deadline.Sub(j.Submitted))
		m.SLO = &slo
	}
	return &m, nil
}

// renamed returns the inputs that have a new name, nil if none has.
func renamed(in *policy.Inputs, name func(policy.JobID) (policy.JobID, bool)) *policy.Inputs {
	if in == nil {
		return nil
	}
	out := policy.Inputs{Wait: in.Wait}
	for _, id := range in.Jobs {
		if id, ok := name(id); ok {
			out.Jobs = append(out.Jobs, id)
		}
	}
	if len(out.Jobs) == 0 {
		return nil
	}
	return &out
}

// Repeat fills the time from instant 0 until before span with the given jobs, over and
// over: from the last of a round to the first of the next, the mean gap passes. Everything
// else is as in [Bootstrap].
func Repeat(jobs []*Job, span policy.Duration) (Source, error) {
	return refilled(jobs, span, len(jobs), func() *rand.Rand { return nil })
}

// Bootstrap fills the time from instant 0 until before span with blocks of so many
// consecutive jobs, 1 to all of them, which begin at a job drawn uniformly; after the last
// job comes the first. Each job comes after the gap that was before it, and the first one
// after the mean gap. Blocks of 1 keep the distribution of jobs and gaps, longer blocks
// also how they follow each other: bursts, and runs of a program.
//
// There are at least two jobs, in order of submission and not all at once. Deadlines and
// calendar times keep their distance from submission; attributes stay as they are. Inputs
// that come earlier in the same block follow it, others are dropped, as if those jobs were
// done before. The source yields new jobs, which share runtimes with the old ones, and
// takes memory in proportion to those given; it fails if there would be more than 2^28.
//
// # Source
//
// D. Politis and J. Romano, "A circular block-resampling procedure for stationary data", in
// Exploring the Limits of Bootstrap, 1992.
func Bootstrap(jobs []*Job, span policy.Duration, block int, seed uint64) (Source, error) {
	if len(jobs) > 0 && (block < 1 || block > len(jobs)) {
		return nil, fmt.Errorf("workload: blocks of %d jobs, want 1 to %d", block, len(jobs))
	}
	return refilled(jobs, span, block, func() *rand.Rand { return draws(seed, bootstrapStream, 0) })
}

// refilled returns the source of Repeat and Bootstrap. Blocks begin at the first job if there are no
// random numbers.
func refilled(jobs []*Job, span policy.Duration, block int, random func() *rand.Rand) (Source, error) {
	if span <= 0 || span.Seconds() > maxSeconds {
		return nil, fmt.Errorf("workload: a span of %v to fill, want above 0 s, at most 1e9 s", span)
	}
	if err := inOrder(jobs); err != nil {
		return nil, err
	}
	r := refill{jobs: jobs, span: span, places: make(map[policy.JobID]int, len(jobs))}
	for i, j := range jobs {
		if _, err := move(j, 0); err != nil {
			return nil, err
		}
		r.places[j.ID] = i
	}
	if len(jobs) < 2 || jobs[0].Submitted == jobs[len(jobs)-1].Submitted {
		return nil, fmt.Errorf("workload: %d jobs at one instant cannot fill a span, want two instants", len(jobs))
	}
	whole := jobs[len(jobs)-1].Submitted.Sub(jobs[0].Submitted)
	if n := span.Seconds() / whole.Seconds() * float64(len(jobs)-1); n > maxID {
		return nil, fmt.Errorf("workload: about %g jobs would fill %v, want at most 2^28", n, span)
	}
	r.mean = whole / policy.Duration(len(jobs)-1)
	return func(yield func(*Job, error) bool) {
		rng := random()
		now, start := policy.Duration(0), 0
		for made := 0; ; made++ {
			ahead := made % block // how many of the block came before
			if ahead == 0 && rng != nil {
				start = rng.IntN(len(jobs))
			}
			place := (start + ahead) % len(jobs)
			if made > 0 {
				gap := r.gap(place)
				if gap >= span-now {
					return
				}
				now += gap
			}
			j, err := r.job(place, ahead, made, policy.Time(now))
			if !yield(j, err) || err != nil {
				return
			}
		}
	}, nil
}

// refill makes new jobs of old ones.
type refill struct {
	jobs   []*Job
	span   policy.Duration
	places map[policy.JobID]int
	mean   policy.Duration // gap
}

// gap returns the time that passes before the job at a place.
func (r *refill) gap(place int) policy.Duration {
	if place == 0 {
		return r.mean
	}
	return r.jobs[place].Submitted.Sub(r.jobs[place-1].Submitted)
}

// job returns the job at a place as a new one, which so many others precede, some of them in
// its block.
func (r *refill) job(place, block, made int, submitted policy.Time) (*Job, error) {
	if made == maxID {
		return nil, fmt.Errorf("workload: more than 2^28 jobs fill %v", r.span)
	}
	old := r.jobs[place]
	j, err := move(old, submitted)
	if err != nil {
		return nil, err
	}
	if !j.At.IsZero() {
		j.At = j.At.Add(j.Submitted.Sub(old.Submitted))
	}
	j.ID = policy.JobID(made + 1)
	j.Inputs = renamed(old.Inputs, func(id policy.JobID) (policy.JobID, bool) {
		other, ok := r.places[id]
		back := (place - other + len(r.jobs)) % len(r.jobs)
		return j.ID - policy.JobID(back), ok && 0 < back && back <= block
	})
	return j, nil
}

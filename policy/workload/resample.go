package workload

import (
	"fmt"
	"math"

	"example.com/augur/internal/limits"
	"example.com/augur/policy"
)

// Window returns the jobs submitted from one instant until before another, moved so that
// the first of these is instant 0. Deadlines keep their distance from submission, IDs and
// calendar times stay. Inputs that are not in the window are dropped, as if those jobs
// were done before it. It returns new jobs and leaves the old ones unchanged. The error names the job
// that would come to be too far away, or that is nil.
func Window(jobs []*Job, from, to policy.Time) ([]*Job, error) {
	if from >= to || !near(from) {
		return nil, fmt.Errorf("workload: a window from %v s to %v s, want it to end later than it begins, within 4.6e9 s of instant 0", from.Seconds(), to.Seconds())
	}
	var in []*Job
	ids := make(map[policy.JobID]bool)
	for i, j := range jobs {
		if j == nil {
			return nil, isNil(i)
		}
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
		return nil, tooFar(j, to.Seconds())
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

func tooFar(j *Job, to float64) error {
	return fmt.Errorf("workload: job %d is moved from %v s to %v s, want both, and its deadline at both, within 4.6e9 s of instant 0",
		j.ID, j.Submitted.Seconds(), to)
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
	if span <= 0 || span.Seconds() > limits.Seconds {
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
	if n := span.Seconds() / whole.Seconds() * float64(len(jobs)-1); n > limits.ID {
		return nil, fmt.Errorf("workload: about %g jobs would fill %v, want at most 2^28", n, span)
	}
	r.mean = whole / policy.Duration(len(jobs)-1)
	return func(yield func(*Job, error) bool) {
		rng := draws(seed, bootstrapStream, 0)
		now, start := policy.Duration(0), 0
		for made := 0; ; made++ {
			ahead := made % block // how many of the block came before
			if ahead == 0 {
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
	if made == limits.ID {
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

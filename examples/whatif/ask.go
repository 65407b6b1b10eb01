package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"example.com/augur/internal/parallel"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
)

// An Outlook says how to look ahead.
type Outlook struct {
	// Policy makes the policy anew for each future; required. The forecast has the runtimes of the state, and learns nothing.
	Policy func(central.Forecast) (policy.Scheduler, error)
	// Samples is the number of futures. 0 means 99, or 19 or 9 if the futures would otherwise have more than 10,000 tasks
	// together. With 99, 19 and 9, one more future starts by their P50 in 50 % of all cases, by their P80 in 80 % and by their
	// P90 in 90 %; with 100 it would be 50, 80 and 90 in 101.
	Samples int
	Seed    uint64
}

// samples returns how many futures are drawn of so many tasks, each gang being one.
func (o Outlook) samples(tasks int) int {
	switch {
	case o.Samples > 0:
		return o.Samples
	case 99*tasks <= 10_000:
		return 99
	case 19*tasks <= 10_000:
		return 19
	}
	return 9
}

// An Answer is when a job will start and end, in as many futures as were drawn, each list increasing.
type Answer struct {
	Starts, Ends []policy.Time
}

// Quantile returns the least of an increasing list of instants that a share p of them does not exceed,
// p in (0, 1].
func Quantile(sorted []policy.Time, p float64) policy.Time {
	return sorted[max(0, int(math.Ceil(p*float64(len(sorted))))-1)]
}

// cycle is the first step, in seconds, by which a job that has outrun its history runs on: as in 3Sigma's scheduler.
const cycle = 10

// longest bounds drawn runtimes, at three years, so that sums of them fit into a Time.
const longest = 1e8 * time.Second

// Ask returns when the job of that ID starts first and ends. The error names what is wrong with the state, a job that is not
// in it or that the policy does not finish, or is the policy's own. The state stays as it is. Ask takes the time of Samples
// simulations, each until the job ends, on all processors; their number does not change the answer.
func (o Outlook) Ask(ctx context.Context, s *State, id policy.JobID) (Answer, error) {
	if err := s.check(); err != nil {
		return Answer{}, err
	}
	at := slices.IndexFunc(s.Jobs, func(j Job) bool { return j.ID == id })
	if at < 0 {
		return Answer{}, fmt.Errorf("job %d is not in the state", id)
	}
	remaining, err := s.condition()
	if err != nil {
		return Answer{}, err
	}
	n := o.samples(s.tasks())
	a := Answer{make([]policy.Time, n), make([]policy.Time, n)}
	futures := make([]*future, n) // one after the other, since distributions may not be read at once
	for i := range futures {
		futures[i] = s.draw(remaining, rand.New(rand.NewPCG(o.Seed, uint64(i))))
	}
	if err := parallel.Each(n, 0, func(i int) (err error) {
		a.Starts[i], a.Ends[i], err = o.run(ctx, s, &s.Jobs[at], futures[i])
		return err
	}); err != nil {
		return Answer{}, err
	}
	slices.Sort(a.Starts)
	slices.Sort(a.Ends)
	return a, nil
}

// condition returns the distribution of the runtime of each job, given for how long it has run. A job that has
// outrun its history ends as 3Sigma has it, by exponential increments.
func (s *State) condition() ([]threesigma.Distribution, error) {
	list := make([]threesigma.Distribution, len(s.Jobs))
	for i := range s.Jobs {
		j := &s.Jobs[i]
		list[i] = j.Runtime
		elapsed, ok := j.elapsed(s.Now)
		if !ok {
			continue
		}
		var step threesigma.Increments
		var err error
		if list[i], err = step.After(j.Runtime, elapsed.Seconds(), cycle); err != nil {
			return nil, fmt.Errorf("job %d: %w", j.ID, err)
		}
	}
	return list, nil
}

// A future is how long the tasks run in one of the samples. It is a policy.Truth.
type future struct {
	job  map[policy.JobID]policy.Duration
	past map[policy.Task]policy.Duration // of tasks that are finished
}

// Runtime is of policy.Truth.
func (f *future) Runtime(c policy.Copy) (policy.Duration, bool) {
	if d, ok := f.past[c.Task]; ok {
		return d, true
	}
	d, ok := f.job[c.Job]
	return d, ok
}

// draw draws a runtime for each job, in order of submission.
func (s *State) draw(of []threesigma.Distribution, rng *rand.Rand) *future {
	f := &future{make(map[policy.JobID]policy.Duration, len(s.Jobs)), make(map[policy.Task]policy.Duration)}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		x := of[i].Quantile(rng.Float64())
		d := policy.Duration(longest)
		if x < longest.Seconds() {
			d = policy.Duration(math.Round(max(x, 0) * 1e9))
		}
		if elapsed, ok := j.elapsed(s.Now); ok {
			d = max(d, elapsed+1) // it has not ended
		}
		f.job[j.ID] = d
		for _, r := range j.Runs {
			if r.Done {
				f.past[j.task(r)] = r.Ended.Sub(r.Started)
			}
		}
	}
	return f
}

// run looks at one future until the job has ended.
func (o Outlook) run(ctx context.Context, s *State, j *Job, truth *future) (start, end policy.Time, err error) {
	before := newPast(s)
	watch := &watch{job: j.ID}
	for _, r := range j.Runs {
		if !watch.started || r.Started < watch.start {
			watch.started, watch.start = true, r.Started
		}
	}
	_, err = sim.Run(ctx, sim.Config{
		Nodes: s.Nodes, Jobs: s.source(), Truth: truth,
		Faults: sim.Faults{
			Restarts: []policy.Time{s.Now + 1},
			NewPolicy: func() (policy.Scheduler, error) {
				if err := before.over(); err != nil {
					return nil, err
				}
				p, err := o.Policy(s.known())
				if err != nil {
					return nil, err
				}
				if _, ok := p.(policy.Distributed); ok {
					return nil, errors.New("the policy is distributed, want one that is all at the centre")
				}
				watch.of = p
				return watch, nil
			},
		},
	}, before)
	if watch.ended && watch.outcome == policy.Done {
		return watch.start, watch.end, nil
	}
	if err == nil {
		err = fmt.Errorf("job %d is not done in the end: %v", j.ID, watch.outcome)
	}
	return 0, 0, err
}

// source yields the jobs of a state, for sim.
func (s *State) source() iter.Seq2[*policy.Job, error] {
	return func(yield func(*policy.Job, error) bool) {
		for i := range s.Jobs {
			if !yield(s.Jobs[i].Job, nil) {
				return
			}
		}
	}
}

// known says what the state knows of runtimes. It is a central.Forecast. What a future shows is not known yet.
type known map[policy.JobID]central.Distribution

func (s *State) known() known {
	k := make(known, len(s.Jobs))
	for i := range s.Jobs {
		k[s.Jobs[i].ID] = s.Jobs[i].Runtime
	}
	return k
}

// Bind is of central.Forecast.
func (known) Bind(central.Books) error { return nil }

// Note is of central.Forecast.
func (known) Note(*policy.Event, *central.Job) error { return nil }

// Runtime is of central.Forecast.
func (k known) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	d, ok := k[j.Job.ID]
	return d, ok
}

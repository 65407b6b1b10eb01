package main

import (
	"context"
	"fmt"

	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
	"example.com/augur/policy/workload"
)

// A wingBed is the lake of a seed, and what policies know of it.
type wingBed struct {
	*lakelab.Lab
	cores   int
	jobs    []*workload.Job
	adHoc   []bool // by job
	rankers map[string]wing.Ranker
}

// wingLake is the lake of a form.
func wingLake(f form) workload.Lake {
	l := workload.DefaultLake()
	if f.few > 0 {
		l.JobsPerDay, l.Organisations, l.Users, l.Load = f.few, 5, 20, 0.1
	}
	return l
}

// newWingLakes makes a lake of each seed.
func newWingLakes(ctx context.Context, f form, l workload.Lake) ([]*lakelab.Lake, error) {
	return inEach(ctx, firstSeeds(f.seeds), func(seed uint64) (*lakelab.Lake, error) {
		l := l
		l.Seed = seed
		log, err := l.Log()
		if err != nil {
			return nil, err
		}
		return lakelab.Open(log), nil
	})
}

// newWingBeds learns from the history of lakes that are for so many cores.
func newWingBeds(ctx context.Context, lakes []*lakelab.Lake, cores int, c pipeline.Config) ([]*wingBed, error) {
	return inEach(ctx, lakes, func(l *lakelab.Lake) (*wingBed, error) {
		lab, err := l.Learn(c)
		if err != nil {
			return nil, err
		}
		b := &wingBed{Lab: lab, cores: cores, rankers: make(map[string]wing.Ranker)}
		if b.jobs, err = workload.ReadAll(l.Log.Source()); err != nil {
			return nil, err
		}
		for _, j := range b.jobs {
			truth, err := l.Log.Truth(j.ID)
			if err != nil {
				return nil, err
			}
			b.adHoc = append(b.adHoc, truth.Template < 0)
		}
		return b, nil
	})
}

// A wingPolicy is one of section 6.2, or of ours.
type wingPolicy struct {
	name string
	rank func(*lakelab.Lab) (wing.Ranker, error)
}

// A wingRun is a policy at a capacity.
type wingRun struct {
	policy   wingPolicy
	capacity int  // percent
	one      bool // a queue for the whole cluster, instead of one with hard boundaries for each organisation
}

// workload names the jobs and the queues.
func (w *wingRun) workload() string {
	if w.one {
		return "lake, one queue"
	}
	return "lake, queues of organisations"
}

// A wingOutcome is what became of the jobs, in percent.
type wingOutcome struct {
	value float64 // attained, of what is achievable
	// Failed are jobs of which an input was not there: of all, of those that recur and of the ad-hoc ones.
	failed, recurring, adHoc float64
}

// run runs the jobs of a bed under a policy that is made.
func (b *wingBed) run(ctx context.Context, w *wingRun) (o wingOutcome, err error) {
	c := wing.Config{Ranker: b.rankers[w.policy.name]}
	if !w.one {
		c.Queues = b.Queues(true)
	}
	s, err := wing.NewScheduler(c)
	if err != nil {
		return o, err
	}
	const cores = 20 // of a node
	jobs, truth := workload.Split(workload.Of(b.jobs))
	nodes := sim.Cluster(sim.Partition{Nodes: b.cores * w.capacity / 100 / cores, Cores: cores})
	result, err := sim.Run(ctx, sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth}, s)
	if err != nil {
		return o, fmt.Errorf("%s at %d %%: %w", w.policy.name, w.capacity, err)
	}
	var failed, all [2]float64 // recurring, ad hoc
	for i := range result.Jobs {
		kind := 0
		if b.adHoc[i] {
			kind = 1
		}
		all[kind]++
		if !result.Jobs[i].Done() {
			failed[kind]++
		}
	}
	return wingOutcome{
		value:     b.Attained(result),
		failed:    100 * (failed[0] + failed[1]) / (all[0] + all[1]),
		recurring: 100 * failed[0] / all[0], adHoc: 100 * failed[1] / all[1],
	}, nil
}

// wingOutcomes runs each of some runs on each bed, and returns what came of it, by run and bed. A
// policy is made once for each bed.
func wingOutcomes(ctx context.Context, beds []*wingBed, runs []wingRun) ([][]wingOutcome, error) {
	_, err := inEach(ctx, beds, func(b *wingBed) (_ struct{}, err error) {
		for _, w := range runs {
			if p := w.policy; b.rankers[p.name] == nil {
				if b.rankers[p.name], err = p.rank(b.Lab); err != nil {
					return struct{}{}, fmt.Errorf("%s: %w", p.name, err)
				}
			}
		}
		return struct{}{}, nil
	})
	if err != nil {
		return nil, err
	}
	outcomes := make([][]wingOutcome, len(runs))
	for i := range runs {
		// One by one: so the beds of a run, and not all runs of a bed, are at work at once.
		if outcomes[i], err = inEach(ctx, beds, func(b *wingBed) (wingOutcome, error) { return b.run(ctx, &runs[i]) }); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

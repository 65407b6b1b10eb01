package choose

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"example.com/augur/internal/parallel"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// figures are the mean and the 99th percentile of the completion times in each window.
type figures struct{ mean, p99 []float64 }

// measure runs each candidate once, on the host that config describes, over all the jobs, and compares them window by window: the method of batch means. A window
// has a.Size jobs, and before is the number of jobs before the first window.
func (a *Advice) measure(ctx context.Context, config sim.Config, jobs []*workload.Job, candidates []Candidate, before int) error {
	list := make([]figures, len(candidates))
	if err := parallel.Each(len(candidates), func(i int) error {
		result, err := run(ctx, config, jobs, &candidates[i])
		if err != nil {
			return fmt.Errorf("choose: policy %s: %w", candidates[i].Name, err)
		}
		for w := range a.Windows {
			window := sim.Result{Jobs: result[before+w*a.Size:][:a.Size]}
			m := window.Metrics()
			list[i].mean, list[i].p99 = append(list[i].mean, m.MeanJCT), append(list[i].p99, m.P99JCT)
		}
		return nil
	}); err != nil {
		return err
	}
	fifo := &list[slices.IndexFunc(candidates, func(c Candidate) bool { return c.Name == "fifo" })]
	best := 0
	for i := range a.Measured {
		a.Measured[i].ToFIFO = sim.RatioInterval(list[i].mean, fifo.mean)
		if a.Measured[i].ToFIFO.Mean < a.Measured[best].ToFIFO.Mean {
			best = i
		}
	}
	a.Best = candidates[best].Name
	for i := range a.Measured {
		m, of := &a.Measured[i], &list[i]
		m.JCT, m.ToBest = sim.MeanWithin(of.mean, 0, math.Inf(1)), sim.RatioInterval(of.mean, list[best].mean)
		if a.Size >= tailJobs {
			m.P99 = sim.RatioInterval(of.p99, fifo.p99)
		}
	}
	return nil
}

// run runs the jobs under a candidate and returns their records, in the order of jobs.
func run(ctx context.Context, config sim.Config, jobs []*workload.Job, c *Candidate) ([]sim.JobRecord, error) {
	if c.Request > 0 {
		source, err := workload.FillRequested(workload.Of(jobs), c.Request)
		if err != nil {
			return nil, err
		}
		if jobs, err = workload.ReadAll(source); err != nil {
			return nil, err
		}
	}
	config.Jobs, config.Truth = workload.Split(jobs)
	scheduler, err := c.New(config.Truth)
	if err != nil {
		return nil, err
	}
	result, err := sim.Run(ctx, config, scheduler)
	if err != nil {
		return nil, err
	}
	place := make(map[policy.JobID]int, len(jobs))
	for i, j := range jobs {
		place[j.ID] = i
	}
	slices.SortFunc(result.Jobs, func(a, b sim.JobRecord) int { return cmp.Compare(place[a.ID], place[b.ID]) })
	return result.Jobs, nil
}

package choose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// figures are the mean and the 99th percentile of the completion times in each window.
type figures struct{ mean, p99 []float64 }

// measure runs each candidate once, on the host that config describes, over all the jobs, and compares them window by window: the method of batch means. A window
// has a.Size jobs, and before is the number of jobs before the first window.
func (a *Advice) measure(ctx context.Context, config sim.Config, jobs []*workload.Job, candidates []Candidate, before int) error {
	list := make([]figures, len(candidates))
	c := experiment.Config{Jobs: experiment.List("", jobs), Nodes: config.Nodes, Host: config}
	place := make(map[policy.JobID]int, len(jobs))
	for i, j := range jobs {
		place[j.ID] = i
	}
	for _, of := range candidates {
		c.Policies = append(c.Policies, experiment.Policy{Name: of.Name, Request: of.Request, New: func(_ *experiment.Cell, truth policy.Truth) (policy.Scheduler, error) {
			return of.New(truth)
		}})
	}
	c.Ended = func(_ *experiment.Cell, row *experiment.Row, result *sim.Result) error {
		records := slices.Clone(result.Jobs)
		slices.SortFunc(records, func(a, b sim.JobRecord) int { return cmp.Compare(place[a.ID], place[b.ID]) })
		of := &list[slices.IndexFunc(candidates, func(c Candidate) bool { return c.Name == row.Policy })]
		for w := range a.Windows {
			window := sim.Result{Jobs: records[before+w*a.Size:][:a.Size]}
			m := window.Metrics()
			of.mean, of.p99 = append(of.mean, m.MeanJCT), append(of.p99, m.P99JCT)
		}
		return nil
	}
	if _, err := experiment.Run(ctx, c); err != nil {
		if f := (experiment.Failures)(nil); errors.As(err, &f) {
			err = fmt.Errorf("policy %s: %w", f[0].Policy, f[0].Err)
		}
		return fmt.Errorf("choose: %w", err)
	}
	fifo := &list[slices.IndexFunc(candidates, func(c Candidate) bool { return c.Name == "fifo" })]
	best := 0
	for i := range a.Measured {
		a.Measured[i].ToFIFO = experiment.RatioInterval(list[i].mean, fifo.mean)
		if a.Measured[i].ToFIFO.Mean < a.Measured[best].ToFIFO.Mean {
			best = i
		}
	}
	a.Best = candidates[best].Name
	for i := range a.Measured {
		m, of := &a.Measured[i], &list[i]
		m.JCT, m.ToBest = experiment.MeanWithin(of.mean, 0, math.Inf(1)), experiment.RatioInterval(of.mean, list[best].mean)
		if a.Size >= tailJobs {
			m.P99 = experiment.RatioInterval(of.p99, fifo.p99)
		}
	}
	return nil
}

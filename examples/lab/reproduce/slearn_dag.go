package main

import (
	"context"
	"fmt"
	"slices"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/slearn"
)

// dagRivals are what SLearn-DAG is compared with, and what is published of them: their mean completion time over its own, and
// the median error, in percent.
var dagRivals = []struct {
	name        string
	over, error float64
	estimator   func(*contest) estimator
}{
	{"3Sigma-DAG", 1.26, 47.21, func(c *contest) estimator { return c.learned(slearn.HistoryConfig{Stages: true}) }},
	{"3Sigma-DAG (winner)", unpublished, 47.21, func(c *contest) estimator {
		return c.learned(slearn.HistoryConfig{Stages: true, Point: slearn.Winner})
	}},
	{"PointEst-DAG", 1.74, unpublished, func(c *contest) estimator {
		return c.learned(slearn.HistoryConfig{Stages: true, Point: slearn.Median})
	}},
	{"LAS-DAG", 2.15, unpublished, func(c *contest) estimator { return c.attained }},
}

// A dagRun is the median error of SLearn-DAG in a contest, and of each rival the error and its mean completion time over
// SLearn-DAG's.
type dagRun struct {
	error        float64
	over, errors []float64
}

// slearnDAG is Fig. 9 and what section 6 says of it: jobs of several stages, of which
// SLearn-DAG samples the first one and corrects with it what history says of the others. It does so
// because history is stale, and what is stale of the first stage is so of the others if they vary together. Stages of
// a job are whole jobs of one name; whether these vary together, the paper does not say.
func slearnDAG(f form) item {
	// Jobs have 2 to 5 stages; the history is that of gtrace19.
	t := newSLearnTrace(f, "gtrace19-dag", paper.Google19DAG())
	apart := *t
	apart.name += ", stages independent"
	return func(l *lab) func(r *report) {
		together := ask(l, t.contests(), "together", func(ctx context.Context, c *contest) (dagRun, error) {
			alike := *c
			alike.halved = c.together()
			return alike.dagRun(ctx)
		})
		independent := ask(l, t.contests(), "independent", func(ctx context.Context, c *contest) (dagRun, error) { return c.dagRun(ctx) })
		return func(r *report) {
			tellDAG(r, t, together.runs)
			tellDAG(r, &apart, independent.runs)
		}
	}
}

func tellDAG(r *report, t *slearnTrace, runs []dagRun) {
	r.add("6", t.name, "SLearn-DAG error P50, %", 33.90, each(runs, func(d dagRun) float64 { return d.error }))
	for i, rival := range dagRivals {
		r.add("Fig. 9", t.name, "mean JCT of "+rival.name+" over SLearn-DAG's", rival.over, each(runs, func(d dagRun) float64 { return d.over[i] }))
		if rival.name != "LAS-DAG" {
			r.add("6", t.name, rival.name+" error P50, %", rival.error, each(runs, func(d dagRun) float64 { return d.errors[i] }))
		}
	}
}

func (c *contest) dagRun(ctx context.Context) (d dagRun, err error) {
	base, err := c.run(ctx, c.dag())
	if err != nil {
		return d, fmt.Errorf("SLearn-DAG: %w", err)
	}
	d.error = percentile(estimateErrors(base, c.execution), 0.5)
	for _, rival := range dagRivals {
		o, err := c.run(ctx, rival.estimator(c))
		if err != nil {
			return d, fmt.Errorf("%s: %w", rival.name, err)
		}
		d.over = append(d.over, slower(o, base))
		d.errors = append(d.errors, percentile(estimateErrors(o, c.execution), 0.5))
	}
	return d, nil
}

// together returns the trace with the tasks of each job scaled so that its stages have the
// mean runtime of the first one. In the trace the stages are independent runs of one job name, and
// how far the first is from history says nothing of the others.
func (h halved) together() halved {
	jobs := slices.Clone(h.execution)
	for i, j := range jobs {
		scaled := *j
		scaled.Runtimes = slices.Clone(j.Runtimes)
		first := meanRuntime(j.Runtimes[0])
		for k, stage := range j.Runtimes[1:] {
			factor := first / meanRuntime(stage)
			scaled.Runtimes[k+1] = each(stage, func(d policy.Duration) policy.Duration {
				return max(1, policy.Duration(float64(d)*factor))
			})
		}
		jobs[i] = &scaled
	}
	return halved{h.history, jobs}
}

func meanRuntime(tasks []policy.Duration) float64 {
	return meanOf(each(tasks, policy.Duration.Seconds))
}

package main

import (
	"context"
	"fmt"

	"example.com/augur/examples/lab/paper"
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
// SLearn-DAG samples the first one and corrects with it what history says of the others.
func slearnDAG(f form) item {
	t := newSLearnTrace(f, "gtrace19-dag", paper.Google19DAGFig9())
	return func(l *lab) func(r *report) {
		ran := ask(l, t.rounds(), "Fig. 9", func(ctx context.Context, d *round) (dagRun, error) { return d.dagRun(ctx) })
		return func(r *report) {
			r.add("6", t.name, "SLearn-DAG error P50, %", 33.90, each(ran.runs, func(d dagRun) float64 { return d.error }))
			for i, rival := range dagRivals {
				r.add("Fig. 9", t.name, "mean JCT of "+rival.name+" over SLearn-DAG's", rival.over, each(ran.runs, func(d dagRun) float64 { return d.over[i] }))
				if rival.name != "LAS-DAG" {
					r.add("6", t.name, rival.name+" error P50, %", rival.error, each(ran.runs, func(d dagRun) float64 { return d.errors[i] }))
				}
			}
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

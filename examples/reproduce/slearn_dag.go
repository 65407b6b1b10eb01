package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"example.com/augur/policy"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
)

// slearnDAGTrace has jobs of 2 to 5 stages; its history is that of gtrace19.
var slearnDAGTrace = slearnTrace{"gtrace19-dag", workload.Google19DAG, nil, 3, nil}

// slearnDAG is Fig. 9 and what section 6 says of it: jobs of several stages, of which
// SLearn-DAG samples the first one and corrects with it what history says of the others.
func slearnDAG(ctx context.Context, r *report, seeds int) error {
	t := &slearnDAGTrace
	contests, err := t.contests(ctx, seeds, 0)
	if err != nil {
		return err
	}
	run := func(estimator func(*contest) estimator) ([]outcome, error) {
		return inEach(ctx, contests, func(c *contest) (outcome, error) { return c.run(ctx, estimator(c)) })
	}
	base, err := run(func(c *contest) estimator { return c.dag(false) })
	if err != nil {
		return fmt.Errorf("SLearn-DAG: %w", err)
	}
	errors := func(of []outcome) (p50 []float64) {
		for i, c := range contests {
			p50 = append(p50, percentile(estimateErrors(of[i], c.execution), 0.5))
		}
		return p50
	}
	r.add("6", t.name, "SLearn-DAG error P50, %", 33.90, errors(base))
	u := unpublished
	for _, rival := range []struct {
		name      string
		published speedup
		error     float64
		estimator func(*contest) estimator
	}{
		{"3Sigma-DAG", speedup{1.26, u}, 47.21, func(c *contest) estimator {
			return c.learned(slearn.HistoryConfig{Stages: true})
		}},
		{"PointEst-DAG", speedup{1.74, u}, u, func(c *contest) estimator {
			return c.learned(slearn.HistoryConfig{Stages: true, Point: slearn.Median})
		}},
		{"LAS-DAG", speedup{2.15, u}, u, func(c *contest) estimator { return c.attained }},
		{"Oracle", speedup{u, u}, u, func(c *contest) estimator { return c.oracle }},
		{"SLearn-DAG without correction", speedup{u, u}, u, func(c *contest) estimator { return c.dag(true) }},
	} {
		outcomes, err := run(rival.estimator)
		if err != nil {
			return fmt.Errorf("%s: %w", rival.name, err)
		}
		var speedups []speedup
		for i, o := range outcomes {
			speedups = append(speedups, speedupOf(o, base[i]))
		}
		addSpeedups(r, "Fig. 9", t, rival.name+" over SLearn-DAG's", rival.published, speedups)
		if p50 := errors(outcomes); rival.name != "LAS-DAG" && rival.name != "Oracle" {
			r.add("6", t.name, rival.name+" error P50, %", rival.error, p50)
		}
	}

	together := each(contests, func(c *contest) *contest { return &contest{c.together(), c.nodes, c.cores, c.seed, c.past, nil} })
	speedups, err := inEach(ctx, together, func(c *contest) (s speedup, err error) {
		sampled, err := c.run(ctx, c.dag(false))
		if err != nil {
			return s, fmt.Errorf("SLearn-DAG: %w", err)
		}
		learned, err := c.run(ctx, c.learned(slearn.HistoryConfig{Stages: true}))
		return speedupOf(learned, sampled), err
	})
	if err != nil {
		return err
	}
	addSpeedups(r, "Fig. 9", t, "3Sigma-DAG over SLearn-DAG's if stages vary together", speedup{u, u}, speedups)
	return nil
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
	return stat.Mean(each(tasks, policy.Duration.Seconds), nil)
}

// dag makes SLearn-DAG. If it is plain, it takes history's word for the stages that are not
// sampled.
func (c *contest) dag(plain bool) estimator {
	return func(policy.Truth) (slearn.Estimator, error) {
		h, err := c.remember(slearn.HistoryConfig{Stages: true})
		if err != nil {
			return nil, err
		}
		return slearn.NewDAG(slearn.DAGConfig{Sampling: slearn.DefaultSampling(rand.NewPCG(c.seed, 2)), History: h, Plain: plain})
	}
}

package main

import (
	"context"
	"math"
	"math/rand/v2"

	"example.com/augur/estimate"
	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
)

// slearnErrors is section 4.3: by how much predictions of the mean task runtime of a job are
// off, from a few of its own tasks and from the history of jobs like it. Only wide jobs,
// of three tasks and more, count.
func slearnErrors(t *slearnTrace, b *bed[*round]) item {
	type published struct{ p50, p90 float64 }
	paper := map[string][2]published{ // SLearn, with the P50 of Table 6, which section 4.3 contradicts, and 3Sigma
		"2strace":  {{19.0, 58.66}, {36.57, 475.78}},
		"gtrace11": {{13.6, 49.95}, {21.39, 294.52}},
		"gtrace19": {{47.1, 92.25}, {71.56, 1927.51}},
	}[t.of]
	type errors struct{ space, byUtility, byWinner []float64 }
	return byRound(b, "4.3", func(_ context.Context, d *round) (e errors, err error) {
		if e.space, err = pilotErrors(d.execution, d.seed); err != nil {
			return e, err
		}
		if e.byUtility, err = d.historyErrors(slearn.Utility); err != nil {
			return e, err
		}
		e.byWinner, err = d.historyErrors(slearn.Winner)
		return e, err
	}, func(r *report, runs []errors) {
		add := func(who string, p published, of func(e errors) []float64) {
			r.add("4.3", t.name, who+" error P50, %", p.p50, each(runs, func(e errors) float64 { return 100 * percentile(of(e), 0.5) }))
			r.add("4.3", t.name, who+" error P90, %", p.p90, each(runs, func(e errors) float64 { return 100 * percentile(of(e), 0.9) }))
		}
		add("SLearn 3 %", paper[0], func(e errors) []float64 { return e.space })
		add("3Sigma (1/t^2)", paper[1], func(e errors) []float64 { return e.byUtility })
		add("3Sigma (winner)", paper[1], func(e errors) []float64 { return e.byWinner })
	})
}

// wide is the least number of tasks of a job that is sampled.
const wide = 3

// pilotErrors returns the relative errors of the mean of 3 % of a job's tasks as an estimate
// of the mean of all.
func pilotErrors(jobs []*workload.Job, seed uint64) (errors []float64, err error) {
	src := rand.NewPCG(seed, 1)
	var pilots []int
	for _, j := range jobs {
		tasks := j.Runtimes[0]
		if len(tasks) < wide {
			continue
		}
		n, err := estimate.PilotCount(len(tasks), 0.03)
		if err != nil {
			return nil, err
		}
		if pilots, err = estimate.Pilots(pilots[:0], len(tasks), n, src); err != nil {
			return nil, err
		}
		sum := 0.0
		for _, i := range pilots {
			sum += tasks[i].Seconds()
		}
		errors = append(errors, relative(sum/float64(n), cli.MeanTask(j)))
	}
	return errors, nil
}

// historyErrors returns those of 3Sigma's predictor that has learned from the history, and
// from it alone: of the runtime that is right for the utility 1/t^2, or of the winner's.
func (c *contest) historyErrors(point slearn.Point) (errors []float64, err error) {
	h, err := c.remember(slearn.HistoryConfig{Point: point})
	if err != nil {
		return nil, err
	}
	for _, j := range c.execution {
		if j.Tasks() < wide {
			continue
		}
		if work, ok := h.Predict(&j.Job, j.Submitted); ok {
			errors = append(errors, relative(work, j.Work()))
		}
	}
	return errors, nil
}

// relative returns the absolute error of an estimate over the actual value.
func relative(estimate, actual float64) float64 {
	return math.Abs(estimate-actual) / actual
}

package main

import (
	"context"
	"fmt"

	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

// slower is how much longer jobs take under one scheduler than under another, by their mean completion times.
func slower(slow, fast outcome) float64 { return sim.Compare(slow.Result, fast.Result).RatioOfMeans }

// A slearnRival is a scheduler that SLearn is compared with, and its published mean completion time over SLearn's, by trace.
type slearnRival struct {
	name      string
	published map[string]float64
	of        func(ctx context.Context, d *round) (outcome, error)
}

var slearnRivals = []slearnRival{
	{"Oracle", map[string]float64{"2strace": 0.79}, func(_ context.Context, d *round) (outcome, error) { return d.byOracle, nil }},
	{"3Sigma", map[string]float64{"2strace": 1.28, "gtrace11": 1.56, "gtrace19": 1.32}, func(_ context.Context, d *round) (outcome, error) { return d.by3Sigma, nil }},
	historyRival("3Sigma (winner)", nil, slearn.HistoryConfig{Point: slearn.Winner}),
	historyRival("3SigmaTL", map[string]float64{"2strace": 1.26, "gtrace11": 1.55, "gtrace19": 1.32}, slearn.HistoryConfig{ThinLimit: wide}),
	historyRival("PointEst", map[string]float64{"2strace": 1.42, "gtrace11": 2.17, "gtrace19": 1.54}, slearn.HistoryConfig{Point: slearn.Median}),
	{"LAS", map[string]float64{"2strace": 1.91, "gtrace11": 1.65, "gtrace19": 1.72}, func(ctx context.Context, d *round) (outcome, error) { return d.run(ctx, d.attained) }},
	{"FIFO", map[string]float64{"2strace": 3.29}, func(ctx context.Context, d *round) (outcome, error) { return d.run(ctx, nil) }},
}

// historyRival goes by what history says of a job.
func historyRival(name string, published map[string]float64, config slearn.HistoryConfig) slearnRival {
	return slearnRival{name, published, func(ctx context.Context, d *round) (outcome, error) { return d.run(ctx, d.learned(config)) }}
}

// slearnCompletion is Fig. 6: mean completion times under the other estimators and under FIFO, over those under SLearn.
func slearnCompletion(t *slearnTrace, b *bed[*round]) item {
	return byRound(b, "Fig. 6", func(ctx context.Context, d *round) (over []float64, err error) {
		for _, rival := range slearnRivals {
			o, err := rival.of(ctx, d)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", rival.name, err)
			}
			over = append(over, slower(o, d.bySLearn))
		}
		return over, nil
	}, func(r *report, runs [][]float64) {
		for i, rival := range slearnRivals {
			r.add("Fig. 6", t.name, "mean JCT of "+rival.name+" over SLearn's", orUnpublished(rival.published, t.of), column(runs, i))
		}
		if t.of != "2strace" {
			return // nothing is published of FIFO
		}
		fifo := len(slearnRivals) - 1
		for i, rival := range slearnRivals {
			if rival.name == "LAS" || rival.name == "Oracle" {
				r.add("Fig. 6", t.name, "mean JCT of "+rival.name+" over FIFO's", rival.published[t.of]/slearnRivals[fifo].published[t.of],
					each(runs, func(over []float64) float64 { return over[i] / over[fifo] }))
			}
		}
	})
}

// slearnChoices are other ways to read what the paper does not say to the end, of the scheduler and of 3Sigma.
var slearnChoices = []struct {
	name    string
	history slearn.HistoryConfig // of 3Sigma
	change  func(*slearn.Config) // of both schedulers; nil: none
}{
	{name: "3Sigma of total runtimes", history: slearn.HistoryConfig{Total: true}},
	{name: "without work conservation", change: func(c *slearn.Config) { c.NoWorkConservation = true }},
	{name: "queues share cores in use", change: func(c *slearn.Config) { c.Sharing = queue.ByUse }},
	{name: "queues share cores in use and the next", change: func(c *slearn.Config) { c.Sharing = queue.ByNextUse }},
	{name: "pilots apart", change: func(c *slearn.Config) { c.PilotQueue = true }},
}

// slearnReadings tells what comes out of Fig. 6 by each of the choices.
func slearnReadings(t *slearnTrace, b *bed[*round]) item {
	return byRound(b, "choices", func(ctx context.Context, d *round) (over []float64, err error) {
		for _, choice := range slearnChoices {
			bySLearn := d.bySLearn
			var changes []func(*slearn.Config)
			if choice.change != nil {
				changes = append(changes, choice.change)
				if bySLearn, err = d.run(ctx, d.sampling(), changes...); err != nil {
					return nil, fmt.Errorf("%s: %w", choice.name, err)
				}
			}
			by3Sigma, err := d.run(ctx, d.learned(choice.history), changes...)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", choice.name, err)
			}
			over = append(over, slower(by3Sigma, bySLearn))
		}
		return over, nil
	}, func(r *report, runs [][]float64) {
		for i, choice := range slearnChoices {
			r.add("Fig. 6", t.name, "mean JCT of 3Sigma over SLearn's, "+choice.name, unpublished, column(runs, i))
		}
	})
}

// slearnAdaptive is the last row of Table 6: the median error of SLearn's estimates, where it chooses the share of pilots.
func slearnAdaptive(t *slearnTrace, b *bed[*round]) item {
	published := map[string]float64{"2strace": 19.0, "gtrace11": 13.7, "gtrace19": 51.8}
	return byRound(b, "Table 6", func(_ context.Context, d *round) (float64, error) {
		return percentile(estimateErrors(d.bySLearn, d.execution), 0.5), nil
	}, func(r *report, runs []float64) {
		r.add("Table 6", t.name, "SLearn's error with an adaptive share of pilots, P50, %", published[t.of], runs)
	})
}

// estimateErrors returns by how many percent the estimates of wide jobs were off.
func estimateErrors(o outcome, jobs []*workload.Job) (errors []float64) {
	for _, j := range jobs {
		if e := o.records[j.ID]; j.Tasks() >= wide && e.Estimated {
			errors = append(errors, 100*relative(e.Estimate, j.Work()))
		}
	}
	return errors
}

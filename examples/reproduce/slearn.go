package main

import (
	"cmp"
	"context"
	"fmt"

	"example.com/augur/policy/workload"
)

// A slearnTrace is one of the traces that SLearn was evaluated with, as generated.
type slearnTrace struct {
	name   string
	params func() workload.SLearn
	fig2   func() workload.SLearn // the same, with errors as in Fig. 2
	days   int                    // the window that is best for its history (section 4.2)
	// draw makes the trace of a seed in another way; nil: params do. See generate.
	draw func(seed uint64, load float64) (halved, error)
}

var slearnTraces = []slearnTrace{
	{"2strace", workload.TwoSigma, workload.TwoSigmaFig2, 14, nil},
	{"gtrace11", workload.Google11, workload.Google11Fig2, 3, nil},
	{"gtrace19", workload.Google19, workload.Google19Fig2, 3, nil},
}

// A halved is a generated trace: what predictors learn from, and what is scheduled.
type halved struct{ history, execution []*workload.Job }

// generate makes the trace of a seed, at a load, or at that of the paper if it is 0.
func (t *slearnTrace) generate(seed uint64, load float64) (h halved, err error) {
	if t.draw != nil {
		return t.draw(seed, load)
	}
	g := t.params()
	g.Seed, g.Load = seed, cmp.Or(load, g.Load)
	past, err := g.History()
	if err != nil {
		return h, err
	}
	if h.history, err = workload.ReadAll(past); err != nil {
		return h, err
	}
	drawn, err := g.Execution()
	if err != nil {
		return h, err
	}
	h.execution, err = workload.ReadAll(drawn)
	return h, err
}

// A slearnItem tells something of a trace.
type slearnItem func(ctx context.Context, r *report, t *slearnTrace, rounds []*round) error

// slearnItems are what is told of each trace, in this order.
var slearnItems = []slearnItem{
	slearnWorkload,   // Tables 4, 5 and 9
	slearnErrors,     // section 4.3
	slearnRatios,     // Table 6
	slearnAdaptive,   // Fig. 5
	slearnCompletion, // Fig. 6
	slearnQueues,     // Tables 7 and 10
	slearnThin,       // Table 8
	slearnBins,       // Fig. 8
	slearnWaiting,    // Fig. 11
	slearnResistance, // Fig. 14
}

// slearnHeadlines are how well pilots tell of jobs, and what that is worth over history.
var slearnHeadlines = []headline{
	{"Table 6", "2strace", "SLearn's error with an adaptive share of pilots, P50, %", level},
	{"Table 6", "gtrace11", "SLearn's error with an adaptive share of pilots, P50, %", level},
	{"Table 6", "gtrace19", "SLearn's error with an adaptive share of pilots, P50, %", level},
	{"Fig. 6", "2strace", "mean JCT of 3Sigma over SLearn's", ratio},
	{"Fig. 6", "gtrace11", "mean JCT of 3Sigma over SLearn's", ratio},
	{"Fig. 6", "gtrace19", "mean JCT of 3Sigma over SLearn's", ratio},
	{"Table 7", "2strace", slearnMoreRight, gain},
	{"Table 7", "gtrace11", slearnMoreRight, gain},
	{"Table 7", "gtrace19", slearnMoreRight, gain},
	{"Fig. 9", "gtrace19-dag", "mean JCT of 3Sigma-DAG over SLearn-DAG's", ratio},
}

// reproduceSLearn repeats what SLearn was evaluated with.
func reproduceSLearn(ctx context.Context, r *report, f form) error {
	for i := range slearnTraces {
		t := &slearnTraces[i]
		rounds, err := t.rounds(ctx, f.seeds, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		for _, item := range slearnItems {
			if err := item(ctx, r, t, rounds); err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
		}
		if err := slearnFig2(ctx, r, t, f.seeds); err != nil {
			return fmt.Errorf("%s as in Fig. 2: %w", t.name, err)
		}
		if f.full {
			if err := slearnOptions(ctx, r, t, rounds); err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
			if err := slearnSweep(ctx, r, t, f.seeds); err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
		}
	}
	if err := slearnDAG(ctx, r, f.seeds); err != nil {
		return fmt.Errorf("%s: %w", slearnDAGTrace.name, err)
	}
	r.explain(slearnReasons) // which are those of generated workloads
	if f.full {
		return slearnGoogle(ctx, r, f.traces, f.seeds)
	}
	return nil
}

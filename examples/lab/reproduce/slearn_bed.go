package main

import (
	"context"
	"fmt"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
)

// A slearnTrace is one of the traces that SLearn was evaluated with, as generated.
type slearnTrace struct {
	name   string
	of     string // the paper's name of the trace that it is after, which published numbers go by
	seeds  int
	params paper.SLearn
	// draw makes the trace of a seed in another way; nil: params do. See generate.
	draw func(seed uint64) (halved, error)
}

// slearnTraces were chosen by the controls: estimates err as in Fig. 2 and Table 6, and windows have the loads of Table 5.
func slearnTraces(f form) []*slearnTrace {
	return []*slearnTrace{
		newSLearnTrace(f, "2strace", paper.TwoSigmaFig2()),
		newSLearnTrace(f, "gtrace11", paper.Google11Fig2()),
		newSLearnTrace(f, "gtrace19", paper.Google19Fig2()),
	}
}

// slearnTable4 are the same traces with the variations of Table 4. Estimates err less there; no
// generated trace meets both.
func slearnTable4(f form) []*slearnTrace {
	traces := []*slearnTrace{
		newSLearnTrace(f, "2strace", paper.TwoSigma()),
		newSLearnTrace(f, "gtrace11", paper.Google11()),
		newSLearnTrace(f, "gtrace19", paper.Google19()),
	}
	for _, t := range traces {
		t.name += ", as in Table 4"
	}
	return traces
}

func newSLearnTrace(f form, name string, params paper.SLearn) *slearnTrace {
	if f.few > 0 {
		params.Jobs, params.Drawn = 10*f.few, f.few
	}
	return &slearnTrace{name: name, of: name, seeds: f.seeds, params: params}
}

// A halved is a generated trace: what predictors learn from, and what is scheduled.
type halved struct{ history, execution []*workload.Job }

// generate makes the trace of a seed.
func (t *slearnTrace) generate(seed uint64) (h halved, err error) {
	if t.draw != nil {
		return t.draw(seed)
	}
	g := t.params
	g.Seed = seed
	past, err := g.History()
	if err != nil {
		return h, err
	}
	if h.history, err = workload.ReadAll(past); err != nil {
		return h, err
	}
	drawn, err := g.Source()
	if err != nil {
		return h, err
	}
	h.execution, err = workload.ReadAll(drawn)
	return h, err
}

// A contest is one execution trace on the cluster that it is made for.
type contest struct {
	halved
	nodes, cores int // in all
	seed         uint64
	past         map[learning][]byte // snapshots of predictors that have learned from the history
}

// A learning is a way to learn from jobs.
type learning struct{ total, stages bool }

// contest makes the contest of a seed.
func (t *slearnTrace) contest(seed uint64) (*contest, error) {
	h, err := t.generate(seed)
	return &contest{halved: h, nodes: 150, cores: t.params.Cores, seed: seed}, err
}

func (c *contest) cluster() []policy.Node {
	return sim.Cluster(sim.Partition{Nodes: c.nodes, Cores: int32(c.cores / c.nodes), Speed: 1})
}

// A round is a contest, and how SLearn, 3Sigma and the Oracle did in it, which most tables tell of.
type round struct {
	*contest
	bySLearn, by3Sigma, byOracle outcome
}

// rounds is a bed on which each seed is a round.
func (t *slearnTrace) rounds() *bed[*round] {
	return &bed[*round]{name: t.name, seeds: t.seeds, draw: func(seed uint64) (*round, error) {
		c, err := t.contest(seed)
		return &round{contest: c}, err
	}}
}

// play runs the three, unless they have.
func (d *round) play(ctx context.Context) (err error) {
	if d.byOracle.Result != nil {
		return nil
	}
	if d.bySLearn, err = d.run(ctx, d.sampling()); err != nil {
		return fmt.Errorf("SLearn: %w", err)
	}
	if d.by3Sigma, err = d.run(ctx, d.learned(slearn.HistoryConfig{})); err != nil {
		return fmt.Errorf("3Sigma: %w", err)
	}
	if d.byOracle, err = d.run(ctx, d.oracle); err != nil {
		return fmt.Errorf("the Oracle: %w", err)
	}
	return nil
}

// byRound is an item that tells of one thing that is measured of each round.
func byRound[R any](b *bed[*round], what string, measure func(ctx context.Context, d *round) (R, error), tell func(r *report, runs []R)) item {
	return func(l *lab) func(r *report) {
		t := ask(l, b, what, func(ctx context.Context, d *round) (of R, err error) {
			if err := d.play(ctx); err != nil {
				return of, err
			}
			return measure(ctx, d)
		})
		return func(r *report) { tell(r, t.runs) }
	}
}

package main

import (
	"cmp"
	"context"
	"fmt"

	"example.com/augur/examples/internal/parts"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/paper"
)

// A slearnTrace is one of the traces that SLearn was evaluated with, as generated.
type slearnTrace struct {
	name   string
	seeds  int
	params paper.SLearn
	fig2   paper.SLearn // the same, with errors as in Fig. 2
	days   int          // the window that is best for its history (section 4.2)
	with   []parts.Line
	// draw makes the trace of a seed in another way; nil: params do. See generate.
	draw func(seed uint64, load float64) (halved, error)
}

func slearnTraces(f form) []*slearnTrace {
	return []*slearnTrace{
		newSLearnTrace(f, "2strace", paper.TwoSigma(), paper.TwoSigmaFig2(), 14),
		newSLearnTrace(f, "gtrace11", paper.Google11(), paper.Google11Fig2(), 3),
		newSLearnTrace(f, "gtrace19", paper.Google19(), paper.Google19Fig2(), 3),
	}
}

func newSLearnTrace(f form, name string, params, fig2 paper.SLearn, days int) *slearnTrace {
	if f.few > 0 {
		params.Jobs, params.Drawn = 10*f.few, f.few
		fig2.Jobs, fig2.Drawn = 10*f.few, f.few
	}
	return &slearnTrace{name: name, seeds: f.seeds, params: params, fig2: fig2, days: days, with: f.with}
}

// A halved is a generated trace: what predictors learn from, and what is scheduled.
type halved struct{ history, execution []*workload.Job }

// generate makes the trace of a seed, at a load, or at that of the paper if it is 0.
func (t *slearnTrace) generate(seed uint64, load float64) (h halved, err error) {
	if t.draw != nil {
		return t.draw(seed, load)
	}
	g := t.params
	g.Seed, g.Load = seed, cmp.Or(load, g.Load)
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

// likeFig2 returns the trace of which pilots and history, by the winner's estimate, err as in Fig. 2
// and Table 6. The others go by Table 4, under which they err less; none meets both.
func (t *slearnTrace) likeFig2() *slearnTrace {
	return &slearnTrace{name: t.name + "-fig2", seeds: t.seeds, params: t.fig2, days: t.days}
}

// A contest is one execution trace on the cluster that it is made for.
type contest struct {
	halved
	nodes, cores int // in all
	seed         uint64
	past         map[learning][]byte // snapshots of predictors that have learned from the history
	speeds       []float64           // of as many equal parts of the nodes; nil: of all 1
}

// A learning is a way to learn from jobs.
type learning struct{ total, stages bool }

// contests is a bed on which each seed is a contest.
func (t *slearnTrace) contests() *bed[*contest] {
	return &bed[*contest]{name: t.name + ", contests", seeds: t.seeds, draw: func(seed uint64) (*contest, error) { return t.contest(seed, 0) }}
}

// contest makes the contest of a seed, at a load, or at that of the paper if it is 0.
func (t *slearnTrace) contest(seed uint64, load float64) (*contest, error) {
	h, err := t.generate(seed, load)
	return &contest{halved: h, nodes: 150, cores: t.params.Cores, seed: seed}, err
}

func (c *contest) cluster() []policy.Node {
	speeds := c.speeds
	if speeds == nil {
		speeds = []float64{1}
	}
	return sim.Cluster(each(speeds, func(speed float64) sim.Partition {
		return sim.Partition{Nodes: c.nodes / len(speeds), Cores: int32(c.cores / c.nodes), Speed: speed}
	})...)
}

// twoSpeeds returns the contest on a cluster of which half of the nodes are half as fast as the
// others, and all together as fast as without.
func (c *contest) twoSpeeds() *contest {
	two := *c
	two.speeds = []float64{4. / 3, 2. / 3}
	return &two
}

// A round is a contest, and how SLearn, 3Sigma and the Oracle did in it, which most tables tell of.
type round struct {
	*contest
	bySLearn, by3Sigma, byOracle outcome
}

// rounds is a bed on which each seed is a round, at a load, or at that of the paper if it is 0.
func (t *slearnTrace) rounds(load float64) *bed[*round] {
	name := t.name
	if load > 0 {
		name = fmt.Sprintf("%s at load %v", t.name, load)
	}
	return &bed[*round]{name: name, seeds: t.seeds, draw: func(seed uint64) (*round, error) {
		c, err := t.contest(seed, load)
		return &round{contest: c}, err
	}}
}

// play runs the three, unless they have.
func (d *round) play(ctx context.Context) (err error) {
	if d.byOracle.Result != nil {
		return nil
	}
	if d.bySLearn, err = d.watch(ctx, d.sampling(nil)); err != nil {
		return fmt.Errorf("SLearn: %w", err)
	}
	if d.by3Sigma, err = d.watch(ctx, d.learned(slearn.HistoryConfig{})); err != nil {
		return fmt.Errorf("3Sigma: %w", err)
	}
	if d.byOracle, err = d.watch(ctx, d.oracle); err != nil {
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

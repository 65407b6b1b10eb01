package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/policy"
	"example.com/augur/policy/lines"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
	"example.com/augur/policy/workload"
)

// A wingSystem is a policy of section 6.2, or of ours.
type wingSystem struct {
	name string
	rank func(*lakelab.Lab) (wing.Ranker, error)
	line lines.Line // in place of rank, if it is one
}

var (
	prio = wingSystem{name: "PRIO", rank: func(*lakelab.Lab) (wing.Ranker, error) { return wing.ByPriority(), nil }}
	// wingTied is what is left open of Wing-Direct: which goes first of two jobs that are downloaded never.
	wingTied   = wingSystem{name: "Wing-Direct with ties by compute time", rank: (*lakelab.Lab).DirectByCompute}
	wingAgg    = wingSystem{name: "Wing-Agg", rank: (*lakelab.Lab).Agg}
	wingDirect = wingSystem{name: "Wing-Direct", rank: (*lakelab.Lab).Direct}
	mil        = milOf("MIL", pipeline.ValuationConfig{})
	wingMIL    = milOf("Wing-MIL", pipeline.ValuationConfig{Dependents: true})
	// heedfulMIL minds which dependents fail and which wait: section 7.1 tells of an attempt at that,
	// without numbers.
	heedfulMIL = milOf("Wing-MIL that knows who waits", pipeline.ValuationConfig{Dependents: true, Hard: true})
	// raised is not in the evaluation: footnote 9 says that it can be done.
	raised = wingSystem{name: "PRIO with upstream jobs raised", rank: (*lakelab.Lab).Raise}
	// worthMIL is what the line index-mil divides by.
	worthMIL = wingSystem{name: "what Wing-MIL's jobs are worth", rank: func(l *lakelab.Lab) (wing.Ranker, error) {
		return l.Worth(pipeline.ValuationConfig{Dependents: true})
	}}
	oracleAgg     = oracleOf(true)
	oracleDirect  = oracleOf(false)
	oracleMIL     = wingSystem{name: "Oracle MIL", rank: func(l *lakelab.Lab) (wing.Ranker, error) { return l.OracleMIL(false) }}
	oracleWingMIL = wingSystem{name: "Oracle Wing-MIL", rank: func(l *lakelab.Lab) (wing.Ranker, error) { return l.OracleMIL(true) }}
)

func milOf(name string, c pipeline.ValuationConfig) wingSystem {
	return wingSystem{name: name, rank: func(l *lakelab.Lab) (wing.Ranker, error) { return l.MIL(c) }}
}

// oracleOf is Wing-Agg, or Wing-Direct, by what is true.
func oracleOf(aggregate bool) wingSystem {
	name := "Oracle Wing-Direct"
	if aggregate {
		name = "Oracle Wing-Agg"
	}
	return wingSystem{name: name, rank: func(l *lakelab.Lab) (wing.Ranker, error) { return l.Oracle(aggregate, nil) }}
}

// wingLine is a line of parts.
func wingLine(l lines.Line) wingSystem { return wingSystem{name: l.String(), line: l} }

// A wingError is how efficiencies are wrong: each is multiplied by something between 1/most and most.
type wingError struct {
	most        float64
	logarithmic bool // uniform in its logarithm, instead of in itself
}

// String says the multiplier.
func (e wingError) String() string {
	if e.logarithmic {
		return fmt.Sprintf("%v, uniform in the logarithm", e.most)
	}
	return fmt.Sprint(e.most)
}

// oracle is Oracle Wing-Agg with such errors.
func (e wingError) oracle() wingSystem {
	return wingSystem{name: "Oracle Wing-Agg wrong by up to " + e.String(), rank: func(l *lakelab.Lab) (wing.Ranker, error) {
		rng := rand.New(rand.NewPCG(1, 0x7368696674))
		return l.Oracle(true, func() float64 {
			if e.logarithmic {
				return math.Pow(e.most, 2*rng.Float64()-1)
			}
			return 1/e.most + rng.Float64()*(e.most-1/e.most)
		})
	}}
}

// A wingRun is a policy at a capacity.
type wingRun struct {
	system   wingSystem
	capacity int  // percent
	one      bool // a queue for the whole cluster, instead of one with hard boundaries for each organisation
	way      wingWay
}

// workload names the jobs and the queues.
func (w wingRun) workload() string {
	if w.one {
		return "lake, one queue"
	}
	return "lake, queues of organisations"
}

// A wingOutcome is what became of the jobs, in percent.
type wingOutcome struct {
	value float64 // attained, of what is achievable
	// Failed are jobs of which an input was not there: of all, of those that recur and of the ad-hoc ones.
	failed, recurring, adHoc float64
}

// ask asks for the trial of a run.
func (w wingRun) ask(l *lab, b *bed[*wingLake]) *trial[wingOutcome] {
	name := fmt.Sprintf("%s at %d %%, %s", w.system.name, w.capacity, w.workload())
	if w.way.name != "" {
		name += ", " + w.way.name
	}
	return ask(l, b, name, w.run)
}

// scheduler makes the policy. What ranks the jobs is made once for all runs that know as much.
func (w wingRun) scheduler(b *wingLake, truth policy.Truth) (policy.Scheduler, error) {
	var queues []wing.Queue
	if !w.one {
		queues = b.learnt.Queues(true)
	}
	if w.system.line.Turn != "" {
		return underLine(w.system.line, lines.Setting{Truth: truth, Seed: b.seed, Queues: queues, Ranker: b.rankerOf}, nil)
	}
	ranker, err := b.ranker(w.system)
	if err != nil {
		return nil, err
	}
	return wing.NewScheduler(wing.Config{Ranker: ranker, Queues: queues})
}

// run runs the jobs of a lake.
func (w wingRun) run(ctx context.Context, b *wingLake) (o wingOutcome, err error) {
	if err := b.learn(w.way); err != nil {
		return o, err
	}
	const cores = 20 // of a node
	jobs, truth := workload.Split(b.jobs)
	s, err := w.scheduler(b, truth)
	if err != nil {
		return o, err
	}
	nodes := sim.Cluster(sim.Partition{Nodes: b.cores * w.capacity / 100 / cores, Cores: cores})
	result, err := sim.Run(ctx, sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth}, s)
	if err != nil {
		return o, err
	}
	var failed, all [2]float64 // recurring, ad hoc
	for i := range result.Jobs {
		kind := 0
		if b.adHoc[i] {
			kind = 1
		}
		all[kind]++
		if !result.Jobs[i].Done() {
			failed[kind]++
		}
	}
	return wingOutcome{
		value:     b.learnt.Attained(result),
		failed:    100 * (failed[0] + failed[1]) / (all[0] + all[1]),
		recurring: 100 * failed[0] / all[0], adHoc: 100 * failed[1] / all[1],
	}, nil
}

func value(o wingOutcome) float64 { return o.value }

func failed(o wingOutcome) float64 { return o.failed }

// figure is where the paper tells of a run.
func (w wingRun) figure() string {
	switch {
	case w.system.name == raised.name:
		return "4.4"
	case w.system.name == heedfulMIL.name:
		return "7.1"
	case w.one:
		return "Fig. 12"
	case w.system.name == wingDirect.name || w.system.name == wingTied.name || w.system.name == oracleDirect.name:
		return "Fig. 11"
	}
	return "Fig. 10"
}

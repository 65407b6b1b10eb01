package main

import (
	"context"
	"slices"
	"time"

	"example.com/augur/examples/lab/sigma"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/lines"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/threesigma/plan"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// A sigmaSystem is one of section 5 or 6.2, with a change. The name tells it from others.
type sigmaSystem struct {
	name   string
	system sigma.System
	change func(c *threesigma.Config)
	// forecast, if not nil, makes another one than the system has.
	forecast func(d *sigmaJobs) (central.Forecast, error)
	line     lines.Line // in place of all that, if it is one
	// other, if not nil, makes another policy than one of these.
	other func() policy.Scheduler
}

// The systems, with the names that the paper has.
var (
	threeSigma = sigmaSystem{name: "3Sigma", system: sigma.ThreeSigma}
	perfEst    = sigmaSystem{name: "PointPerfEst", system: sigma.PointPerfEst}
	realEst    = sigmaSystem{name: "PointRealEst", system: sigma.PointRealEst}
	strictPrio = sigmaSystem{name: "Prio", system: sigma.Prio}
	noDist     = sigmaSystem{name: "3SigmaNoDist", system: sigma.NoDist}
	noOE       = sigmaSystem{name: "3SigmaNoOE", system: sigma.NoOE}
	noAdapt    = sigmaSystem{name: "3SigmaNoAdapt", system: sigma.NoAdapt}
)

// sigmaLine is a line of parts.
func sigmaLine(l lines.Line) sigmaSystem { return sigmaSystem{name: l.String(), line: l} }

// with returns a system that differs in something.
func (s sigmaSystem) with(what string, change func(c *threesigma.Config)) sigmaSystem {
	s.name += ", " + what
	s.change = change
	return s
}

// scheduler makes the scheduler for some jobs.
func (s *sigmaSystem) scheduler(d *sigmaJobs, truth policy.Truth) (*threesigma.Scheduler, error) {
	c := threesigma.Config{GiveUpLate: true, Solver: plan.Search{}, Iterations: d.iterations}
	var p *predict.Predictor
	var err error
	if s.system != sigma.Prio && s.system != sigma.PointPerfEst && s.forecast == nil {
		if p, err = d.predictor(); err != nil {
			return nil, err
		}
	}
	if s.forecast == nil {
		c, err = s.system.Configure(c, p, truth)
	} else {
		c.Forecast, err = s.forecast(d)
		if s.system == sigma.PointRealEst {
			c.Overestimate.Handling = threesigma.Never
		}
	}
	if err != nil {
		return nil, err
	}
	if d.change != nil {
		d.change(&c)
	}
	if s.change != nil {
		s.change(&c)
	}
	return threesigma.NewScheduler(c)
}

// under makes what the jobs run under.
func (s *sigmaSystem) under(d *sigmaJobs, truth policy.Truth) (policy.Scheduler, error) {
	switch {
	case s.other != nil:
		return s.other(), nil
	case s.line.Turn == "":
		return s.scheduler(d, truth)
	}
	c := threesigma.Config{GiveUpLate: true, Solver: plan.Search{}, Iterations: d.iterations}
	if d.change != nil {
		d.change(&c)
	}
	setting := lines.Setting{Truth: truth, Seed: d.seed, ThreeSigma: c}
	if s.line.Turn == "3sigma" {
		setting.Seed = c.Seed // the luck of the solver is that of the other systems
	}
	return underLine(s.line, setting, d.history)
}

// ask asks for the trial of a system.
func (b *sigmaBed) ask(l *lab, s sigmaSystem) *trial[sigmaRun] {
	return ask(l, b.bed(), s.name, s.run)
}

// asks asks for the trials of some systems.
func (b *sigmaBed) asks(l *lab, systems ...sigmaSystem) []*trial[sigmaRun] {
	return each(systems, func(s sigmaSystem) *trial[sigmaRun] { return b.ask(l, s) })
}

// A sigmaRun is what became of the jobs of one seed.
type sigmaRun struct {
	miss    float64 // deadlines, %
	tight   float64 // of those missed, with less slack than there is between cycles, %
	givenUp float64 // of those missed, %
	goodput float64 // machine-hours, see sigmaItems
	best    float64 // that of best-effort jobs
	latency float64 // mean response time of best-effort jobs, s
	lost    float64 // machine-hours of copies that were killed
}

type sigmaFigure = figure[sigmaRun]

// What is told of each run.
var (
	missed  = sigmaFigure{"deadlines missed under %s, %%", func(o sigmaRun) float64 { return o.miss }}
	tight   = sigmaFigure{"those missed under %s with less slack than 10 s, %%", func(o sigmaRun) float64 { return o.tight }}
	givenUp = sigmaFigure{"those missed under %s that were given up, %%", func(o sigmaRun) float64 { return o.givenUp }}
	goodput = sigmaFigure{"goodput under %s, machine-hours", func(o sigmaRun) float64 { return o.goodput }}
	best    = sigmaFigure{"best-effort goodput under %s, machine-hours", func(o sigmaRun) float64 { return o.best }}
	latency = sigmaFigure{"best-effort response time under %s, mean, s", func(o sigmaRun) float64 { return o.latency }}
	lost    = sigmaFigure{"lost to preemption under %s, machine-hours", func(o sigmaRun) float64 { return o.lost }}
)

// tellLess tells of the deadlines that are missed under some systems less those under another.
func tellLess(r *report, item, than string, us *trial[sigmaRun], trials ...*trial[sigmaRun]) {
	for _, t := range trials {
		r.add(item, t.bed, "deadlines missed under "+t.system+" less those "+than+", % of all", unpublished, t.less(us, missed.of))
	}
}

// missedInAll reports whether a deadline is missed in each run.
func missedInAll(t *trial[sigmaRun]) bool {
	return !slices.ContainsFunc(t.runs, func(o sigmaRun) bool { return o.miss == 0 })
}

// run runs jobs under the system.
func (s *sigmaSystem) run(ctx context.Context, d *sigmaJobs) (o sigmaRun, err error) {
	jobs, truth := workload.Split(d.jobs)
	scheduler, err := s.under(d, truth)
	if err != nil {
		return o, err
	}
	result, err := sim.Run(ctx, sim.Config{Nodes: d.nodes, Jobs: jobs, Truth: truth}, scheduler)
	if err != nil {
		return o, err
	}
	return sigmaMeasure(result, d.jobs[len(d.jobs)-1].Submitted), nil
}

// sigmaMeasure measures a run in which the last job came at an instant.
func sigmaMeasure(result *sim.Result, last policy.Time) (o sigmaRun) {
	slo, missed, done := 0, 0, 0
	for i := range result.Jobs {
		j := &result.Jobs[i]
		o.lost += j.Wasted / 3600
		if j.SLO != nil {
			slo++
			if !j.MetDeadline() {
				missed++
				if j.SLO.Deadline.Sub(j.Submitted) < j.Ideal+10*time.Second {
					o.tight++
				}
				if j.Outcome == policy.GivenUp {
					o.givenUp++
				}
			}
		}
		if !j.Done() {
			continue
		}
		// The gang that finished held its nodes for so long, until it did.
		held := (j.Service - j.Wasted) / float64(j.Tasks)
		from := max(j.Ended.Seconds()-held, result.Begin.Seconds())
		useful := float64(j.Tasks) * max(min(j.Ended, last).Seconds()-from, 0) / 3600
		o.goodput += useful
		if j.SLO == nil {
			done++
			o.latency += j.JCT().Seconds()
			o.best += useful
		}
	}
	o.tight = 100 * o.tight / float64(missed)
	o.givenUp = 100 * o.givenUp / float64(missed)
	o.miss = 100 * float64(missed) / float64(slo)
	o.latency /= float64(done)
	return o
}

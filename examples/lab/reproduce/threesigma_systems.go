package main

import (
	"context"

	"example.com/augur/examples/lab/sigma"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/threesigma/plan"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// A sigmaSystem is one of section 5 or 6.2. The name tells it from others.
type sigmaSystem struct {
	name   string
	system sigma.System
	// forecast, if not nil, makes another one than the system has.
	forecast func(d *sigmaJobs) (central.Forecast, error)
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

// scheduler makes the scheduler for some jobs.
func (s *sigmaSystem) scheduler(d *sigmaJobs, truth policy.Truth) (policy.Scheduler, error) {
	if s.other != nil {
		return s.other(), nil
	}
	c := threesigma.Config{GiveUpLate: true, Solver: plan.Search{}}
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
	return threesigma.NewScheduler(c)
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
	goodput float64 // machine-hours, see sigmaItems
	best    float64 // that of best-effort jobs
}

type sigmaFigure = figure[sigmaRun]

// What is told of each run.
var (
	missed  = sigmaFigure{"deadlines missed under %s, %%", func(o sigmaRun) float64 { return o.miss }}
	goodput = sigmaFigure{"goodput under %s, machine-hours", func(o sigmaRun) float64 { return o.goodput }}
	best    = sigmaFigure{"best-effort goodput under %s, machine-hours", func(o sigmaRun) float64 { return o.best }}
)

// run runs jobs under the system.
func (s *sigmaSystem) run(ctx context.Context, d *sigmaJobs) (o sigmaRun, err error) {
	jobs, truth := workload.Split(d.jobs)
	scheduler, err := s.scheduler(d, truth)
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
	slo, missed := 0, 0
	for i := range result.Jobs {
		j := &result.Jobs[i]
		if j.SLO != nil {
			slo++
			if !j.MetDeadline() {
				missed++
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
			o.best += useful
		}
	}
	o.miss = 100 * float64(missed) / float64(slo)
	return o
}

package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// A sigmaSystem is one of section 5 or 6.2, with a change. The name tells it from others.
type sigmaSystem struct {
	name   string
	system threesigma.System
	change func(c *threesigma.Config)
	// estimator, if not nil, makes another one than the system has, for the jobs of a seed.
	estimator func(seed uint64, d *sigmaJobs) (threesigma.Estimator, error)
}

// The systems, with the names that the paper has.
var (
	threeSigma = sigmaSystem{name: "3Sigma", system: threesigma.ThreeSigma}
	perfEst    = sigmaSystem{name: "PointPerfEst", system: threesigma.PointPerfEst}
	realEst    = sigmaSystem{name: "PointRealEst", system: threesigma.PointRealEst}
	strictPrio = sigmaSystem{name: "Prio", system: threesigma.Prio}
	noDist     = sigmaSystem{name: "3SigmaNoDist", system: threesigma.NoDist}
	noOE       = sigmaSystem{name: "3SigmaNoOE", system: threesigma.NoOE}
	noAdapt    = sigmaSystem{name: "3SigmaNoAdapt", system: threesigma.NoAdapt}
)

// with returns a system that differs in something.
func (s sigmaSystem) with(what string, change func(c *threesigma.Config)) sigmaSystem {
	s.name += ", " + what
	s.change = change
	return s
}

// scheduler makes the scheduler for jobs of a seed.
func (s *sigmaSystem) scheduler(f form, seed uint64, d *sigmaJobs, truth policy.Truth) (*threesigma.Scheduler, error) {
	c := threesigma.Config{Late: threesigma.GiveUpLate}
	if !f.full {
		c.Iterations = 200
	}
	var p *predict.Predictor
	var err error
	if s.system != threesigma.Prio && s.system != threesigma.PointPerfEst && s.estimator == nil {
		if p, err = d.predictor(); err != nil {
			return nil, err
		}
	}
	if s.estimator == nil {
		c, err = s.system.Configure(c, p, truth)
	} else {
		c.Estimator, err = s.estimator(seed, d)
		if s.system == threesigma.PointRealEst {
			c.Overestimate.Handling = threesigma.Never
		}
	}
	if err != nil {
		return nil, err
	}
	if s.change != nil {
		s.change(&c)
	}
	return threesigma.NewScheduler(c)
}

// A sigmaLab runs systems on beds, each pair once, however many figures tell of it.
type sigmaLab struct {
	form   form
	trials map[[2]string]*sigmaTrial // by bed and system
	order  []*sigmaTrial
}

// A sigmaTrial is a system on a bed, and what came of it, by seed.
type sigmaTrial struct {
	bed    *sigmaBed
	system sigmaSystem
	told   func(seed uint64, d *sigmaJobs) (sigmaRun, error) // what is told of the jobs alone; nil: they run
	runs   []sigmaRun
}

// A sigmaRun is what became of the jobs of one seed.
type sigmaRun struct {
	miss        float64 // deadlines, %
	tight       float64 // of those missed, with less slack than there is between cycles, %
	givenUp     float64 // of those missed, %
	goodput     float64 // machine-hours, see reproduceThreeSigma
	best        float64 // that of best-effort jobs
	latency     float64 // mean response time of best-effort jobs, s
	lost        float64 // machine-hours of copies that were killed
	near        float64 // estimates within a factor of two, %
	under, over float64 // estimates too low, and too high, by more than a tenth, %
}

// ask returns what will be the trial of a system on a bed.
func (l *sigmaLab) ask(b *sigmaBed, s sigmaSystem) *sigmaTrial {
	return l.add(&sigmaTrial{bed: b, system: s})
}

// asks returns what will be the trials of systems on a bed.
func (l *sigmaLab) asks(b *sigmaBed, systems ...sigmaSystem) []*sigmaTrial {
	return each(systems, func(s sigmaSystem) *sigmaTrial { return l.ask(b, s) })
}

// add adds a trial, or returns the one of that bed and system which is there.
func (l *sigmaLab) add(t *sigmaTrial) *sigmaTrial {
	key := [2]string{t.bed.name, t.system.name}
	if old := l.trials[key]; old != nil {
		return old
	}
	if l.trials == nil {
		l.trials = make(map[[2]string]*sigmaTrial)
	}
	l.trials[key] = t
	l.order = append(l.order, t)
	return t
}

// run runs the trials that were asked for, each seed by itself.
func (l *sigmaLab) run(ctx context.Context) error {
	type one struct {
		t    *sigmaTrial
		seed uint64
	}
	var all []one
	for _, t := range l.order {
		for _, seed := range firstSeeds(t.bed.seeds) {
			all = append(all, one{t, seed})
		}
	}
	runs, err := inEach(ctx, all, func(o one) (sigmaRun, error) {
		run, err := o.t.run(ctx, l.form, o.seed)
		if err != nil {
			err = fmt.Errorf("%s, %s, seed %d: %w", o.t.bed.name, o.t.system.name, o.seed, err)
		}
		return run, err
	})
	if err != nil {
		return err
	}
	for i, o := range all {
		o.t.runs = append(o.t.runs, runs[i])
	}
	return nil
}

// run runs the jobs of a seed.
func (t *sigmaTrial) run(ctx context.Context, f form, seed uint64) (o sigmaRun, err error) {
	d, err := t.bed.draw(seed)
	if err != nil {
		return o, err
	}
	if t.told != nil {
		return t.told(seed, &d)
	}
	jobs, truth := workload.Split(workload.Of(d.jobs))
	s, err := t.system.scheduler(f, seed, &d, truth)
	if err != nil {
		return o, err
	}
	result, err := sim.Run(ctx, sim.Config{Nodes: t.bed.cluster(), Jobs: jobs, Truth: truth}, s)
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

// less returns by how much a number is less in other runs of the same seeds.
func (t *sigmaTrial) less(other *sigmaTrial, of func(o sigmaRun) float64) []float64 {
	return t.paired(other, of, func(x, y float64) float64 { return x - y })
}

// times returns how many times as much a number is as in other runs of the same seeds. If in one of these it
// is 0, it is the one ratio of the sums over all seeds, and none if that is 0 too.
func (t *sigmaTrial) times(other *sigmaTrial, of func(o sigmaRun) float64) []float64 {
	ratios := t.paired(other, of, func(x, y float64) float64 { return x / y })
	if !slices.ContainsFunc(other.runs, func(o sigmaRun) bool { return of(o) == 0 }) {
		return ratios
	}
	x, y := 0.0, 0.0
	for i := range t.runs {
		x += of(t.runs[i])
		y += of(other.runs[i])
	}
	if y == 0 {
		return nil
	}
	return []float64{x / y}
}

func (t *sigmaTrial) paired(other *sigmaTrial, of func(o sigmaRun) float64, by func(x, y float64) float64) []float64 {
	out := make([]float64, len(t.runs))
	for i := range out {
		out[i] = by(of(t.runs[i]), of(other.runs[i]))
	}
	return out
}

// missedInAll reports whether a deadline is missed in each run.
func (t *sigmaTrial) missedInAll() bool {
	return !slices.ContainsFunc(t.runs, func(o sigmaRun) bool { return o.miss == 0 })
}

func missed(o sigmaRun) float64 { return o.miss }

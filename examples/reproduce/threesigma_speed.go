package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/threesigma/plan"
	"example.com/augur/policy/workload"
)

// sigmaClock ends the metrics that are measured by the clock, which no run repeats.
const sigmaClock = ", by the clock"

// sigmaSpeed is Fig. 11: how long a cycle and its solver take on the 12,583 nodes of Google's cell, at a
// load of 0.95, with 2000, 3000 and 4000 jobs an hour. The jobs are those of E2E, with all times longer
// so that they come at that rate, for five hours; in the quick form for one, at the highest rate. The
// cluster is empty at first, and fills. The solver has as many iterations as
// threesigma.Config says, in both forms. One run goes on at a time, and those of one seed; on a
// machine that does other work the times say little.
//
// Published as a number is only that no prediction took more than 14 ms.
func sigmaSpeed(ctx context.Context, r *report, f form) error {
	for _, rate := range sigmaSome(f, []int{2000, 3000, 4000}, 2) {
		jobs := rate
		if f.full {
			jobs *= 5
		}
		if f.few > 0 {
			jobs = f.few
		}
		b := sigmaE2E(form{seeds: 1}, jobs, func(e *workload.E2E) { e.Nodes, e.Load = 12_583, 0.95 })
		b = b.over(float64(jobs) / float64(rate))
		b.name = fmt.Sprintf("12,583 nodes, %d jobs an hour", rate)
		for _, s := range []sigmaSystem{threeSigma, realEst} {
			if err := sigmaTimed(ctx, r, b, s); err != nil {
				return fmt.Errorf("%s, %s: %w", b.name, s.name, err)
			}
		}
	}
	return nil
}

// sigmaTimed tells of one system on one bed.
func sigmaTimed(ctx context.Context, r *report, b *sigmaBed, s sigmaSystem) error {
	d, err := b.draw(1)
	if err != nil {
		return err
	}
	jobs, truth := workload.Split(workload.Of(d.jobs))
	var solves, predictions watch
	s.change = func(c *threesigma.Config) {
		c.Iterations = 0 // what is usual
		c.Solver = &watchedSolver{plan.Search{}, &solves}
		c.Estimator = &watchedEstimator{c.Estimator, &predictions}
	}
	scheduler, err := s.scheduler(form{}, 1, &d, truth)
	if err != nil {
		return err
	}
	w := &watchedScheduler{Scheduler: scheduler, last: d.jobs[len(d.jobs)-1].Submitted}
	_, err = sim.Run(ctx, sim.Config{Nodes: b.cluster(), Jobs: jobs, Truth: truth}, w)
	if err != nil && !errors.Is(err, errSeen) {
		return err
	}
	for _, m := range []struct {
		what      string
		took      watch
		published float64
	}{{"cycle", w.cycles, unpublished}, {"solver", solves, unpublished}, {"prediction", predictions, 14}} {
		r.add("Fig. 11", b.name, fmt.Sprintf("%s under %s, median, ms%s", m.what, s.name, sigmaClock), unpublished, []float64{percentile(m.took, 0.5)})
		r.add("Fig. 11", b.name, fmt.Sprintf("%s under %s, P99, ms%s", m.what, s.name, sigmaClock), unpublished, []float64{percentile(m.took, 0.99)})
		r.add("Fig. 11", b.name, fmt.Sprintf("%s under %s, maximum, ms%s", m.what, s.name, sigmaClock), m.published, []float64{slices.Max(m.took)})
	}
	r.add("Fig. 11", b.name, fmt.Sprintf("options of a cycle under %s, maximum", s.name), unpublished, []float64{float64(w.options)})
	return nil
}

// A watch keeps how long things took, in ms.
type watch []float64

// note notes that something is over that began then.
func (w *watch) note(begin time.Time) { *w = append(*w, 1e3*time.Since(begin).Seconds()) }

type watchedSolver struct {
	plan.Solver
	took *watch
}

func (s *watchedSolver) Solve(ctx context.Context, p *plan.Problem, o plan.Options) (plan.Solution, error) {
	defer s.took.note(time.Now())
	return s.Solver.Solve(ctx, p, o)
}

type watchedEstimator struct {
	threesigma.Estimator
	took *watch
}

func (e *watchedEstimator) Estimate(j *policy.Job, stage uint32, now policy.Time) (threesigma.Distribution, bool) {
	defer e.took.note(time.Now())
	return e.Estimator.Estimate(j, stage, now)
}

// A watchedScheduler watches steps in which there is a cycle, until the last job has come.
type watchedScheduler struct {
	*threesigma.Scheduler
	last    policy.Time
	cycles  watch
	options int
}

// errSeen ends a run of which all has been seen that is told.
var errSeen = errors.New("the last job has come")

// Step is [policy.Scheduler].
func (w *watchedScheduler) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if ev.Time > w.last {
		return actions, errSeen
	}
	begin, n := time.Now(), w.Last().N
	actions, err := w.Scheduler.Step(ev, actions)
	if c := w.Last(); c.N > n {
		w.cycles.note(begin)
		w.options = max(w.options, c.Options)
	}
	return actions, err
}

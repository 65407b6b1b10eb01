package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
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
func sigmaSpeed(f form) item {
	var beds []*bed[*sigmaJobs]
	for _, rate := range []int{4000} {
		jobs := rate
		if f.full {
			jobs *= 5
		}
		if f.few > 0 {
			jobs = f.few
		}
		b := sigmaE2E(form{seeds: 1}, jobs, func(e *paper.E2E) { e.Nodes, e.Load = 12_583, 0.95 })
		b = b.over(float64(jobs) / float64(rate))
		b.name, b.iterations = fmt.Sprintf("12,583 nodes, %d jobs an hour", rate), 0
		timed := b.bed()
		timed.clock = true
		beds = append(beds, timed)
	}
	return func(l *lab) func(r *report) {
		var trials []*trial[sigmaTook]
		for _, b := range beds {
			for _, s := range []sigmaSystem{threeSigma, realEst} {
				trials = append(trials, ask(l, b, s.name, s.timed))
			}
		}
		return func(r *report) {
			for _, t := range trials {
				tellTimes(r, t)
			}
		}
	}
}

// sigmaTook are how long things took, and how many options a cycle had at most.
type sigmaTook struct {
	cycles, solves, predictions watch
	options                     int
}

func tellTimes(r *report, t *trial[sigmaTook]) {
	times := t.runs[0]
	for _, m := range []struct {
		what      string
		took      watch
		published float64 // the longest
	}{{"cycle", times.cycles, unpublished}, {"solver", times.solves, unpublished}, {"prediction", times.predictions, 14}} {
		add := func(metric string, published, ms float64) {
			r.add("Fig. 11", t.bed, fmt.Sprintf("%s under %s, %s, ms%s", m.what, t.system, metric, sigmaClock), published, []float64{ms})
		}
		add("median", unpublished, percentile(m.took, 0.5))
		add("P99", unpublished, percentile(m.took, 0.99))
		add("maximum", m.published, slices.Max(m.took))
	}
	r.add("Fig. 11", t.bed, fmt.Sprintf("options of a cycle under %s, maximum", t.system), unpublished, []float64{float64(times.options)})
}

// timed runs jobs under the system until the last has come.
func (s sigmaSystem) timed(ctx context.Context, d *sigmaJobs) (times sigmaTook, err error) {
	s.change = func(c *threesigma.Config) {
		c.Solver = &watchedSolver{plan.Search{}, &times.solves}
		c.Forecast = &watchedForecast{c.Forecast, &times.predictions}
	}
	jobs, truth := workload.Split(d.jobs)
	scheduler, err := s.scheduler(d, truth)
	if err != nil {
		return times, err
	}
	w := &watchedScheduler{Scheduler: scheduler, last: d.jobs[len(d.jobs)-1].Submitted}
	_, err = sim.Run(ctx, sim.Config{Nodes: d.nodes, Jobs: jobs, Truth: truth}, w)
	if err != nil && !errors.Is(err, errSeen) {
		return times, err
	}
	times.cycles, times.options = w.cycles, w.options
	return times, nil
}

// A watch keeps how long things took, in ms.
type watch []float64

// note notes that something is over that began then.
func (w *watch) note(begin time.Time) { *w = append(*w, 1e3*time.Since(begin).Seconds()) }

type watchedSolver struct {
	plan.Solver
	took *watch
}

func (s *watchedSolver) Solve(ctx context.Context, p *plan.Problem, o plan.SolveConfig) (plan.Solution, error) {
	defer s.took.note(time.Now())
	return s.Solver.Solve(ctx, p, o)
}

type watchedForecast struct {
	central.Forecast
	took *watch
}

func (f *watchedForecast) Runtime(j *central.Job, stage uint32) (central.Distribution, bool) {
	defer f.took.note(time.Now())
	return f.Forecast.Runtime(j, stage)
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

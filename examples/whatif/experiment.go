package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	fits "example.com/augur/policy/experiment" // experiment is a type here
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// An experiment is a replay of the jobs, with questions.
type experiment struct {
	*options
	cli.Jobs
	ctx       context.Context
	stderr    io.Writer
	requested int // that said no requested time and got one
	waited    int // as the first replay shows
	cluster   []policy.Node
}

// prepare sizes the cluster and completes the jobs.
func (e *experiment) prepare() error {
	for _, j := range e.List {
		if err := foreseen(&j.Job); err != nil {
			return cli.Usagef("%s is not for this program: %w", e.Name, err)
		}
	}
	var err error
	if e.cluster, err = e.Fit(&e.Jobs); err != nil {
		return err
	}
	if err := fits.Fit(e.List, e.cluster); err != nil {
		return err
	}
	if e.policy.name == "easy" {
		e.List, e.requested, err = e.Requested()
	}
	return err
}

// A told is an answer beside what came true.
type told struct {
	Asked
	name       string // that the log gives the job, or else its ID
	start, end policy.Time
	runtime    float64   // mean of its tasks and gangs, in seconds
	beside     []float64 // those of Beside
}

type outcome struct {
	told    []told
	unknown int
	jobs    map[policy.JobID]*sim.JobRecord // those that are done
}

// run replays the jobs, and asks about some of them, before that about those of the past.
func (e *experiment) run(past, ask []policy.JobID) (*outcome, error) {
	features := e.Features
	if features == nil {
		features = append(predict.ThreeSigmaFeatures(), predict.All)
	}
	history := func() (*forecast.History, error) {
		p, err := predict.New(predict.Config{Features: features})
		if err != nil {
			return nil, err
		}
		return forecast.NewHistory(forecast.HistoryConfig{Predictor: p})
	}
	// Each has its own, since 3Sigma's scheduler teaches the one that it is given.
	own, err := history()
	if err != nil {
		return nil, err
	}
	p, err := e.policy.of(own, e.seed)
	if err != nil {
		return nil, err
	}
	known, err := history()
	if err != nil {
		return nil, err
	}
	recorder, err := NewRecorder(e.ctx, p, known, Outlook{
		Policy: func(known central.Forecast) (policy.Scheduler, error) {
			return e.policy.of(known, e.seed)
		},
		Samples: e.samples, Seed: e.seed,
	}, past, ask)
	if err != nil {
		return nil, err
	}
	jobs, truth := workload.Split(e.List)
	progress := cli.NewProgress(e.stderr, fmt.Sprintf("%s, %d questions", e.policy.name, len(past)+len(ask)), len(e.List))
	result, err := sim.Run(e.ctx, sim.Config{Nodes: e.cluster, Jobs: jobs, Truth: truth, Progress: progress.Show}, recorder)
	progress.Clear()
	if err != nil {
		return nil, err
	}
	answers, unknown := recorder.Answers()
	out := &outcome{unknown: unknown, jobs: make(map[policy.JobID]*sim.JobRecord)}
	for i := range result.Jobs {
		if r := &result.Jobs[i]; r.Done() {
			out.jobs[r.ID] = r
		}
	}
	truths := make(map[policy.JobID]*workload.Job, len(e.List))
	for _, j := range e.List {
		truths[j.ID] = j
	}
	for _, a := range answers {
		r := out.jobs[a.Job]
		if r == nil {
			return nil, fmt.Errorf("job %d, which was asked about, is not done", a.Job)
		}
		x := told{Asked: a, name: cmp.Or(truths[a.Job].Name, fmt.Sprint(a.Job)), start: r.FirstStart, end: r.Ended, runtime: truths[a.Job].MeanUnit()}
		for _, b := range a.Beside {
			x.beside = append(x.beside, truths[b.Job].MeanUnit())
		}
		out.told = append(out.told, x)
	}
	return out, nil
}

// choose draws the jobs to ask about from those that waited, except those among the first tenth of all jobs, from which the
// predictor learns, and the first fifth of those that waited. The past are the last that waited before the first drawn job.
func (e *experiment) choose(o *outcome) (past, ask []policy.JobID) {
	var waited []policy.JobID
	early := 0
	for i, j := range e.List {
		if r := o.jobs[j.ID]; r != nil && r.FirstStart > r.Submitted {
			waited = append(waited, j.ID)
			if i < len(e.List)/10 {
				early++
			}
		}
	}
	e.waited = len(waited)
	early = max(early, len(waited)/5)
	drawn := rand.New(rand.NewPCG(e.seed, 0)).Perm(len(waited) - early)
	drawn = drawn[:min(len(drawn), e.ask)]
	if len(drawn) == 0 {
		return nil, nil
	}
	slices.Sort(drawn)
	for _, i := range drawn {
		ask = append(ask, waited[early+i])
	}
	first := early + drawn[0]
	return waited[max(0, first-e.past):first], ask
}

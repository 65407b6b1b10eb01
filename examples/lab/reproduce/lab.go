package main

import (
	"cmp"
	"context"
	"fmt"

	"example.com/augur/internal/parallel"
)

// An item is a table, a figure or a section of a paper: it asks a lab for the trials that it needs, and
// tells of them once they are done.
type item func(l *lab) (tell func(r *report))

// notRun is the metric of what could not be run.
const notRun = "not run"

// skipped notes that what belongs to an item could not be run, and why.
func skipped(name, workload string, why error) item {
	return func(*lab) func(r *report) {
		return func(r *report) {
			r.lines = append(r.lines, line{Paper: r.paper, Item: name, Workload: workload, Metric: notRun, Note: why.Error()})
		}
	}
}

// A bed is a cluster and jobs for it, which D has: those of the seeds 1, 2, 3 and so on, or of as many later ones.
type bed[D any] struct {
	name  string // tells it from others
	seeds int
	draw  func(seed uint64) (D, error)
}

// A trial is a system on a bed, both by their names, and what came of it, by seed. R holds no more than
// what is told of it: all trials are kept until all is told.
type trial[R any] struct {
	bed, system string
	runs        []R
}

// A lab runs systems on beds, each pair once, however many items tell of it.
type lab struct {
	from   int      // seeds that are left out, from 1
	beds   []*asked // in the order in which they were asked for
	byName map[string]*asked
}

// An asked bed is one of whatever type, with what is to be run on it.
type asked struct {
	name   string
	seeds  int
	draw   func(seed uint64) (any, error)
	trials map[string]any                                      // by system
	runs   []func(ctx context.Context, jobs any, at int) error // in the order in which they were asked for
}

// ask returns what will be the trial of a system on a bed: of a policy, or of what only looks at the jobs.
// What run is given is drawn once for each seed; the systems on a bed share it, one after the other.
func ask[D, R any](l *lab, b *bed[D], system string, run func(ctx context.Context, jobs D) (R, error)) *trial[R] {
	on := l.byName[b.name]
	if on == nil {
		on = &asked{b.name, b.seeds, func(seed uint64) (any, error) { return b.draw(seed) }, map[string]any{}, nil}
		if l.byName == nil {
			l.byName = map[string]*asked{}
		}
		l.byName[b.name] = on
		l.beds = append(l.beds, on)
	}
	if t, ok := on.trials[system]; ok {
		return t.(*trial[R])
	}
	t := &trial[R]{b.name, system, make([]R, b.seeds)}
	on.trials[system] = t
	on.runs = append(on.runs, func(ctx context.Context, jobs any, at int) (err error) {
		if t.runs[at], err = run(ctx, jobs.(D)); err != nil {
			return fmt.Errorf("%s: %w", system, err)
		}
		return nil
	})
	return t
}

// tell runs what some items ask for, and tells of them in their order.
func (r *report) tell(ctx context.Context, items []item) error {
	l := &lab{from: r.from}
	tells := each(items, func(ask item) func(*report) { return ask(l) })
	if err := l.run(ctx); err != nil {
		return err
	}
	for _, tell := range tells {
		tell(r)
	}
	return nil
}

// run runs the trials that were asked for: several seeds and beds at once, so that of few the jobs are in memory.
func (l *lab) run(ctx context.Context) error {
	type one struct {
		bed *asked
		at  int // of the seed
	}
	var all []one
	for _, b := range l.beds {
		for at := range b.seeds {
			all = append(all, one{b, at})
		}
	}
	return parallel.Each(len(all), 0, func(i int) error { return all[i].bed.run(ctx, all[i].at, l.from) })
}

// run runs all systems on the jobs of a seed.
func (b *asked) run(ctx context.Context, at, from int) error {
	seed := uint64(from + at + 1)
	jobs, err := b.draw(seed)
	for _, run := range b.runs {
		if err = cmp.Or(err, ctx.Err()); err == nil {
			err = run(ctx, jobs, at)
		}
	}
	if err != nil {
		return fmt.Errorf("%s, seed %d: %w", b.name, seed, err)
	}
	return nil
}

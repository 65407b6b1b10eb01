package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"example.com/augur/policy/kairos"
	"example.com/augur/policy/workload"
)

// kairosEagle is Figs. 8 and 9: Kairos over Eagle, for short jobs and for long ones, on nodes as
// many as make the loads of the paper. It runs generated jobs that have the shares of Table
// 2, and the traces that are given; -full also the parts of traces that are in public, if
// they are in the folder of real traces.
func kairosEagle(ctx context.Context, r *report, f form) error {
	for i := range bigTraces {
		t := &bigTraces[i]
		var draws [][]*workload.Job
		for seed := range f.seeds {
			draws = append(draws, t.generate(uint64(seed+1)))
		}
		loads := []float64{0.9}
		if f.full {
			loads = []float64{0.9, 0.8, 0.7}
		}
		if err := t.overEagle(ctx, r, "generated, like "+t.name, draws, loads); err != nil {
			return fmt.Errorf("generated, like %s: %w", t.name, err)
		}
	}
	files := f.files
	if f.full && len(files) == 0 {
		for i := range bigTraces {
			files = append(files, filepath.Join(f.traces, "eagle_format", bigTraces[i].file))
		}
	}
	for _, file := range files {
		t, err := bigTraceOf(file)
		if err != nil {
			return err
		}
		name := filepath.Base(file)
		jobs, err := t.read(file)
		if errors.Is(err, fs.ErrNotExist) && len(f.files) == 0 {
			r.skip(t.figure, name, err)
			continue
		}
		if err != nil {
			return err
		}
		// Only Eagle draws: three times, as it is slow.
		if err := t.overEagle(ctx, r, name, [][]*workload.Job{jobs, jobs, jobs}, []float64{0.9, 0.8, 0.7}); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if f.full {
			if err := t.sweep(ctx, r, name, jobs); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// overEagle runs each list of jobs under both, at some loads, highest first.
func (t *bigTrace) overEagle(ctx context.Context, r *report, name string, draws [][]*workload.Job, loads []float64) error {
	saved, added := make([]float64, len(draws)), make([]float64, len(draws)) // the most
	least := make([]float64, len(draws))
	for i := range draws {
		saved[i], added[i], least[i] = math.Inf(-1), math.Inf(-1), math.Inf(1)
	}
	type pair struct{ kairos, eagle byClass }
	seeds := make([]int, len(draws))
	for i := range seeds {
		seeds[i] = i
	}
	for _, load := range loads {
		runs, err := inEach(ctx, seeds, func(i int) (p pair, err error) {
			nodes := nodesFor(draws[i], load)
			if p.eagle, err = t.run(ctx, draws[i], nodes, t.eagle(uint64(i+1))); err != nil {
				return p, fmt.Errorf("under Eagle: %w", err)
			}
			if i > 0 && &draws[i][0] == &draws[0][0] {
				return p, nil // Kairos draws nothing
			}
			if p.kairos, err = t.run(ctx, draws[i], nodes, t.kairos()); err != nil {
				return p, fmt.Errorf("under Kairos: %w", err)
			}
			return p, nil
		})
		if err != nil {
			return fmt.Errorf("load %v: %w", load, err)
		}
		for i := range runs {
			if i > 0 && &draws[i][0] == &draws[0][0] {
				runs[i].kairos = runs[0].kairos
			}
		}
		add := func(metric string, of func(p pair) float64) {
			r.add(t.figure, name, fmt.Sprintf("load %.2f, %s", load, metric), unpublished, each(runs, of))
		}
		for _, class := range []struct {
			name string
			of   func(b byClass) [3]float64
		}{{"short", func(b byClass) [3]float64 { return b.short }}, {"long", func(b byClass) [3]float64 { return b.long }}} {
			for k, p := range classPercentiles {
				add(class.name+" JCT "+p.name+" under Kairos, s", func(p pair) float64 { return class.of(p.kairos)[k] })
				add(class.name+" JCT "+p.name+" under Eagle, s", func(p pair) float64 { return class.of(p.eagle)[k] })
				add(class.name+" JCT "+p.name+", Kairos over Eagle", func(p pair) float64 { return class.of(p.kairos)[k] / class.of(p.eagle)[k] })
			}
		}
		add("utilization under Kairos, %", func(p pair) float64 { return p.kairos.utilization })
		add("utilization under Eagle, %", func(p pair) float64 { return p.eagle.utilization })
		for i, p := range runs {
			saved[i] = max(saved[i], 100*(1-p.kairos.short[2]/p.eagle.short[2]))
			more := 100 * (p.kairos.long[2]/p.eagle.long[2] - 1)
			added[i], least[i] = max(added[i], more), min(least[i], more)
		}
	}
	r.add(t.figure, name, "short JCT P99, Kairos below Eagle's by %, at most", t.saved, saved)
	r.add(t.figure, name, "long JCT P99, Kairos above Eagle's by %, at least", t.lessAdd, least)
	r.add(t.figure, name, "long JCT P99, Kairos above Eagle's by %, at most", t.added, added)
	return nil
}

// sweep tells what the settings of Kairos are worth on a trace, at load 0.9.
func (t *bigTrace) sweep(ctx context.Context, r *report, name string, jobs []*workload.Job) error {
	type setting struct {
		name   string
		change func(c *kairos.Config)
	}
	var settings []setting
	for _, w := range []float64{100, 1000, 10_000} {
		quantum := func(c *kairos.Config) { c.Node.Quantum = seconds(w) }
		name := fmt.Sprintf("W = %.0f s", w)
		settings = append(settings,
			setting{name + ", Q = 2", quantum},
			setting{name + ", Q = 4", func(c *kairos.Config) { quantum(c); c.Central.Queue = 4 }},
			setting{name + ", Q = 8", func(c *kairos.Config) { quantum(c); c.Central.Queue = 8 }},
			setting{name + ", no starvation rule", func(c *kairos.Config) { quantum(c); c.Node.Starvation = kairos.Never }},
			setting{name + ", firm", func(c *kairos.Config) { quantum(c); c.Node.Firm = true }},
		)
	}
	nodes := nodesFor(jobs, 0.9)
	eagle, err := t.run(ctx, jobs, nodes, t.eagle(1))
	if err != nil {
		return fmt.Errorf("under Eagle: %w", err)
	}
	runs, err := inEach(ctx, settings, func(s setting) (byClass, error) { return t.run(ctx, jobs, nodes, t.kairos(s.change)) })
	if err != nil {
		return err
	}
	for i, s := range settings {
		for _, k := range []int{0, 2} {
			p := classPercentiles[k].name
			r.add(t.figure, name, s.name+": short JCT "+p+", Kairos over Eagle", unpublished, []float64{runs[i].short[k] / eagle.short[k]})
			r.add(t.figure, name, s.name+": long JCT "+p+", Kairos over Eagle", unpublished, []float64{runs[i].long[k] / eagle.long[k]})
		}
	}
	return nil
}

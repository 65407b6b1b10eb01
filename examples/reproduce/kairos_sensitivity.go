package main

import (
	"context"
	"fmt"

	"example.com/augur/policy/kairos"
	"example.com/augur/policy/workload"
)

// kairosSensitivity is Fig. 7: other queues and quanta. Big-C stands beside them in Fig. 4.
func kairosSensitivity(ctx context.Context, r *report, w *kairosJobs, beds []*testbed) error {
	for _, o := range []struct {
		item, name string
		change     func(c *kairos.Config)
	}{
		{"Fig. 7a", "Q = 2", func(c *kairos.Config) { c.Central.Queue = 2 }},
		{"Fig. 7a", "Q = 4", func(c *kairos.Config) { c.Central.Queue = 4 }},
		{"Fig. 7a", "Q = 8", func(c *kairos.Config) { c.Central.Queue = 8 }},
		{"Fig. 7b", "W = 10 s", func(c *kairos.Config) { c.Node.Quantum = 10e9 }},
		{"Fig. 7b", "W = 50 s", func(c *kairos.Config) { c.Node.Quantum = 50e9 }},
		{"Fig. 7b", "W = 100 s", func(c *kairos.Config) { c.Node.Quantum = 100e9 }},
	} {
		runs, err := kairosOnBed(o.name, o.change).run(ctx, beds)
		if err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
		for _, f := range []figure{jctMean, jctP50, jctP90, jctP99} {
			r.add(o.item, w.name, o.name+", "+f.name, unpublished, each(runs, f.of))
		}
	}
	return nil
}

// kairosSplits tells what the saving of Fig. 4 hangs on: how a makespan splits into tasks, and
// the load. What is published stands beside each.
func kairosSplits(ctx context.Context, r *report, w *kairosJobs, beds []*testbed) error {
	for _, o := range []struct {
		name   string
		change func(k *workload.Kairos)
	}{
		{"maps take a tenth", func(k *workload.Kairos) { k.MapShare = 0.1 }},
		{"maps take half", func(k *workload.Kairos) { k.MapShare = 0.5 }},
		{"maps take nine tenths", func(k *workload.Kairos) { k.MapShare = 0.9 }},
		{"tasks alike", func(k *workload.Kairos) { k.Spread = 0 }},
		{"tasks differ by half", func(k *workload.Kairos) { k.Spread = 0.5 }},
		{"a job every 45 s", func(k *workload.Kairos) { k.MeanGap = 45e9 }},
		{"a job every 90 s", func(k *workload.Kairos) { k.MeanGap = 90e9 }},
	} {
		varied := *w
		varied.params = func() workload.Kairos {
			k := w.params()
			o.change(&k)
			return k
		}
		beds, err := varied.beds(len(beds))
		if err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
		fifo, err := fifoOnBed.run(ctx, beds)
		if err != nil {
			return fmt.Errorf("%s: FIFO: %w", o.name, err)
		}
		for _, p := range []bedPolicy{kairosOnBed("Kairos"), kairosOnBed("Kairos, as in its code", asInItsCode)} {
			runs, err := p.run(ctx, beds)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", o.name, p.name, err)
			}
			for _, f := range []figure{jctP50, jctP99} {
				metric := f.name + ", below FIFO's by %"
				r.add("Fig. 4", w.name+", "+o.name, p.name+", "+metric, kairosPublished["Kairos, "+metric], f.below(runs, fifo))
			}
		}
	}
	return nil
}

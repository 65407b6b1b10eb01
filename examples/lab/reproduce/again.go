package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
)

// again runs some items again, each with a seed of its own, and compares them with the results. The items and the seeds are
// drawn. Items without jobs, because a trace is missing, do not count.
func again(ctx context.Context, f form, items int, draw uint64, results map[string]*report, w io.Writer) error {
	type one struct {
		paper string
		item  item
	}
	seeds := f.seeds
	f.seeds = 1
	var bag []one
	for _, paper := range paperNames() {
		list, err := papers[paper].items(f)
		if err != nil {
			return err
		}
		for _, it := range list {
			bag = append(bag, one{paper, it})
		}
	}
	rng := rand.New(rand.NewPCG(draw, 0))
	rng.Shuffle(len(bag), func(i, k int) { bag[i], bag[k] = bag[k], bag[i] })
	for _, o := range bag {
		if items == 0 {
			break
		}
		told := &report{paper: o.paper, from: rng.IntN(seeds)}
		if err := told.tell(ctx, []item{o.item}); err != nil {
			return fmt.Errorf("%s: %w", o.paper, err)
		}
		kept := results[o.paper]
		if kept == nil {
			return fmt.Errorf("the results have none of %s; write them anew by -save %[1]s", o.paper)
		}
		n := 0
		for i := range told.lines {
			if told.lines[i].Metric == notRun {
				continue
			}
			compared, err := kept.differs(&told.lines[i], seeds)
			if err != nil {
				return err
			}
			if compared {
				n++
			}
		}
		if n > 0 {
			items--
			if _, err := fmt.Fprintf(w, "%s, %s with seed %d: %d results are the same\n", papers[o.paper].title, told.lines[0].Item, told.from+1, n); err != nil {
				return err
			}
		}
	}
	return nil
}

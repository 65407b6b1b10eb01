package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync"

	"example.com/augur/policy/slearn"
)

// A round is the contest of a seed, and how SLearn, 3Sigma and the Oracle did in it, which
// most tables tell of.
type round struct {
	*contest
	bySLearn, by3Sigma, byOracle outcome
}

// rounds holds the contests of so many seeds, at a load, or at that of the paper if it is 0.
func (t *slearnTrace) rounds(ctx context.Context, seeds int, load float64) ([]*round, error) {
	contests, err := t.contests(ctx, seeds, load)
	if err != nil {
		return nil, err
	}
	return inEach(ctx, contests, func(c *contest) (*round, error) {
		d := &round{contest: c}
		var err error
		if d.bySLearn, err = d.watch(ctx, d.sampling(func(*slearn.SamplingConfig) {})); err != nil {
			return nil, fmt.Errorf("SLearn: %w", err)
		}
		if d.by3Sigma, err = d.watch(ctx, d.learned(slearn.HistoryConfig{})); err != nil {
			return nil, fmt.Errorf("3Sigma: %w", err)
		}
		if d.byOracle, err = d.watch(ctx, d.oracle); err != nil {
			return nil, fmt.Errorf("the Oracle: %w", err)
		}
		return d, nil
	})
}

// inEach does something with each of a list, several at once, and returns what comes out in
// the order of the list.
func inEach[T, U any](ctx context.Context, list []T, do func(T) (U, error)) ([]U, error) {
	out, errs := make([]U, len(list)), make([]error, len(list))
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, x := range list {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			if errs[i] = ctx.Err(); errs[i] == nil {
				out[i], errs[i] = do(x)
			}
		})
	}
	wg.Wait()
	return out, cmp.Or(errs...)
}

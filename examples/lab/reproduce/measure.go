package main

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/experiment"
)

// each applies a function to each of a list.
func each[T, U any](list []T, of func(T) U) []U {
	out := make([]U, len(list))
	for i, x := range list {
		out[i] = of(x)
	}
	return out
}

// column returns the i-th number of each run.
func column(runs [][]float64, i int) []float64 {
	return each(runs, func(of []float64) float64 { return of[i] })
}

// paired compares, seed by seed, what came of two trials of as many seeds.
func paired[R any](ours, theirs *trial[R], by func(ours, theirs R) float64) []float64 {
	out := make([]float64, len(ours.runs))
	for i := range out {
		out[i] = by(ours.runs[i], theirs.runs[i])
	}
	return out
}

// less returns what a number is in a trial, less what it is in another.
func (t *trial[R]) less(other *trial[R], of func(R) float64) []float64 {
	return paired(t, other, func(x, y R) float64 { return of(x) - of(y) })
}

// below returns by how many percent a number is below that of another trial, for each seed that has one.
func (t *trial[R]) below(other *trial[R], of func(R) float64) (percent []float64) {
	for i, x := range t.runs {
		if y := of(other.runs[i]); y > 0 {
			percent = append(percent, 100*(1-of(x)/y))
		}
	}
	return percent
}

// times returns how many times as much a number is as in another trial. If in one of the runs of that it
// is 0, it is the one ratio of the sums over all seeds, and none if that is 0 too.
func (t *trial[R]) times(other *trial[R], of func(R) float64) []float64 {
	ratios := paired(t, other, func(x, y R) float64 { return of(x) / of(y) })
	if !slices.ContainsFunc(other.runs, func(y R) bool { return of(y) == 0 }) {
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

// A figure is a number of each run, and the metric that it is told by, in which %s is the system.
type figure[R any] struct {
	metric string
	of     func(R) float64
}

// under returns the metric of a system.
func (f figure[R]) under(system string) string { return fmt.Sprintf(f.metric, system) }

// tell tells of trials; published has numbers by system.
func (f figure[R]) tell(r *report, item string, published map[string]float64, trials ...*trial[R]) {
	for _, t := range trials {
		r.add(item, t.bed, f.under(t.system), orUnpublished(published, t.system), each(t.runs, f.of))
	}
}

// interval returns the mean of a sample and half the width of its 95 % confidence interval.
func interval(x []float64) (mean, margin float64) {
	m := experiment.MeanInterval(x)
	return m.Mean, (m.High - m.Low) / 2
}

// percentile returns the least value that a share p of them does not exceed.
func percentile(values []float64, p float64) float64 {
	return cli.Quantile(slices.Sorted(slices.Values(values)), p)
}

// shareOf returns how many percent of a list are of a kind.
func shareOf[T any](list []T, kind func(T) bool) float64 {
	n := 0.0
	for _, x := range list {
		if kind(x) {
			n++
		}
	}
	return 100 * n / float64(len(list))
}

func seconds(x float64) policy.Duration { return policy.Duration(math.Round(x * 1e9)) }

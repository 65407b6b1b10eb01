package main

import (
	"slices"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy/experiment"
)

// A view is the runs of a bed at one load.
type view struct {
	title string
	bed   *bed
	names []string // of the policies
	runs  []one
}

// loads returns the runs of each load.
func (r *result) loads() (views []*view) {
	n := len(r.Runs) / len(r.Loads)
	asked := flagged(r.Args, "-loads")
	for i, l := range r.Loads {
		load := cli.Fixed(l.Load, 2)
		if asked != nil {
			load = asked[i]
		}
		views = append(views, &view{title: r.bed.name + " " + load, bed: r.bed, names: r.bed.names(), runs: r.Runs[i*n:][:n]})
	}
	return views
}

// main returns what most tables tell of.
func (r *result) main() *view {
	views := r.loads()
	return views[len(views)-1]
}

// A metric is a number of a row that is compared as a ratio.
type metric func(*row) *float64

var (
	mean     metric = func(r *row) *float64 { return r.Mean }
	slowdown metric = func(r *row) *float64 { return r.Slowdown }
	p99      metric = func(r *row) *float64 { return r.P99 }
	largest  metric = func(r *row) *float64 { return r.Largest }
	missed   metric = func(r *row) *float64 { return r.Missed }
	attained metric = func(r *row) *float64 { return r.Attained }
)

// pairs returns a metric of two policies in all runs; nil if one of them is not there or has it not.
func (v *view) pairs(of metric, policy, to string) (x, y []float64) {
	i, k := slices.Index(v.names, policy), slices.Index(v.names, to)
	if i < 0 || k < 0 {
		return nil, nil
	}
	for j := range v.runs {
		a, b := of(&v.runs[j].Policies[i]), of(&v.runs[j].Policies[k])
		if a == nil || b == nil {
			return nil, nil
		}
		x, y = append(x, *a), append(y, *b)
	}
	return x, y
}

// ratio returns a policy's metric over that of another, run by run; nil if there is none, or if it is of other jobs,
// since not as many have failed.
func (v *view) ratio(of metric, policy, to string) *experiment.Paired {
	x, y := v.pairs(of, policy, to)
	failed, failedTo := v.pairs(func(r *row) *float64 { return &r.Failed }, policy, to)
	if !slices.Equal(failed, failedTo) {
		return nil
	}
	return experiment.Pair(x, y)
}

// toBound returns a policy's mean completion time over the least that any schedule can have, run by run; nil if a run has no such bound.
func (v *view) toBound(policy string) *experiment.Paired {
	x, _ := v.pairs(mean, policy, policy)
	y := make([]float64, len(x))
	for i := range x {
		if v.runs[i].Bound == nil {
			return nil
		}
		y[i] = *v.runs[i].Bound
	}
	return experiment.Pair(x, y)
}

// A place is a policy and its metric over SRPT's.
type place struct {
	policy string
	*experiment.Paired
}

// rank returns the others, the one with the least metric first.
func (v *view) rank(of metric) (places []place) {
	for _, p := range v.names {
		if r := v.ratio(of, p, "srpt"); r != nil && v.other(p) {
			places = append(places, place{p, r})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int {
		switch {
		case a.Ratio < b.Ratio:
			return -1
		case a.Ratio > b.Ratio:
			return 1
		}
		return 0
	})
	return places
}

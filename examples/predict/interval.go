package main

import (
	"math"
	"slices"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/predict"
)

// levels are the coverages of the intervals that are tried.
var levels = [...]float64{0.5, 0.8, 0.9}

// The first span of jobs counts from the submission at which early jobs have ended.
const early, span = 100, 1000

// A coverage counts the intervals of some jobs, and how many of them held.
type coverage struct {
	made, held int
	widths     []float64 // upper end over lower end
}

func (c *coverage) add(low, high, actual float64) {
	c.made++
	if low <= actual && actual <= high {
		c.held++
	}
	c.widths = append(c.widths, high/low)
}

// share returns the share that held; NaN of none.
func (c *coverage) share() float64 { return float64(c.held) / float64(c.made) }

func (c *coverage) width() float64 {
	slices.Sort(c.widths)
	return cli.Quantile(c.widths, 0.5)
}

// coverages are those of each level, of the jobs of the first span and of all.
type coverages struct{ first, all [len(levels)]coverage }

// add notes whether an interval holds the actual runtime of a job that is submitted when so many have ended.
func (c *coverages) add(k, ended int, low, high, actual float64) {
	c.all[k].add(low, high, actual)
	if early <= ended && c.first[k].made < span {
		c.first[k].add(low, high, actual)
	}
}

// intervals looks at the intervals of a job that is submitted, and at the quantiles of its distribution.
func (r *run) intervals(j *job, p *predict.Prediction, now time.Time) {
	for k, level := range levels {
		if low, high, ok := r.predictor.Interval(j, level, now); ok {
			r.held.add(k, r.ended, low, high, j.seconds)
		}
		d := p.Distribution()
		r.quantiles.add(k, r.ended, d.Quantile((1-level)/2), d.Quantile((1+level)/2), j.seconds)
	}
}

// share returns the share of a level's intervals that held; nil if there are none or the row is not the predictor's own.
func (r *run) share(of *row, k int) *float64 {
	if of != r.rows[0] {
		return cli.Some(math.NaN())
	}
	return cli.Some(r.held.all[k].share())
}

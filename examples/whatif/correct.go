package main

import (
	"math"
	"slices"

	"example.com/augur/estimate"
	"example.com/augur/policy"
)

// levels are the shares of jobs that are to start, and to end, by the bounds of an answer.
var levels = [...]float64{0.5, 0.8, 0.9}

// Bounds are instants of which one is for each of the levels; none is before the one before.
type Bounds [len(levels)]policy.Time

// bounds returns the quantiles of an increasing list.
func bounds(sorted []policy.Time) (b Bounds) {
	for i, p := range levels {
		b[i] = Quantile(sorted, p)
	}
	return b
}

// rate is that of the trackers. It was chosen on jobs of workload heavytail; see the comment of the program.
const rate = 0.1

// least is what a wait is taken to be that is said to be shorter: a factor makes nothing of 0.
const least = policy.Duration(1e9)

// A Correction corrects bounds of an instant at which something happens to each job, such as its start, by what
// became of earlier bounds. It knows nothing but what it has been told: that it happened to a job, and what
// time it is.
type Correction struct {
	trackers [len(levels)]*estimate.Tracker
	open     []promise // in order of the questions
}

// A promise is an answer of which it is not known yet whether all bounds held.
type promise struct {
	job    policy.JobID
	bounds Bounds
	told   int // how many of the bounds have passed
}

// NewCorrection returns a Correction that leaves bounds as they are, until it has learnt.
func NewCorrection() (*Correction, error) {
	c := new(Correction)
	for i, p := range levels {
		var err error
		if c.trackers[i], err = estimate.NewTracker(estimate.TrackerConfig{Coverage: p, Rate: rate}); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Answer returns the corrected bounds of a job that was submitted at an instant, and keeps them until it is known
// whether they held. All that has happened by now has been told.
func (c *Correction) Answer(job policy.JobID, submitted, now policy.Time, b Bounds) Bounds {
	c.pass(now)
	for i, t := range c.trackers {
		wait := min(max(b[i].Sub(submitted), least).Seconds()*t.Factor(), 10*longest.Seconds())
		b[i] = submitted.Add(policy.Duration(math.Round(wait * 1e9)))
		if i > 0 {
			b[i] = max(b[i], b[i-1])
		}
	}
	c.open = append(c.open, promise{job: job, bounds: b})
	return b
}

// pass counts the bounds as missed that have passed, for jobs to which it has not happened yet.
func (c *Correction) pass(now policy.Time) {
	left := c.open[:0]
	for _, p := range c.open {
		if p.told = c.missed(p, now); p.told < len(levels) {
			left = append(left, p)
		}
	}
	c.open = left
}

// missed tells of the bounds of a promise that are over before an instant at which it has not happened, and returns how
// many these are.
func (c *Correction) missed(p promise, now policy.Time) int {
	for p.told < len(levels) && p.bounds[p.told] <= now {
		c.trackers[p.told].Observe(true)
		p.told++
	}
	return p.told
}

// Happened tells that it happened to a job, asked about or not.
func (c *Correction) Happened(job policy.JobID, at policy.Time) {
	i := slices.IndexFunc(c.open, func(p promise) bool { return p.job == job })
	if i < 0 {
		return
	}
	for k := c.missed(c.open[i], at-1); k < len(levels); k++ {
		c.trackers[k].Observe(false)
	}
	c.open = slices.Delete(c.open, i, i+1)
}

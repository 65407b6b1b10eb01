package main

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/estimate"
	"example.com/augur/policy"
)

// levels are the shares of jobs that are to start, and to end, by the bounds of an answer.
var levels = [...]float64{0.5, 0.8, 0.9}

// Bounds are an instant for each of the levels, not decreasing.
type Bounds [len(levels)]policy.Time

// bounds returns the quantiles of an increasing list.
func bounds(sorted []policy.Time) (b Bounds) {
	for i, p := range levels {
		b[i] = Quantile(sorted, p)
	}
	return b
}

// rate is the trackers' rate. It was chosen on workload heavytail, and window on jobs that docs/whatif.md does not show.
const rate = 0.1

// least is the shortest wait that counts: a factor makes nothing of 0.
const least = policy.Duration(1e9)

// A Correction corrects the bounds of an instant at which something happens to each job, such as its start, by how earlier
// bounds turned out.
type Correction struct {
	trackers [len(levels)]*estimate.Tracker
	open     []promise // in order of the questions
	recent   []drawn   // the last answers and those of the past, at most window
}

// window is how many drawn answers are compared with what became of them.
const window = 200

// A drawn is an answer before its correction.
type drawn struct {
	job       policy.JobID
	submitted policy.Time
	bounds    Bounds
	happened  policy.Time // policy.Never: not yet
}

// A promise is an answer. Of some of its bounds it is not known yet whether they hold.
type promise struct {
	job    policy.JobID
	bounds Bounds
	told   int // how many of the bounds have passed
}

// NewCorrection returns a Correction that leaves bounds as they are, until it has learnt. Past makes it learn before the first question.
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

// Past notes the answer that a job would have had if somebody had asked. Before the first question, call it for the last 200
// jobs that waited, in order of submission, and Happened for each to which it has happened: then the first answer is corrected
// already. Outcomes may be reported early: a question ignores those after its instant.
func (c *Correction) Past(job policy.JobID, submitted policy.Time, b Bounds) {
	c.recent = append(c.recent[max(0, len(c.recent)-window+1):], drawn{job, submitted, b, policy.Never})
}

// factor returns the factor with which the recently drawn bounds of a level would have held as often as they should: a
// quantile of the ratios of true to drawn wait, 1 if there are none. The ratio of a job to which it has not happened yet is
// censored. To leave such jobs out would keep the short waits, so the quantile is of the estimator of Kaplan and Meier, 1958.
// Its level is p(n+1)/n of n ratios, as in split conformal prediction: the next of n+1 ratios in random order is at most
// the quantile with probability p.
func (c *Correction) factor(now policy.Time, level int) float64 {
	type ratio struct {
		of    float64
		known bool
	}
	var list []ratio
	for _, d := range c.recent {
		wait := max(min(d.happened, now).Sub(d.submitted), least)
		said := max(d.bounds[level].Sub(d.submitted), least)
		list = append(list, ratio{wait.Seconds() / said.Seconds(), d.happened <= now})
	}
	slices.SortStableFunc(list, func(a, b ratio) int { return cmp.Compare(a.of, b.of) })
	n := float64(len(list))
	greatest, longer := 1.0, 1.0
	for i, r := range list {
		if r.known {
			longer *= 1 - 1/(n-float64(i))
		}
		if longer <= 1-levels[level]*(n+1)/n+1e-9 {
			return r.of
		}
		greatest = max(greatest, r.of)
	}
	return greatest
}

// Answer returns the corrected bounds of a job that was submitted at an instant, and keeps them until it is known
// whether they held. All that has happened by now has been told.
func (c *Correction) Answer(job policy.JobID, submitted, now policy.Time, b Bounds) Bounds {
	c.pass(now)
	raw := b
	for i, t := range c.trackers {
		wait := min(max(b[i].Sub(submitted), least).Seconds()*c.factor(now, i)*t.Factor(), 10*longest.Seconds())
		b[i] = submitted.Add(policy.Duration(math.Round(wait * 1e9)))
		if i > 0 {
			b[i] = max(b[i], b[i-1])
		}
	}
	c.Past(job, submitted, raw)
	c.open = append(c.open, promise{job: job, bounds: b})
	return b
}

// pass counts passed bounds as missed, for jobs to which it has not happened yet.
func (c *Correction) pass(now policy.Time) {
	left := c.open[:0]
	for _, p := range c.open {
		if p.told = c.missed(p, now); p.told < len(levels) {
			left = append(left, p)
		}
	}
	c.open = left
}

// missed counts the bounds of a promise up to an instant as missed, and returns how many these are.
func (c *Correction) missed(p promise, now policy.Time) int {
	for p.told < len(levels) && p.bounds[p.told] <= now {
		c.trackers[p.told].Observe(true)
		p.told++
	}
	return p.told
}

// Happened tells that it happened to a job, asked about or not.
func (c *Correction) Happened(job policy.JobID, at policy.Time) {
	if i := slices.IndexFunc(c.recent, func(d drawn) bool { return d.job == job }); i >= 0 {
		c.recent[i].happened = min(c.recent[i].happened, at)
	}
	i := slices.IndexFunc(c.open, func(p promise) bool { return p.job == job })
	if i < 0 {
		return
	}
	for k := c.missed(c.open[i], at-1); k < len(levels); k++ {
		c.trackers[k].Observe(false)
	}
	c.open = slices.Delete(c.open, i, i+1)
}

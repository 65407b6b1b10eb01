package main

import (
	"fmt"
	"math"
	"slices"
)

// A name is that of a line.
type name struct{ item, workload, metric string }

func (n name) isFor(l *line) bool {
	return n.item == l.Item && n.workload == l.Workload && n.metric == l.Metric
}

// A claim is a main result of a paper: a difference or a ratio between two systems.
type claim struct {
	says     string // in plain words
	row      name   // the line that measures it
	nothing  float64
	controls []control // what the paper says of the bed of row
	readings []name    // the same under other readings that the text leaves open
	refuted  []name    // the same under readings that the text contradicts
	why      string    // it comes out as it does
}

// A control is a line whose published number describes the workload or the cluster and not the systems that a claim
// compares.
type control struct {
	row     name
	nothing float64
}

// What a number would be if there were nothing in it: 1 for a ratio, 0 for what is saved or gained, and 100 for a share of
// which the paper's systems reach nearly all.
const (
	ratio = 1.
	gain  = 0.
	all   = 100.
)

// A word says what became of a claim.
type word string

const (
	holds        word = "holds"
	smaller      word = "holds, smaller"
	larger       word = "holds, larger"
	unseen       word = "no effect seen"
	contradicted word = "contradicted"
	untested     word = "not tested"
)

// enoughSeeds are how many a claim takes to be tested.
const enoughSeeds = 10

// A finding is a claim and what came of it. Effects are shares of the published effect, which is how far the published number
// is from nothing.
type finding struct {
	*claim
	line        *line
	met         int       // controls that are met
	seeds, sign int       // all, and those whose effect has the published sign
	share, half float64   // of the published effect, and half the width of its 95 % interval
	spread      []float64 // the shares under the readings, and that of the row
	word        word
	unclear     string // why it is not tested
}

// find looks a line up. It returns nil if the line is not there or has not been run.
func (r *report) find(n name) *line {
	at := slices.IndexFunc(r.lines, func(l line) bool { return n.isFor(&l) })
	if at < 0 || r.lines[at].Measured == nil {
		return nil
	}
	return &r.lines[at]
}

// met reports whether the bed is as the paper says: a control is no further from what was published than a quarter of how far
// that is from nothing, or than half its interval.
func (c *control) met(l *line) bool {
	margin := 0.
	if l.Margin != nil {
		margin = *l.Margin
	}
	return math.Abs(*l.Measured-*l.Published) <= max(margin, math.Abs(*l.Published-c.nothing)/4)
}

// judge says what became of a claim.
func (r *report) judge(c *claim) (finding, error) {
	f := finding{claim: c, line: r.find(c.row)}
	if f.line == nil || f.line.Published == nil {
		return f, fmt.Errorf("%s has no line %v with a published number", r.paper, c.row)
	}
	published := *f.line.Published - c.nothing
	for i := range c.controls {
		l := r.find(c.controls[i].row)
		if l == nil || l.Published == nil {
			return f, fmt.Errorf("%s has no line %v with a published number, which is a control", r.paper, c.controls[i].row)
		}
		if c.controls[i].met(l) {
			f.met++
		}
	}
	var shares []float64
	for _, x := range f.line.Values {
		if x != nil {
			shares = append(shares, (*x-c.nothing)/published)
		}
	}
	f.seeds = len(shares)
	for _, x := range shares {
		if x > 0 {
			f.sign++
		}
	}
	f.share, f.half = interval(shares)
	f.spread = []float64{f.share}
	for _, n := range slices.Concat(c.readings, c.refuted) {
		l := r.find(n)
		if l == nil {
			return f, fmt.Errorf("%s has no line %v, which is a reading", r.paper, n)
		}
		if slices.Contains(c.readings, n) {
			f.spread = append(f.spread, (*l.Measured-c.nothing)/published)
		}
	}
	f.decide()
	return f, nil
}

// decide sets the word: by the controls, then by the interval of the share of the published effect.
func (f *finding) decide() {
	low, high := f.share-f.half, f.share+f.half
	switch {
	case f.met < len(f.controls):
		f.word, f.unclear = untested, "a control fails"
	case f.seeds < enoughSeeds:
		f.word, f.unclear = untested, "few seeds"
	case low > -0.1 && high < 0.1:
		f.word = unseen
	case low > 0 && high < 0.9:
		f.word = smaller
	case low > 1.1:
		f.word = larger
	case low > 0:
		f.word = holds
	case high < 0:
		f.word = contradicted
	case high-low < 0.5:
		f.word = unseen
	default:
		f.word, f.unclear = untested, "the interval is wide"
	}
}

package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A name is that of a spec.
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
	beside   []beside  // the same in other rows of the table
	readings []name    // the same under other readings that the text leaves open
	refuted  []name    // the same under readings that the text contradicts
}

// A beside is another row of a claim: of jobs that ran on a real cluster, or with the rival in another form.
type beside struct {
	says string
	row  name
}

// A control is a line whose published number describes the workload or the cluster, and not the system that a claim is
// made for.
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
	sizeOpen     word = "holds, size open"
	open         word = "open: the interval is wide"
	untested     word = "not tested: few seeds"
)

// enoughSeeds are how many a claim takes to be tested.
const enoughSeeds = 10

// A finding is a claim and what came of it. Effects are shares of the published effect, which is how far the published number
// is from nothing.
type finding struct {
	*claim
	line        *line
	published   *float64
	met         int       // controls that are met
	off         float64   // how far the farthest control is from what was published, in tolerances
	seeds, sign int       // all, and those whose effect has the published sign
	share, half float64   // of the published effect, and half the width of its 95 % interval
	spread      []float64 // the shares under the readings, and that of the row
	word        word
	other       bool // the row is on other jobs than the claim
}

// find looks a line up. It returns nil if the line is not there or has not been run.
func (r *report) find(n name) *line {
	at := slices.IndexFunc(r.lines, func(l line) bool { return n.isFor(&l) })
	if at < 0 || r.lines[at].Measured == nil {
		return nil
	}
	return &r.lines[at]
}

// off returns how far a control is from what was published, in tolerances: it is met up to 1. The tolerance is a quarter of
// how far the published number is from nothing, and no finer than that number is rounded.
func (c *control) off(l *line) float64 {
	return math.Abs(*l.Measured-*l.Published) / max(math.Abs(*l.Published-c.nothing)/4, rounding(*l.Published))
}

// rounding returns half a unit of the last digit of a number as it is published.
func rounding(published float64) float64 {
	_, digits, _ := strings.Cut(strconv.FormatFloat(published, 'f', -1, 64), ".")
	return 0.5 * math.Pow10(-len(digits))
}

// asPublished reports whether the bed is as the paper says: no more than one in ten of its controls fails, so none of up to nine.
func (f *finding) asPublished() bool { return len(f.controls)-f.met <= len(f.controls)/10 }

// judge says what became of a claim.
func (r *report) judge(c *claim) (finding, error) {
	f := finding{claim: c}
	if err := r.measure(&f, c.row, nil); err != nil {
		return f, err
	}
	f.spread = []float64{f.share}
	for _, n := range slices.Concat(c.readings, c.refuted) {
		l := r.find(n)
		if l == nil {
			return f, fmt.Errorf("%s has no line %v, which is a reading", r.paper, n)
		}
		if slices.Contains(c.readings, n) {
			f.spread = append(f.spread, (*l.Measured-c.nothing)/(*f.published-c.nothing))
		}
	}
	return f, nil
}

// judgeBeside says what became of a claim in another row. The controls are those of the claim, as they are on the jobs of the row.
func (r *report) judgeBeside(c *claim, b beside) (finding, error) {
	f := finding{claim: &claim{says: b.says, row: b.row, nothing: c.nothing}, other: b.row.workload != c.row.workload}
	for _, of := range c.controls {
		of.row.workload = b.row.workload
		f.controls = append(f.controls, of)
	}
	return f, r.measure(&f, b.row, r.find(c.row).Published)
}

// measure sets what a line has of a claim, its controls and the word. If nothing is published of the line, it goes by what is published of the claim.
func (r *report) measure(f *finding, n name, published *float64) error {
	f.line = r.find(n)
	if f.line != nil {
		f.published = cmp.Or(f.line.Published, published)
	}
	if f.published == nil {
		return fmt.Errorf("%s has no line %v with a published number", r.paper, n)
	}
	for i := range f.controls {
		l := r.find(f.controls[i].row)
		if l == nil || l.Published == nil {
			return fmt.Errorf("%s has no line %v with a published number, which is a control", r.paper, f.controls[i].row)
		}
		off := f.controls[i].off(l)
		if f.off = max(f.off, off); off <= 1 {
			f.met++
		}
	}
	effect := *f.published - f.nothing
	var shares []float64
	for _, x := range f.line.Values {
		if x != nil {
			shares = append(shares, (*x-f.nothing)/effect)
		}
	}
	f.seeds = len(shares)
	for _, x := range shares {
		if x > 0 {
			f.sign++
		}
	}
	f.share, f.half = interval(shares)
	f.decide()
	return nil
}

// decide sets the word by the interval of the share of the published effect.
func (f *finding) decide() {
	low, high := f.share-f.half, f.share+f.half
	switch {
	case f.seeds < enoughSeeds:
		f.word = untested
	case low > -0.1 && high < 0.1:
		f.word = unseen
	case low > 0 && high < 0.9:
		f.word = smaller
	case low > 1.1:
		f.word = larger
	case low > 0 && f.half > 0.25:
		f.word = sizeOpen
	case low > 0:
		f.word = holds
	case high < 0:
		f.word = contradicted
	case high-low < 0.5:
		f.word = unseen
	default:
		f.word = open
	}
}

// outcome is the word, and on what bed if that is not as published.
func (f *finding) outcome() string {
	switch {
	case f.asPublished() || f.word == untested:
		return string(f.word)
	case f.other:
		return string(f.word) + ", on other jobs"
	}
	return string(f.word) + ", on the nearest bed"
}

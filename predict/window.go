package predict

import (
	"slices"

	"example.com/augur/histogram"
)

// windowParts is the number of parts in which a window is forgotten.
const windowParts = 8

// A part is what a value has seen in an eighth of the window.
type part struct {
	number int64 // instant divided by the length of a part
	totals
	sum      float64              // of runtimes
	runtimes *histogram.Histogram // nil while the value has none
}

// part is the number of the part that an instant belongs to.
func (c *Config) part(now int64) int64 { return floorDiv(now, int64(c.Window)/windowParts) }

// expired counts the parts that are out of the window.
func (v *value) expired(now int64, c *Config) int {
	if c.Window == 0 {
		return 0
	}
	oldest := c.part(now) - windowParts
	n := 0
	for n < len(v.parts) && v.parts[n].number <= oldest {
		n++
	}
	return n
}

// without returns what is left of v when the first n parts are dropped. Three things stay to
// be seen to: of the recent runtimes only the last count, as many as the weight says; the
// distribution is that of the parts; and Rolling forgets in its own way. What v refers to is
// shared.
func (v *value) without(n int) value {
	left := *v
	left.stale = true
	left.parts = v.parts[n:]
	left.totals = totals{}
	if len(left.parts) == 0 {
		left.estimates = [estimators]float64{}
		return left
	}
	sum := 0.0
	for i := range left.parts {
		left.totals.add(&left.parts[i].totals)
		sum += left.parts[i].sum
	}
	left.estimates[Mean] = sum / left.weight

	var place [maxRecent]float64
	last := left.lastRuntimes(place[:0])
	left.estimates[RecentMean] = mean(last)
	slices.Sort(last)
	left.estimates[Median] = middle(last[(len(last)-1)/2], last[len(last)/2])
	return left
}

// lastRuntimes appends the recent runtimes that count to an empty slice.
func (v *value) lastRuntimes(empty []float64) []float64 {
	last := v.recent.appendTo(empty)
	if v.weight < float64(len(last)) {
		n := copy(last, last[len(last)-int(v.weight):])
		last = last[:n]
	}
	return last
}

// add adds a runtime.
func (p *part) add(x float64, whole bool, c *Config) {
	p.weight++
	p.sum += x
	if whole {
		if p.runtimes == nil {
			p.runtimes = c.newHistogram()
		}
		add(p.runtimes, x)
	}
}

func (t *totals) add(o *totals) {
	t.weight += o.weight
	t.scores += o.scores
	t.actual += o.actual
	for i := range t.errors {
		t.errors[i] += o.errors[i]
	}
}

// mergeParts merges the distributions of the parts into h, the oldest first.
func (v *value) mergeParts(h *histogram.Histogram) {
	for i := range v.parts {
		merge(h, v.parts[i].runtimes)
	}
}

// slide drops what is out of the window, and returns the part of now.
func (v *value) slide(now int64, c *Config) *part {
	if n := v.expired(now, c); n > 0 {
		*v = v.without(n)
		v.stale = false
		var place [maxRecent]float64
		last := v.lastRuntimes(place[:0])
		v.recent = recent{}
		for _, x := range last {
			v.recent.add(x, c.Recent)
		}
		if len(v.parts) == 0 {
			v.runtimes = nil
		} else if v.runtimes != nil {
			v.runtimes.Reset()
			v.mergeParts(v.runtimes)
		}
	}
	number := c.part(now)
	if n := len(v.parts); n > 0 && v.parts[n-1].number >= number { // time may go back
		return &v.parts[n-1]
	}
	v.parts = append(v.parts, part{number: number})
	return &v.parts[len(v.parts)-1]
}

// divide gives each part a histogram with its share of the last runtimes, which are all.
func (v *value) divide(c *Config) {
	var place [maxRecent]float64
	runtimes := v.recent.appendTo(place[:0])
	for i := range v.parts {
		n := int(v.parts[i].weight)
		v.parts[i].runtimes = c.newHistogram()
		addAll(v.parts[i].runtimes, runtimes[:n])
		runtimes = runtimes[n:]
	}
}

package predict

import (
	"slices"

	"example.com/augur/histogram"
	"example.com/augur/internal/saturate"
)

// windowParts is the number of parts in which a window is forgotten.
const windowParts = 8

// A part is the history of a value in an eighth of the window.
type part struct {
	number int64 // instant divided by the length of a part
	totals
	sum      float64              // of runtimes
	left     float64              // jobs whose runtimes are not among the last any more
	runtimes *histogram.Histogram // of those; nil if there is none
}

// part is the number of the part that an instant belongs to.
func (c *Config) part(now int64) int64 { return floorDiv(now, int64(c.Window)/windowParts) }

// expired returns the parts that are still in the window, and whether there are others.
func (v *value) expired(now int64, c *Config) (left []part, some bool) {
	if c.Window == 0 || v.aging == nil {
		return nil, false
	}
	oldest := c.part(now) - windowParts
	n := 0
	for n < len(v.aging.parts) && v.aging.parts[n].number <= oldest {
		n++
	}
	return v.aging.parts[n:], n > 0
}

// reduced returns the value v reduced to the given parts. Of the last runtimes only as many count as the weight
// says. The distribution is that of the parts. EWMA does not change: it forgets in its own way.
func (v *value) reduced(parts []part) value {
	left := *v
	left.totals = totals{}
	sum := 0.0
	for i := range parts {
		left.totals.add(&parts[i].totals)
		sum += parts[i].sum
	}
	left.estimates[Mean] = sum / left.weight
	if n := len(left.recent); left.weight < float64(n) {
		left.recent = left.recent[n-saturate.To[int](left.weight):]
		left.sort()
	}
	left.estimateRecent()
	return left
}

func (t *totals) add(o *totals) {
	t.weight += o.weight
	t.scores += o.scores
	t.actual += o.actual
	for i := range t.errors {
		t.errors[i] += o.errors[i]
	}
	if o.fit != nil {
		t.fitTo(o.fit)
	}
}

// mergeParts merges the distributions of parts into h, the oldest first.
func mergeParts(h *histogram.Histogram, parts []part) {
	for i := range parts {
		if parts[i].runtimes != nil {
			merge(h, parts[i].runtimes)
		}
	}
}

// leaving returns the part of the oldest of the last runtimes.
func (a *aging) leaving() *part {
	i := 0
	for i < len(a.parts)-1 && a.parts[i].left == a.parts[i].weight {
		i++
	}
	return &a.parts[i]
}

// slide drops the parts that have left the window, and returns the part of now.
func (v *value) slide(now int64, c *Config) *part {
	if v.aging == nil {
		v.aging = &aging{}
	}
	a := v.aging
	number := c.part(now)
	if n := len(a.parts); a.wrong(n > 0 && number <= a.parts[n-1].number-windowParts) {
		a.redate(number)
	}
	if parts, some := v.expired(now, c); some {
		a.parts = slices.Delete(a.parts, 0, len(a.parts)-len(parts))
		if len(a.parts) == 0 {
			v.forget()
		} else {
			v.shrink()
		}
	}
	if n := len(a.parts); n > 0 && a.parts[n-1].number >= number { // time may go back
		return &a.parts[n-1]
	}
	a.parts = append(a.parts, part{number: number})
	return &a.parts[len(a.parts)-1]
}

// redate joins the parts from a number on to one part with that number.
func (a *aging) redate(number int64) {
	i := 0
	for a.parts[i].number < number {
		i++
	}
	p := &a.parts[i]
	p.number = number
	for j := i + 1; j < len(a.parts); j++ {
		o := &a.parts[j]
		p.totals.add(&o.totals)
		p.sum += o.sum
		p.left += o.left
		switch {
		case p.runtimes == nil:
			p.runtimes = o.runtimes
		case o.runtimes != nil:
			merge(p.runtimes, o.runtimes)
		}
	}
	a.parts = slices.Delete(a.parts, i+1, len(a.parts))
}

// shrink recomputes what depends on the parts, after some have been dropped.
func (v *value) shrink() {
	*v = v.reduced(v.aging.parts)
	if v.runtimes != nil {
		v.runtimes.Reset()
		mergeParts(v.runtimes, v.aging.parts)
		if v.runtimes.Count() == 0 {
			v.runtimes = nil
		}
	}
}

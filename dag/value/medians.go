package value

import (
	"math"
	"slices"
	"time"
)

// medians has room for the numbers of one profile after the other.
type medians struct {
	ratios         bool
	own, aggregate worths
	first          []time.Duration
}

// worths holds amounts and, if they are asked for, their ratios.
type worths struct{ values, computes, ratios []float64 }

// profile sums up the records with the given places, of which there are some.
func (m *medians) profile(records []Record, places []uint32) Profile {
	m.own.reset()
	m.aggregate.reset()
	m.first = m.first[:0]
	for _, i := range places {
		r := &records[i]
		if !r.Known {
			continue
		}
		m.own.add(r.Own, m.ratios)
		m.aggregate.add(r.Aggregate, m.ratios)
		if r.First > 0 {
			m.first = append(m.first, r.First)
		}
	}
	p := Profile{
		Jobs: len(places), Known: len(m.own.values),
		Own: m.own.summary(m.ratios), Aggregate: m.aggregate.summary(m.ratios),
		Followed: len(m.first),
	}
	if p.Followed > 0 {
		lo, hi := middle(m.first)
		p.First = lo + (hi-lo)/2
	}
	return p
}

func (ws *worths) reset() {
	ws.values, ws.computes, ws.ratios = ws.values[:0], ws.computes[:0], ws.ratios[:0]
}

func (ws *worths) add(w Worth, ratios bool) {
	w = Worth{math.Abs(w.Value), math.Abs(w.Compute)} // or the order would choose between 0 and -0
	ws.values = append(ws.values, w.Value)
	ws.computes = append(ws.computes, w.Compute)
	if ratios {
		ws.ratios = append(ws.ratios, w.Efficiency())
	}
}

func (ws *worths) summary(ratios bool) Summary {
	if len(ws.values) == 0 {
		return Summary{}
	}
	w := Worth{median(ws.values), median(ws.computes)}
	s := Summary{Jobs: len(ws.values), Value: w.Value, Compute: w.Compute, Efficiency: w.Efficiency()}
	if ratios {
		s.Efficiency = median(ws.ratios)
	}
	return s
}

// median sorts numbers that are not negative, and returns their median.
func median(xs []float64) float64 {
	lo, hi := middle(xs)
	if lo == hi { // also if both are infinite
		return lo
	}
	return float64(lo/2) + float64(hi/2) // cannot overflow
}

// middle sorts some numbers and returns the middle two, which are one and the same of an odd number.
func middle[T float64 | time.Duration](xs []T) (lo, hi T) {
	slices.Sort(xs)
	return xs[(len(xs)-1)/2], xs[len(xs)/2]
}

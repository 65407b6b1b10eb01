package value

import (
	"math"
	"slices"
	"time"

	"example.com/augur/histogram"
)

// medians has room for the numbers of one profile after the other.
type medians struct {
	values, computes, ratios []float64
	first                    []time.Duration
	fan                      []uint32
}

// profile sums up the records with the given places, of which there are some.
func (m *medians) profile(records []Record, places []uint32, c Config) Profile {
	p := Profile{Jobs: len(places)}
	p.Own = m.summary(records, places, c.Efficiency, func(r *Record) (Worth, bool) { return r.Own, true })
	p.Aggregate = m.summary(records, places, c.Efficiency, func(r *Record) (Worth, bool) { return r.Aggregate, r.Known })
	p.FanIn = m.distribution(records, places, c.Bins, func(r *Record) (uint32, bool) { return r.FanIn, true })
	p.FanOut = m.distribution(records, places, c.Bins, func(r *Record) (uint32, bool) { return r.FanOut, r.Known })
	m.first = m.first[:0]
	for _, i := range places {
		if r := &records[i]; r.Known && r.First > 0 {
			m.first = append(m.first, r.First)
		}
	}
	if p.Followed = len(m.first); p.Followed > 0 {
		lo, hi := middle(m.first)
		p.First = lo + (hi-lo)/2
	}
	return p
}

func (m *medians) summary(records []Record, places []uint32, rule Rule, worth func(r *Record) (Worth, bool)) Summary {
	m.values, m.computes, m.ratios = m.values[:0], m.computes[:0], m.ratios[:0]
	for _, i := range places {
		if w, ok := worth(&records[i]); ok { // of 0 and -0 the order of records must not choose one
			m.values = append(m.values, math.Abs(w.Value))
			m.computes = append(m.computes, math.Abs(w.Compute))
			m.ratios = append(m.ratios, w.Efficiency())
		}
	}
	if len(m.values) == 0 {
		return Summary{}
	}
	s := Summary{Jobs: len(m.values), Worth: Worth{median(m.values), median(m.computes)}}
	s.Efficiency = s.Worth.Efficiency()
	if rule == MedianOfRatios {
		s.Efficiency = median(m.ratios)
	}
	return s
}

// distribution adds numbers in order, so that the order of the records does not matter.
func (m *medians) distribution(records []Record, places []uint32, bins int, number func(r *Record) (uint32, bool)) *histogram.Histogram {
	m.fan = m.fan[:0]
	for _, i := range places {
		if n, ok := number(&records[i]); ok {
			m.fan = append(m.fan, n)
		}
	}
	slices.Sort(m.fan)
	h, err := histogram.New(histogram.Config{Bins: bins})
	if err != nil {
		panic(err) // bins have been checked
	}
	for same := m.fan; len(same) > 0; {
		n := 1
		for n < len(same) && same[n] == same[0] {
			n++
		}
		if err := h.AddN(float64(same[0]), float64(n)); err != nil {
			panic(err) // a finite number
		}
		same = same[n:]
	}
	return h.Clone() // without room for more
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

package value

import (
	"math"
	"slices"
	"time"

	"example.com/augur/histogram"
)

// medians has room for the numbers of one profile after the other.
type medians struct {
	config         Config
	own, aggregate worths
	fanIn, fanOut  []uint32
	first          []time.Duration
}

// worths holds amounts and, if they are asked for, their ratios.
type worths struct{ values, computes, ratios []float64 }

// profile sums up the records with the given places, of which there are some.
func (m *medians) profile(records []Record, places []uint32) Profile {
	m.own.reset()
	m.aggregate.reset()
	m.fanIn, m.fanOut, m.first = m.fanIn[:0], m.fanOut[:0], m.first[:0]
	for _, i := range places {
		r := &records[i]
		m.fanIn = append(m.fanIn, r.FanIn)
		if !r.Known {
			continue
		}
		m.own.add(r.Own, m.config.Efficiency)
		m.aggregate.add(r.Aggregate, m.config.Efficiency)
		m.fanOut = append(m.fanOut, r.FanOut)
		if r.First > 0 {
			m.first = append(m.first, r.First)
		}
	}
	p := Profile{
		Jobs: len(places), FanIn: distribution(m.fanIn, m.config.Bins),
		Known: len(m.fanOut), FanOut: distribution(m.fanOut, m.config.Bins),
		Own: m.own.summary(m.config.Efficiency), Aggregate: m.aggregate.summary(m.config.Efficiency),
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

func (ws *worths) add(w Worth, rule Rule) {
	w = Worth{math.Abs(w.Value), math.Abs(w.Compute)} // or the order would choose between 0 and -0
	ws.values = append(ws.values, w.Value)
	ws.computes = append(ws.computes, w.Compute)
	if rule == MedianOfRatios {
		ws.ratios = append(ws.ratios, w.Efficiency())
	}
}

func (ws *worths) summary(rule Rule) Summary {
	if len(ws.values) == 0 {
		return Summary{}
	}
	w := Worth{median(ws.values), median(ws.computes)}
	s := Summary{Jobs: len(ws.values), Value: w.Value, Compute: w.Compute, Efficiency: w.Efficiency()}
	if rule == MedianOfRatios {
		s.Efficiency = median(ws.ratios)
	}
	return s
}

// distribution sorts numbers and adds them in order, so that the order of the records does not
// matter.
func distribution(fan []uint32, bins int) *histogram.Histogram {
	slices.Sort(fan)
	h, err := histogram.New(histogram.Config{Bins: bins})
	if err != nil {
		panic(err) // bins have been checked
	}
	for len(fan) > 0 {
		n := 1
		for n < len(fan) && fan[n] == fan[0] {
			n++
		}
		if err := h.AddN(float64(fan[0]), float64(n)); err != nil {
			panic(err) // a finite number
		}
		fan = fan[n:]
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

package predict

import (
	"math"

	"example.com/augur/histogram"
)

// A value is the history of one value of one feature. The fields that Predict reads come first; a
// value takes two cache lines.
type value struct {
	totals
	estimates [estimators]float64 // of the next runtime
	key       key
	runtimes  *histogram.Histogram // those before the ones in the ring; all if they fade; nil if there is none
	aging     *aging               // nil if nothing fades and there is no window
	ring      uint32               // id of the last runtimes; 0 if there is but one, which is the EWMA
	ringState
	longest uint16 // runtime that was not censored, see bound; 0 if there is none
}

// bound returns the upper bits of the next number above x that has five significant bits. So it fits into the cache
// lines of a value.
func bound(x float64) uint16 { return uint16(math.Float64bits(x)>>48) + 1 }

// An aging is what a value also needs if history fades or leaves the window.
type aging struct {
	tick  int64  // tick up to which it has faded
	parts []part // parts of the window, the oldest first
	early uint8  // number of latest observations in a row that were dated far before the clock of the value
}

// believed is how many observations in a row must be dated far before the value's clock until the clock is
// taken to be wrong, and not their dates.
const believed = 8

// wrong reports whether the value's clock is wrong, given whether the date of one more observation is far
// before it.
func (a *aging) wrong(far bool) bool {
	if !far {
		a.early = 0
		return false
	}
	a.early++
	if a.early < believed {
		return false
	}
	a.early = 0
	return true
}

// totals are sums over past jobs. The floating-point sums fade.
type totals struct {
	weight float64             // of jobs, 1 for a new one
	scores uint64              // jobs for which there was an estimate
	actual float64             // sum of their runtimes
	errors [estimators]float64 // sums of |estimate - runtime|
}

// observe scores a value's estimates against the runtime x, and learns from it. If it is censored, it is more than x,
// and nothing is scored.
func (s *store) observe(v *value, x float64, censored bool, now int64, c *Config) {
	var p *part
	switch {
	case c.Window > 0:
		p = s.slide(v, now, c)
	case c.HalfLife > 0:
		s.fade(v, now, c)
	}
	ran := x
	if censored {
		x = s.beyond(v, ran, c)
	}
	if v.weight == 0 {
		v.estimates = [estimators]float64{x, x, x, x}
	} else {
		if !censored {
			v.score(&v.estimates, x)
			if p != nil {
				p.score(&v.estimates, x)
			}
		}
		if v.ring == 0 {
			v.ring = s.rings.make()
			s.addRecent(v, v.estimates[EWMA], c)
		}
		r := s.addRecent(v, x, c)
		v.estimates[Median] = r.median()
		v.estimates[RecentMean] = r.mean()
		if !censored || v.estimates[EWMA] <= ran {
			v.estimates[EWMA] = c.Alpha*x + (1-c.Alpha)*v.estimates[EWMA]
		}
		v.estimates[Mean] += (x - v.estimates[Mean]) / (v.weight + 1)
	}
	v.weight++
	if !censored {
		v.longest = max(v.longest, bound(x))
	}
	if p != nil {
		p.weight++
		p.sum += x
	}
	if c.HalfLife > 0 {
		v.runtimes = c.with(v.runtimes, x)
	}
}

// beyond returns the mean of those runtimes of a value that are longer than ran, or 2·ran if none is. Runtimes of
// censored jobs are among them, so the mean is at most the longest runtime that was not censored, or 2·ran.
func (s *store) beyond(v *value, ran float64, c *Config) float64 {
	sum, n := 0.0, 0.0
	if h := v.runtimes; h != nil {
		if n = h.Count() * h.Survival(ran); n > 0 {
			sum = float64(h.Count()*h.SurvivalIntegral(ran, h.Max())) + float64(n*ran)
		}
	}
	if v.weight > 0 && c.HalfLife == 0 { // else the histogram has them
		var place [maxRecent]float64
		for _, x := range s.lastRuntimes(v, place[:0]) {
			if x > ran {
				sum += x
				n++
			}
		}
	}
	x := 2 * ran
	if n > 0 {
		x = max(ran, min(sum/n, max(x, math.Float64frombits(uint64(v.longest)<<48))))
	}
	return min(x, maxRuntime)
}

// fetch touches the memory that observing a job's values will need, for all of them together, so that
// cache misses overlap as in lookupAll.
func (s *store) fetch(k *keys) {
	sum := 0.0
	for i := range k.features() {
		if id := k.ids[i]; id != 0 {
			v, l := s.at(id), s.links[id]
			sum += float64(s.links[l.newer].older) + float64(s.links[l.older].newer)
			if v.ring != 0 {
				r := s.rings.at(v.ring, v.ringState)
				sum += r.runtimes[0] + r.runtimes[len(r.runtimes)/2] + r.runtimes[len(r.runtimes)-1] + float64(r.order[0])
			}
			if v.runtimes != nil {
				sum += v.runtimes.Count()
			}
		}
	}
	k.fetched += math.Float64bits(sum) // not used, so that no load is left out
}

// addRecent adds a runtime to a value's ring, and adds the runtime that leaves the ring to the distribution.
func (s *store) addRecent(v *value, x float64, c *Config) ring {
	r := s.rings.at(v.ring, v.ringState)
	if int(v.n) == c.Recent && c.HalfLife == 0 {
		oldest := r.runtimes[v.next]
		v.runtimes = c.with(v.runtimes, oldest)
		if v.aging != nil {
			p := v.aging.leaving()
			p.runtimes = c.with(p.runtimes, oldest)
			p.left++
		}
	}
	r.add(x)
	v.ringState = r.ringState
	return r
}

// with adds a runtime to a histogram, or to a new one if it is nil.
func (c *Config) with(h *histogram.Histogram, runtime float64) *histogram.Histogram {
	if h == nil {
		h = c.newHistogram()
	}
	add(h, runtime)
	return h
}

// lastRuntimes appends the last runtimes of a value to an empty slice, the oldest first.
func (s *store) lastRuntimes(v *value, empty []float64) []float64 {
	if v.ring == 0 {
		return append(empty, v.estimates[EWMA])
	}
	r := s.rings.at(v.ring, v.ringState)
	return r.appendTo(empty)
}

// forget resets a value to one without observations.
func (s *store) forget(v *value) {
	s.rings.free(v.ring)
	*v = value{key: v.key, aging: v.aging}
}

// fade reduces the weight of a value's history. It proceeds in ticks, so that most observations do not
// pay for it.
func (s *store) fade(v *value, now int64, c *Config) {
	tick := floorDiv(now, int64(c.HalfLife)/ticks)
	if v.aging == nil {
		v.aging = &aging{tick: tick}
	}
	if v.aging.wrong(tick <= v.aging.tick-ticks) {
		v.aging.tick = tick
	}
	if tick <= v.aging.tick {
		return
	}
	factor := halved(tick - v.aging.tick)
	v.aging.tick = tick
	v.weight *= factor
	v.actual *= factor
	for i := range v.errors {
		v.errors[i] *= factor
	}
	switch {
	case v.weight == 0:
		s.forget(v)
	default:
		if err := v.runtimes.Scale(factor); err != nil {
			panic("predict: " + err.Error()) // the factor is in (0, 1]
		}
	}
}

// ticks is the number of ticks in a half-life.
const ticks = 64

// halvings[i] is 2^(-i/ticks). The roots are the same to the last bit on all processors,
// which math.Exp2 is not.
var halvings = func() (h [ticks]float64) {
	h[0] = 1
	root := 0.5
	for step := ticks / 2; step > 0; step /= 2 {
		root = math.Sqrt(root)
		for i := range ticks {
			if i&step != 0 {
				h[i] = h[i-step] * root
			}
		}
	}
	return h
}()

// halved returns 2^(-n/ticks).
func halved(n int64) float64 {
	if n >= 1100*ticks || n < 0 { // n overflowed
		return 0
	}
	return math.Ldexp(halvings[n%ticks], -int(n/ticks))
}

// floorDiv returns a/b, rounded down; b is positive.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func addAll(h *histogram.Histogram, runtimes []float64) {
	for _, x := range runtimes {
		add(h, x)
	}
}

// add adds a runtime of at most maxRuntime.
func add(h *histogram.Histogram, runtime float64) {
	if err := h.Add(runtime); err != nil {
		panic("predict: " + err.Error())
	}
}

// merge adds the runtimes of another histogram.
func merge(h, o *histogram.Histogram) {
	if err := h.Merge(o); err != nil {
		panic("predict: " + err.Error())
	}
}

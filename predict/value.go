package predict

import (
	"math"

	"example.com/augur/histogram"
)

// A value is the history of one value of one feature.
type value struct {
	totals
	estimates    [PowerLaw]float64    // of the next runtime; that of PowerLaw depends on its number
	nmae         float64              // the least of these estimates, NaN if there is no score
	recent       []float64            // the last runtimes, the oldest first
	order        [recent]uint8        // their positions, the shortest first
	best         Estimator            // that has nmae
	feature      uint8                // its position, and whether it was used often
	longest      uint16               // runtime that was not censored, see bound; 0 if there is none
	runtimes     *histogram.Histogram // those before the last ones; all if they fade; nil if there is none
	ratios       ratios               // of jobs for which it won
	aging        *aging               // nil if nothing fades and there is no window
	key          key
	newer, older *value // in the store
}

// bound returns the upper bits of the next number above x that has five significant bits.
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
	weight float64           // of jobs, 1 for a new one
	scores uint64            // jobs for which there was an estimate
	actual float64           // sum of their runtimes
	errors [PowerLaw]float64 // sums of |estimate - runtime|
	fit    *fit              // nil: there are no numbers
}

// fitTo adds to the fit.
func (t *totals) fitTo(of *fit) {
	if t.fit == nil {
		t.fit = new(fit)
	}
	t.fit.add(of)
}

// observe scores a value's estimates against the runtime x, and learns from it. If it is censored, it is more than x,
// and nothing is scored. The number is that of the job, NaN if the value has none. It reports whether bins of the value are split.
func (v *value) observe(x, number float64, censored bool, now int64, c *Config) (split bool) {
	var p *part
	switch {
	case c.Window > 0:
		p = v.slide(now, c)
	case c.HalfLife > 0:
		v.fade(now, c)
	}
	ran := x
	if censored {
		x = v.beyond(ran, c)
	}
	split = v.weight >= splits
	scored := v.weight > 0 && !censored
	if scored {
		v.score(&v.estimates, x)
		if p != nil {
			p.score(&v.estimates, x)
		}
	}
	if !math.IsNaN(number) {
		at, y := log(number), log(x)
		job := fit{x: at, y: y, xx: at * at, xy: at * y}
		if scored && v.fit != nil {
			job.error = math.Abs(v.fit.estimate(number, v.weight) - x)
		}
		v.fitTo(&job)
		if p != nil {
			p.fitTo(&job)
		}
	}
	v.addRecent(x, c)
	if v.weight == 0 {
		v.estimates = [...]float64{x, x, x, x}
	} else {
		v.estimates[Mean] += (x - v.estimates[Mean]) / (v.weight + 1)
		if !censored || v.estimates[EWMA] <= ran {
			v.estimates[EWMA] = alpha*x + (1-alpha)*v.estimates[EWMA]
		}
		v.estimateRecent()
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
		v.runtimes = with(v.runtimes, x)
	}
	v.judge()
	return split
}

// beyond returns the mean of those runtimes of a value that are longer than ran, or 2·ran if none is. Runtimes of
// censored jobs are among them, so the mean is at most the longest runtime that was not censored, or 2·ran.
func (v *value) beyond(ran float64, c *Config) float64 {
	sum, n := 0.0, 0.0
	if h := v.runtimes; h != nil {
		if n = h.Count() * h.Survival(ran); n > 0 {
			sum = float64(h.Count()*h.SurvivalIntegral(ran, h.Max())) + float64(n*ran)
		}
	}
	if c.HalfLife == 0 { // else the histogram has them
		for _, x := range v.recent {
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

// addRecent adds a runtime to the last ones. The one that it replaces goes to the distribution.
func (v *value) addRecent(x float64, c *Config) {
	if n := len(v.recent); n < recent {
		v.recent = append(v.recent, x)
		v.insert(n)
		return
	}
	oldest := v.recent[0]
	copy(v.recent, v.recent[1:])
	v.recent[recent-1] = x
	left := 0
	for _, at := range v.order {
		v.order[left] = at - 1 // or overwritten, if it has left
		if at > 0 {
			left++
		}
	}
	v.insert(recent - 1)
	if c.HalfLife > 0 { // the histogram has all of them
		return
	}
	v.runtimes = with(v.runtimes, oldest)
	if v.aging != nil {
		p := v.aging.leaving()
		p.runtimes = with(p.runtimes, oldest)
		p.left++
	}
}

// insert puts the last of n+1 runtimes where it belongs among the others.
func (v *value) insert(n int) {
	x, i := v.recent[n], n
	for ; i > 0 && v.recent[v.order[i-1]] > x; i-- {
		v.order[i] = v.order[i-1]
	}
	v.order[i] = uint8(n)
}

// sort orders the last runtimes anew.
func (v *value) sort() {
	for n := range v.recent {
		v.insert(n)
	}
}

// estimateRecent updates the estimates by the last runtimes.
func (v *value) estimateRecent() {
	sum := 0.0
	for _, x := range v.recent {
		sum += x
	}
	n := len(v.recent)
	v.estimates[RecentMean] = sum / float64(n)
	low, high := v.recent[v.order[(n-1)/2]], v.recent[v.order[n/2]]
	v.estimates[Median] = low + (high-low)/2
}

// forget drops all that was observed of a value.
func (v *value) forget() {
	*v = value{key: v.key, feature: v.feature, aging: v.aging, newer: v.newer, older: v.older}
}

// fade reduces the weight of a value's history. It proceeds in ticks, so that most observations do not
// pay for it.
func (v *value) fade(now int64, c *Config) {
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
	if v.fit != nil {
		v.fit.scale(factor)
	}
	if v.weight == 0 {
		v.forget()
	} else if err := v.runtimes.Scale(factor); err != nil {
		panic("predict: " + err.Error()) // the factor is in (0, 1]
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

// with adds a runtime to a histogram, or to a new one if it is nil.
func with(h *histogram.Histogram, runtime float64) *histogram.Histogram {
	if h == nil {
		h = new(histogram.Histogram)
	}
	add(h, runtime)
	return h
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

package estimate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A ConformalConfig describes the intervals of a [Conformal].
type ConformalConfig struct {
	Coverage float64 // share of intervals that are to hold what comes true, in (0, 1); 0 means 0.9
	Window   int     // how many past predictions count, 1 to 100,000; 0 means 500
	Relative bool    // widen by a factor, which suits runtimes, and not by a term
	Rate     float64 // how fast the coverage aimed at adapts to misses, in [0, 1); 0: not at all
}

// A Conformal makes intervals with a stated coverage out of the predictions of any predictor,
// however wrong: it looks how far off the predictor was in the past, and widens what it says
// now, or narrows it, by as much as has been right for the right share of predictions.
//
// A prediction is an interval, such as two quantiles, or one number that is both ends. The
// score of a past prediction is by how much its interval had to be wider to hold what came
// true: with low and high its ends and y what came true
//
//	max(low - y, y - high)    or, if Relative,
//	max(low / y, y / high)
//
// with 0/0 as 0, and less than 0, or than 1, if it could have been narrower. A new prediction is
// widened by q, the k-th least of the n scores in the window, to [low-q, high+q], or
// [low/q, high*q], with
//
//	k = ceil((n+1) * Coverage)
//
// and to everything if k > n, so that there are no intervals before
// Coverage/(1-Coverage) predictions have been scored, and none ever, unless Rate is set, if the
// window is smaller than that: 0.999 needs one of 999.
//
// # Guarantee
//
// If the past predictions in the window and the new one, each with what comes true, are
// exchangeable (any order is as likely as another; it is enough that they are independent
// and alike) the interval holds what comes true with probability at least Coverage; and, if
// equal scores have no probability, at most Coverage + 1/(n+1). That is an average over
// predictions, not a promise for every kind of job, and speaks of nothing that drifts.
//
// With Rate r > 0 it is adaptive: after each prediction the share a of misses aimed at becomes
// a + r*(1-Coverage) after a hit and a + r*(1-Coverage) - r after a miss. Then, whatever comes,
// the share of misses in T predictions is within (max(Coverage, 1-Coverage) + r) / (r*T) of
// 1-Coverage, if each prediction is added before the next interval is asked for; a miss is of
// the interval as it would be when the prediction is added. While a is at most 0 the interval
// is everything. While it is at least 1 the prediction counts as a miss even if it is not.
// 0.005 to 0.05 is usual; more adapts faster and swings more.
//
// The memory grows to about 16 bytes for each prediction in the window.
//
// # Source
//
// V. Vovk, A. Gammerman and G. Shafer, Algorithmic Learning in a Random World, 2005; Y. Romano,
// E. Patterson and E. Candès, "Conformalized quantile regression", NeurIPS 2019; I. Gibbs and
// E. Candès, "Adaptive conformal inference under distribution shift", NeurIPS 2021,
// equation 2 and proposition 4.1.
type Conformal struct {
	c      ConformalConfig
	misses float64   // share aimed at
	ring   []float64 // scores; the oldest is at next once it is full
	next   int
	sorted []float64 // the same scores
}

// NewConformal returns a Conformal that has seen no prediction yet.
func NewConformal(c ConformalConfig) (*Conformal, error) {
	c.Coverage, c.Window = cmp.Or(c.Coverage, 0.9), cmp.Or(c.Window, 500)
	switch {
	case !(c.Coverage > 0 && c.Coverage < 1):
		return nil, fmt.Errorf("estimate: Coverage is %v, must be in (0, 1)", c.Coverage)
	case c.Window < 1 || c.Window > 100_000:
		return nil, fmt.Errorf("estimate: Window is %d, must be 1 to 100,000", c.Window)
	case !(c.Rate >= 0 && c.Rate < 1):
		return nil, fmt.Errorf("estimate: Rate is %v, must be in [0, 1)", c.Rate)
	}
	return &Conformal{c: c, misses: 1 - c.Coverage}, nil
}

// Add notes what came true, finite and at least 0, of a prediction, as it was before
// [Conformal.Interval] widened it. Add a prediction when its truth is known, each before the
// interval of the next is asked for if possible; later ones count no less, but the adaptive
// form then reacts late. It takes O(n) time for n scores in the window, to move
// 8 bytes of each, and does not allocate once the window is full.
func (c *Conformal) Add(low, high, actual float64) error {
	if err := c.check(low, high); err != nil {
		return err
	}
	if err := checkValue("actual value", actual); err != nil {
		return err
	}
	score := c.score(low, high, actual)
	if c.c.Rate > 0 {
		miss := 0.0
		if c.misses >= 1 || score > c.width() {
			miss = 1
		}
		c.misses += c.c.Rate * (1 - c.c.Coverage - miss)
	}
	if len(c.ring) < c.c.Window {
		c.ring = append(c.ring, score)
	} else {
		oldest, _ := slices.BinarySearch(c.sorted, c.ring[c.next])
		c.sorted = slices.Delete(c.sorted, oldest, oldest+1)
		c.ring[c.next] = score
		c.next = (c.next + 1) % len(c.ring)
	}
	to, _ := slices.BinarySearch(c.sorted, score)
	c.sorted = slices.Insert(c.sorted, to, score)
	return nil
}

// score is by how much an interval has to be wider to hold y.
func (c *Conformal) score(low, high, y float64) float64 {
	if !c.c.Relative {
		return max(low-y, y-high)
	}
	return max(ratio(low, y), ratio(y, high))
}

// N returns the number of scores in the window.
func (c *Conformal) N() int { return len(c.ring) }

// width returns what the next prediction is widened by: a term, or a factor if Relative. It is
// negative, or less than 1, if past predictions were too wide; +Inf if the interval is
// everything, and -Inf, or 0, if it is nothing.
func (c *Conformal) width() float64 {
	n := len(c.sorted)
	// A product such as 10 * 0.9 that is rounded up must not count as more than 9.
	rank := math.Ceil(float64(n+1)*(1-c.misses) - 1e-9)
	switch {
	case c.misses <= 0 || rank > float64(n):
		return math.Inf(1)
	case rank < 1 && c.c.Relative:
		return 0
	case rank < 1:
		return math.Inf(-1)
	}
	return c.sorted[int(rank)-1]
}

// Interval returns the interval of a new prediction: [low, high], low at most high, or one
// number as both. For a bound from above only give 0 for low if Relative, and -Inf if not; for
// one from below only, +Inf for high. The result is within [0, +Inf], and where it would be
// narrower than nothing it is a point between low and high.
func (c *Conformal) Interval(low, high float64) (from, to float64, err error) {
	if err := c.check(low, high); err != nil {
		return 0, 0, err
	}
	width := c.width()
	if math.IsInf(width, 1) {
		return 0, math.Inf(1), nil
	}
	if width > math.Inf(-1) {
		// A score may have been rounded down: one more unit holds what it came from.
		width = math.Nextafter(width, math.Inf(1))
	}
	if c.c.Relative {
		from, to = ratio(low, width), high*width
	} else {
		from, to = low-width, high+width
	}
	if !(from <= to) || math.IsInf(from, 1) { // narrowed by as much as there was, or more
		from = c.middle(low, high)
		to = from
	}
	return max(0, from), max(0, to), nil
}

// middle returns a point between two ends, the other one if one is at the limit.
func (c *Conformal) middle(low, high float64) float64 {
	switch {
	case math.IsInf(high, 1):
		return low
	case math.IsInf(low, -1) || c.c.Relative && low == 0:
		return high
	case c.c.Relative:
		return math.Sqrt(low) * math.Sqrt(high)
	}
	return low/2 + high/2
}

func (c *Conformal) check(low, high float64) error {
	least := math.Inf(-1)
	if c.c.Relative {
		least = 0
	}
	if !(low >= least && low < math.Inf(1)) {
		return fmt.Errorf("estimate: low end of a prediction is %v, must be ≥ %v and less than +Inf", low, least)
	}
	if !(high >= low && high > math.Inf(-1)) {
		return fmt.Errorf("estimate: high end of a prediction is %v, must be ≥ %v, the low end, and more than -Inf", high, low)
	}
	return nil
}

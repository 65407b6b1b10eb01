package estimate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/augur/internal/saturate"
)

// A ConformalConfig describes the intervals of a [Conformal].
type ConformalConfig struct {
	Coverage float64 // share of intervals that should contain the actual value, in (0, 1); 0 means 0.9
	Rate     float64 // how fast the target coverage adapts to misses, in [0, 1); 0: not at all
}

// A Conformal turns the predictions of any predictor, however wrong, into intervals with a stated
// coverage. It measures the errors of past predictions, and widens or narrows the next one by
// the quantile of these errors that gives the coverage.
//
// A prediction is an interval [low, high], such as two quantiles, or one number for both ends. The
// score of a past prediction is the factor by which its interval had to be wider to contain the actual value y:
//
//	max(low / y, y / high)    with 0/0 as 0
//
// A score below 1 means that the interval could have been narrower. A new prediction is widened to [low/q, high*q],
// where q is the k-th least of the last n scores, of at most 500,
//
//	k = ceil((n+1) * Coverage)
//
// If k > n, the interval is [0, +Inf]. That is so until Coverage/(1-Coverage) predictions have been
// scored, and for ever, unless Rate is set, if Coverage is above 0.998.
//
// # Guarantee
//
// Assume that the past predictions in the window and the new one, each with its actual value, are
// exchangeable: any order is equally likely, as for independent and identically distributed ones.
// Then the interval contains the actual value with probability at least Coverage, and at most
// Coverage + 1/(n+1) if equal scores have probability 0. The guarantee holds on average over
// predictions, not for every kind of job, and not under drift.
//
// With Rate r > 0 the coverage adapts: the target share a of misses becomes a + r*(1-Coverage)
// after a hit and a + r*(1-Coverage) - r after a miss. Then the share of misses in any T
// predictions is within (max(Coverage, 1-Coverage) + r) / (r*T) of 1-Coverage, without any
// assumption, if each prediction is added before the next interval is requested. A miss refers to
// the interval at the time when the prediction is added. While a ≤ 0 the interval is [0, +Inf].
// While a ≥ 1 every prediction counts as a miss. Usual rates are 0.005 to 0.05; a higher rate
// adapts faster and swings more.
//
// The memory grows to 8 kB.
//
// # Source
//
// V. Vovk, A. Gammerman and G. Shafer, Algorithmic Learning in a Random World, 2005; Y. Romano,
// E. Patterson and E. Candès, "Conformalized quantile regression", NeurIPS 2019; I. Gibbs and
// E. Candès, "Adaptive conformal inference under distribution shift", NeurIPS 2021,
// equation 2 and proposition 4.1. We differ: the score is a factor, which suits runtimes.
type Conformal struct {
	c      ConformalConfig
	window int       // conformalWindow, but in tests
	misses float64   // target share
	ring   []float64 // scores; the oldest is at next once it is full
	next   int
	sorted []float64 // the same scores
}

// conformalWindow is the number of past predictions that count.
const conformalWindow = 500

// NewConformal returns a Conformal that has seen no prediction yet.
func NewConformal(c ConformalConfig) (*Conformal, error) {
	c.Coverage = cmp.Or(c.Coverage, 0.9)
	if err := c.check(); err != nil {
		return nil, err
	}
	return &Conformal{c: c, window: conformalWindow, misses: 1 - c.Coverage}, nil
}

func (c *ConformalConfig) check() error {
	switch {
	case !(c.Coverage > 0 && c.Coverage < 1):
		return fmt.Errorf("estimate: Coverage is %v, must be in (0, 1)", c.Coverage)
	case !(c.Rate >= 0 && c.Rate < 1):
		return fmt.Errorf("estimate: Rate is %v, must be in [0, 1)", c.Rate)
	}
	return nil
}

// Add adds a past prediction, as it was before [Conformal.Interval] widened it, and its actual
// value, finite and at least 0. Call Add as soon as the actual value is known, if possible before
// the next interval is requested. Late calls count no less, but the adaptive form then reacts
// late. Add takes O(n) time for n scores in the window, to move 8 bytes of each, and does not
// allocate once the window is full.
func (c *Conformal) Add(low, high, actual float64) error {
	if err := checkInterval(low, high); err != nil {
		return err
	}
	if err := checkValue("actual value", actual); err != nil {
		return err
	}
	score := max(ratio(low, actual), ratio(actual, high))
	if c.c.Rate > 0 {
		miss := 0.0
		if c.misses >= 1 || score > c.width() {
			miss = 1
		}
		c.misses += c.c.Rate * (1 - c.c.Coverage - miss)
	}
	if len(c.ring) < c.window {
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

// N returns the number of scores in the window.
func (c *Conformal) N() int { return len(c.ring) }

// width returns the factor by which the next prediction is widened. It is less than 1 if past predictions were too wide,
// +Inf if the interval is [0, +Inf], and 0 if the interval is empty.
func (c *Conformal) width() float64 {
	n := len(c.sorted)
	// A product such as 10 * 0.9 that is rounded up must not count as more than 9.
	rank := math.Ceil(float64(n+1)*(1-c.misses) - 1e-9)
	switch {
	case c.misses <= 0 || rank > float64(n):
		return math.Inf(1)
	case rank < 1:
		return 0
	}
	return c.sorted[saturate.To[int](rank)-1]
}

// Interval returns the interval for a new prediction [low, high], low at most high, or one number
// for both. For an upper bound only, pass 0 as low. For a lower bound only, pass +Inf as high. The result is
// within [0, +Inf]. If narrowing would leave nothing, it is a point between low and high.
func (c *Conformal) Interval(low, high float64) (from, to float64, err error) {
	if err := checkInterval(low, high); err != nil {
		return 0, 0, err
	}
	width := c.width()
	if math.IsInf(width, 1) {
		return 0, math.Inf(1), nil
	}
	// A score may have been rounded down: one more unit holds what it came from.
	width = math.Nextafter(width, math.Inf(1))
	from, to = ratio(low, width), high*width
	if !(from <= to) || math.IsInf(from, 1) { // narrowed by as much as there was, or more
		from = middle(low, high)
		to = from
	}
	return from, to, nil
}

// middle returns a point between two ends, the other one if one is at the limit.
func middle(low, high float64) float64 {
	switch {
	case math.IsInf(high, 1):
		return low
	case low == 0:
		return high
	}
	return math.Sqrt(low) * math.Sqrt(high)
}

func checkInterval(low, high float64) error {
	if !(low >= 0 && low < math.Inf(1)) {
		return fmt.Errorf("estimate: low end of a prediction is %v, must be ≥ 0 and less than +Inf", low)
	}
	if !(high >= low) {
		return fmt.Errorf("estimate: high end of a prediction is %v, must be ≥ %v, the low end", high, low)
	}
	return nil
}

package estimate

import (
	"fmt"
	"math"
	"time"
)

// SpaceCoV measures how well pilots predict the mean task runtime of a job if the given ratio of
// its tasks is sampled: the coefficient of variation of the mean of the pilots,
//
//	s1 / (sqrt(ratio*N) * mean)
//
// with the standard deviation s1 of all N tasks. 0/0 is 0 and anything else by 0 is +Inf. It
// returns false for a job of fewer than two tasks, and unless ratio is in (0, 1].
//
// # Source
//
// SLearn, section 4.2 (variation across space), with a ratio of 0.03. The text has s1^2 for
// s1, a slip; its plots leave the square out.
func SpaceCoV(tasks Moments, ratio float64) (cov float64, ok bool) {
	if tasks.N() < 2 || !(ratio > 0 && ratio <= 1) {
		return 0, false
	}
	cov, ok = tasks.CoV()
	return cov / math.Sqrt(ratio*float64(tasks.N())), ok
}

// TimeCoV measures how well history predicts the mean task runtime of a job: it returns the least
// coefficient of variation over the job's features. Each argument holds the mean task runtimes of
// the jobs that share the value of one feature, as from a [Window] of the last days. Features with
// fewer than two values do not count; TimeCoV returns false if none counts.
//
// # Source
//
// SLearn, section 4.2 (variation across time), with windows of 3, 7 and 14 days.
func TimeCoV(features ...Moments) (cov float64, ok bool) {
	cov = math.Inf(1)
	for i := range features {
		if features[i].N() >= 2 {
			c, _ := features[i].CoV()
			cov, ok = min(cov, c), true
		}
	}
	if !ok {
		return 0, false
	}
	return cov, true
}

// A Window keeps the moments of the values in a sliding time window. It takes 16 bytes for each
// value in the window. Instants are times since one instant, which the caller chooses.
type Window struct {
	span    time.Duration
	now     time.Duration
	values  []dated // those before first have left the window
	first   int
	moments Moments
}

type dated struct {
	at time.Duration
	x  float64
}

// NewWindow returns an empty window of the given length, which must be > 0.
func NewWindow(span time.Duration) (*Window, error) {
	if span <= 0 {
		return nil, fmt.Errorf("estimate: span of the window is %v, must be > 0", span)
	}
	return &Window{span: span, now: math.MinInt64}, nil
}

// Add moves the window to the instant at, as [Window.Advance] does, and adds a value, whose
// absolute value must be at most 1e144. It takes amortised O(1) time.
func (w *Window) Add(at time.Duration, x float64) error {
	if err := checkMoment(x); err != nil {
		return err
	}
	if err := w.Advance(at); err != nil {
		return err
	}
	if len(w.values) == cap(w.values) && w.first > len(w.values)/2 { // reuse what is forgotten
		w.values = w.values[:copy(w.values, w.values[w.first:])]
		w.first = 0
	}
	w.values = append(w.values, dated{at, x})
	w.moments.change(x, 1)
	return nil
}

// Advance moves the window to the instant at and removes the values that are older than the window.
// at must not be before the instant of an earlier call.
func (w *Window) Advance(at time.Duration) error {
	if at < w.now {
		return fmt.Errorf("estimate: instant is %v, must not be before %v, the last one", at, w.now)
	}
	w.now = at
	for w.first < len(w.values) && uint64(at-w.values[w.first].at) > uint64(w.span) {
		w.moments.change(w.values[w.first].x, -1)
		w.first++
	}
	if w.first == len(w.values) {
		w.values, w.first = w.values[:0], 0
	}
	return nil
}

// Moments returns the moments of the values in the window.
func (w *Window) Moments() Moments { return w.moments }

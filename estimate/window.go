package estimate

import (
	"fmt"
	"math"
	"time"
)

// A Window is the moments of the values of the last while. It holds 16 bytes for each value
// that is not too old. Instants are given as the time since any one instant, the same for all.
type Window struct {
	span    time.Duration
	now     time.Duration
	values  []dated // those before first are forgotten
	first   int
	moments Moments
}

type dated struct {
	at time.Duration
	x  float64
}

// NewWindow returns an empty window that holds what is at most span old, span > 0.
func NewWindow(span time.Duration) (*Window, error) {
	if span <= 0 {
		return nil, fmt.Errorf("estimate: span of the window is %v, must be > 0", span)
	}
	return &Window{span: span, now: math.MinInt64}, nil
}

// Add forgets what is older than the span at the instant, and adds a value. The instant must
// not be before that of an earlier call, the value's size at most 1e144. It takes O(1) time,
// averaged over calls.
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

// Advance forgets what is older than the span at the instant, which must not be before that
// of an earlier call.
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

// Moments returns the moments of the values held.
func (w *Window) Moments() Moments { return w.moments }

package estimate

import (
	"fmt"
	"math"
	"slices"
)

// A Rolling is an exponentially weighted average: with each value x it becomes
//
//	r = a*x + (1-a)*r
//
// with a = 0.6, and the first value as it is. The zero Rolling is ready for use. It takes 8 bytes.
//
// # Source
//
// 3Sigma, section 4.1, expert (c).
type Rolling struct {
	r optional
}

// rollingWeight is what 3Sigma uses for a.
const rollingWeight = 0.6

// Add adds x, which must be finite and at least 0.
func (r *Rolling) Add(x float64) error {
	if err := checkValue("value", x); err != nil {
		return err
	}
	if old, ok := r.r.get(); ok {
		x = float64(rollingWeight*x) + float64((1-rollingWeight)*old)
	}
	r.r = some(x)
	return nil
}

// Value returns the average, and false if nothing was added.
func (r *Rolling) Value() (average float64, ok bool) { return r.r.get() }

// A Recent holds the last values added, and answers with their mean and their median. Memory
// grows with what is added, up to the limit: 56 bytes, and 9 bytes a value. The zero Recent
// holds up to 20; make others with [NewRecent]. A copy shares the memory of the
// original, so use only one of them.
//
// # Source
//
// 3Sigma, section 4.1: expert (d) is the average of the X most recent runtimes, and the
// median of recent values stands for that of all. The paper does not give X.
type Recent struct {
	values []float64 // a ring once it is full
	order  []uint8   // indexes of values, the least value first
	next   uint8     // index of the oldest value, which the next one replaces, once it is full
	limit  uint8     // 0 means 20
}

const (
	recentLimit    = 20
	maxRecentLimit = math.MaxUint8
)

// NewRecent returns a Recent that holds the last limit values, 1 to 255; 0 means 20.
func NewRecent(limit int) (Recent, error) {
	if limit < 0 || limit > maxRecentLimit {
		return Recent{}, fmt.Errorf("estimate: limit of recent values is %d, must be 1 to %d, or 0 for %d",
			limit, maxRecentLimit, recentLimit)
	}
	return Recent{limit: uint8(limit)}, nil
}

// Add adds x, which must be finite and at least 0, in the place of the oldest value if there
// are as many as the limit. It keeps the values in order, which takes O(n) time, and allocates
// only while the memory grows.
func (r *Recent) Add(x float64) error {
	if err := checkValue("value", x); err != nil {
		return err
	}
	n, limit := len(r.values), int(r.limit)
	if limit == 0 {
		limit = recentLimit
	}
	at, rank := uint8(n), n // where x goes, and how many values in order are before it
	if n < limit {
		if n == cap(r.values) { // append would grow past the limit
			size := min(limit, max(1, 2*n))
			r.values = append(make([]float64, 0, size), r.values...)
			r.order = append(make([]uint8, 0, size), r.order...)
		}
		r.values = append(r.values, x)
		r.order = append(r.order, at)
	} else {
		at = r.next
		r.next = uint8((int(at) + 1) % limit)
		rank = slices.Index(r.order, at)
		r.values[at] = x
	}
	// All but order[rank] are in order; it moves to where it belongs.
	for ; rank > 0 && r.values[r.order[rank-1]] > x; rank-- {
		r.order[rank] = r.order[rank-1]
	}
	for ; rank+1 < len(r.order) && r.values[r.order[rank+1]] < x; rank++ {
		r.order[rank] = r.order[rank+1]
	}
	r.order[rank] = at
	return nil
}

// Mean returns the mean of the values held, and false if there is none. It takes O(n) time
// and carries no rounding error over from values that have left.
func (r *Recent) Mean() (mean float64, ok bool) {
	if len(r.values) == 0 {
		return 0, false
	}
	scale := 1.0
	sum := r.sum(scale)
	if math.IsInf(sum, 1) {
		scale = 1.0 / 256
		sum = r.sum(scale)
	}
	return sum / float64(len(r.values)) / scale, true
}

// sum adds up the values times a power of two, the oldest first, so that the bits do not
// depend on where the ring begins.
func (r *Recent) sum(scale float64) float64 {
	sum := 0.0
	for _, x := range r.values[r.next:] {
		sum += float64(x * scale)
	}
	for _, x := range r.values[:r.next] {
		sum += float64(x * scale)
	}
	return sum
}

// Median returns the median of the values held, that of an even number being the mean of the
// middle two, and false if there is none. It takes O(1) time.
func (r *Recent) Median() (median float64, ok bool) {
	n := len(r.order)
	if n == 0 {
		return 0, false
	}
	lower, upper := r.values[r.order[(n-1)/2]], r.values[r.order[n/2]]
	return lower + float64((upper-lower)/2), true
}

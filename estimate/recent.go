package estimate

import (
	"fmt"
	"math"
)

// A Recent holds the last values added, and answers with their mean and their median. Memory
// grows with what is added, up to the limit: 32 bytes and 8 bytes a value. The zero Recent
// has the limit [RecentLimit]; make others with [NewRecent]. A copy shares the memory of the
// original, so use only one of them.
//
// # Source
//
// 3Sigma, section 4.1: expert (d) is the average of the X most recent runtimes, and the
// median of recent values stands for that of all. The paper does not give X.
type Recent struct {
	values []float64 // a ring once it is full
	next   uint16    // where the next value goes, if full: the oldest value
	limit  uint16    // 0 means RecentLimit
}

const (
	RecentLimit    = 20   // how many values a Recent holds unless told otherwise
	MaxRecentLimit = 1024 // how many a Recent may be told to hold
)

// NewRecent returns a Recent that holds the last limit values, 1 to [MaxRecentLimit]; 0 means
// [RecentLimit].
func NewRecent(limit int) (Recent, error) {
	if limit < 0 || limit > MaxRecentLimit {
		return Recent{}, fmt.Errorf("estimate: limit of recent values is %d, must be 1 to %d, or 0 for %d",
			limit, MaxRecentLimit, RecentLimit)
	}
	return Recent{limit: uint16(limit)}, nil
}

// Add adds x, which must be finite and at least 0, in the place of the oldest value if there
// are as many as the limit. It takes O(1) time, and allocates only while the memory grows.
func (r *Recent) Add(x float64) error {
	if err := checkValue("value", x); err != nil {
		return err
	}
	limit := int(r.limit)
	if limit == 0 {
		limit = RecentLimit
	}
	if len(r.values) == limit {
		r.values[r.next] = x
		r.next++
		if int(r.next) == limit {
			r.next = 0
		}
		return nil
	}
	if len(r.values) == cap(r.values) { // append would grow past the limit
		grown := make([]float64, len(r.values), min(limit, max(1, 2*len(r.values))))
		copy(grown, r.values)
		r.values = grown
	}
	r.values = append(r.values, x)
	return nil
}

// Len returns the number of values held.
func (r *Recent) Len() int { return len(r.values) }

// Mean returns the mean of the values held, and false if there is none. It takes O(n) time
// and carries no rounding error over from values that have left.
func (r *Recent) Mean() (mean float64, ok bool) {
	if len(r.values) == 0 {
		return 0, false
	}
	// The oldest is first, so that the bits do not depend on where the ring begins.
	scale := 1.0
	sum := r.sum(scale)
	if math.IsInf(sum, 1) {
		scale = 1.0 / MaxRecentLimit
		sum = r.sum(scale)
	}
	return sum / float64(len(r.values)) / scale, true
}

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
// middle two, and false if there is none. It takes O(n) time, and does not allocate up to 64
// values.
func (r *Recent) Median() (median float64, ok bool) {
	n := len(r.values)
	if n == 0 {
		return 0, false
	}
	var scratch [64]float64
	values := append(scratch[:0], r.values...)
	upper := selectValue(values, n/2)
	if n%2 == 1 {
		return upper, true
	}
	lower := values[0]
	for _, x := range values[1 : n/2] {
		lower = max(lower, x)
	}
	return lower + (upper-lower)/2, true
}

// selectValue reorders values so that the k-th least, from 0, is in its place with none above it
// before and none below it behind, and returns it. The expected time is O(n) (Hoare's
// "find", CACM 4(7), 1961).
func selectValue(values []float64, k int) float64 {
	lo, hi := 0, len(values)-1
	for lo < hi {
		a, b, c := values[lo], values[lo+(hi-lo)/2], values[hi]
		pivot := max(min(a, b), min(max(a, b), c))
		// values[lo:i] <= pivot <= values[j+1:hi+1]
		i, j := lo, hi
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for pivot < values[j] {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return values[k]
		}
	}
	return values[k]
}

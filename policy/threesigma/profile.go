package threesigma

import (
	"errors"
	"fmt"
	"math"
)

// maxSlots is the largest number of slots: each takes 8 bytes in every profile.
const maxSlots = 1 << 20

// AppendProfile appends to dst the share of its nodes that a job is expected to hold in each of so many
// slots of time, up to 2^20, and returns it. The first slot begins when the job has run for the time from, at
// least 0: 0 for a job that is to be started, and d its distribution; for one that runs, what has
// elapsed, and d what [After] or [Increments.After] make of its distribution. From and the width of a
// slot, above 0, are in seconds.
//
// A slot has the share at its beginning, 1 in the first. That is the largest share within the slot:
// what is planned is never less than what is expected, at any instant, and a job that may end early
// in a slot frees nothing until the next. It is too much by up to half a slot on average, and less
// the narrower slots are. A job that ends just as a slot begins holds nothing in it.
//
// Shares are from 0 to 1 and never grow; the zeros at the end are left out, so fewer values than slots may be
// appended. It takes one call of CDF for each, and does not allocate if dst has room. On an error dst is
// returned as it was: from, width or slots is not as said, or d has no values.
//
// # Source
//
// 3Sigma, section 3.2: the expected remaining resource consumption.
func AppendProfile(dst []float64, d Distribution, from, width float64, slots int) ([]float64, error) {
	switch {
	case !(from >= 0) || math.IsInf(from, 1):
		return dst, fmt.Errorf("threesigma: profile from %v s on, want finite, at least 0", from)
	case !(width > 0) || math.IsInf(width, 1):
		return dst, fmt.Errorf("threesigma: slots of %v s, want finite, above 0", width)
	case slots < 0 || slots > maxSlots:
		return dst, fmt.Errorf("threesigma: profile of %d slots, want 0 to %d", slots, maxSlots)
	}
	if slots == 0 {
		return dst, nil
	}
	n, last := len(dst), 1.0
	if math.IsNaN(survival(d, from)) {
		return dst, errors.New("threesigma: distribution d has no values, of which there were a profile")
	}
	dst = append(dst, last)
	for k := 1; k < slots; k++ {
		share := survival(d, from+float64(float64(k)*width))
		if math.IsNaN(share) {
			return dst[:n], fmt.Errorf("threesigma: slot %d of a profile has no share: the distribution answers NaN", k)
		}
		// Functions that are computed may grow by a rounding, and leave [0, 1].
		last = min(last, max(share, 0))
		if last == 0 {
			break
		}
		dst = append(dst, last)
	}
	return dst, nil
}

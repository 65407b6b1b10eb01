package estimate

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// floats are the numbers that bytes are, eight to each.
func floats(b []byte) (xs []float64) {
	for ; len(b) >= 8; b = b[8:] {
		xs = append(xs, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return xs
}

func bytesOf(xs ...float64) (b []byte) {
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// Whatever the bins, what is not refused has a power mean between the least and the greatest value, which grows
// with the power, and a score between 0 and the largest distance.
func FuzzBins(f *testing.F) {
	f.Add(bytesOf(1, 2, 3, 1, 4, 1), 2.0, 3.0)
	f.Add(bytesOf(-math.MaxFloat64, 1, math.MaxFloat64, 1), -2.0, 0.0)
	f.Add(bytesOf(0, 5e-324, 5e-324, 1e300), 1e-300, -math.MaxFloat64)
	f.Add(bytesOf(1, 1e300, 1e100, 1e-300), math.Inf(1), 1.0)
	f.Fuzz(func(t *testing.T, b []byte, power, actual float64) {
		var values, weights []float64
		for xs := floats(b); len(xs) >= 2; xs = xs[2:] {
			values, weights = append(values, xs[0]), append(weights, xs[1])
		}
		least, most := math.Inf(1), math.Inf(-1)
		valid, sum := true, 0.0
		for i, x := range values {
			valid = valid && checkFinite("", x) == nil && checkValue("", weights[i]) == nil
			if sum += weights[i]; weights[i] > 0 {
				least, most = min(least, x), max(most, x)
			}
		}
		valid = valid && sum > 0 && sum <= math.MaxFloat64
		bins := pairs(values, weights)

		score, err := CRPS(bins, actual)
		if want := valid && slices.IsSorted(values) && checkFinite("", actual) == nil; (err == nil) != want {
			t.Fatalf("CRPS of %v, %v at %v: %v, want it to be valid: %v", values, weights, actual, err, want)
		}
		far := min(max(math.Abs(actual-least), math.Abs(actual-most)), math.MaxFloat64)
		if err == nil && !(score >= 0 && score <= far*(1+1e-12)+1e-300) {
			t.Fatalf("CRPS of %v, %v at %v is %v, want at most %v", values, weights, actual, score, far)
		}

		mean, err := PowerMean(bins, power)
		if want := valid && cmp.Compare(slices.Min(append(values, 0)), 0) == 0 && !math.IsNaN(power); (err == nil) != want {
			t.Fatalf("PowerMean of %v, %v by %v: %v, want it to be valid: %v", values, weights, power, err, want)
		}
		if err != nil {
			return
		}
		if !(mean >= least && mean <= most) {
			t.Fatalf("PowerMean of %v, %v by %v is %v, want %v to %v", values, weights, power, mean, least, most)
		}
		more, err := PowerMean(bins, power+1)
		if err != nil || !(more >= mean-1e-6*mean-1e-300) {
			t.Fatalf("PowerMean of %v, %v by %v is %v, and %v, %v by 1 more", values, weights, power, mean, more, err)
		}
	})
}

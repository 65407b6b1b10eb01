package threesigma_test

import (
	"encoding/binary"
	"math"
	"testing"

	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
)

// FuzzExpected holds an expected utility to the values that a curve has from the start on, and that of a known
// runtime to the curve at its end, where times are on a grid on which nothing is rounded.
func FuzzExpected(f *testing.F) {
	f.Add([]byte{}, 0.0, 1.0)
	curve := func(x ...float64) (data []byte) {
		for _, x := range x {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		}
		return data
	}
	f.Add(curve(5, 10, 5, 0), 2.0, 3.0)
	f.Add(curve(0, math.MaxFloat64, math.SmallestNonzeroFloat64, 0), 0.0, math.SmallestNonzeroFloat64)
	f.Add(curve(0, 3, 10, -1, 10, 2, 20, 0), -math.MaxFloat64, 4.0)
	f.Add(curve(-1e300, 1, 1e300, 0), 1e18, 1e18)
	f.Add(curve(0, 1.3e-15, 1.7e308, 0), 1.0, 0.0) // so flat that the slope is 1e-323, a third too much
	f.Fuzz(func(t *testing.T, data []byte, start, runtime float64) {
		next := func() float64 {
			x := math.Float64frombits(binary.LittleEndian.Uint64(data))
			data = data[8:]
			return x
		}
		var points, grid []threesigma.Point
		for at := 0.0; len(data) >= 16 && len(points) < 12; {
			p := threesigma.Point{Time: next(), Value: next()}
			at += math.Floor(math.Mod(math.Abs(p.Time), 64)) / 4
			points, grid = append(points, p), append(grid, threesigma.Point{Time: at, Value: math.Mod(p.Value, 1000)})
		}
		if u, err := threesigma.NewUtility(points...); err == nil && len(points) > 0 && runtime >= 0 {
			least, most := u.At(start), u.At(start)
			for _, p := range points {
				least, most = min(least, p.Value), max(most, p.Value)
			}
			got := u.Expected(forecast.Known(runtime), start)
			far := math.IsNaN(start) || math.IsInf(start, 0) || math.IsInf(points[len(points)-1].Time-start, 1)
			if far != math.IsNaN(got) || got < least || got > most {
				t.Fatalf("of %v, from %v on, for %v: %v, want %v to %v", points, start, runtime, got, least, most)
			}
		}
		u, err := threesigma.NewUtility(grid...)
		start, runtime = math.Floor(math.Mod(start, 256))/4, math.Floor(math.Mod(math.Abs(runtime), 256))/4
		if err != nil || math.IsNaN(start+runtime) {
			return
		}
		if got, want := u.Expected(forecast.Known(runtime), start), u.At(start+runtime); !(math.Abs(got-want) <= 1e-9) {
			t.Fatalf("of %v, from %v on, for %v: %v, want %v", grid, start, runtime, got, want)
		}
	})
}

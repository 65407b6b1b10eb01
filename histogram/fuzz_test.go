package histogram

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// check reports what may never be.
func check(t *testing.T, h *Histogram) {
	t.Helper()
	if len(h.bins) > h.Config().Bins {
		t.Fatalf("%d bins, at most %d", len(h.bins), h.Config().Bins)
	}
	sum := 0.0
	for i, b := range h.bins {
		c := b.centre
		if !(c >= h.Min() && c <= h.Max()) || i > 0 && !(c > h.bins[i-1].centre) || b.count == 0 || b.count != b.count {
			t.Fatalf("bin %d of %v, range %v to %v", i, h.bins, h.Min(), h.Max())
		}
		sum += b.n()
	}
	if !(sum <= math.MaxFloat64) || math.Abs(sum-h.Count()) > 1e-3*h.Count() {
		t.Fatalf("count %v, that of the bins %v", h.Count(), sum)
	}
	if h.Count() == 0 {
		return
	}
	if mean := h.Mean(); !(mean >= h.Min() && mean <= h.Max()) || !(h.Variance() >= 0) {
		t.Fatalf("mean %v, variance %v, range %v to %v", mean, h.Variance(), h.Min(), h.Max())
	}
	last := 0.0
	for i, b := range h.bins {
		p := h.CDF(b.centre)
		if !(p >= last && p <= 1) {
			t.Fatalf("CDF at centre %d is %v, after %v", i, p, last)
		}
		last = p
		if q := h.Quantile(p); !(q >= h.Min() && q <= h.Max()) {
			t.Fatalf("Quantile(%v) = %v, range %v to %v", p, q, h.Min(), h.Max())
		}
	}
}

// Bytes are operations on a histogram; it must equal the naive one after each, and be sound.
func FuzzOperations(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 11))
	for range 20 {
		b := make([]byte, 200)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		take := func() uint64 {
			var v [8]byte
			b = b[copy(v[:], b):]
			return binary.LittleEndian.Uint64(v[:])
		}
		head := take()
		c := Config{Bins: 1 + int(head%9)}
		h, want := of(t, c), &naive{limit: c.Bins}
		for len(b) > 0 {
			op := b[0]
			b = b[1:]
			switch op % 8 {
			case 0, 1: // any value
				x := math.Float64frombits(take())
				if err := h.Add(x); err == nil {
					want.add(x, 1)
				} else if x-x == 0 {
					t.Fatalf("Add(%v): %v", x, err)
				}
			case 2, 3, 4: // an integer
				x := float64(int(op>>3) - 16)
				h.Add(x)
				want.add(x, 1)
			case 5:
				x, n := float64(op>>3), math.Float64frombits(take())
				if err := h.AddN(x, n); err == nil {
					want.add(x, n)
				} else if n > 0 && n+h.Count() <= math.MaxFloat64 {
					t.Fatal(err)
				}
			case 6:
				factor := math.Ldexp(1, int(op>>3)-16)
				if err := h.Scale(factor); err == nil {
					want.scale(factor)
				}
			case 7:
				if op>>3 == 0 {
					h.Reset()
					*want = naive{limit: c.Bins}
				} else if h.Merge(h) == nil {
					want.merge(want)
				}
			}
			if h.Count() == 0 { // all may have been scaled to nothing
				want.bins = nil
			}
			checkBins(t, h, want)
			if t.Failed() {
				t.FailNow()
			}
			check(t, h)
		}
	})
}

func seeds(t testing.TB) []*Histogram {
	rng := rand.New(rand.NewPCG(1, 12))
	hs := []*Histogram{{}}
	for _, n := range []int{1, 5, 50} {
		h := of(t, Config{Bins: 8})
		for range n {
			h.AddN(rng.NormFloat64(), rng.ExpFloat64())
		}
		hs = append(hs, h)
	}
	return append(hs, of(t, Config{Bins: 3}, -math.MaxFloat64, math.MaxFloat64, 0, 1, 2))
}

// What decodes is sound, works, and encodes to what decodes to the same.
func FuzzUnmarshalBinary(f *testing.F) {
	for _, h := range seeds(f) {
		b, _ := h.MarshalBinary()
		f.Add(b)
	}
	crowded, _ := of(f, Config{Bins: 3}, 1, 2, 3).MarshalBinary()
	crowded[3] = 2 // bins at most, of which there are three
	f.Add(crowded)
	f.Fuzz(func(t *testing.T, b []byte) {
		h := of(t, Config{}, 1, 2, 3)
		before, _ := h.MarshalBinary()
		if err := h.UnmarshalBinary(b); err != nil {
			if after, _ := h.MarshalBinary(); !slices.Equal(before, after) || !errors.Is(err, ErrFormat) {
				t.Fatalf("refused with %v, and changed", err)
			}
			return
		}
		work(t, h)
	})
}

// work checks a histogram that was decoded, and that encoding it loses nothing.
func work(t *testing.T, h *Histogram) {
	check(t, h)
	b, err := h.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var other Histogram
	if err := other.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{1, -2.5, 1e9} {
		if got, want := other.Add(x), h.Add(x); got != want {
			t.Fatalf("Add(%v): %v, want %v", x, got, want)
		}
	}
	check(t, h)
	b, _ = h.MarshalBinary()
	if got, _ := other.MarshalBinary(); !slices.Equal(got, b) {
		t.Fatal("not the same after a round trip")
	}
}

package histogram

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// streams make values that are hard in different ways: smooth, with ties, in order, with
// gaps of equal size, of all magnitudes, extreme.
var streams = map[string]func(rng *rand.Rand, i int) float64{
	"normal":     func(rng *rand.Rand, i int) float64 { return rng.NormFloat64() },
	"lognormal":  func(rng *rand.Rand, i int) float64 { return math.Exp(3 * rng.NormFloat64()) },
	"integers":   func(rng *rand.Rand, i int) float64 { return float64(rng.IntN(60) - 20) },
	"few":        func(rng *rand.Rand, i int) float64 { return float64(rng.IntN(5) * 1000) },
	"ascending":  func(rng *rand.Rand, i int) float64 { return float64(i) },
	"descending": func(rng *rand.Rand, i int) float64 { return -float64(i) },
	"inwards":    func(rng *rand.Rand, i int) float64 { return math.Pow(-0.99, float64(i)) },
	"outwards":   func(rng *rand.Rand, i int) float64 { return math.Pow(-1.01, float64(i)) },
	"magnitudes": func(rng *rand.Rand, i int) float64 { return math.Ldexp(rng.NormFloat64(), rng.IntN(2000)-1000) },
	"bits": func(rng *rand.Rand, i int) float64 {
		for {
			if x := math.Float64frombits(rng.Uint64()); x-x == 0 {
				return x
			}
		}
	},
	"denormal": func(rng *rand.Rand, i int) float64 { return float64(rng.IntN(200)-100) * math.SmallestNonzeroFloat64 },
	"extreme": func(rng *rand.Rand, i int) float64 {
		edges := []float64{0, math.Copysign(0, -1), 1, math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022}
		x := edges[rng.IntN(len(edges))]
		for range rng.IntN(3) {
			x = math.Nextafter(x, 0)
		}
		if rng.IntN(2) == 0 {
			x = -x
		}
		return x
	},
	"drifting": func(rng *rand.Rand, i int) float64 { return float64(i/100)*50 + rng.Float64() },
}

func addEqualsNaive(t *testing.T) {
	steps := 1500
	if testing.Short() {
		steps = 300
	}
	for name, stream := range streams {
		for _, bins := range []int{1, 2, 3, 16, 80} {
			rng := rand.New(rand.NewPCG(uint64(bins), 4))
			h := of(t, Config{Bins: bins})
			want := &naive{limit: bins}
			for i := range steps {
				x, n := stream(rng, i), 1.0
				switch rng.IntN(100) {
				case 0:
					n = rng.ExpFloat64()
				case 1:
					n = math.Ldexp(1, rng.IntN(53))
				case 2:
					factor := math.Ldexp(1+rng.Float64(), -rng.IntN(30))
					h.Scale(factor)
					want.scale(factor)
				case 3:
					o := of(t, Config{Bins: 20})
					other := &naive{limit: 20}
					for range rng.IntN(30) {
						y := stream(rng, i)
						o.Add(y)
						other.add(y, 1)
					}
					h.Merge(o)
					want.merge(other)
				}
				if err := h.AddN(x, n); err != nil {
					t.Fatal(err)
				}
				want.add(x, n)
				checkBins(t, h, want)
				if t.Failed() {
					t.Fatalf("%s, %d bins: step %d, AddN(%v, %v)", name, bins, i, x, n)
				}
			}
		}
	}
}

func checkBins(t *testing.T, h *Histogram, want *naive) {
	t.Helper()
	if !slices.EqualFunc(h.bins, want.bins, sameBits) {
		t.Errorf("got bins %v,\nwant     %v", h.bins, want.bins)
	}
}

func sameBits(a, b bin) bool {
	return math.Float64bits(a.centre) == math.Float64bits(b.centre) && math.Float64bits(a.count) == math.Float64bits(b.count)
}

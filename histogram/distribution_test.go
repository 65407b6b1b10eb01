package histogram

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sample returns a histogram of some stream, with weights and after all that can happen.
func sample(t *testing.T, rng *rand.Rand, stream func(*rand.Rand, int) float64) *Histogram {
	h := of(t, Config{Bins: 1 + rng.IntN(40)})
	n := rng.IntN(200)
	for i := range n + 1 {
		w := 1.0
		if rng.IntN(4) == 0 {
			w = rng.ExpFloat64()
		}
		if err := h.AddN(stream(rng, i), w); err != nil {
			t.Fatal(err)
		}
		if i == n/2 {
			h.Scale(0.3)
		}
	}
	return h
}

// places returns points where something may change in h, and some between, in order.
func places(rng *rand.Rand, h *Histogram) []float64 {
	xs := []float64{h.Min(), h.Max(), -math.MaxFloat64, math.MaxFloat64, 0}
	for c := range h.All() {
		xs = append(xs, c)
	}
	slices.Sort(xs)
	for _, x := range slices.Clone(xs) {
		xs = append(xs, math.Nextafter(x, math.Inf(-1)), math.Nextafter(x, math.Inf(1)))
	}
	for i := range len(xs) - 1 {
		u := rng.Float64()
		xs = append(xs, xs[i]*(1-u)+xs[i+1]*u)
	}
	slices.Sort(xs)
	return slices.DeleteFunc(xs, func(x float64) bool { return x-x != 0 })
}

func TestDistribution(t *testing.T) {
	rounds := 100
	if testing.Short() {
		rounds = 20
	}
	for name, stream := range streams {
		rng := rand.New(rand.NewPCG(1, 7))
		for round := range rounds {
			h := sample(t, rng, stream)
			before, _ := h.MarshalBinary()
			xs := places(rng, h)
			last := 0.0
			for _, x := range xs {
				p := h.CDF(x)
				if !(p >= last && p <= 1) {
					t.Errorf("CDF(%v) = %v, after %v", x, p, last)
				}
				last = p
				if x < h.Min() && p != 0 || x >= h.Max() && p != 1 {
					t.Errorf("CDF(%v) = %v, range %v to %v", x, p, h.Min(), h.Max())
				}
				if got := h.Survival(x); math.Abs(got-(1-p)) > 1e-15 {
					t.Errorf("Survival(%v) = %v, CDF %v", x, got, p)
				}
				// Quantile is the inverse, up to rounding: the mass at the quantile is p, and
				// below it is less.
				q := h.Quantile(p)
				if q < h.Min() || q > h.Max() {
					t.Errorf("Quantile(%v) = %v, range %v to %v", p, q, h.Min(), h.Max())
				}
				if at := h.CDF(math.Nextafter(q, math.Inf(1))); at < p-1e-9 {
					t.Errorf("CDF(Quantile(%v)) = CDF(%v) = %v", p, q, at)
				}
				// (Where the density falls to 0 before a step, half the digits of q are lost.)
				if x >= h.Min() && p < 1-1e-12 && x < q-1e-7*(h.Max()-h.Min()) {
					t.Errorf("Quantile(CDF(%v)) = Quantile(%v) = %v, greater", x, p, q)
				}
			}
			lastQ := h.Min()
			for p := 0.0; p <= 1; p += 1.0 / 256 {
				q := h.Quantile(p)
				if !(q >= lastQ && q <= h.Max()) {
					t.Errorf("Quantile(%v) = %v, after %v", p, q, lastQ)
				}
				lastQ = q
			}
			if mean := h.Mean(); !(mean >= h.Min() && mean <= h.Max()) || !(h.Variance() >= 0) {
				t.Errorf("mean %v, variance %v, range %v to %v", mean, h.Variance(), h.Min(), h.Max())
			}
			if after, _ := h.MarshalBinary(); !slices.Equal(before, after) {
				t.Errorf("reading changed the histogram")
			}
			if t.Failed() {
				t.Fatalf("%s, round %d, %+v", name, round, h.Config())
			}
		}
	}
}

// The integral is that of Survival, summed over many points by the midpoint rule.
func TestSurvivalIntegral(t *testing.T) {
	for _, name := range []string{"normal", "lognormal", "integers", "few", "ascending", "drifting"} {
		rng := rand.New(rand.NewPCG(1, 8))
		for range 8 {
			h := sample(t, rng, streams[name])
			span := h.Max() - h.Min() + 1
			a := h.Min() + span*(rng.Float64()*1.4-0.2)
			b := h.Min() + span*(rng.Float64()*1.4-0.2)
			const n = 40000
			want := 0.0
			for i := range n {
				x := a + (b-a)*(float64(i)+0.5)/n
				want += h.Survival(x) * (b - a) / n
			}
			tolerance := 80 * math.Abs(b-a) / n // a step is missed by up to half a strip
			if got := h.SurvivalIntegral(a, b); math.Abs(got-want) > tolerance {
				t.Errorf("%s: SurvivalIntegral(%v, %v) = %v, want %v", name, a, b, got, want)
			}
			c := h.Min() + span*rng.Float64()
			if got, want := h.SurvivalIntegral(a, c)+h.SurvivalIntegral(c, b), h.SurvivalIntegral(a, b); math.Abs(got-want) > 1e-9*span {
				t.Errorf("%s: integrals from %v to %v and on to %v: %v, want %v", name, a, c, b, got, want)
			}
		}
	}
}

// The unit of the weights does not matter to the integral.
func TestSurvivalIntegralOfAnyWeight(t *testing.T) {
	const width = 1e40
	for _, weight := range []float64{1e-310, 1e-300, 1e280} {
		for _, values := range [][]float64{{0, width}, {0, width / 4, width / 2, width}} {
			unit := of(t, Config{Bins: 2}, values...)
			h := of(t, Config{Bins: 2})
			for _, x := range values {
				if err := h.AddN(x, weight); err != nil {
					t.Fatal(err)
				}
			}
			for _, a := range []float64{-width, 0, width / 3} {
				if got, want := h.SurvivalIntegral(a, width), unit.SurvivalIntegral(a, width); math.Abs(got-want) > 1e-12*width {
					t.Errorf("weights of %v: SurvivalIntegral(%v, %v) = %v, want %v", weight, a, width, got, want)
				}
			}
		}
	}
}

// One bin of four values, by hand: 3/7 of it lie below the centre and 4/7 above, so that its mean is the centre, and the
// density falls linearly from the centre to the minimum and to the maximum.
func TestTrapezoids(t *testing.T) {
	h := of(t, Config{Bins: 1}, 0, 4, 5, 7) // centre 4
	for _, test := range []struct{ x, cdf float64 }{
		{-1, 0}, {0, 0}, {2, 3.0 / 28}, {4, 3.0 / 7}, {5.5, 6.0 / 7}, {7, 1}, {8, 1},
	} {
		if got := h.CDF(test.x); math.Abs(got-test.cdf) > 1e-15 {
			t.Errorf("CDF(%v) = %v, want %v", test.x, got, test.cdf)
		}
		if got := h.Quantile(test.cdf); test.x >= 0 && test.x <= 7 && math.Abs(got-test.x) > 1e-12 {
			t.Errorf("Quantile(%v) = %v, want %v", test.cdf, got, test.x)
		}
	}
	for _, factor := range []float64{0x1p-900, 0x1p900, 0x1p900} { // the counts are then very small, and very large
		if err := h.Scale(factor); err != nil {
			t.Fatal(err)
		}
		for _, p := range []float64{0.125, 0.875} {
			if got := h.CDF(h.Quantile(p)); math.Abs(got-p) > 1e-12 {
				t.Errorf("scaled by %v: CDF(Quantile(%v)) = %v", factor, p, got)
			}
		}
	}
	// By hand: survival is 1 - 3x²/112 up to the centre, and 4(7-x)²/63 from there.
	if got, want := h.SurvivalIntegral(0, 7), 4-4.0/7+4.0/7; math.Abs(got-want) > 1e-15 {
		t.Errorf("SurvivalIntegral(0, 7) = %v, want %v", got, want)
	}
}

// A minimum, a maximum or a bin that has faded to nothing does not draw the mass beside it: the mean by the bins stays near
// the mean.
func TestFadedTails(t *testing.T) {
	type weighted struct{ x, n float64 }
	for name, test := range map[string]struct {
		bins   int
		values []weighted
	}{
		"maximum in the last bin":  {3, []weighted{{1e9, 1e-30}, {300, 1}, {10, 1000}, {20, 1000}}},
		"maximum in a bin alone":   {2, []weighted{{1e9, 1e-30}, {10, 1000}, {20, 1000}}},
		"maximum, one bin":         {1, []weighted{{1e9, 1e-30}, {10, 1000}, {20, 1000}}},
		"minimum in the first bin": {3, []weighted{{-1e9, 1e-30}, {-300, 1}, {-10, 1000}, {-20, 1000}}},
		"minimum, one bin":         {1, []weighted{{-1e9, 1e-30}, {10, 1000}, {20, 1000}}},
	} {
		h := of(t, Config{Bins: test.bins})
		for _, v := range test.values {
			if err := h.AddN(v.x, v.n); err != nil {
				t.Fatal(err)
			}
		}
		var table Table
		table.Fill(h)
		// The integral is exact only to a few roundings of the distance of a faded minimum.
		if got, want := h.Min()+h.SurvivalIntegral(h.Min(), h.Max()), h.Mean(); math.Abs(got-want) > math.Abs(want)/10 {
			t.Errorf("%s: mean %v by the bins, want %v", name, got, want)
		}
		if got, want := table.SurvivalIntegral(0, h.Max()), h.SurvivalIntegral(0, h.Max()); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: the integral by the table is %v, want %v", name, got, want)
		}
	}
}

func TestEmpty(t *testing.T) {
	for _, h := range []*Histogram{{}, of(t, Config{})} {
		for name, got := range map[string]float64{
			"Mean": h.Mean(), "Variance": h.Variance(), "Min": h.Min(), "Max": h.Max(),
			"CDF": h.CDF(1), "Survival": h.Survival(1), "Quantile": h.Quantile(0.5),
			"SurvivalIntegral": h.SurvivalIntegral(0, 1),
		} {
			if !math.IsNaN(got) {
				t.Errorf("%s of nothing is %v, want NaN", name, got)
			}
		}
		if err := h.Merge(nil); err != nil || h.Count() != 0 || len(h.bins) != 0 {
			t.Errorf("count %v, %d bins, error %v, want 0 and none", h.Count(), len(h.bins), err)
		}
	}
}

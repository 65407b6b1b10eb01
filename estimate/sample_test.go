package estimate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
)

func sampleOf(t testing.TB, values ...float64) *Sample {
	t.Helper()
	var s Sample
	for _, x := range values {
		if err := s.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	return &s
}

func sampleAgainstGonum(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 31))
		values := make([]float64, 1+rng.IntN(30))
		for i := range values {
			values[i] = float64(rng.IntN(20))
		}
		s := sampleOf(t, values...)
		slices.Sort(values)
		if got, want := s.Mean(), stat.Mean(values, nil); !near(got, want, 1e-12) || s.N() != len(values) {
			t.Fatalf("seed %d: mean %v of %d, want %v", seed, got, s.N(), want)
		}
		for _, x := range []float64{-1, 0, 3, 3.5, 19, 50} {
			if got, want := s.CDF(x), stat.CDF(x, stat.Empirical, values, nil); !near(got, want, 1e-12) {
				t.Fatalf("seed %d: CDF(%v) of %v = %v, want %v", seed, x, values, got, want)
			}
		}
		n := len(values)
		for i := range n + 1 { // at the steps themselves, and between
			p := float64(i) / float64(n)
			if got, want := s.Quantile(p), values[max(0, i-1)]; got != want {
				t.Fatalf("seed %d: quantile %d/%d of %v = %v, want %v", seed, i, n, values, got, want)
			}
			if between := p + 0.3/float64(n); i < n && s.Quantile(between) != values[i] {
				t.Fatalf("seed %d: quantile %v of %v = %v, want %v", seed, between, values, s.Quantile(between), values[i])
			}
		}
	}
}

// The integral is the mean of what each value has of the way from a to b.
func TestSampleSurvivalIntegral(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 30))
	for range 1000 {
		s := sampleOf(t)
		for range 1 + rng.IntN(12) {
			if err := s.Add(float64(rng.IntN(10))); err != nil {
				t.Fatal(err)
			}
		}
		a, b := float64(rng.IntN(28)-4)/2, float64(rng.IntN(28)-4)/2
		want, above := 0.0, 0.0
		for _, x := range s.sorted {
			want += min(x, max(a, b)) - min(x, min(a, b))
			if x > a {
				above++
			}
		}
		want /= float64(s.N())
		if b < a {
			want = -want
		}
		if got := s.SurvivalIntegral(a, b); math.Abs(got-want) > 1e-14 {
			t.Fatalf("%v: integral from %v to %v is %v, want %v", s.sorted, a, b, got, want)
		}
		if got, want := s.Survival(a), above/float64(s.N()); got != want {
			t.Fatalf("%v: survival of %v is %v, want %v", s.sorted, a, got, want)
		}
	}
	nan, inf := math.NaN(), math.Inf(1)
	s := sampleOf(t, 1, 3)
	for _, test := range []struct{ a, b, want float64 }{
		{0, inf, 2}, {2, inf, 0.5}, {inf, inf, 0}, {-inf, 0, inf}, {0, -inf, -inf}, {nan, 1, nan}, {1, nan, nan},
	} {
		if got := s.SurvivalIntegral(test.a, test.b); got != test.want && !(math.IsNaN(got) && math.IsNaN(test.want)) {
			t.Errorf("integral from %v to %v is %v, want %v", test.a, test.b, got, test.want)
		}
	}
}

func TestSampleOfNothing(t *testing.T) {
	s := sampleOf(t, 9, 1, 4, 2, 100, 3, 5, 7, 8, 6)
	var none Sample
	for i, got := range []float64{none.Mean(), none.CDF(1), none.Survival(0), none.Quantile(0.5), none.SurvivalIntegral(0, 1), s.CDF(math.NaN()), s.Survival(math.NaN())} {
		if !math.IsNaN(got) {
			t.Errorf("answer %d of an empty sample, or to NaN, is %v, want NaN", i, got)
		}
	}
	for _, x := range append(slices.Clone(refused), 1e145) {
		if s.Add(x) == nil {
			t.Errorf("%v is taken", x)
		}
	}
	if s.N() != 10 || s.Mean() != 14.5 {
		t.Errorf("%d values with mean %v after the refused ones", s.N(), s.Mean())
	}
}

package estimate

import (
	"math"
	"math/rand/v2"
	"testing"
)

func posteriorFormula(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 21))
		mu, s0, s1 := 100*rng.Float64(), math.Exp(4*rng.NormFloat64()), math.Exp(4*rng.NormFloat64())
		y, m := 100*rng.Float64(), 1+rng.IntN(20)
		precision := float64(m)/(s1*s1) + 1/(s0*s0)
		mean := (float64(m)*y/(s1*s1) + mu/(s0*s0)) / precision
		got := Posterior(Normal{mu, s0}, s1, y, m)
		if !near(got.Mean, mean, 1e-10) || !near(got.StdDev*math.Sqrt(precision), 1, 1e-12) {
			t.Fatalf("seed %d: %v, want %v ± %v", seed, got, mean, 1/math.Sqrt(precision))
		}
	}
}

func TestPosteriorLimits(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		name         string
		prior        Normal
		within, mean float64
		n            int
		want         Normal
	}{
		{"prior only", Normal{5, 2}, 1, 0, 0, Normal{5, 2}},
		{"no prior", Normal{999, inf}, 4, 3, 4, Normal{3, 2}},
		{"no prior, mean unknown", Normal{math.NaN(), inf}, 4, 3, 1, Normal{3, 4}},
		{"certain prior", Normal{5, 0}, 1, 8, 2, Normal{5, 0}},
		{"certain samples", Normal{5, 2}, 0, 7, 2, Normal{7, 0}},
		{"both certain", Normal{5, 0}, 0, 7, 2, Normal{7, 0}},
		{"tiny", Normal{1, 1e-300}, 1e-300, 3, 1, Normal{2, 1e-300 / math.Sqrt2}},
		{"huge", Normal{1e308, 1e308}, 1e308, -1e308, 1, Normal{0, 1e308 / math.Sqrt2}},
		{"opposites", Normal{0, 5e-324}, math.MaxFloat64, 2, 1, Normal{0, 5e-324}},
	} {
		got := Posterior(test.prior, test.within, test.mean, test.n)
		if !near(got.Mean, test.want.Mean, 1e-15*math.Abs(test.mean)) || !near(got.StdDev, test.want.StdDev, 1e-15*test.want.StdDev) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

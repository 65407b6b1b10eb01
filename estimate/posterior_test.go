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
		p, err := NewPosterior(PosteriorConfig{Mean: mu, Between: s0, Within: s1})
		if err != nil {
			t.Fatal(err)
		}
		if p.Mean() != mu || p.StdDev() != s0 {
			t.Fatalf("seed %d: without samples %v ± %v, want %v ± %v", seed, p.Mean(), p.StdDev(), mu, s0)
		}
		sum, m := 0.0, 1+rng.IntN(20)
		for range m {
			y := 100 * rng.Float64()
			sum += y
			if err := p.Add(y); err != nil {
				t.Fatal(err)
			}
		}
		precision := float64(m)/(s1*s1) + 1/(s0*s0)
		mean := (sum/(s1*s1) + mu/(s0*s0)) / precision
		if !near(p.Mean(), mean, 1e-10) || !near(p.StdDev()*math.Sqrt(precision), 1, 1e-12) {
			t.Fatalf("seed %d: %v ± %v, want %v ± %v", seed, p.Mean(), p.StdDev(), mean, 1/math.Sqrt(precision))
		}
		for _, q := range []float64{0.01, 0.5, 0.9} {
			if got := p.CDF(p.Quantile(q)); !near(got, q, 1e-9) {
				t.Fatalf("seed %d: CDF of quantile %v is %v", seed, q, got)
			}
		}
	}
}

func TestPosteriorLimits(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		name        string
		config      PosteriorConfig
		samples     []float64
		mean, sigma float64
	}{
		{"prior only", PosteriorConfig{5, 2, 1}, nil, 5, 2},
		{"no prior", PosteriorConfig{999, inf, 4}, []float64{1, 2, 3, 6}, 3, 2},
		{"no prior, mean unknown", PosteriorConfig{math.NaN(), inf, 4}, []float64{3}, 3, 4},
		{"certain prior", PosteriorConfig{5, 0, 1}, []float64{7, 9}, 5, 0},
		{"certain samples", PosteriorConfig{5, 2, 0}, []float64{7, 7}, 7, 0},
		{"certain samples, no prior", PosteriorConfig{0, inf, 0}, []float64{7}, 7, 0},
		{"both certain", PosteriorConfig{7, 0, 0}, []float64{7, 7}, 7, 0},
		{"tiny", PosteriorConfig{1, 1e-300, 1e-300}, []float64{3}, 2, 1e-300 / math.Sqrt2},
		{"huge", PosteriorConfig{1e308, 1e308, 1e308}, []float64{-1e308}, 0, 1e308 / math.Sqrt2},
		{"largest", PosteriorConfig{0, math.MaxFloat64, math.MaxFloat64}, []float64{2}, 1, math.MaxFloat64 / math.Sqrt2},
		{"opposites", PosteriorConfig{0, 5e-324, math.MaxFloat64}, []float64{2}, 0, 5e-324},
	} {
		p, err := NewPosterior(test.config)
		if err != nil {
			t.Fatal(err)
		}
		for _, y := range test.samples {
			if err := p.Add(y); err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
		}
		if !near(p.Mean(), test.mean, 1e-15*math.Abs(test.mean)) || !near(p.StdDev(), test.sigma, 1e-15*test.sigma) || !p.OK() {
			t.Errorf("%s: %v ± %v, want %v ± %v", test.name, p.Mean(), p.StdDev(), test.mean, test.sigma)
		}
	}
	none, err := NewPosterior(PosteriorConfig{Between: inf, Within: 1})
	if err != nil {
		t.Fatal(err)
	}
	if none.OK() {
		t.Error("no prior and no samples are an answer")
	}
	for _, got := range []float64{none.Mean(), none.StdDev(), none.CDF(1), none.Quantile(0.5)} {
		if !math.IsNaN(got) {
			t.Errorf("no prior and no samples give %v, want NaN", got)
		}
	}
}

func TestPosteriorRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, config := range []PosteriorConfig{
		{nan, 1, 1}, {inf, 1, 1}, {1, nan, 1}, {1, -1, 1}, {1, 1, nan}, {1, 1, -1}, {1, 1, inf},
	} {
		if _, err := NewPosterior(config); err == nil {
			t.Errorf("%+v gives no error", config)
		}
	}
	for _, test := range []struct {
		config    PosteriorConfig
		good, bad float64
	}{
		{PosteriorConfig{5, 1, 0}, 7, 8},
		{PosteriorConfig{5, inf, 0}, 7, 8},
		{PosteriorConfig{5, 0, 0}, 5, 8},
		{PosteriorConfig{5, 1, 1}, 7, nan},
		{PosteriorConfig{5, 1, 1}, 7, inf},
	} {
		p, _ := NewPosterior(test.config)
		if err := p.Add(test.good); err != nil {
			t.Errorf("%+v: %v", test.config, err)
		}
		before := *p
		if p.Add(test.bad) == nil {
			t.Errorf("%+v: %v is taken after %v", test.config, test.bad, test.good)
		}
		if *p != before {
			t.Errorf("%+v: state changed", test.config)
		}
	}
}

// A distribution of runtimes, as all of the library understands it.
var _ = []interface {
	CDF(x float64) float64
	Quantile(p float64) float64
	Mean() float64
}{&Posterior{}, &Sample{}}

// Whatever the numbers, the belief is between prior and samples, and no less sure than either.
func FuzzPosterior(f *testing.F) {
	f.Add(100.0, 30.0, 20.0, 150.0, 170.0)
	f.Add(1e308, 1e308, 1e-308, -1e308, 1e308)
	f.Add(0.0, math.Inf(1), 0.0, 1.0, 1.0)
	f.Add(1.0, 5e-324, math.MaxFloat64, 2.0, 3.0)
	f.Fuzz(func(t *testing.T, mu, s0, s1, a, b float64) {
		p, err := NewPosterior(PosteriorConfig{mu, s0, s1})
		if err != nil {
			return
		}
		for _, y := range []float64{a, b} {
			before := *p
			if err := p.Add(y); err != nil {
				if *p != before && before.OK() {
					t.Fatalf("%+v became %+v by an error", before, *p)
				}
				continue
			}
			least, most := min(mu, a, b), max(mu, a, b)
			if math.IsInf(s0, 1) {
				least, most = min(a, b), max(a, b)
			}
			m := math.Sqrt(float64(p.n))
			if !(p.Mean() >= least && p.Mean() <= most) || !(p.StdDev() >= 0 && p.StdDev() <= min(s0, s1/m*(1+1e-15))) {
				t.Fatalf("%+v after %v, %v", *p, a, b)
			}
			if q := p.Quantile(0.5); !near(p.CDF(q), 0.5, 1e-6) && p.StdDev() > 1e-9*math.Abs(q) {
				t.Fatalf("CDF of the median of %+v is %v", *p, p.CDF(q))
			}
		}
	})
}

func TestPosteriorAsDistribution(t *testing.T) {
	certain, _ := NewPosterior(PosteriorConfig{Mean: 3})
	for x, want := range map[float64]float64{2.999: 0, 3: 1, 4: 1, math.Inf(-1): 0} {
		if got := certain.CDF(x); got != want {
			t.Errorf("CDF(%v) of a certain 3 = %v, want %v", x, got, want)
		}
	}
	if got := certain.Quantile(0.2); got != 3 {
		t.Errorf("quantile of a certain 3 = %v", got)
	}
	p, _ := NewPosterior(PosteriorConfig{Mean: 3, Between: 1, Within: 1})
	for _, q := range []float64{-0.1, 1.1, math.NaN()} {
		if !math.IsNaN(p.Quantile(q)) || !math.IsNaN(certain.Quantile(q)) {
			t.Errorf("quantile %v is a number", q)
		}
	}
	if !math.IsNaN(certain.CDF(math.NaN())) || !math.IsNaN(p.CDF(math.NaN())) {
		t.Error("CDF of NaN is a number")
	}
	wide, _ := NewPosterior(PosteriorConfig{Between: math.MaxFloat64, Within: 1})
	for x, want := range map[float64]float64{-math.MaxFloat64: 0.15865525393145705, 0: 0.5, math.MaxFloat64: 0.8413447460685429} {
		if got := wide.CDF(x); !near(got, want, 1e-12) {
			t.Errorf("CDF(%v) of the widest belief = %v, want %v", x, got, want)
		}
	}
}

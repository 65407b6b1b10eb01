package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// The parameters after n samples at once, from Murphy's equations 85 to 89.
func TestNormalInverseGammaFormula(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 61))
		c := NormalInverseGammaConfig{10 * rng.NormFloat64(), 5 * rng.Float64(), 5 * rng.Float64(), 5 * rng.Float64()}
		p, err := NewNormalInverseGamma(c)
		if err != nil {
			t.Fatal(err)
		}
		n := float64(1 + rng.IntN(20))
		values := make([]float64, int(n))
		for i := range values {
			values[i] = 10 * rng.NormFloat64()
			if err := p.Add(values[i]); err != nil {
				t.Fatal(err)
			}
		}
		mean, variance := plainMoments(values)
		want := NormalInverseGammaConfig{
			Mean:   (c.Weight*c.Mean + n*mean) / (c.Weight + n),
			Weight: c.Weight + n,
			Shape:  c.Shape + n/2,
			Scale:  c.Scale + n*variance/2 + c.Weight*n*(mean-c.Mean)*(mean-c.Mean)/(2*(c.Weight+n)),
		}
		got := p.Params()
		for i, pair := range [][2]float64{{got.Mean, want.Mean}, {got.Weight, want.Weight}, {got.Shape, want.Shape}, {got.Scale, want.Scale}} {
			if !near(pair[0], pair[1], 1e-10*(1+math.Abs(pair[1]))) {
				t.Fatalf("seed %d: parameter %d = %v, want %v", seed, i, pair[0], pair[1])
			}
		}
	}
}

// The distribution of the next sample is the mixture of normal distributions over what is
// believed of mean and variance. With the variance given it is normal with variance
// v*(1 + 1/Weight), so it is one integral over v.
func TestNextIsTheMixture(t *testing.T) {
	c := NormalInverseGammaConfig{Mean: 3, Weight: 2, Shape: 2.5, Scale: 4}
	p, _ := NewNormalInverseGamma(c)
	precision := distuv.Gamma{Alpha: c.Shape, Beta: c.Scale}
	for _, test := range []struct {
		name   string
		spread float64
		got    StudentT
	}{{"next", 1 + 1/c.Weight, p.OfNext()}, {"mean", 1 / c.Weight, p.OfMean()}} {
		for _, x := range []float64{-4, 1, 3, 3.7, 9} {
			want := quad.Fixed(func(u float64) float64 {
				sigma := math.Sqrt(test.spread / precision.Quantile(u))
				return distuv.Normal{Mu: c.Mean, Sigma: sigma}.CDF(x)
			}, 0, 1, 400, nil, 0)
			if got := test.got.CDF(x); !near(got, want, 1e-5) {
				t.Errorf("%s: CDF(%v) = %v, want %v", test.name, x, got, want)
			}
		}
	}
}

func TestStudentT(t *testing.T) {
	d := StudentT{Mu: 3, Sigma: 2, Nu: 1} // Cauchy
	for _, p := range []float64{0.01, 0.3, 0.5, 0.99} {
		want := 3 + 2*math.Tan(math.Pi*(p-0.5))
		if got := d.Quantile(p); !near(got, want, 1e-8*math.Abs(want)) {
			t.Errorf("quantile %v = %v, want %v", p, got, want)
		}
		if got := d.CDF(want); !near(got, p, 1e-10) {
			t.Errorf("CDF(%v) = %v, want %v", want, got, p)
		}
	}
	if !math.IsNaN(d.Mean()) {
		t.Error("Cauchy has a mean")
	}
	if got := (StudentT{3, 2, 1.5}).Mean(); got != 3 {
		t.Errorf("mean = %v, want 3", got)
	}
	if d.CDF(math.Inf(-1)) != 0 || d.CDF(math.Inf(1)) != 1 || !math.IsInf(d.Quantile(1), 1) || !math.IsInf(d.Quantile(0), -1) {
		t.Error("limits")
	}
	nan := math.NaN()
	for _, bad := range []StudentT{{}, {0, 1, 0}, {0, 0, 1}, {nan, 1, 1}, {0, nan, 1}, {0, 1, nan}, {0, -1, 2}, {0, 1, math.Inf(1)}} {
		if !math.IsNaN(bad.CDF(1)) || !math.IsNaN(bad.Quantile(0.5)) || !math.IsNaN(bad.Mean()) {
			t.Errorf("%+v gives a number", bad)
		}
	}
	for _, p := range []float64{-1, 2, nan} {
		if !math.IsNaN(d.Quantile(p)) {
			t.Errorf("quantile %v is a number", p)
		}
	}
	if !math.IsNaN(d.CDF(nan)) {
		t.Error("CDF of NaN is a number")
	}
}

func TestNormalInverseGammaRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []NormalInverseGammaConfig{
		{nan, 1, 1, 1}, {inf, 1, 1, 1}, {1, 0, 1, 1}, {1, -1, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}, {1, 1, 1, nan}, {1, inf, 1, 1}, {},
	} {
		if _, err := NewNormalInverseGamma(c); err == nil {
			t.Errorf("%+v gives no error", c)
		}
	}
	p, _ := NewNormalInverseGamma(NormalInverseGammaConfig{1, 1, 1, 1})
	for _, y := range []float64{nan, inf, -inf, 1e145} {
		if p.Add(y) == nil {
			t.Errorf("%v is taken", y)
		}
	}
	if got := p.Params(); got != (NormalInverseGammaConfig{1, 1, 1, 1}) {
		t.Errorf("parameters %+v after refused samples", got)
	}
}

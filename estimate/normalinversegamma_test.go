package estimate

import (
	"fmt"
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

// Quantiles of q = 1-p, to 40 digits by mpmath: the far tail is as sure as the middle, for few
// degrees of freedom and for many.
func TestStudentTAgainstExact(t *testing.T) {
	for _, test := range []struct{ nu, q, want float64 }{
		{0.1, 0.3, 27.170126296735762},
		{0.1, 0.49, 0.068092203947779656},
		{0.1, 0.025, 1682362288745.0245},
		{0.1, 1e-06, 1.6044257056665581e+56},
		{0.1, 1e-12, 1.6044257056665454e+116},
		{0.1, 1e-15, 1.6044257056665376e+146},
		{1, 0.3, 0.72654252800536094},
		{1, 0.49, 0.031426266043351176},
		{1, 0.025, 12.706204736174704},
		{1, 1e-06, 318309.88618274349},
		{1, 1e-12, 318309886183.79068},
		{1, 1e-15, 318309886183790.65},
		{1, 1e-100, 3.1830988618379067e+99},
		{2.5, 0.3, 0.59730773825231749},
		{2.5, 0.49, 0.027643841331840103},
		{2.5, 0.025, 3.5746548420036831},
		{2.5, 1e-06, 220.17342917823685},
		{2.5, 1e-12, 55306.174076515816},
		{2.5, 1e-15, 876543.78822689001},
		{2.5, 1e-100, 8.7654378822799919e+39},
		{30, 0.3, 0.53001900390650451},
		{30, 0.49, 0.025278783971765814},
		{30, 0.025, 2.0422724563012383},
		{30, 1e-06, 5.8711171204188827},
		{30, 1e-12, 11.397217523311411},
		{30, 1e-15, 14.925858475139001},
		{30, 1e-100, 10810.645001143976},
		{200, 0.3, 0.52523733401555349},
		{200, 0.49, 0.025100283615498634},
		{200, 0.025, 1.9718962236339094},
		{200, 1e-06, 4.8973021028267818},
		{200, 1e-12, 7.5032476570726835},
		{200, 1e-15, 8.622739704005616},
		{200, 1e-100, 41.604283576931696},
		{9999, 0.3, 0.5244172300172402},
		{9999, 0.49, 0.025069535445860331},
		{9999, 0.025, 1.9602012636213577},
		{9999, 1e-06, 4.7562299657670433},
		{9999, 1e-12, 7.0433724918794108},
		{9999, 1e-15, 7.9540829565081798},
		{9999, 1e-100, 21.516998780141568},
		{10000.0, 0.3, 0.52441722834546679},
		{10000.0, 0.49, 0.02506953538314083},
		{10000.0, 0.025, 1.9602012398906262},
		{10000.0, 1e-06, 4.756229685056779},
		{10000.0, 1e-12, 7.0433716020557756},
		{10000.0, 1e-15, 7.954081681012809},
		{10000.0, 1e-100, 21.516974193914982},
		{1000000.0, 0.3, 0.52440067986020892},
		{1000000.0, 0.49, 0.025068914529877549},
		{1000000.0, 0.025, 1.959966356814107},
		{1000000.0, 1e-06, 4.7534523482796808},
		{1000000.0, 1e-12, 7.0345726084112566},
		{1000000.0, 1e-15, 7.9414725184035085},
		{1000000.0, 1e-100, 21.275865985490619},
		{1e12, 0.025, 1.9599639845400545}, // of the normal distribution
		{1e300, 1e-12, 7.034483825301131},
	} {
		d := StudentT{Sigma: 1, Nu: test.nu}
		if got := d.Quantile(test.q); !near(got, -test.want, 2e-11*test.want) {
			t.Errorf("%v degrees, quantile %v = %v, want %v", test.nu, test.q, got, -test.want)
		}
		tolerance := 2e-10 * test.q
		if test.q < 1e-12 {
			tolerance = 1e-9 * test.q
		}
		if got := d.CDF(-test.want); !near(got, test.q, tolerance) {
			t.Errorf("%v degrees, CDF(%v) = %v, want %v", test.nu, -test.want, got, test.q)
		}
		if up := d.CDF(test.want); !near(up, 1-test.q, 2e-11) {
			t.Errorf("%v degrees, CDF(%v) = %v, want %v", test.nu, test.want, up, 1-test.q)
		}
	}
	for _, nu := range []float64{0.1, 1, 9.9, 10, 700, 1e4, 1e9} {
		d := StudentT{Sigma: 1, Nu: nu}
		for p := 0.01; p < 1; p += 0.01 {
			if got := d.CDF(d.Quantile(p)); !near(got, p, 1e-12) {
				t.Errorf("%v degrees: CDF(Quantile(%v)) = %v", nu, p, got)
			}
		}
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

func BenchmarkStudentT(b *testing.B) {
	for _, nu := range []float64{5, 50, 1e6} {
		d := StudentT{Mu: 3, Sigma: 2, Nu: nu}
		b.Run(fmt.Sprintf("Quantile/nu=%v", nu), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d.Quantile(0.975)
			}
		})
	}
}

package estimate

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// plainMoments computes mean and population variance with 600 bits.
func plainMoments(values []float64) (mean, variance float64) {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(600).SetFloat64(x) }
	n := number(float64(len(values)))
	m := number(0)
	for _, x := range values {
		m.Add(m, number(x))
	}
	m.Quo(m, n)
	v := number(0)
	for _, x := range values {
		d := number(x)
		d.Sub(d, m)
		v.Add(v, d.Mul(d, d))
	}
	v.Quo(v, n)
	mean, _ = m.Float64()
	variance, _ = v.Float64()
	return mean, variance
}

// Values of very different size have the moments of the plain formula, within the bound that the comment of Moments gives.
func momentsAgainstPlain(t *testing.T) {
	for _, test := range []struct {
		name   string
		offset float64
		spread float64
		shock  float64 // a value that comes now and then
	}{
		{"plain", 0, 1, 10},
		{"large offset", 1e9, 1, 1e9},
		{"large offset, tiny variance", 1e9, 1e-6, 1e9},
		{"shocks", 5, 1, 1e9},
		{"negative", -1e12, 1e-3, 1e12},
		{"small", 0, 1e-120, 1e-110},
		{"large", 1e140, 1e130, -1e143},
	} {
		rng := rand.New(rand.NewPCG(11, 12))
		var m Moments
		var values []float64
		largest := 0.0
		for step := range 300 {
			x := test.offset + test.spread*rng.NormFloat64()
			if step%97 == 50 {
				x = test.shock
			}
			largest = max(largest, math.Abs(x))
			values = append(values, x)
			if err := m.Add(x); err != nil {
				t.Fatal(err)
			}
			wantMean, wantVariance := plainMoments(values)
			mean, _ := m.Mean()
			variance, _ := m.Variance()
			tolerance := float64(step+1)*math.Ldexp(largest*largest, -100) + 1e-15*wantVariance
			if !near(mean, wantMean, math.Ldexp(math.Abs(wantMean)+float64(step+1)*math.Ldexp(largest, -50), -52)) ||
				!near(variance, wantVariance, tolerance) || int(m.N()) != len(values) {
				t.Fatalf("%s, step %d: mean %v and variance %v of %d values, want %v and %v (± %v) of %d",
					test.name, step, mean, variance, m.N(), wantMean, wantVariance, tolerance, len(values))
			}
		}
	}
}

func TestMomentsOfFew(t *testing.T) {
	var m Moments
	for _, value := range []func() (float64, bool){m.Mean, m.Variance, m.SampleVariance, m.CoV} {
		if got, ok := value(); ok || got != 0 {
			t.Errorf("moment of nothing = %v, %v, want 0, false", got, ok)
		}
	}
	m.Add(3)
	if got, ok := m.Variance(); !ok || got != 0 {
		t.Errorf("variance of one value = %v, %v, want 0, true", got, ok)
	}
	if _, ok := m.SampleVariance(); ok {
		t.Error("one value has a sample variance")
	}
	m.Add(5)
	if got, ok := m.SampleVariance(); !ok || got != 2 {
		t.Errorf("sample variance of 3, 5 = %v, %v, want 2", got, ok)
	}
	if m.Sum() != 8 {
		t.Errorf("sum of 3, 5 = %v", m.Sum())
	}
	m = Moments{}
	m.Add(0)
	if got, ok := m.CoV(); !ok || got != 0 {
		t.Errorf("CoV of 0 = %v, %v, want 0", got, ok)
	}
	m = Moments{}
	m.Add(-1)
	m.Add(1)
	if got, ok := m.CoV(); !ok || !math.IsInf(got, 1) {
		t.Errorf("CoV of -1, 1 = %v, %v, want +Inf", got, ok)
	}
}

func TestMomentsRefuse(t *testing.T) {
	var m Moments
	m.Add(4)
	before := m
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e145, -1e145} {
		if m.Add(x) == nil {
			t.Errorf("%v is taken", x)
		}
		if m != before {
			t.Errorf("%+v after %v was refused, want %+v", m, x, before)
		}
	}
}

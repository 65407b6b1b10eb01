package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// logLikelihood of runtimes, by its definition.
func logLikelihood(l LogNormal, finished, running []float64) (sum float64) {
	n := distuv.Normal{Mu: l.Mu, Sigma: l.Sigma}
	for _, x := range finished {
		sum += n.LogProb(math.Log(x))
	}
	for _, x := range running {
		if x > 0 {
			sum += math.Log(n.Survival(math.Log(x)))
		}
	}
	return sum
}

// expectation improves a fit by the EM algorithm: censored logarithms are replaced by what is
// expected of them and of their squares under the fit so far.
func expectation(l LogNormal, finished, running []float64) LogNormal {
	n := float64(len(finished))
	sum, squares := 0.0, 0.0
	for _, x := range finished {
		y := math.Log(x)
		sum += y
		squares += y * y
	}
	for _, x := range running {
		if x == 0 {
			continue
		}
		n++
		z := (math.Log(x) - l.Mu) / l.Sigma
		hazard := distuv.UnitNormal.Prob(z) / distuv.UnitNormal.Survival(z)
		first := l.Mu + l.Sigma*hazard
		sum += first
		squares += l.Mu*l.Mu + l.Sigma*l.Sigma + l.Sigma*(math.Log(x)+l.Mu)*hazard
	}
	return LogNormal{Mu: sum / n, Sigma: math.Sqrt(squares/n - sum/n*sum/n)}
}

func TestFitLogNormalUncensored(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 91))
	values, logs := make([]float64, 100), make([]float64, 100)
	for i := range values {
		values[i] = math.Exp(3 + rng.NormFloat64())
		logs[i] = math.Log(values[i])
	}
	want := LogNormal{Mu: stat.Mean(logs, nil), Sigma: stat.PopStdDev(logs, nil)}
	for name, running := range map[string][]float64{
		"none runs":              nil,
		"one just began":         {0},
		"one began a moment ago": {1e-30},
	} {
		got, err := FitLogNormal(values, running)
		if err != nil || !near(got.Mu, want.Mu, 1e-13) || !near(got.Sigma, want.Sigma, 1e-13) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, want)
		}
	}
}

// The fit is where the EM algorithm comes to rest, and where the likelihood is level.
func TestFitLogNormalCensored(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 92))
		runtimes := make([]float64, 5+rng.IntN(60))
		mu, sigma := 10*rng.NormFloat64(), math.Exp(rng.NormFloat64())
		for i := range runtimes {
			runtimes[i] = math.Exp(mu + sigma*rng.NormFloat64())
		}
		finished, running := censoredAt(runtimes, func() float64 { return math.Exp(mu + sigma*(0.5+rng.NormFloat64())) })
		if len(finished) < 2 {
			continue
		}
		got, err := FitLogNormal(finished, running)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		next := expectation(got, finished, running)
		if !near(next.Mu, got.Mu, 1e-8*got.Sigma) || !near(next.Sigma, got.Sigma, 1e-8*got.Sigma) {
			t.Errorf("seed %d: EM moves %v to %v", seed, got, next)
		}
		// From afar EM comes to the same place.
		far := LogNormal{Mu: mu + sigma, Sigma: 2 * sigma}
		for range 1000 {
			far = expectation(far, finished, running)
		}
		if !near(far.Mu, got.Mu, 1e-6*got.Sigma) || !near(far.Sigma, got.Sigma, 1e-6*got.Sigma) {
			t.Errorf("seed %d: %v, EM finds %v", seed, got, far)
		}
		best := logLikelihood(got, finished, running)
		for _, other := range []LogNormal{
			{Mu: got.Mu + 0.01*got.Sigma, Sigma: got.Sigma}, {Mu: got.Mu - 0.01*got.Sigma, Sigma: got.Sigma},
			{Mu: got.Mu, Sigma: got.Sigma * 1.01}, {Mu: got.Mu, Sigma: got.Sigma * 0.99},
		} {
			if logLikelihood(other, finished, running) > best {
				t.Errorf("seed %d: %v is more likely than %v", seed, other, got)
			}
		}
	}
}

func TestFitLogNormalRecovers(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 93))
		runtimes := make([]float64, 1000)
		for i := range runtimes {
			runtimes[i] = math.Exp(4 + 1.5*rng.NormFloat64())
		}
		// All began together and those of more than 100 still run: about a third.
		finished, running := censoredAt(runtimes, func() float64 { return 100 })
		got, err := FitLogNormal(finished, running)
		if err != nil {
			t.Fatal(err)
		}
		n := float64(len(finished))
		if !near(got.Mu, 4, 5*1.5/math.Sqrt(n)) || !near(got.Sigma, 1.5, 5*1.5/math.Sqrt(2*n)) {
			t.Errorf("seed %d: %v, want {4 1.5}", seed, got)
		}
		// Leaving out what still runs makes tasks look short.
		naive, err := FitLogNormal(finished, nil)
		if err != nil {
			t.Fatal(err)
		}
		if naive.Mu > 3.6 {
			t.Errorf("seed %d: %v without censoring, so this is no test", seed, naive)
		}
	}
}

func TestFitLogNormalScales(t *testing.T) {
	finished, running := []float64{3, 5, 9, 20}, []float64{2, 15, 40}
	want, err := FitLogNormal(finished, running)
	if err != nil {
		t.Fatal(err)
	}
	for _, factor := range []float64{1e-300, 1e-9, 1e9, 1e300} {
		scaled := func(values []float64) (out []float64) {
			for _, x := range values {
				out = append(out, x*factor)
			}
			return out
		}
		got, err := FitLogNormal(scaled(finished), scaled(running))
		if err != nil || !near(got.Mu-math.Log(factor), want.Mu, 1e-9) || !near(got.Sigma, want.Sigma, 1e-9) {
			t.Errorf("times %v: %v, %v, want %v and %v", factor, got, err, want.Mu+math.Log(factor), want.Sigma)
		}
	}
}

func TestLogNormalIsGonums(t *testing.T) {
	for _, l := range []LogNormal{{0, 1}, {-5, 0.1}, {6, 3}} {
		want := distuv.LogNormal{Mu: l.Mu, Sigma: l.Sigma}
		if got, want := l.Mean(), want.Mean(); !near(got, want, 1e-14*want) {
			t.Errorf("mean of %v is %v, want %v", l, got, want)
		}
		for _, p := range []float64{0, 1e-9, 0.1, 0.5, 0.99, 1} {
			x := want.Quantile(p)
			if got := l.Quantile(p); got != x && !near(got, x, 1e-14*x) {
				t.Errorf("quantile %v of %v is %v, want %v", p, l, got, x)
			}
			if got, want := l.CDF(x), want.CDF(x); !near(got, want, 1e-13*want) {
				t.Errorf("CDF(%v) of %v is %v, want %v", x, l, got, want)
			}
			if got := l.Survival(x); !near(got, 1-p, 1e-9) {
				t.Errorf("Survival(%v) of %v is %v, want %v", x, l, got, 1-p)
			}
		}
	}
	if got, want := (LogNormal{0, 1}).Survival(math.Exp(10)), 7.619853024160527e-24; !near(got, want, 1e-12*want) { // Q(10)
		t.Errorf("ten standard deviations out Survival is %v, want %v", got, want)
	}
}

// The least numbers have logarithms too, of which half are below those of the least normal ones.
func TestFitLogNormalOfTheLeast(t *testing.T) {
	got, err := FitLogNormal([]float64{0x1p-1074, 0x1p-1070}, nil)
	if err != nil || !near(got.Mu, -1072*math.Ln2, 1e-9) || !near(got.Sigma, 2*math.Ln2, 1e-9) {
		t.Errorf("got %v, %v, want Mu %v and Sigma %v", got, err, -1072*math.Ln2, 2*math.Ln2)
	}
	if p := (LogNormal{-1072 * math.Ln2, 1}).CDF(0x1p-1072); !near(p, 0.5, 1e-9) {
		t.Errorf("CDF at the median is %v, want 0.5", p)
	}
}

func TestUpperTail(t *testing.T) {
	for _, z := range []float64{-30, -3, 0, 1, 4.9, 5.1, 10, 30} {
		lnQ, hazard := upperTail(z)
		wantLnQ := math.Log(math.Erfc(z/math.Sqrt2) / 2)
		wantHazard := math.Exp(distuv.UnitNormal.LogProb(z) - wantLnQ)
		if !near(lnQ, wantLnQ, 1e-13*math.Abs(wantLnQ)) || !near(hazard, wantHazard, 1e-12*wantHazard) {
			t.Errorf("upperTail(%v) = %v, %v, want %v, %v", z, lnQ, hazard, wantLnQ, wantHazard)
		}
	}
	// Far out, from the asymptotic series of the inverse hazard times z.
	for _, z := range []float64{100, 1e4, 1e9} {
		lnQ, hazard := upperTail(z)
		series := 1 - 1/(z*z) + 3/(z*z*z*z)
		want := z / series
		wantLnQ := distuv.UnitNormal.LogProb(z) - math.Log(want)
		if !near(hazard, want, 1e-10*want) || !near(lnQ, wantLnQ, 1e-12*math.Abs(wantLnQ)) {
			t.Errorf("upperTail(%v) = %v, %v, want %v, %v", z, lnQ, hazard, wantLnQ, want)
		}
	}
}

// Every input is refused or fitted, whatever its size.
func FuzzFits(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, 4.0)
	f.Add(1e-300, 1e300, 1.0, 0.0)
	f.Add(2.0, 2.0, 2.0000000000000004, 2.0)
	f.Add(2.0, 2.0000000000000004, 1e300, 1e-300)
	f.Add(5.0, 5.0, 5.0, 7.0)
	f.Fuzz(func(t *testing.T, a, b, c, d float64) {
		finished, running := []float64{a, b}, []float64{c, d}
		valid := checkTasks(finished, running) == nil
		l, err := FitLogNormal(finished, running)
		longer := max(a, b, c, d) > min(a, b)
		switch {
		case err == nil && (!valid || checkFinite("Mu", l.Mu) != nil || !(l.Sigma > 0) || math.IsInf(l.Sigma, 1)):
			t.Fatalf("%v of %v, %v", l, finished, running)
		case err != nil && valid && longer && math.Abs(math.Log(a)-math.Log(b)) > 1e-9:
			t.Fatalf("%v of %v, %v", err, finished, running)
		}
		shape, err := Hill(finished, running, 2)
		if err == nil && (!valid || !(shape > 0)) {
			t.Fatalf("%v of %v, %v", shape, finished, running)
		}
	})
}

func BenchmarkFitLogNormal(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 94))
	runtimes := make([]float64, 1000)
	for i := range runtimes {
		runtimes[i] = math.Exp(rng.NormFloat64())
	}
	finished, running := censoredAt(runtimes, rng.ExpFloat64)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := FitLogNormal(finished, running); err != nil {
			b.Fatal(err)
		}
	}
}

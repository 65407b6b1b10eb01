package estimate

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// censoredAt splits runtimes into those that have ended when each task has run as long as
// draw says, and those that still run.
func censoredAt(runtimes []float64, draw func() float64) (finished, running []float64) {
	for _, x := range runtimes {
		if c := draw(); c < x {
			running = append(running, c)
		} else {
			finished = append(finished, x)
		}
	}
	return finished, running
}

func TestFitPareto(t *testing.T) {
	for _, test := range []struct {
		name              string
		finished, running []float64
		want              Pareto
	}{
		{"uncensored", []float64{1, math.E, math.E * math.E}, nil, Pareto{1, 1}},
		{"two values", []float64{20, 10}, nil, Pareto{10, 2 / math.Ln2}},
		{"one still runs", []float64{1, math.E}, []float64{math.E}, Pareto{1, 1}},
		{"censored below the least", []float64{2, 2 * math.E}, []float64{1, 0}, Pareto{2, 2}},
		{"only the running one is longer", []float64{3}, []float64{3 * math.E}, Pareto{3, 1}},
		{"extremes", []float64{0x1p-1000, 0x1p1000}, nil, Pareto{0x1p-1000, 2 / (2000 * math.Ln2)}},
	} {
		got, err := FitPareto(test.finished, test.running)
		if err != nil || got.Min != test.want.Min || !near(got.Shape, test.want.Shape, 1e-12*test.want.Shape) {
			t.Errorf("%s: %v, %v, want %v", test.name, got, err, test.want)
		}
	}
}

// The estimate is within a few standard errors, shape/sqrt(n), and no more often outside one
// of them than a normal variable is; the score equation holds at it.
func TestFitParetoRecovers(t *testing.T) {
	for _, truth := range []float64{0.8, 1.3, 3} {
		outside := 0
		const runs = 100
		for seed := range uint64(runs) {
			rng := rand.New(rand.NewPCG(seed, 81))
			d := distuv.Pareto{Xm: 10, Alpha: truth, Src: rng}
			runtimes := make([]float64, 500)
			for i := range runtimes {
				runtimes[i] = d.Rand()
			}
			finished, running := censoredAt(runtimes, func() float64 { return 40 * rng.Float64() })
			got, err := FitPareto(finished, running)
			if err != nil {
				t.Fatal(err)
			}
			n := float64(len(finished))
			off := (got.Shape - truth) / (truth / math.Sqrt(n))
			if math.Abs(off) > 4.5 {
				t.Errorf("seed %d: shape %v of %v finished, want %v: off by %v standard errors", seed, got.Shape, n, truth, off)
			}
			if math.Abs(off) > 1 {
				outside++
			}
			score := n / got.Shape
			for _, x := range append(finished, running...) {
				score -= math.Log(max(x, got.Min) / got.Min)
			}
			if !near(score/n, 0, 1e-12) {
				t.Fatalf("seed %d: derivative of the likelihood is %v", seed, score)
			}
		}
		// 32 % ± 4 standard errors of 4.7 %.
		if share := float64(outside) / runs; share < 0.13 || share > 0.51 {
			t.Errorf("shape %v: %v are off by more than one standard error, want 0.32", truth, share)
		}
	}
}

func TestHill(t *testing.T) {
	e := math.E
	for _, test := range []struct {
		name              string
		finished, running []float64
		k                 int
		want              float64
	}{
		{"by hand", []float64{1, 2, 4, 8}, nil, 2, 2 / (3 * math.Ln2)},
		{"all but the least is the fit", []float64{1, e, e * e, e * e * e}, nil, 3, 0.5},
		{"one of two still runs", []float64{1, 1, e * e}, []float64{e}, 2, 1.0 / 3},
		{"running ones below", []float64{1, e, e}, []float64{0, 0.5}, 2, 1},
		{"of equal ones the running is longer", []float64{1, e, e * e}, []float64{e}, 2, 1},
	} {
		if got, err := Hill(test.finished, test.running, test.k); err != nil || !near(got, test.want, 1e-14) {
			t.Errorf("%s: %v, %v, want %v", test.name, got, err, test.want)
		}
	}
}

// The body is not Pareto; the tail is, from the value 10 on, where 20 % are.
func TestHillSeesTheTailOnly(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 82))
	tail := distuv.Pareto{Xm: 10, Alpha: 1.5, Src: rng}
	runtimes := make([]float64, 50_000)
	for i := range runtimes {
		runtimes[i] = 10 * rng.Float64()
		if rng.Float64() < 0.2 {
			runtimes[i] = tail.Rand()
		}
	}
	for _, censor := range []bool{false, true} {
		finished, running := runtimes, []float64(nil)
		if censor {
			c := distuv.Pareto{Xm: 1, Alpha: 0.5, Src: rng}
			finished, running = censoredAt(runtimes, c.Rand)
		}
		k := 1500
		got, err := Hill(finished, running, k)
		if err != nil {
			t.Fatal(err)
		}
		ended := float64(k)
		if censor {
			ended *= 0.75 // 1.5 / (1.5 + 0.5) of the tail
		}
		if limit := 4 * 1.5 / math.Sqrt(ended); !near(got, 1.5, limit) {
			t.Errorf("censored %v: shape %v, want 1.5 ± %v", censor, got, limit)
		}
		whole, err := FitPareto(finished, running)
		if err != nil {
			t.Fatal(err)
		}
		if near(whole.Shape, 1.5, 0.5) {
			t.Errorf("censored %v: the fit to all has shape %v, so this is no test", censor, whole.Shape)
		}
	}
}

func TestTailFitsRefuse(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	hill := func(finished, running []float64) error {
		_, err := Hill(finished, running, 1)
		return err
	}
	pareto := func(finished, running []float64) error {
		_, err := FitPareto(finished, running)
		return err
	}
	lognormal := func(finished, running []float64) error {
		_, err := FitLogNormal(finished, running)
		return err
	}
	for _, test := range []struct {
		name              string
		finished, running []float64
		noFit             bool
	}{
		{"none", nil, nil, true},
		{"none finished", nil, []float64{1, 2}, true},
		{"all equal", []float64{2, 2}, nil, true},
		{"all equal and none runs longer", []float64{2, 2}, []float64{2, 1}, true},
		{"zero", []float64{0, 1}, nil, false},
		{"negative", []float64{1, -1}, nil, false},
		{"NaN", []float64{1, nan}, nil, false},
		{"infinite", []float64{1, inf}, nil, false},
		{"negative so far", []float64{1, 2}, []float64{-1}, false},
		{"NaN so far", []float64{1, 2}, []float64{nan}, false},
		{"infinite so far", []float64{1, 2}, []float64{inf}, false},
	} {
		for name, fit := range map[string]func(finished, running []float64) error{
			"FitPareto": pareto, "FitLogNormal": lognormal, "Hill": hill,
		} {
			err := fit(test.finished, test.running)
			if err == nil || errors.Is(err, ErrNoFit) != test.noFit {
				t.Errorf("%s of %s: error is %v", name, test.name, err)
			}
		}
	}
	for _, k := range []int{-1, 0, 3} {
		if _, err := Hill([]float64{1, 2}, []float64{3}, k); err == nil {
			t.Errorf("Hill takes k = %d of 3", k)
		}
	}
	if _, err := Hill([]float64{1}, []float64{3}, 1); !errors.Is(err, ErrNoFit) {
		t.Errorf("Hill of running tasks only: %v", err)
	}
	if _, err := Hill([]float64{1}, []float64{0}, 1); !errors.Is(err, ErrNoFit) {
		t.Errorf("Hill above 0: %v", err)
	}
}

func TestParetoDistribution(t *testing.T) {
	p := Pareto{Min: 3, Shape: 1.4}
	reference := distuv.Pareto{Xm: 3, Alpha: 1.4}
	for _, x := range []float64{-1, 0, 2.9, 3, 3.1, 10, 1e9} {
		if got, want := p.CDF(x), reference.CDF(x); !near(got, want, 1e-14) {
			t.Errorf("CDF(%v) = %v, want %v", x, got, want)
		}
	}
	for _, q := range []float64{0, 1e-9, 0.3, 0.999} {
		if got, want := p.Quantile(q), reference.Quantile(q); !near(got, want, 1e-12*want) {
			t.Errorf("quantile %v = %v, want %v", q, got, want)
		}
	}
	if got := p.Mean(); !near(got, reference.Mean(), 1e-13) {
		t.Errorf("mean %v, want %v", got, reference.Mean())
	}
	if !math.IsInf(p.Quantile(1), 1) || p.CDF(math.Inf(1)) != 1 || !math.IsInf(Pareto{1, 1}.Mean(), 1) {
		t.Error("limits")
	}
	nan := math.NaN()
	for _, got := range []float64{
		Pareto{}.Mean(), Pareto{0, 1}.CDF(1), Pareto{1, nan}.Quantile(0.5), Pareto{nan, 1}.CDF(1), Pareto{1, math.Inf(1)}.Mean(),
		p.CDF(nan), p.Quantile(nan), p.Quantile(-0.1), p.Quantile(1.1),
	} {
		if !math.IsNaN(got) {
			t.Errorf("%v where NaN is wanted", got)
		}
	}
}

// The closed form of the mean of the largest agrees with the sum that the definition gives:
// for 2 values with shape b, 2*b^2 / ((b-1)*(2b-1)) times Min.
func TestLargestOfPareto(t *testing.T) {
	p := Pareto{Min: 3, Shape: 1.4}
	for n, want := range map[int]float64{
		1: p.Mean(),
		2: 3 * 2 * 1.4 * 1.4 / (0.4 * 1.8),
	} {
		l, err := LargestOf(p, n)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Mean(); !near(got/want, 1, 1e-13) {
			t.Errorf("mean of the largest of %d = %v, want %v", n, got, want)
		}
	}
	// n * B(n, 1-1/b) to 60 digits by mpmath.
	for _, test := range []struct {
		n           int
		shape, want float64
	}{
		{999, 1.01, 93700.773682864941},
		{999, 2, 56.028890381195698},
		{999, 50, 1.1618591682621448},
		{1000, 1.01, 93793.638671648752},
		{1000, 2, 56.056918840616006},
		{1000, 50, 1.161882405910263},
		{1_000_000, 1.01, 87592775.37996928},
		{1_000_000, 2, 1772.4540724622612},
		{1_000_000_000, 2, 56049.912170985526},
	} {
		l, _ := LargestOf(Pareto{Min: 1, Shape: test.shape}, test.n)
		if got := l.Mean(); !near(got/test.want, 1, 1e-12) {
			t.Errorf("mean of the largest of %d with shape %v = %v, want %v", test.n, test.shape, got, test.want)
		}
	}
	// By Quantile alone, as of a distribution that nothing is known of.
	b := Pareto{Min: 3, Shape: 2.5}
	for _, n := range []int{1, 10, 1000} {
		exact, _ := LargestOf(b, n)
		numeric, _ := LargestOf(struct {
			cdfer
			quantiler
		}{b, b}, n)
		if got, want := numeric.Mean(), exact.Mean(); !near(got/want, 1, 1e-5) {
			t.Errorf("mean of the largest of %d = %v by quadrature, want %v", n, got, want)
		}
	}
	none, _ := LargestOf(Pareto{Min: 1, Shape: 0.9}, 3)
	if got := none.Mean(); !math.IsInf(got, 1) {
		t.Errorf("mean of a tail that has none = %v", got)
	}
}

type (
	cdfer     interface{ CDF(x float64) float64 }
	quantiler interface{ Quantile(p float64) float64 }
)

package estimate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/stat/distuv"

	"example.com/augur/histogram"
)

// rank is the definition: the least ratio over all stops, each with sums of its own.
func bestStop(g Gittins, values, weights []float64, e float64) float64 {
	best := math.Inf(1)
	for _, theta := range values {
		served, whole, done := 0.0, 0.0, 0.0
		for i, x := range values {
			if x <= e {
				continue
			}
			if g.Nonpreemptive {
				served += weights[i] * (x - e)
			} else {
				served += weights[i] * (min(x, theta) - e)
			}
			if x <= theta {
				whole += weights[i] * x
				done += weights[i]
			}
		}
		if theta > e && done > 0 {
			best = min(best, (served+float64(max(1, g.Tasks)-1)*whole)/done)
		}
	}
	if math.IsInf(best, 1) {
		return math.NaN()
	}
	return best
}

func TestGittinsIsTheBestStop(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := 1 + rng.IntN(12)
		values, weights := make([]float64, n), make([]float64, n)
		h, err := histogram.New(histogram.Config{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range values {
			values[i] = float64(1 + rng.IntN(30))
			if rng.IntN(3) == 0 {
				values[i] = math.Exp(10 * rng.Float64())
			}
		}
		slices.Sort(values)
		for i, x := range values {
			weights[i] = 1
			if err := h.Add(x); err != nil {
				t.Fatal(err)
			}
		}
		g := Gittins{Tasks: rng.IntN(20), Nonpreemptive: rng.IntN(2) == 0}
		e := []float64{0, values[0], 5, values[n-1], 1000 * rng.Float64()}[rng.IntN(5)]
		want := bestStop(g, values, weights, e)
		near := func(what string, got, relative float64) {
			t.Helper()
			if !(scalar.EqualWithinRel(got, want, relative) || math.IsNaN(got) && math.IsNaN(want)) {
				t.Fatalf("%s: %+v after %v of %v: got %v, want %v", what, g, e, values, got, want)
			}
		}
		near("discrete", g.discrete(values, weights, e), 1e-12)
		near("Histogram", g.Rank(h, e), 1e-9)
		for i := range weights {
			weights[i] = float64(rng.IntN(4))
		}
		want = bestStop(g, values, weights, e)
		near("weights", g.discrete(values, weights, e), 1e-12)
	}
}

// A new job of one task whose pilot runs to its end has the exact mean of a histogram as its rank, also if some runtimes
// are 0, and so has its table.
func TestGittinsOfTheMean(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	h := new(histogram.Histogram)
	for range 20000 {
		if err := h.Add(math.Exp(3 * rng.NormFloat64())); err != nil {
			t.Fatal(err)
		}
	}
	var table histogram.Table
	for _, zeros := range []float64{0, 5000} {
		if zeros > 0 {
			if err := h.AddN(0, zeros); err != nil {
				t.Fatal(err)
			}
		}
		table.Fill(h)
		want := h.Mean() / (1 - h.CDF(0)) // of what is above 0
		for _, d := range []Distribution{h, &table} {
			if got := (Gittins{Nonpreemptive: true}).Rank(d, 0); !scalar.EqualWithinRel(got, want, 0.001) {
				t.Errorf("%T with %v zeros: rank %v, want %v", d, zeros, got, want)
			}
			if got := (Gittins{}).Rank(d, 0); got > want*1.001 {
				t.Errorf("%T with %v zeros: rank %v if a task can be stopped, want at most %v", d, zeros, got, want)
			}
		}
	}
}

// Of a uniform runtime the rank is the mean that remains, for its hazard rate rises; of an exponential one it is the
// mean; of a Pareto, whose hazard rate α/a falls, it is a/α, as under LAS; and a known runtime is served to its end.
func TestGittinsClosedForms(t *testing.T) {
	for _, tt := range []struct {
		name string
		d    Distribution
		e    float64
		want float64
	}{
		{"uniform", distuv.Uniform{Min: 0, Max: 10}, 0, 5},
		{"uniform, later", distuv.Uniform{Min: 0, Max: 10}, 6, 2},
		{"exponential", distuv.Exponential{Rate: 0.25}, 0, 4},
		{"exponential, later", distuv.Exponential{Rate: 0.25}, 17, 4},
		{"Pareto", distuv.Pareto{Xm: 1, Alpha: 1.5}, 3, 2},
		{"Pareto, later", distuv.Pareto{Xm: 1, Alpha: 1.5}, 300, 200},
		{"Weibull, falling", distuv.Weibull{K: 0.5, Lambda: 1}, 4, 4},
		{"known", known(7), 0, 7},
		{"known, later", known(7), 5, 2},
	} {
		if got := (Gittins{}).Rank(tt.d, tt.e); !scalar.EqualWithinRel(got, tt.want, 0.02) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
	// A pilot that runs to its end costs its mean, whatever the hazard rate. Of three tasks two run only if T ≤ θ: of
	// Pareto, which has E[T; T ≤ θ] = 3 - 3/√θ, the least (3 + 2·(3 - 3/√θ)) / (1 - θ^-1.5) is at θ = 3.42.
	for _, tt := range []struct {
		name  string
		d     Distribution
		tasks int
		e     float64
		want  float64
	}{
		{"uniform", distuv.Uniform{Min: 0, Max: 10}, 1, 6, 2},
		{"Pareto", distuv.Pareto{Xm: 1, Alpha: 1.5}, 1, 0, 3},
		{"lognormal", distuv.LogNormal{Sigma: 2}, 1, 0, math.Exp(2)},
		{"Pareto, three tasks", distuv.Pareto{Xm: 1, Alpha: 1.5}, 3, 0, 6.836},
		{"known, three tasks", known(7), 3, 5, 16},
	} {
		if got := (Gittins{Tasks: tt.tasks, Nonpreemptive: true}).Rank(tt.d, tt.e); !scalar.EqualWithinRel(got, tt.want, 0.02) {
			t.Errorf("pilots run to their end, %s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

type known float64

func (k known) CDF(x float64) float64 {
	if x >= float64(k) {
		return 1
	}
	return 0
}
func (k known) Quantile(float64) float64 { return float64(k) }

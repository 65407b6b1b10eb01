package threesigma_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"example.com/augur/histogram"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
)

// expectedUtility is the expected utility of a job that starts at a time (3Sigma, section 3.1), if its runtime is
// as likely each of these:
//
//	E[U(start + T)] = Σ P(T = t)·U(start + t)
func expectedUtility(utility func(completion float64) float64, runtimes []float64, start float64) (sum float64) {
	for _, t := range runtimes {
		sum += utility(start+t) / float64(len(runtimes))
	}
	return sum
}

// A job is worth 6 if it completes by 600 s. The formula gives the expected utility of each start, and so does
// Expected.
func ExampleUtility_Expected() {
	runtimes := []float64{200, 240, 400, 420}
	var history histogram.Histogram
	for _, t := range runtimes {
		if err := history.Add(t); err != nil {
			fmt.Println(err)
			return
		}
	}
	u, err := threesigma.NewUtility(threesigma.Point{Time: 600, Value: 6}, threesigma.Point{Time: 600})
	if err != nil {
		fmt.Println(err)
		return
	}
	for start := 0.0; start <= 400; start += 100 {
		fmt.Println(start, expectedUtility(u.At, runtimes, start), u.Expected(&history, start))
	}
	// Output:
	// 0 6 6
	// 100 6 6
	// 200 4.5 4.5
	// 300 3 3
	// 400 1.5 1.5
}

func newStep(value, deadline float64) (threesigma.Utility, error) {
	return threesigma.NewUtility(threesigma.Point{Time: deadline, Value: value}, threesigma.Point{Time: deadline})
}

// values are an empirical distribution with nothing but what it must have.
type values []float64 // sorted

func (v values) CDF(x float64) float64 {
	n := 0
	for n < len(v) && v[n] <= x {
		n++
	}
	return float64(n) / float64(len(v))
}

func (v values) Quantile(p float64) float64 {
	return v[min(max(0, int(math.Ceil(p*float64(len(v))))-1), len(v)-1)]
}

// exact are values with their integral in closed form.
type exact struct{ values }

func (v exact) SurvivalIntegral(a, b float64) float64 {
	sum := 0.0
	for _, x := range v.values {
		sum += max(0, min(x, b)-a)
	}
	return sum / float64(len(v.values))
}

// naive is the mean utility over the values, no one of them before 0.
func (v values) naive(u threesigma.Utility, start float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += u.At(start + max(x, 0))
	}
	return sum / float64(len(v))
}

func randomValues(rng *rand.Rand) values {
	v := make(values, 1+rng.IntN(30))
	for i := range v {
		v[i] = float64(rng.IntN(60)-10) / 4 // often a value meets a point of a curve exactly; some are below 0
		if rng.IntN(2) == 0 {
			v[i] = 12 * rng.Float64()
		}
	}
	slices.Sort(v)
	return v
}

func TestExpectedOfValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	met := 0
	for range 10000 {
		v := randomValues(rng)
		u := randomCurve(rng)
		start := float64(rng.IntN(80)-20) / 4
		for _, p := range u.Points() {
			if slices.Contains(v, p.Time-start) {
				met++
			}
		}
		want := v.naive(u, start)
		h, err := histogram.New(histogram.Config{})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range v {
			if err := h.Add(x); err != nil {
				t.Fatal(err)
			}
		}
		var table histogram.Table
		table.Fill(h)
		for _, test := range []struct {
			name string
			d    threesigma.Distribution
			tol  float64
		}{{"histogram", h, 1e-13}, {"table", &table, 1e-13}, {"exact", exact{v}, 1e-9}, {"values", v, 0.02}} {
			if got := u.Expected(test.d, start); !(math.Abs(got-want) <= test.tol) {
				t.Fatalf("%s %v from %v on, utility %v: got %v, want %v", test.name, v, start, u.Points(), got, want)
			}
		}
	}
	if met < 1000 {
		t.Errorf("a runtime met a point of a curve %d times, want at least 1000", met)
	}
}

func TestExpectedEdges(t *testing.T) {
	step, _ := newStep(2, 10)
	linear, _ := threesigma.NewUtility(threesigma.Point{Value: 2}, threesigma.Point{Time: 10})
	late, _ := newStep(2, math.MaxFloat64)
	nan, inf := math.NaN(), math.Inf(1)
	var zero threesigma.Utility
	var none histogram.Histogram
	for _, test := range []struct {
		name       string
		u          threesigma.Utility
		d          threesigma.Distribution
		start, out float64
	}{
		{"zero utility", zero, forecast.Known(1), 0, 0},
		{"ends at the deadline", step, forecast.Known(4), 6, 2},
		{"ends just after it", step, forecast.Known(4.000001), 6, 0},
		{"takes no time at the deadline", step, forecast.Known(0), 10, 2},
		{"takes less than none at the deadline", step, forecast.Known(-3), 10, 2},
		{"takes less than none after it", step, forecast.Known(-3), 11, 0},
		{"half way down", linear, forecast.Known(2), 3, 1},
		{"at the horizon", linear, forecast.Known(2), 8, 0},
		{"beyond the horizon", linear, forecast.Known(2), 80, 0},
		{"long before", linear, forecast.Known(2), -80, 2},
		{"no end", linear, distuv.Uniform{Min: 1e300, Max: 1e301}, 0, 0},
		{"starts at NaN", step, forecast.Known(1), nan, nan},
		{"starts at infinity", step, forecast.Known(1), inf, nan},
		{"starts too long before", late, forecast.Known(1), -math.MaxFloat64, nan},
		{"no values", step, &none, 0, nan},
		{"no values, sloping", linear, &none, 0, nan},
		{"no values, when it is too late", step, &none, 11, 0},
		{"runtime NaN", linear, forecast.Known(nan), 0, nan},
		{"numerically NaN", linear, struct{ threesigma.Distribution }{forecast.Known(nan)}, 0, nan},
	} {
		got := test.u.Expected(test.d, test.start)
		if got != test.out && !(math.IsNaN(got) && math.IsNaN(test.out)) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.out)
		}
	}
}

func TestExpectedAllocates(t *testing.T) {
	h, err := histogram.New(histogram.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for x := range 200 {
		if err := h.Add(float64(x)); err != nil {
			t.Fatal(err)
		}
	}
	u, _ := threesigma.NewUtility(threesigma.Point{Time: 5, Value: 1}, threesigma.Point{Time: 10})
	var d threesigma.Distribution = h
	if n := testing.AllocsPerRun(100, func() { u.Expected(d, 1) }); n != 0 {
		t.Errorf("Expected allocates %v times, want 0", n)
	}
}

package estimate_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/stat/distuv"

	"example.com/augur/estimate"
)

func stack(t *testing.T, experts int) *estimate.Stacking {
	t.Helper()
	s, err := estimate.NewStacking(experts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Each of three experts errs in its own way: a little, by a factor of e on top of a bias, and wholly. What the stack
// believes holds as often as it says or somewhat more often, since a mixture cannot multiply what its experts know, and it
// is about as narrow as the best expert's errors are.
func TestStackIsCalibrated(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, sd := range []float64{0.5, 1, 2} {
		s := stack(t, 3)
		var b estimate.Belief
		const n, warm = 6000, 1000
		inside, width := map[float64]float64{}, 0.0
		for i := range n + warm {
			truth := 3 + 2*rng.NormFloat64() // its logarithm
			opinions := []estimate.Opinion{
				{Expert: 0, Value: math.Exp(truth + sd*rng.NormFloat64())},
				{Expert: 1, Value: math.Exp(truth + 1 + math.Hypot(1, sd)*rng.NormFloat64())},
				{Expert: 2, Value: math.Exp(3 + 2*rng.NormFloat64())},
			}
			x := math.Exp(truth)
			if i >= warm {
				s.Predict(opinions, &b)
				u := (b.CDF(x/1.14) + b.CDF(x*1.14)) / 2
				for _, share := range []float64{0.5, 0.8, 0.95} {
					if math.Abs(u-0.5) <= share/2 {
						inside[share]++
					}
				}
				width += math.Log(b.Quantile(0.9)/b.Quantile(0.1)) / n
			}
			if err := s.Observe(opinions, x); err != nil {
				t.Fatal(err)
			}
		}
		for share, count := range inside {
			if got := count / n; got < share-0.05 || got > share+0.1 {
				t.Errorf("errors of %v: %v of the values are inside %v", sd, got, share)
			}
		}
		if ideal := 2 * 1.28 * sd; width > 1.5*ideal+0.24 { // a bin is 0.24 wide
			t.Errorf("errors of %v: 80 %% in a width of %.2f, of %.2f at best", sd, width, ideal)
		}
	}
}

// A lognormal prior and a lognormal measurement have the posterior of two normal distributions.
func TestBeliefAgainstNormal(t *testing.T) {
	var b estimate.Belief
	for _, m := range []struct{ x, sd float64 }{{100, 1.5}, {20, 1}} {
		if err := b.Observe(m.x, m.sd); err != nil {
			t.Fatal(err)
		}
	}
	w1, w2 := 1/(1.5*1.5), 1.0
	mean := (w1*math.Log(100) + w2*math.Log(20)) / (w1 + w2)
	sd := 1 / math.Sqrt(w1+w2)
	for _, z := range []float64{-1.2816, 0, 1.2816} {
		want := math.Exp(mean + z*sd)
		if got := b.Quantile(0.5 * (1 + math.Erf(z/math.Sqrt2))); math.Abs(math.Log(got/want)) > 0.24 {
			t.Errorf("z = %v: got %v, want %v", z, got, want)
		}
	}
	if b.Observe(0, 1) == nil || b.Observe(1, math.NaN()) == nil || b.ObserveCensored(math.Inf(1), 1) == nil {
		t.Error("0, NaN and infinity are taken")
	}
}

// The integral of the survival from x to y is the mean of what each bin has of the way.
func TestBeliefSurvivalIntegral(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 31))
	for range 300 {
		var b estimate.Belief
		if err := b.Observe(math.Exp(10*rng.Float64()), 0.1+2*rng.Float64()); err != nil {
			t.Fatal(err)
		}
		x, y := math.Exp(12*rng.Float64()-1), math.Exp(12*rng.Float64()-1)
		want, above := 0.0, 0.0
		for value, p := range b.All() {
			want += p * (min(value, y) - min(value, x))
			if value > x {
				above += p
			}
		}
		if got := b.SurvivalIntegral(x, y); !scalar.EqualWithinAbsOrRel(got, want, 1e-12*max(x, y), 1e-12) {
			t.Fatalf("the integral from %v to %v is %v, want %v", x, y, got, want)
		}
		if got := b.Survival(x); !scalar.EqualWithinAbs(got, above, 1e-12) {
			t.Fatalf("the survival of %v is %v, want %v", x, got, above)
		}
	}
	var b estimate.Belief
	if err := b.Observe(100, 1); err != nil {
		t.Fatal(err)
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct{ x, y, want float64 }{
		{0, inf, b.Mean()}, {inf, inf, 0}, {-inf, -inf, 0}, {-inf, 0, inf}, {0, -inf, -inf}, {nan, 1, nan}, {1, nan, nan},
	} {
		if got := b.SurvivalIntegral(test.x, test.y); !scalar.EqualWithinRel(got, test.want, 1e-12) && got != test.want && !(math.IsNaN(got) && math.IsNaN(test.want)) {
			t.Errorf("the integral from %v to %v is %v, want %v", test.x, test.y, got, test.want)
		}
	}
	if !math.IsNaN(b.Survival(nan)) {
		t.Error("the survival of NaN is a number")
	}
}

// A task of lognormal runtime still runs after x. How probable each bin is follows from Bayes' rule.
func TestBeliefOfWhatRuns(t *testing.T) {
	var b estimate.Belief
	if err := b.Observe(100, 1); err != nil {
		t.Fatal(err)
	}
	const x, sd = 300, 0.7
	want, sum := make(map[float64]float64), 0.0
	for value, p := range b.All() {
		want[value] = p * (1 - distuv.LogNormal{Mu: math.Log(value), Sigma: sd}.CDF(x))
		sum += want[value]
	}
	if err := b.ObserveCensored(x, sd); err != nil {
		t.Fatal(err)
	}
	for value, p := range b.All() {
		if !scalar.EqualWithinAbs(p, want[value]/sum, 1e-9) {
			t.Errorf("%v has probability %v, want %v", value, p, want[value]/sum)
		}
	}
	root := 0.0
	for value, p := range b.All() {
		root += p * math.Sqrt(value)
	}
	if got := b.RootMean(); !scalar.EqualWithinRel(got, root*root, 1e-9) || got >= b.Mean() {
		t.Errorf("E[√X]² is %v, want %v, below the mean of %v", got, root*root, b.Mean())
	}
	before := b
	if err := b.ObserveCensored(1e300, 0.1); err != nil || !scalar.EqualWithinRel(b.Mean(), before.Mean(), 1e-9) {
		t.Errorf("what is impossible changes the mean from %v to %v, %v", before.Mean(), b.Mean(), err)
	}
}

func ExampleStacking() {
	s, err := estimate.NewStacking(2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 200 { // jobs that have ended: one expert is right but for a fifth, and one is not
		truth := 10 + float64(i%50)
		said := []estimate.Opinion{{Expert: 0, Value: truth * (0.8 + 0.4*float64(i%7)/6)}, {Expert: 1, Value: 1000 - 19*truth}}
		if err := s.Observe(said, truth); err != nil {
			fmt.Println(err)
			return
		}
	}
	var b estimate.Belief
	s.Predict([]estimate.Opinion{{Expert: 0, Value: 30}, {Expert: 1, Value: 500}}, &b)
	fmt.Printf("80 %% from %.0f to %.0f s\n", b.Quantile(0.1), b.Quantile(0.9))
	// Output: 80 % from 27 to 43 s
}

// Values are log-normal around what an expert says, and half of them are cut off at a random share of what a run may take. With
// these censored the distribution is right; taken for whole values they would make it too low.
func TestStackingCensored(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := stack(t, 1)
	const centre, sd = 100, 0.7
	for i := range 4000 {
		var err error
		x := centre * math.Exp(sd*rng.NormFloat64())
		o := []estimate.Opinion{{Value: centre}}
		if limit := 400 * rng.Float64(); i%2 == 0 && limit < x {
			err = s.ObserveCensored(o, limit)
		} else {
			err = s.Observe(o, x)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var b estimate.Belief
	s.Predict([]estimate.Opinion{{Value: centre}}, &b)
	for _, z := range []float64{-1, 0, 1} {
		x := centre * math.Exp(sd*z)
		if got, want := b.CDF(x), 0.5*math.Erfc(-z/math.Sqrt2); math.Abs(got-want) > 0.09 { // a bin has 0.13 of it
			t.Errorf("CDF(%v) is %v, want %v", x, got, want)
		}
	}

	// A kind that has always failed after 10 s is not believed short, and another kind stays as it is.
	s = stack(t, 2)
	short, fails := []estimate.Opinion{{Expert: 0, Value: 1}}, []estimate.Opinion{{Expert: 1, Value: 20}}
	for range 20 {
		if err := errors.Join(s.Observe(short, 1), s.ObserveCensored(fails, 10)); err != nil {
			t.Fatal(err)
		}
	}
	s.Predict(fails, &b)
	if p := b.Survival(10); p < 0.85 { // half of all jobs took 1 s
		t.Errorf("what always failed after 10 s takes longer with probability %v, want at least 0.85", p)
	}
	s.Predict(short, &b)
	if p := b.CDF(1.3); p < 0.8 {
		t.Errorf("what always took 1 s does so with probability %v, want at least 0.8", p)
	}

	// What has only ever failed, once after 600 s and then after 1 s, is believed to take little more than 1 s.
	s = stack(t, 0)
	for i := range 1000 {
		if err := s.ObserveCensored(nil, max(1, float64(600*(1-i)))); err != nil {
			t.Fatal(err)
		}
	}
	s.Predict(nil, &b)
	if median, tail := b.Quantile(0.5), b.Quantile(0.95); !(median > 1 && median < 2 && tail < 10) {
		t.Errorf("what failed after 1 s takes %v s, and in 95 %% of cases up to %v", median, tail)
	}
	for _, x := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if err := s.ObserveCensored(fails, x); err == nil {
			t.Errorf("x of %v: no error", x)
		}
	}
}

func TestStackAllocatesNothing(t *testing.T) {
	s := stack(t, 8)
	var b estimate.Belief
	opinions := []estimate.Opinion{{Expert: 0, Value: 10}, {Expert: 7, Value: 30}}
	if n := testing.AllocsPerRun(100, func() {
		s.Predict(opinions, &b)
		if err := b.ObserveCensored(5, 1); err != nil {
			t.Fatal(err)
		}
		if err := s.Observe(opinions, 12); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

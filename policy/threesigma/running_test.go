package threesigma_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"example.com/augur/histogram"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
)

// No job like this one has run for more than 100 seconds; this one does. The scheduler decides every
// ten seconds.
func ExampleIncrements() {
	longest := forecast.Known(100)
	var i threesigma.Increments
	for _, elapsed := range []float64{90, 100, 105, 110, 120, 130, 170, 400} {
		running, err := i.After(longest, elapsed, 10)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(elapsed, running.Quantile(1))
	}
	// Output:
	// 90 100
	// 100 110
	// 105 110
	// 110 130
	// 120 130
	// 130 170
	// 170 250
	// 400 410
}

// What remains of a job is its distribution among the runtimes longer than what has elapsed.
func TestRemainingOfValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	none := 0
	for range 2000 {
		v := randomValues(rng)
		elapsed := float64(rng.IntN(64)) / 4
		var longer values
		for _, x := range v {
			if max(x, 0) > elapsed {
				longer = append(longer, x)
			}
		}
		x := float64(rng.IntN(80)) / 4
		r, ok := threesigma.After(v, elapsed)
		if ok != (len(longer) > 0) {
			t.Fatalf("%v after %v: got %v", v, elapsed, ok)
		}
		if !ok {
			none++
			continue
		}
		if got, want := r.CDF(x), longer.CDF(x); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v after %v: CDF(%v) = %v, want %v", v, elapsed, x, got, want)
		}
		p := (float64(rng.IntN(len(longer))) + 0.5) / float64(len(longer)) // no rounding decides
		if got, want := r.Quantile(p), longer.Quantile(p); got != want {
			t.Fatalf("%v after %v: Quantile(%v) = %v, want %v", v, elapsed, p, got, want)
		}
		u := randomCurve(rng)
		closed, _ := threesigma.After(exact{v}, elapsed)
		if got, want := u.Expected(closed, -2), longer.naive(u, -2); math.Abs(got-want) > 1e-8 {
			t.Fatalf("%v after %v, in closed form: expected utility %v, want %v", v, elapsed, got, want)
		}
		if got, want := u.Expected(r, -2), longer.naive(u, -2); math.Abs(got-want) > 0.02 {
			t.Fatalf("%v after %v: expected utility %v, want %v", v, elapsed, got, want)
		}
	}
	if none < 20 {
		t.Errorf("nothing remained %d times, want at least 20", none)
	}
}

func TestAfterEdges(t *testing.T) {
	d := values{-2, 0, 4, 8}
	was, ok := threesigma.After(d, 0)
	if r, also := threesigma.After(d, -5); !ok || !also || r.Quantile(0) != 0 || r.CDF(3) != was.CDF(3) {
		t.Errorf("after a negative time: %v, want what remains after 0", r)
	}
	if got := was.(threesigma.Running).Survival(4); got != 0.5 {
		t.Errorf("survival of 4 after 0 is %v, want 0.5", got)
	}
	for _, p := range []float64{-0.1, 1.1, math.NaN()} {
		if got := was.Quantile(p); !math.IsNaN(got) {
			t.Errorf("Quantile(%v) is %v, want NaN", p, got)
		}
	}
	for _, elapsed := range []float64{8, 9, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, ok := threesigma.After(d, elapsed); ok {
			t.Errorf("something remains after %v", elapsed)
		}
	}
	if _, ok := threesigma.After(&histogram.Histogram{}, 0); ok {
		t.Error("something remains of a distribution without values")
	}
}

// Whenever it is asked, the end is the first after elapsed of longest + (2^k - 1) cycles.
func TestIncrementsFollowTheFormula(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 0))
	for range 1000 {
		longest, cycle := float64(rng.IntN(100)), float64(1+rng.IntN(20))
		var i threesigma.Increments
		elapsed, said := 0.0, 0
		for range 50 {
			elapsed += float64(rng.IntN(30)) * cycle / 2
			r, err := i.After(forecast.Known(longest), elapsed, cycle)
			if err != nil {
				t.Fatal(err)
			}
			end := r.Quantile(1)
			if elapsed < longest {
				if end != longest {
					t.Fatalf("longest %v, elapsed %v: got %v", longest, elapsed, end)
				}
				continue
			}
			said++
			want := longest
			for k := 1; want <= elapsed; k++ {
				want = longest + (math.Ldexp(1, k)-1)*cycle
			}
			if end != want {
				t.Fatalf("longest %v, cycle %v, elapsed %v: got %v, want %v", longest, cycle, elapsed, end, want)
			}
		}
		if said < 10 {
			t.Fatalf("an end was said %d times, want at least 10", said)
		}
	}
}

func TestIncrementsEdges(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	var i threesigma.Increments
	end := func(longest, elapsed, cycle float64) float64 {
		t.Helper()
		r, err := i.After(forecast.Known(longest), elapsed, cycle)
		if err != nil {
			t.Fatalf("longest %v, elapsed %v: error %v", longest, elapsed, err)
		}
		return r.Quantile(1)
	}
	end(10, 11, 1)
	was := i
	for _, bad := range []struct {
		d              threesigma.Distribution
		elapsed, cycle float64
	}{
		{forecast.Known(nan), 1, 1}, {&histogram.Histogram{}, 12, 1}, {forecast.Known(10), -1, 1}, {forecast.Known(10), nan, 1},
		{forecast.Known(10), inf, 1}, {forecast.Known(10), 11, 0}, {forecast.Known(10), 11, nan}, {forecast.Known(10), 11, inf},
	} {
		if _, err := i.After(bad.d, bad.elapsed, bad.cycle); err == nil {
			t.Errorf("%v, elapsed %v, cycle %v: no error", bad.d, bad.elapsed, bad.cycle)
		}
	}
	if i != was {
		t.Errorf("errors have changed %v to %v", was, i)
	}
	if got := end(10, 12.5, 1); got != 13 {
		t.Errorf("end is %v, want 13", got)
	}
	if got := end(10, 13, 1); got != 17 {
		t.Errorf("end is %v, want 17", got)
	}
	end(10, 3, 1) // started anew
	if got := end(10, 10, 1); got != 11 {
		t.Errorf("end after a new start is %v, want 11", got)
	}
	end(20, 11, 1) // a longer one is known
	if got := end(20, 20, 1); got != 21 {
		t.Errorf("end after a longer one is %v, want 21", got)
	}
	i = threesigma.Increments{}
	if got := end(1e300, 1e300, 5e-324); !(got > 1e300) {
		t.Errorf("end is %v, want it above 1e300", got)
	}
	end(1, math.MaxFloat64, 1) // it comes to an end
}

// A distribution without end says what remains until it has no digits left; then the job ends after
// 1, 2, 4, ... cycles of what had elapsed.
func TestIncrementsOfALongTail(t *testing.T) {
	d := distuv.Exponential{Rate: 1}
	var i threesigma.Increments
	r, err := i.After(d, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.(threesigma.Running).Survival(5), math.Exp(-2); math.Abs(got-want) > 1e-12 {
		t.Errorf("survival from 3 to 5 is %v, want %v", got, want)
	}
	for _, test := range []struct{ elapsed, end float64 }{{2000, 2001}, {2000.5, 2001}, {2001, 2003}, {2006, 2007}} {
		r, err := i.After(d, test.elapsed, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Quantile(0.5); got != test.end {
			t.Errorf("at %v the end is %v, want %v", test.elapsed, got, test.end)
		}
	}
}

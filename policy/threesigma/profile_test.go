package threesigma_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat/distuv"

	"example.com/augur/histogram"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/threesigma/plan"
)

// Jobs like this one take 0 to 10 minutes. One that has run for four takes six more at most, and is
// more likely to run still after seven.
func ExampleAfter() {
	d := distuv.Uniform{Min: 0, Max: 10}
	running, ok := threesigma.After(d, 4)
	fmt.Println(1-running.CDF(7), ok)
	_, ok = threesigma.After(d, 11)
	fmt.Println(ok)
	// Output:
	// 0.5 true
	// false
}

func ExampleAppendProfile() {
	h, err := histogram.New(histogram.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range []float64{60, 90, 150, 300} {
		if err := h.Add(x); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(threesigma.AppendProfile(nil, h, 0, 60, 10)) // about to start
	running, ok := threesigma.After(h, 100)
	fmt.Println(ok)
	fmt.Println(threesigma.AppendProfile(nil, running, 100, 60, 10))
	// Output:
	// [1 0.75 0.5 0.25 0.25] <nil>
	// true
	// [1 0.5 0.5 0.5] <nil>
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
		if got, want := u.Expected(r, -2), longer.naive(u, -2); math.Abs(got-want) > 1e-8 {
			t.Fatalf("%v after %v: expected utility %v, want %v", v, elapsed, got, want)
		}
	}
	if none < 20 {
		t.Errorf("nothing remained %d times, want at least 20", none)
	}
}

// Of a histogram the integral is that of the histogram, by what survives at the time elapsed.
func TestRemainingOfHistograms(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0))
	for range 500 {
		h := randomHistogram(rng, 20)
		elapsed := h.Max() * rng.Float64()
		r, ok := threesigma.After(h, elapsed)
		if !ok {
			t.Fatalf("nothing remains after %v of at most %v", elapsed, h.Max())
		}
		a, b := 30*rng.Float64(), 30*rng.Float64()
		a, b = min(a, b), max(a, b)
		want := max(0, min(b, elapsed)-a) + h.SurvivalIntegral(max(a, elapsed), max(b, elapsed))/h.Survival(elapsed)
		if got := r.(threesigma.Running).SurvivalIntegral(a, b); math.Abs(got-want) > 1e-9 {
			t.Fatalf("after %v the survival integral from %v to %v is %v, want %v", elapsed, a, b, got, want)
		}
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

// A profile starts at 1, never grows, and is no less than the share at any instant of a slot.
func TestProfileIsAboveSurvival(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 0))
	for range 500 {
		h := randomHistogram(rng, 20)
		var d threesigma.Distribution = h
		from := 0.0
		if rng.IntN(2) == 0 {
			from = h.Max() * rng.Float64()
			r, ok := threesigma.After(h, from)
			if !ok {
				t.Fatalf("nothing remains after %v of at most %v", from, h.Max())
			}
			d = r
		}
		width, slots := 0.1+3*rng.Float64(), 1+rng.IntN(40)
		before := []float64{7}
		got, err := threesigma.AppendProfile(before, d, from, width, slots)
		if err != nil {
			t.Fatal(err)
		}
		if got[0] != 7 || got[1] != 1 || len(got) > 1+slots {
			t.Fatalf("profile %v of %d slots after 7", got, slots)
		}
		problem := plan.Problem{Capacity: [][]float64{make([]float64, slots)}, Jobs: []plan.Job{{
			Profiles: [][]float64{got[1:]}, Places: []plan.Place{{{Pool: 0, Nodes: 1}}}, Options: []plan.Option{{Utility: 1}},
		}}}
		if err := problem.Validate(); err != nil {
			t.Fatal(err)
		}
		for k := range slots {
			share := 0.0
			if k+1 < len(got) {
				share = got[k+1]
			}
			if share > got[min(k, len(got)-2)+1] || share < 0 {
				t.Fatalf("slot %d of %v grows or leaves [0, 1]", k, got[1:])
			}
			for range 5 {
				at := from + (float64(k)+rng.Float64())*width
				if now := threesigma.Survival(d, at); share < now {
					t.Fatalf("slot %d has %v, and %v later the share is %v", k, share, at, now)
				}
			}
		}
		if len(got) < 1+slots {
			if rest := threesigma.Survival(d, from+float64(float64(len(got)-1)*width)); rest != 0 {
				t.Fatalf("profile %v ends where the share is %v", got[1:], rest)
			}
		}
	}
}

func TestProfileRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	var none histogram.Histogram
	for _, test := range []struct {
		d           threesigma.Distribution
		from, width float64
		slots       int
		want        string
	}{
		{threesigma.Known(1), -1, 1, 1, "threesigma: profile from -1 s on, want finite, at least 0"},
		{threesigma.Known(1), nan, 1, 1, "threesigma: profile from NaN s on, want finite, at least 0"},
		{threesigma.Known(1), inf, 1, 1, "threesigma: profile from +Inf s on, want finite, at least 0"},
		{threesigma.Known(1), 0, 0, 1, "threesigma: slots of 0 s, want finite, above 0"},
		{threesigma.Known(1), 0, nan, 1, "threesigma: slots of NaN s, want finite, above 0"},
		{threesigma.Known(1), 0, 1, -1, "threesigma: profile of -1 slots, want at least 0"},
		{&none, 0, 1, 3, "threesigma: profile of a distribution without values"},
	} {
		dst := []float64{3}
		got, err := threesigma.AppendProfile(dst, test.d, test.from, test.width, test.slots)
		if err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
		if diff := cmp.Diff([]float64{3}, got); diff != "" {
			t.Errorf("dst has changed (-want +got):\n%s", diff)
		}
	}
}

func TestProfileEdges(t *testing.T) {
	for _, test := range []struct {
		d     threesigma.Distribution
		slots int
		want  []float64
	}{
		{threesigma.Known(0), 3, []float64{1}},
		{threesigma.Known(-1), 3, []float64{1}},
		{threesigma.Known(2), 0, nil},
		{threesigma.Known(2), 1, []float64{1}},
		{threesigma.Known(2), 5, []float64{1, 1}},
		{threesigma.Known(2.5), 5, []float64{1, 1, 1}},
	} {
		got, err := threesigma.AppendProfile(nil, test.d, 0, 1, test.slots)
		if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
			t.Errorf("%v, %d slots: error %v (-want +got):\n%s", test.d, test.slots, err, diff)
		}
	}
	scaled := threesigma.Scale(threesigma.Known(2), 1.5)
	survival := scaled.(interface {
		Survival(x float64) float64
		SurvivalIntegral(a, b float64) float64
	})
	if got, want := []float64{scaled.Quantile(1), scaled.CDF(2.9), scaled.CDF(3), survival.Survival(2.9), survival.SurvivalIntegral(1, 9)}, []float64{3, 0, 1, 1, 2}; !cmp.Equal(got, want) {
		t.Errorf("scaled by 1.5: %v, want %v", got, want)
	}
}

func BenchmarkAppendProfile(b *testing.B) {
	h := randomHistogram(rand.New(rand.NewPCG(6, 0)), 80)
	b.ReportAllocs()
	var dst []float64
	for b.Loop() {
		var err error
		if dst, err = threesigma.AppendProfile(dst[:0], h, 0, h.Max()/100, 100); err != nil || len(dst) != 100 {
			b.Fatal(len(dst), err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/slot")
}

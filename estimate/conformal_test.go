package estimate

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func newConformal(t testing.TB, c ConformalConfig) *Conformal {
	t.Helper()
	got, err := NewConformal(c)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A predictor that is far off, in one of the ways that the cases name: each returns a
// prediction and what comes true, independent of the others and alike.
var predictors = []struct {
	name     string
	relative bool
	draw     func(rng *rand.Rand) (low, high, actual float64)
}{
	{"point", false, func(rng *rand.Rand) (low, high, actual float64) {
		guess := 100 * rng.Float64()
		return guess, guess, 50 + 30*rng.Float64()
	}},
	{"factor", true, func(rng *rand.Rand) (low, high, actual float64) {
		scale := math.Exp(10 * rng.Float64())
		return scale, scale, 7 * scale * math.Exp(rng.NormFloat64())
	}},
	{"quantiles too wide", false, func(rng *rand.Rand) (low, high, actual float64) {
		base := 1000 + 100*rng.Float64()
		return base - 100, base + 100, base + 10*rng.NormFloat64()
	}},
	{"quantiles too narrow", true, func(rng *rand.Rand) (low, high, actual float64) {
		base := 1 + 100*rng.Float64()
		return base * 0.99, base * 1.01, base * math.Exp(rng.NormFloat64())
	}},
	{"bound from above", true, func(rng *rand.Rand) (low, high, actual float64) {
		base := 1 + 100*rng.Float64()
		return 0, base, base * rng.ExpFloat64()
	}},
}

// With n independent predictions in the window the interval of the next holds what comes true
// with probability k/(n+1) exactly, as scores are all different: the rank of the next one
// among all is as likely to be one as another.
func conformalCoverage(t *testing.T) {
	const runs = 2000
	for i, predictor := range predictors {
		for _, test := range []struct {
			n        int
			coverage float64
			want     float64
		}{
			{9, 0.9, 0.9},
			{19, 0.9, 0.9},
			{24, 0.9, 23.0 / 25}, // k = 22.5 rounded up
			{30, 0.5, 16.0 / 31},
			{8, 0.9, 1}, // too few: everything
		} {
			rng := rand.New(rand.NewPCG(uint64(i), uint64(test.n)))
			hits := 0
			for range runs {
				c := newConformal(t, ConformalConfig{Coverage: test.coverage, Window: test.n, Relative: predictor.relative})
				for range test.n + 3 { // the window slides a little
					low, high, actual := predictor.draw(rng)
					if err := c.Add(low, high, actual); err != nil {
						t.Fatal(err)
					}
				}
				low, high, actual := predictor.draw(rng)
				from, to, err := c.Interval(low, high)
				if err != nil {
					t.Fatal(err)
				}
				if from <= actual && actual <= to {
					hits++
				}
			}
			limit := 4 * math.Sqrt(test.want*(1-test.want)/runs)
			if got := float64(hits) / runs; !near(got, test.want, limit) {
				t.Errorf("%s, %d scores: coverage %v, want %v ± %v", predictor.name, test.n, got, test.want, limit)
			}
		}
	}
}

// slowWidth is Width by its definition, from all scores ever.
func slowWidth(scores []float64, window int, coverage float64) float64 {
	scores = slices.Sorted(slices.Values(scores[max(0, len(scores)-window):]))
	for k := 1; k <= len(scores); k++ {
		if float64(k) >= float64(len(scores)+1)*coverage-1e-9 {
			return scores[k-1]
		}
	}
	return math.Inf(1)
}

func TestConformalAgainstDefinition(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 72))
		window, coverage := 1+rng.IntN(30), 0.05+0.9*rng.Float64()
		c := newConformal(t, ConformalConfig{Coverage: coverage, Window: window})
		var scores []float64
		for range 80 {
			actual := float64(rng.IntN(10)) // ties
			scores = append(scores, max(2-actual, actual-6))
			if err := c.Add(2, 6, actual); err != nil {
				t.Fatal(err)
			}
			if got, want := c.width(), slowWidth(scores, window, coverage); got != want {
				t.Fatalf("seed %d: width %v, want %v", seed, got, want)
			}
		}
		if c.N() != min(80, window) {
			t.Fatalf("seed %d: %d scores", seed, c.N())
		}
	}
}

func TestConformalEdges(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		name      string
		relative  bool
		seen      [][3]float64 // low, high, actual; always the same score is best
		low, high float64
		from, to  float64
	}{
		{"nothing seen", false, nil, 1, 2, 0, inf},
		{"one miss is not enough for 0.9", false, [][3]float64{{1, 2, 3}}, 1, 2, 0, inf},
		{"wider", false, repeated(9, 1, 2, 3), 4, 5, 3, 6},
		{"not below 0", false, repeated(9, 1, 2, 30), 4, 5, 0, 33},
		{"narrower", false, repeated(9, 1, 9, 5), 10, 20, 14, 16},
		{"narrower than nothing", false, repeated(9, 1, 9, 5), 10, 12, 11, 11},
		{"factor", true, repeated(9, 1, 2, 6), 10, 20, 10.0 / 3, 60},
		{"factor narrower than nothing", true, repeated(9, 1, 16, 4), 2, 8, 4, 4},
		{"zero runtimes", true, repeated(9, 0, 0, 0), 0, 5, 0, 0},
		{"prediction of zero", true, repeated(9, 0, 0, 1), 1, 1, 0, inf},
		{"zero came true", true, repeated(9, 1, 2, 0), 1, 1, 0, inf},
		{"from above, relative", true, repeated(9, 0, 2, 3), 0, 4, 0, 6},
		{"from above", false, repeated(9, -inf, 2, 3), -inf, 4, 0, 5},
		{"from below", false, repeated(9, 2, inf, 1), 4, inf, 3, inf},
		{"from below, relative", true, repeated(9, 2, inf, 1), 4, inf, 2, inf},
		{"no bounds", false, repeated(9, -inf, inf, 1), 3, 5, 4, 4},
		{"zero runtimes but one", true, repeated(9, 0, 0, 0), 2, 8, 4, 4},
		{"no bounds but one", false, repeated(9, -inf, inf, 1), 3, inf, 3, 3},
	} {
		c := newConformal(t, ConformalConfig{Relative: test.relative})
		for _, p := range test.seen {
			if err := c.Add(p[0], p[1], p[2]); err != nil {
				t.Fatal(err)
			}
		}
		from, to, err := c.Interval(test.low, test.high)
		if err != nil || !near(from, test.from, 1e-14) || !near(to, test.to, 1e-13) {
			t.Errorf("%s: [%v, %v], %v, want [%v, %v]", test.name, from, to, err, test.from, test.to)
		}
	}
}

// A predictor that is always off by the same must not miss always for the sake of rounding.
func TestConformalHoldsWhatItHasSeen(t *testing.T) {
	for _, relative := range []bool{false, true} {
		for guess := 1; guess <= 60; guess++ {
			for runtime := range 61 {
				c := newConformal(t, ConformalConfig{Relative: relative})
				low, high, y := float64(guess)/10, float64(guess+guess%3)/10, float64(runtime)/10
				for range 9 {
					if err := c.Add(low, high, y); err != nil {
						t.Fatal(err)
					}
				}
				from, to, err := c.Interval(low, high)
				if err != nil || !(from <= y && y <= to) {
					t.Errorf("relative %v, [%v, %v]: [%v, %v], %v does not hold %v",
						relative, low, high, from, to, err, y)
				}
			}
		}
	}
}

func repeated(n int, low, high, actual float64) [][3]float64 {
	return slices.Repeat([][3]float64{{low, high, actual}}, n)
}

func TestConformalRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []ConformalConfig{
		{Coverage: 1}, {Coverage: -0.1}, {Coverage: nan}, {Window: -1}, {Window: 100_001}, {Rate: -1}, {Rate: 1}, {Rate: nan},
	} {
		if _, err := NewConformal(c); err == nil {
			t.Errorf("%+v gives no error", c)
		}
	}
	for _, relative := range []bool{false, true} {
		c := newConformal(t, ConformalConfig{Relative: relative, Rate: 0.1})
		c.Add(1, 2, 3)
		for _, bad := range [][3]float64{
			{nan, 1, 1}, {1, nan, 1}, {1, 1, nan}, {2, 1, 1}, {inf, inf, 1}, {-inf, -inf, 1}, {1, 2, inf}, {1, 2, -1},
		} {
			if c.Add(bad[0], bad[1], bad[2]) == nil {
				t.Errorf("%v is taken", bad)
			}
		}
		if _, _, err := c.Interval(2, 1); err == nil {
			t.Error("an interval of less than nothing is taken")
		}
		if c.N() != 1 || !near(c.misses, 0.11, 1e-15) {
			t.Errorf("%d scores and %v misses aimed at after refused predictions", c.N(), c.misses)
		}
	}
	c := newConformal(t, ConformalConfig{Relative: true})
	if c.Add(-1, 1, 1) == nil || c.Add(-1, -1, 1) == nil {
		t.Error("a negative prediction is taken where factors are wanted")
	}
}

// Whatever comes, the adaptive form misses as often as it says, within its bound, and the
// window stays sorted.
func FuzzConformal(f *testing.F) {
	f.Add([]byte("123456789 123456789"), uint8(20), uint8(90), true)
	f.Add([]byte{0, 0, 0, 255, 255, 255, 0, 0}, uint8(250), uint8(10), false)
	f.Fuzz(func(t *testing.T, data []byte, rate, coverage uint8, relative bool) {
		config := ConformalConfig{
			Coverage: float64(1+coverage%99) / 100,
			Rate:     float64(1+int(rate)) / 257,
			Window:   1 + len(data)%7,
			Relative: relative,
		}
		c := newConformal(t, config)
		misses, jobs := 0.0, 0.0
		for len(data) >= 3 {
			bits := binary.BigEndian.Uint16(data)
			low := float64(bits >> 8)
			high, actual := low+float64(bits&255)/2, float64(data[2])
			data = data[3:]
			if c.misses >= 1 || c.score(low, high, actual) > c.width() {
				misses++
			}
			jobs++
			from, to, err := c.Interval(low, high)
			if err != nil || !(0 <= from && from <= to) {
				t.Fatalf("interval [%v, %v], %v of [%v, %v]", from, to, err, low, high)
			}
			if err := c.Add(low, high, actual); err != nil {
				t.Fatal(err)
			}
			if !slices.IsSorted(c.sorted) || !slices.Equal(c.sorted, slices.Sorted(slices.Values(c.ring))) || c.N() > config.Window {
				t.Fatalf("scores %v, sorted %v", c.ring, c.sorted)
			}
			limit := (max(config.Coverage, 1-config.Coverage)+config.Rate)/(config.Rate*jobs) + 1e-9
			if got := misses / jobs; !near(got, 1-config.Coverage, limit) {
				t.Fatalf("%v missed of %v, want %v ± %v", got, jobs, 1-config.Coverage, limit)
			}
		}
	})
}

func TestConformalDoesNotAllocate(t *testing.T) {
	c := newConformal(t, ConformalConfig{Rate: 0.01, Window: 100})
	x := 0.0
	step := func() {
		x = math.Mod(x+37, 100)
		c.Interval(10, 20)
		c.Add(10, 20, x)
	}
	for range 100 {
		step()
	}
	if got := testing.AllocsPerRun(100, step); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

func BenchmarkConformal(b *testing.B) {
	for _, window := range []int{500, 10_000} {
		b.Run("window="+map[int]string{500: "500", 10_000: "10000"}[window], func(b *testing.B) {
			c := newConformal(b, ConformalConfig{Window: window, Rate: 0.01, Relative: true})
			rng := rand.New(rand.NewPCG(1, 1))
			for range window {
				c.Add(1, 1, rng.ExpFloat64())
			}
			b.ReportAllocs()
			for b.Loop() {
				c.Interval(1, 1)
				c.Add(1, 1, rng.ExpFloat64())
			}
		})
	}
}

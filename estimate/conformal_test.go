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
	name string
	draw func(rng *rand.Rand) (low, high, actual float64)
}{
	{"factor", func(rng *rand.Rand) (low, high, actual float64) {
		scale := math.Exp(10 * rng.Float64())
		return scale, scale, 7 * scale * math.Exp(rng.NormFloat64())
	}},
	{"quantiles too wide", func(rng *rand.Rand) (low, high, actual float64) {
		base := 1000 + 100*rng.Float64()
		return base - 100, base + 100, base + 10*rng.NormFloat64()
	}},
	{"quantiles too narrow", func(rng *rand.Rand) (low, high, actual float64) {
		base := 1 + 100*rng.Float64()
		return base * 0.99, base * 1.01, base * math.Exp(rng.NormFloat64())
	}},
	{"bound from above", func(rng *rand.Rand) (low, high, actual float64) {
		base := 1 + 100*rng.Float64()
		return 0, base, base * rng.ExpFloat64()
	}},
}

// After n independent predictions the interval of the next holds what comes true
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
				c := newConformal(t, ConformalConfig{Coverage: test.coverage})
				for range test.n {
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

// The width is the k-th least of the last scores, by its definition.
func TestConformalAgainstDefinition(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 72))
		coverage := 0.05 + 0.9*rng.Float64()
		c := newConformal(t, ConformalConfig{Coverage: coverage})
		c.window = 1 + rng.IntN(30)
		var scores []float64
		for range 100 {
			actual := float64(1 + rng.IntN(10)) // ties
			scores = append(scores, max(2/actual, actual/6))
			if err := c.Add(2, 6, actual); err != nil {
				t.Fatal(err)
			}
			last := slices.Sorted(slices.Values(scores[max(0, len(scores)-c.window):]))
			want := math.Inf(1)
			if k := math.Ceil(float64(len(last)+1)*coverage - 1e-9); int(k) <= len(last) {
				want = last[int(k)-1]
			}
			if got := c.width(); got != want || c.N() != len(last) {
				t.Fatalf("seed %d: width %v of %d scores, want %v of %d", seed, got, c.N(), want, len(last))
			}
		}
	}
}

func TestConformalEdges(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		name      string
		seen      [][3]float64 // low, high, actual; always the same score is best
		low, high float64
		from, to  float64
	}{
		{"nothing seen", nil, 1, 2, 0, inf},
		{"one miss is not enough for 0.9", [][3]float64{{1, 2, 3}}, 1, 2, 0, inf},
		{"factor", repeated(9, 1, 2, 6), 10, 20, 10.0 / 3, 60},
		{"factor narrower than nothing", repeated(9, 1, 16, 4), 2, 8, 4, 4},
		{"zero runtimes", repeated(9, 0, 0, 0), 0, 5, 0, 0},
		{"prediction of zero", repeated(9, 0, 0, 1), 1, 1, 0, inf},
		{"zero came true", repeated(9, 1, 2, 0), 1, 1, 0, inf},
		{"from above", repeated(9, 0, 2, 3), 0, 4, 0, 6},
		{"from below", repeated(9, 2, inf, 1), 4, inf, 2, inf},
		{"zero runtimes but one", repeated(9, 0, 0, 0), 2, 8, 4, 4},
	} {
		c := newConformal(t, ConformalConfig{})
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
	for guess := 1; guess <= 60; guess++ {
		for runtime := range 61 {
			c := newConformal(t, ConformalConfig{})
			low, high, y := float64(guess)/10, float64(guess+guess%3)/10, float64(runtime)/10
			for range 9 {
				if err := c.Add(low, high, y); err != nil {
					t.Fatal(err)
				}
			}
			if from, to, err := c.Interval(low, high); err != nil || !(from <= y && y <= to) {
				t.Errorf("[%v, %v]: [%v, %v], %v does not hold %v", low, high, from, to, err, y)
			}
		}
	}
}

func repeated(n int, low, high, actual float64) [][3]float64 {
	return slices.Repeat([][3]float64{{low, high, actual}}, n)
}

func TestConformalRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []ConformalConfig{{Coverage: 1}, {Coverage: -0.1}, {Coverage: nan}, {Rate: -1}, {Rate: 1}, {Rate: nan}} {
		if _, err := NewConformal(c); err == nil {
			t.Errorf("%+v gives no error", c)
		}
	}
	c := newConformal(t, ConformalConfig{Rate: 0.1})
	c.Add(1, 2, 3)
	for _, bad := range [][3]float64{
		{nan, 1, 1}, {1, nan, 1}, {1, 1, nan}, {2, 1, 1}, {inf, inf, 1}, {-1, 1, 1}, {-1, -1, 1}, {1, 2, inf}, {1, 2, -1},
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

// Whatever comes, the adaptive form misses as often as it says, within its bound, and the
// window stays sorted.
func FuzzConformal(f *testing.F) {
	f.Add([]byte("123456789 123456789"), uint8(20), uint8(90))
	f.Add([]byte{0, 0, 0, 255, 255, 255, 0, 0}, uint8(250), uint8(10))
	f.Fuzz(func(t *testing.T, data []byte, rate, coverage uint8) {
		config := ConformalConfig{
			Coverage: float64(1+coverage%99) / 100,
			Rate:     float64(1+int(rate)) / 257,
		}
		c := newConformal(t, config)
		c.window = 1 + int(rate)%7
		misses, jobs := 0.0, 0.0
		for len(data) >= 3 {
			bits := binary.BigEndian.Uint16(data)
			low := float64(bits >> 8)
			high, actual := low+float64(bits&255)/2, float64(data[2])
			data = data[3:]
			if c.misses >= 1 || max(ratio(low, actual), ratio(actual, high)) > c.width() {
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
			if !slices.IsSorted(c.sorted) || !slices.Equal(c.sorted, slices.Sorted(slices.Values(c.ring))) || c.N() > c.window {
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
	c := newConformal(t, ConformalConfig{Rate: 0.01})
	x := 0.0
	step := func() {
		x = math.Mod(x+37, 100)
		c.Interval(10, 20)
		c.Add(10, 20, x)
	}
	for range 500 {
		step()
	}
	if got := testing.AllocsPerRun(100, step); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

func BenchmarkConformal(b *testing.B) {
	c := newConformal(b, ConformalConfig{Rate: 0.01})
	rng := rand.New(rand.NewPCG(1, 1))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := c.Interval(1, 1); err != nil {
			b.Fatal(err)
		}
		if err := c.Add(1, 1, rng.ExpFloat64()); err != nil {
			b.Fatal(err)
		}
	}
}

package predict

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// What an interval is after jobs of one kind have ended, whose runtimes are given by those of a coverage of 0.8.
func TestInterval(t *testing.T) {
	always := func(x float64, n int) []float64 { return slices.Repeat([]float64{x}, n) }
	rising := func(n int) (list []float64) { // an estimate of 1 each time, by a job of 1 that is not scored
		for i := range n {
			list = append(list, float64(i+1))
		}
		return list
	}
	for _, test := range []struct {
		name      string
		runtimes  []float64 // after one of 1 s, each with an estimate of 10 s at submission
		coverage  float64
		low, high float64 // as multiples of the estimate
		ok        bool
	}{
		{"of too few jobs nothing is known", always(20, 19), 0.8, 0, 0, false},
		{"twenty are enough", always(20, 20), 0.8, 2, 2, true},
		{"twenty are enough for 0.9", rising(20), 0.9, 0.1, 2, true},
		{"but not for 0.95", rising(20), 0.95, 0, 0, false},
		{"39 are", rising(39), 0.95, 0.1, 3.9, true},
		{"a tenth is left out at either end", rising(39), 0.8, 0.4, 3.6, true},
		{"the last 100 of a kind count", slices.Concat(always(1e9, 50), always(20, 100)), 0.8, 2, 2, true},
		{"runtimes of 0", always(0, 40), 0.8, 0, 0, true},
		{"no coverage", always(20, 40), 0, 0, 0, false},
		{"all", always(20, 40), 1, 0, 0, false},
		{"NaN", always(20, 40), math.NaN(), 0, 0, false},
	} {
		p, err := New(Config{Features: []string{"kind"}})
		if err != nil {
			t.Fatal(err)
		}
		job, now := Attrs{"kind": "a"}, time.Unix(0, 0)
		if err := p.Observe(job, 1, now); err != nil { // nothing was estimated
			t.Fatal(err)
		}
		for _, x := range test.runtimes {
			if err := p.ObserveEstimated(job, 10, x, now); err != nil {
				t.Fatal(err)
			}
		}
		x, _ := p.Estimate(job, now)
		low, high, ok := p.Interval(job, test.coverage, now)
		about := func(got, want float64) bool { return math.Abs(got-x*want) <= 1e-6*x*want }
		if ok != test.ok || !about(low, test.low) || !about(high, test.high) {
			t.Errorf("%s: got %v to %v, %v, want %v to %v, %v", test.name, low, high, ok, x*test.low, x*test.high, test.ok)
		}
	}
}

// The bounds of a job like none before hold most of the runtimes of all jobs, however sure those of known kinds are.
func TestIntervalOfTheUnknown(t *testing.T) {
	p, err := New(Config{Features: []string{"kind", All}})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(0, 0)
	for i := range 300 {
		runtime := []float64{1, 60, 3600}[i%3]
		if err := p.Observe(Attrs{"kind": []string{"mail", "page", "video"}[i%3]}, runtime*(1+float64(i)/1e4), now); err != nil {
			t.Fatal(err)
		}
	}
	if low, high, ok := p.Interval(Attrs{"kind": "mail"}, 0.9, now); !ok || high/low > 1.1 {
		t.Errorf("mail takes %v to %v s (%v), want about 1 s", low, high, ok)
	}
	if low, high, ok := p.Interval(Attrs{"kind": "unheard"}, 0.9, now); !ok || low > 1.1 || high < 3600 {
		t.Errorf("another kind takes %v to %v s (%v), want 1 to 3600 s at least", low, high, ok)
	}
}

// Of jobs like the past ones as many are in an interval as it says, for a kind that has had many jobs and for kinds that are new, and
// also if all estimates are ten times too long.
func TestIntervalsHold(t *testing.T) {
	coverages := []float64{0.5, 0.8, 0.9}
	if testing.Short() {
		coverages = coverages[1:2]
	}
	for _, coverage := range coverages {
		for _, wrong := range []float64{1, 10} {
			if wrong > 1 && coverage != 0.8 {
				continue
			}
			p, err := New(Config{Features: []string{"kind", All}})
			if err != nil {
				t.Fatal(err)
			}
			rng, now := rand.New(rand.NewPCG(1, 1)), time.Unix(0, 0)
			var held, made [2]float64
			for i := range 12_000 {
				kind, of := "old", 0
				if i%2 == 0 {
					kind, of = string(rune('a'+i/20)), 1 // ten jobs each
				}
				job, runtime := Attrs{"kind": kind}, 60*math.Exp(rng.NormFloat64())
				if low, high, ok := p.Interval(job, coverage, now); ok && i >= 2000 {
					made[of]++
					if low <= runtime && runtime <= high {
						held[of]++
					}
				}
				estimate, ok := p.Estimate(job, now)
				if !ok {
					estimate = math.NaN()
				}
				if err := p.ObserveEstimated(job, wrong*estimate, runtime, now); err != nil {
					t.Fatal(err)
				}
			}
			if wrong > 1 {
				continue // what is told is right, and what is taught is not: no panic
			}
			for of, name := range []string{"an old kind", "new kinds"} {
				if got := held[of] / made[of]; made[of] < 4000 || math.Abs(got-coverage) > 0.03 {
					t.Errorf("%s: %.3f of %v intervals held, want %v", name, got, made[of], coverage)
				}
			}
		}
	}
}

// Whatever the ratios, the bounds of a level contain what has it, and those of a lower one do not.
func TestLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		r := make(ratios, enough+rng.IntN(100))
		for i := range r {
			r[i] = float32(rng.IntN(30))
		}
		x := float32(rng.IntN(32) - 1)
		inside := func(coverage float64) bool { // as many as the rank are at least as low, and as high
			k, below, above := r.rank(coverage), 0, 0
			for _, y := range r {
				if y <= x {
					below++
				}
				if y >= x {
					above++
				}
			}
			return k == 0 || below >= k && above >= k
		}
		level := float64(r.level(x))
		if level < 1 && !inside(level+1e-6) || level > 0 && inside(level-1e-6) {
			t.Fatalf("of %v the level of %v is %v", r, x, level)
		}
	}
}

func TestObserveEstimatedRefuses(t *testing.T) {
	p, err := New(Config{Features: []string{"kind"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []float64{-1, math.Inf(1), 1e101} {
		if err := p.ObserveEstimated(Attrs{"kind": "a"}, bad, 1, time.Time{}); err == nil {
			t.Errorf("an estimate of %v has no error", bad)
		}
		if err := p.ObserveEstimated(Attrs{"kind": "a"}, 1, bad, time.Time{}); err == nil {
			t.Errorf("a runtime of %v has no error", bad)
		}
	}
	if p.Observed() > 0 {
		t.Error("something was learned")
	}
}

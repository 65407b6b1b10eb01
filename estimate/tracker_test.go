package estimate

import (
	"math"
	"math/rand/v2"
	"testing"
)

func newTracker(t testing.TB, c TrackerConfig) *Tracker {
	t.Helper()
	got, err := NewTracker(c)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A stream of waits beside a bound that is off by a factor that changes, with outcomes that are known late: a miss
// when the bound has passed, a hit when the wait is over. It returns how many bounds were missed, and the tracker after all
// outcomes are known.
func lateWaits(t *testing.T, c TrackerConfig, n int, seed uint64) (misses int, tracker *Tracker) {
	tracker = newTracker(t, c)
	rng := rand.New(rand.NewPCG(seed, 1))
	type open struct {
		known  float64
		missed bool
	}
	var all []open
	for i := range n {
		now := float64(i)
		left := all[:0]
		for _, o := range all {
			if o.known <= now {
				tracker.Observe(o.missed)
			} else {
				left = append(left, o)
			}
		}
		all = left
		guess := 1 + 20*rng.Float64()
		drift := math.Exp(2 * math.Sin(float64(i)/300)) // from a seventh to seven times the guess
		wait := guess * drift * rng.ExpFloat64()
		bound := guess * tracker.Factor()
		if wait > bound {
			misses++
		}
		all = append(all, open{now + min(wait, bound), wait > bound})
	}
	for _, o := range all {
		tracker.Observe(o.missed)
	}
	return misses, tracker
}

// Coverage is what it should be but for what the factor shows, exactly, and here the factor is between a tenth and a
// hundred: 3 of 4000 bounds at most for each unit of its logarithm and of 1/Rate.
func trackerCoverage(t *testing.T) {
	const n = 4000
	for _, coverage := range []float64{0.5, 0.8, 0.9} {
		for _, rate := range []float64{0.05, 0.1, 0.3} {
			for seed := range uint64(5) {
				misses, tracker := lateWaits(t, TrackerConfig{Coverage: coverage, Rate: rate}, n, seed)
				got := 1 - float64(misses)/n
				log := math.Log(tracker.Factor())
				if want := coverage - log/(rate*n); !near(got, want, 1e-9) {
					t.Errorf("coverage %v, rate %v, seed %d: got %v, want %v as the factor says", coverage, rate, seed, got, want)
				}
				if !near(got, coverage, 0.03) {
					t.Errorf("coverage %v, rate %v, seed %d: got %v, off by more than 3 points", coverage, rate, seed, got)
				}
			}
		}
	}
}

func TestTrackerFactor(t *testing.T) {
	for _, test := range []struct {
		c            TrackerConfig
		misses, hits int
		want         float64
	}{
		{TrackerConfig{}, 0, 0, 1},
		{TrackerConfig{}, 1, 0, math.Exp(0.09)},
		{TrackerConfig{}, 1, 9, 1},
		{TrackerConfig{Coverage: 0.5, Rate: 1}, 0, 2, math.Exp(-1)},
		{TrackerConfig{Rate: 1}, 1000, 0, math.Inf(1)},
		{TrackerConfig{Coverage: 0.5, Rate: 1}, 0, 2000, 0},
	} {
		tracker := newTracker(t, test.c)
		for range test.misses {
			tracker.Observe(true)
		}
		for range test.hits {
			tracker.Observe(false)
		}
		if got := tracker.Factor(); got != test.want && !near(got, test.want, 1e-12) {
			t.Errorf("%+v, %d misses, %d hits: factor %v, want %v", test.c, test.misses, test.hits, got, test.want)
		}
	}
}

func TestTrackerRefuses(t *testing.T) {
	nan := math.NaN()
	for _, c := range []TrackerConfig{{Coverage: 1}, {Coverage: -0.1}, {Coverage: nan}, {Rate: -1}, {Rate: 1.1}, {Rate: nan}} {
		if _, err := NewTracker(c); err == nil {
			t.Errorf("%+v gives no error", c)
		}
	}
}

func BenchmarkTracker(b *testing.B) {
	tracker := newTracker(b, TrackerConfig{})
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		tracker.Observe(i%10 == 0)
		if f := tracker.Factor(); !(f > 0) {
			b.Fatal(f)
		}
		i++
	}
}

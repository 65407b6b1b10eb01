package estimate

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func windowAgainstPlain(t *testing.T) {
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 51))
		span := time.Duration(1 + rng.IntN(50))
		w, err := NewWindow(span)
		if err != nil {
			t.Fatal(err)
		}
		type value struct {
			at time.Duration
			x  float64
		}
		var all []value
		now := time.Duration(math.MinInt64)
		if seed%2 == 1 {
			now = -100
		}
		for range 300 {
			now += time.Duration(rng.IntN(8))
			if rng.IntN(50) == 0 {
				now += 100
			}
			if rng.IntN(4) == 0 {
				if err := w.Advance(now); err != nil {
					t.Fatal(err)
				}
			} else {
				x := 1000 * rng.Float64()
				if err := w.Add(now, x); err != nil {
					t.Fatal(err)
				}
				all = append(all, value{now, x})
			}
			var kept []float64
			for _, v := range all {
				if now-v.at <= span {
					kept = append(kept, v.x)
				}
			}
			got := w.Moments()
			if int(got.N()) != len(kept) {
				t.Fatalf("seed %d: %d values, want %d", seed, got.N(), len(kept))
			}
			if len(kept) == 0 {
				continue
			}
			mean, variance := plainMoments(kept)
			gotMean, _ := got.Mean()
			gotVariance, _ := got.Variance()
			if !near(gotMean, mean, 1e-12*mean) || !near(gotVariance, variance, 1e-12*variance+1e-20) {
				t.Fatalf("seed %d: %v, %v, want %v, %v", seed, gotMean, gotVariance, mean, variance)
			}
		}
		if cap(w.values) > 256 {
			t.Errorf("seed %d: room for %d values", seed, cap(w.values))
		}
	}
}

func TestWindowOfAllTime(t *testing.T) {
	w, err := NewWindow(math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range []time.Duration{math.MinInt64, -1, 0, math.MaxInt64} {
		if err := w.Add(at, 1); err != nil {
			t.Fatal(err)
		}
		m := w.Moments()
		if got, want := m.N(), []int64{1, 2, 2, 2}[i]; got != want {
			t.Errorf("at %d it holds %d values, want %d", at, got, want)
		}
	}
}

func TestWindowRefuses(t *testing.T) {
	for _, span := range []time.Duration{0, -1} {
		if _, err := NewWindow(span); err == nil {
			t.Errorf("NewWindow(%v) gives no error", span)
		}
	}
	w, _ := NewWindow(time.Hour)
	w.Add(5, 1)
	if w.Add(4, 1) == nil || w.Advance(4) == nil || w.Add(6, math.NaN()) == nil || w.Add(time.Duration(math.MaxInt64), math.Inf(1)) == nil {
		t.Error("bad input is taken")
	}
	if err := w.Add(5, 2); err != nil {
		t.Errorf("a second value at the same instant: %v", err)
	}
	if m := w.Moments(); m.N() != 2 {
		t.Errorf("%d values, want 2", m.N())
	}
}

func TestWindowDoesNotAllocate(t *testing.T) {
	w, _ := NewWindow(100)
	at := time.Duration(0)
	step := func() { at++; w.Add(at, 1) }
	for range 1000 {
		step()
	}
	if got := testing.AllocsPerRun(1000, step); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

func momentsOf(t *testing.T, values ...float64) (m Moments) {
	t.Helper()
	for _, x := range values {
		if err := m.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func TestSpaceCoV(t *testing.T) {
	hundred := Moments{}
	for i := range 100 {
		hundred.Add(float64(8 + 4*(i%2))) // mean 10, standard deviation 2
	}
	for _, test := range []struct {
		name  string
		tasks Moments
		ratio float64
		want  float64
		ok    bool
	}{
		{"a hundred tasks", hundred, 0.03, 2 / (math.Sqrt(3) * 10), true},
		{"all of them", hundred, 1, 0.02, true},
		{"single task", momentsOf(t, 5), 0.03, 0, false},
		{"no task", momentsOf(t), 0.03, 0, false},
		{"all zero", momentsOf(t, 0, 0), 0.03, 0, true},
		{"no ratio", hundred, 0, 0, false},
		{"NaN", hundred, math.NaN(), 0, false},
	} {
		if got, ok := SpaceCoV(test.tasks, test.ratio); ok != test.ok || !near(got, test.want, 1e-15) {
			t.Errorf("%s: %v, %v, want %v, %v", test.name, got, ok, test.want, test.ok)
		}
	}
}

func TestTimeCoV(t *testing.T) {
	user := momentsOf(t, 2, 4, 4, 4, 5, 5, 7, 9) // 0.4
	name := momentsOf(t, 8, 12)                  // 0.2
	once := momentsOf(t, 8)
	for _, test := range []struct {
		name     string
		features []Moments
		want     float64
		ok       bool
	}{
		{"the least", []Moments{user, name, user}, 0.2, true},
		{"a single value tells nothing", []Moments{once, user, {}}, 0.4, true},
		{"nothing known", []Moments{once, {}}, 0, false},
		{"no features", nil, 0, false},
		{"infinite", []Moments{momentsOf(t, -1, 1)}, math.Inf(1), true},
	} {
		if got, ok := TimeCoV(test.features...); ok != test.ok || !near(got, test.want, 1e-15) {
			t.Errorf("%s: %v, %v, want %v, %v", test.name, got, ok, test.want, test.ok)
		}
	}
}

func BenchmarkWindow(b *testing.B) {
	w, _ := NewWindow(1000)
	at := time.Duration(0)
	b.ReportAllocs()
	for b.Loop() {
		at++
		w.Add(at, float64(at%100))
	}
}

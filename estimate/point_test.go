package estimate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance || got == want
}

// refused are values that no estimator takes.
var refused = []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, -5e-324}

func TestPointEstimatorsRefuseAndKeepState(t *testing.T) {
	var (
		rolling Rolling
		recent  Recent
	)
	for _, e := range []struct {
		name  string
		add   func(float64) error
		value func() (float64, bool)
	}{
		{"Rolling", rolling.Add, rolling.Value},
		{"Recent.Mean", recent.Add, recent.Mean},
		{"Recent.Median", recent.Add, recent.Median},
	} {
		if e.name != "Recent.Median" { // shares its values with Recent.Mean
			if got, ok := e.value(); ok || got != 0 {
				t.Errorf("%s of nothing = %v, %v, want 0, false", e.name, got, ok)
			}
			for _, x := range []float64{3, 0, math.MaxFloat64, 7} {
				if err := e.add(x); err != nil {
					t.Fatal(err)
				}
			}
		}
		want, ok := e.value()
		if !ok || !(want >= 0) || math.IsInf(want, 0) {
			t.Errorf("%s = %v, %v", e.name, want, ok)
		}
		for _, x := range refused {
			if e.add(x) == nil {
				t.Errorf("%s takes %v", e.name, x)
			}
			if got, _ := e.value(); got != want {
				t.Errorf("%s = %v after %v was refused, want %v", e.name, got, x, want)
			}
		}
	}
}

// The weight of a value is a*(1-a)^k when k have come since, and (1-a)^k if it was the first.
func TestRolling(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const a = 0.6
	var r Rolling
	var values []float64
	for range 50 {
		x := 100 * rng.Float64()
		values = append(values, x)
		r.Add(x)
		want := 0.0
		for i, x := range values {
			weight := math.Pow(1-a, float64(len(values)-1-i))
			if i > 0 {
				weight *= a
			}
			want += weight * x
		}
		if got, _ := r.Value(); !near(got, want, 1e-11) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

func TestRecentAgainstSorting(t *testing.T) {
	for _, limit := range []int{0, 1, 2, 3, 19, 64, 254, 255} {
		rng := rand.New(rand.NewPCG(5, uint64(limit)))
		r, err := NewRecent(limit)
		if err != nil {
			t.Fatal(err)
		}
		if limit == 0 {
			limit = recentLimit
		}
		var values []float64
		for i := range 3*limit + 5 {
			x := float64(rng.IntN(1 + i)) // ties, and sorted runs
			if i%7 == 0 {
				x = float64(i)
			}
			if err := r.Add(x); err != nil {
				t.Fatal(err)
			}
			values = append(values, x)
			values = values[max(0, len(values)-limit):]
			if limit > 100 && i%5 != 0 {
				continue // sorting is slow
			}
			sorted := slices.Sorted(slices.Values(values))
			n := len(sorted)
			median := (sorted[(n-1)/2] + sorted[n/2]) / 2
			mean := 0.0
			for _, x := range values {
				mean += x / float64(n)
			}
			if got, ok := r.Median(); !ok || got != median {
				t.Fatalf("limit %d: median of %v = %v, want %v", limit, values, got, median)
			}
			if got, ok := r.Mean(); !ok || !near(got, mean, 1e-9) {
				t.Fatalf("limit %d: mean of %v = %v, want %v", limit, values, got, mean)
			}
			if got := slices.Concat(r.values[r.next:], r.values[:r.next]); !slices.Equal(got, values) || cap(r.values) > limit {
				t.Fatalf("limit %d: holds %v in room for %d, want %v", limit, got, cap(r.values), values)
			}
		}
	}
	for _, limit := range []int{-1, 256} {
		if _, err := NewRecent(limit); err == nil {
			t.Errorf("NewRecent(%d) gives no error", limit)
		}
	}
}

func TestRecentOfTheLargest(t *testing.T) {
	var r Recent
	for range 30 {
		r.Add(math.MaxFloat64)
	}
	mean, _ := r.Mean()
	median, _ := r.Median()
	if !near(mean/math.MaxFloat64, 1, 1e-15) || median != math.MaxFloat64 {
		t.Errorf("mean %v and median %v of the largest number", mean, median)
	}
}

// After every value the order is one, and the median in the middle of it.
func FuzzRecent(f *testing.F) {
	f.Add([]byte{3, 1, 2, 2, 2, 9, 0}, uint8(3))
	f.Add([]byte{0, 0, 0, 0}, uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, limit uint8) {
		r, err := NewRecent(int(limit))
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range data {
			if err := r.Add(float64(x)); err != nil {
				t.Fatal(err)
			}
			var ordered []float64
			for _, at := range r.order {
				ordered = append(ordered, r.values[at])
			}
			if want := slices.Sorted(slices.Values(r.values)); !slices.Equal(ordered, want) {
				t.Fatalf("after %v: %v, want %v", data[:i+1], ordered, want)
			}
		}
	})
}

func BenchmarkRecent(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	var r Recent
	for range 20 {
		r.Add(rng.ExpFloat64())
	}
	b.Run("Add", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r.Add(rng.ExpFloat64())
		}
	})
	b.Run("Mean", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r.Mean()
		}
	})
	b.Run("Median", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r.Median()
		}
	})
	b.Run("median by sorting", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var scratch [recentLimit]float64
			values := scratch[:copy(scratch[:], r.values)]
			slices.Sort(values)
		}
	})
}

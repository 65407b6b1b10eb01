package histogram

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var rules = []Join{JoinGap, JoinMass, JoinLog, JoinLogMass}

func of(t testing.TB, c Config, values ...float64) *Histogram {
	t.Helper()
	h, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range values {
		if err := h.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// The bins of a full histogram, by hand.
func TestJoins(t *testing.T) {
	for _, test := range []struct {
		join   Join
		values []float64
		want   []float64 // centre, count, centre, count, ...
	}{
		{JoinGap, []float64{1, 2, 4, 10}, []float64{1.5, 2, 4, 1, 10, 1}},
		{JoinGap, []float64{1, 2, 3, 4}, []float64{1.5, 2, 3, 1, 4, 1}}, // leftmost
		{JoinGap, []float64{10, 2, 2, 4, 1}, []float64{5.0 / 3, 3, 4, 1, 10, 1}},
		{JoinMass, []float64{1, 1, 1, 2, 4, 5.5}, []float64{1, 3, 2, 1, 4.75, 2}},
		{JoinLog, []float64{1, 2, 100, 110}, []float64{1, 1, 2, 1, 105, 2}},
		{JoinLog, []float64{-110, -100, 0, 1}, []float64{-105, 2, 0, 1, 1, 1}},
		{JoinLogMass, []float64{1, 2, 2, 2, 4, 14}, []float64{1, 1, 2, 3, 9, 2}},
		{JoinLog, []float64{0, math.SmallestNonzeroFloat64, 1, -1}, []float64{-1, 1, 0, 2, 1, 1}},
	} {
		h := of(t, Config{Bins: 3, Join: test.join}, test.values...)
		var got []float64
		for c, n := range h.All() {
			got = append(got, c, n)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v of %v: got bins %v, want %v", test.join, test.values, got, test.want)
		}
	}
}

// With no more distinct values than bins, the distribution is that of the values.
func TestExactWhileBinsAreEnough(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, join := range rules {
		var values []float64
		h := of(t, Config{Bins: 30, Join: join})
		for range 500 {
			x := float64(rng.IntN(30))*10 - 100
			values = append(values, x)
			if err := h.Add(x); err != nil {
				t.Fatal(err)
			}
			slices.Sort(values)
			for x := -105.0; x < 205; x += 5 {
				at, found := slices.BinarySearch(values, x)
				for ; found && at < len(values) && values[at] == x; at++ {
				}
				if got, want := h.CDF(x), float64(at)/float64(len(values)); got != want {
					t.Fatalf("%v after %d values: CDF(%v) = %v, want %v", join, len(values), x, got, want)
				}
			}
			for i, want := range values {
				p := float64(i+1) / float64(len(values))
				if got := h.Quantile(p); got != want {
					t.Fatalf("%v after %d values: Quantile(%v) = %v, want %v", join, len(values), p, got, want)
				}
			}
		}
	}
}

func TestSmallQuantiles(t *testing.T) {
	for _, test := range []struct {
		values  []float64
		p, want float64
	}{
		{[]float64{1, 2, 3}, 0.5, 2},
		{[]float64{1, 2, 3, 4}, 0.5, 2},
		{[]float64{1, 2, 3}, 0, 1},
		{[]float64{1, 2, 3}, 1, 3},
		{[]float64{7}, 0.3, 7},
		{[]float64{7}, -0.1, math.NaN()},
		{[]float64{7}, math.NaN(), math.NaN()},
		{nil, 0.5, math.NaN()},
	} {
		h := of(t, Config{}, test.values...)
		if got := h.Quantile(test.p); got != test.want && !(math.IsNaN(got) && math.IsNaN(test.want)) {
			t.Errorf("Quantile(%v) of %v = %v, want %v", test.p, test.values, got, test.want)
		}
	}
}

func TestRefuses(t *testing.T) {
	h := of(t, Config{}, 1, 2)
	before, _ := h.MarshalBinary()
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if err := h.Add(x); !errors.Is(err, ErrValue) {
			t.Errorf("Add(%v) = %v, want ErrValue", x, err)
		}
	}
	for _, n := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if err := h.AddN(1, n); !errors.Is(err, ErrWeight) {
			t.Errorf("AddN(1, %v) = %v, want ErrWeight", n, err)
		}
		if err := h.Scale(n); !errors.Is(err, ErrWeight) {
			t.Errorf("Scale(%v) = %v, want ErrWeight", n, err)
		}
	}
	if after, _ := h.MarshalBinary(); !slices.Equal(before, after) {
		t.Errorf("a refused value changed the histogram")
	}
	for _, c := range []Config{{Bins: -1}, {Bins: maxBins + 1}, {Join: 9}} {
		if _, err := New(c); err == nil {
			t.Errorf("New(%+v) gave no error", c)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, join := range rules {
		for _, n := range []int{0, 1, 5, 1000} {
			h := of(t, Config{Bins: 20, Join: join})
			for range n {
				h.Add(rng.NormFloat64())
			}
			b, err := h.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			j, err := h.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			var fromBinary, fromJSON Histogram
			if err := fromBinary.UnmarshalBinary(b); err != nil {
				t.Fatal(err)
			}
			if err := fromJSON.UnmarshalJSON(j); err != nil {
				t.Fatal(err)
			}
			for _, x := range []float64{1, 2, math.Pi} {
				h.Add(x)
				fromBinary.Add(x)
				fromJSON.Add(x)
			}
			want, _ := h.MarshalBinary()
			if got, _ := fromBinary.MarshalBinary(); !slices.Equal(got, want) {
				t.Errorf("%v of %d values: not the same after a round trip", join, n)
			}
			if got, _ := fromJSON.MarshalBinary(); !slices.Equal(got, want) {
				t.Errorf("%v of %d values: not the same after a round trip by JSON", join, n)
			}
		}
	}
}

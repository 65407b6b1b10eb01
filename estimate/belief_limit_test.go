package estimate_test

import (
	"math"
	"testing"

	"example.com/augur/estimate"
)

// What is above a limit keeps at most the given probability, and what is below keeps its proportions.
func TestLimit(t *testing.T) {
	of := func(x, sd float64) *estimate.Belief {
		b := new(estimate.Belief)
		if err := b.Observe(x, sd); err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, p := range []float64{0, 0.1, 1} {
		b, free := of(100, 1), of(100, 1)
		above := free.Survival(150)
		if err := b.Limit(150, p); err != nil {
			t.Fatal(err)
		}
		if got, want := b.Survival(150), min(p, above); math.Abs(got-want) > 1e-12 {
			t.Errorf("limit %v: %v above it, want %v", p, got, want)
		}
		if got, want := b.CDF(50)/b.CDF(150), free.CDF(50)/free.CDF(150); math.Abs(got-want) > 1e-12 {
			t.Errorf("limit %v: of what is below %v is below 50, want %v", p, got, want)
		}
		if got, want := (1-b.CDF(300))/(1-b.CDF(150)), (1-free.CDF(300))/(1-free.CDF(150)); p > 0 && math.Abs(got-want) > 1e-9 {
			t.Errorf("limit %v: of what is above %v is above 300, want %v", p, got, want)
		}
		if b.Limited() != (p == 0) || free.Limited() {
			t.Errorf("limit with %v above it: limited %v and %v, want %v and false", p, b.Limited(), free.Limited(), p == 0)
		}
	}
	b := of(1e6, 0.01)
	if err := b.Limit(10, 0); err != nil || b.Survival(12) > 0 || !(b.Mean() > 0 && b.Mean() < 10) {
		t.Errorf("a limit far below: error %v, %v above it, mean %v", err, b.Survival(12), b.Mean())
	}
	for _, bad := range [][2]float64{{0, 0.1}, {math.NaN(), 0.1}, {1, -0.1}, {1, 1.1}, {1, math.NaN()}} {
		if b.Limit(bad[0], bad[1]) == nil {
			t.Errorf("Limit(%v, %v) has no error", bad[0], bad[1])
		}
	}
}

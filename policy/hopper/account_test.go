package hopper

import (
	"math"
	"math/rand/v2"
	"testing"
)

// By hand, with a loss of a tenth.
func TestAccount(t *testing.T) {
	a := account{loss: 0.1, free: 1}
	for i, step := range []struct {
		what func()
		want bool
	}{
		{func() {}, true},                    // the first copy is free, and 0 <= 0
		{func() { a.start(10) }, false},      // 10 > 0
		{func() { a.finish(99) }, false},     // 10 > 9.9
		{func() { a.finish(1) }, true},       // 10 = 10
		{func() { a.start(5) }, false},       // 10 + 5 > 10
		{func() { a.end(10, 12, 0) }, false}, // 12 + 5 > 10
		{func() { a.end(5, 4, 1.5) }, true},  // 12 + 4 = 4 * 1.5 + 10
		{func() { a.start(0.5) }, false},
		{func() { a.end(0.5, 2, 0.5) }, true}, // 18 = 4 * 2 + 10
	} {
		step.what()
		if got := a.allows(); got != step.want {
			t.Errorf("step %d: allows = %v, want %v, with %+v", i, got, step.want, a)
		}
	}
}

// Without a bound copies start before any task has finished.
func TestAccountUnbounded(t *testing.T) {
	a := account{loss: math.Inf(1)}
	a.start(10)
	if !a.allows() {
		t.Errorf("allows = false, want true, with %+v", a)
	}
}

// Copies that never win cost the loss and no more than one copy besides, which is forgiven by half whenever the sums are halved.
func TestAccountBoundsLosers(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		a := account{loss: 0.01 + 0.2*rng.Float64()}
		const most = 100.0 // of a copy's cost
		var running []float64
		cost, worked, finished, ended := 0.0, 0.0, 0, 0
		for range 50_000 {
			switch {
			case rng.IntN(2) == 0:
				x := rng.ExpFloat64() * 50
				worked += x
				a.finish(x)
				finished++
			case len(running) > 0 && rng.IntN(2) == 0:
				i := rng.IntN(len(running))
				a.end(running[i], running[i], 0)
				running[i] = running[len(running)-1]
				running = running[:len(running)-1]
				ended++
			case a.allows():
				x := most * rng.Float64()
				a.start(x)
				running = append(running, x)
				cost += x
			}
			if bound := a.loss*worked + most*(1+float64(finished)/memoryTasks); cost > bound+1e-6 {
				t.Fatalf("seed %d: copies cost %v of %v core-seconds, want at most %v", seed, cost, worked, bound)
			}
		}
		if ended < 100 || cost < a.loss*worked/2 {
			t.Errorf("seed %d: only %d copies, which cost %v of %v", seed, ended, cost, worked)
		}
	}
}

// The cost of a copy is the lesser of t_new and t_rem, as far as they are known.
func TestRunningCost(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct{ fresh, remaining, want float64 }{
		{5, 7, 5}, {7, 5, 5}, {nan, 5, 5}, {5, nan, 5}, {5, inf, 5}, {nan, inf, 0}, {nan, nan, 0},
	} {
		if got := (&Running{New: test.fresh, Remaining: test.remaining}).cost(); got != test.want {
			t.Errorf("t_new %v, t_rem %v: cost %v, want %v", test.fresh, test.remaining, got, test.want)
		}
	}
}

package hopper

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
)

// By hand, with a loss of a tenth. Times are in seconds.
func TestAccount(t *testing.T) {
	at := func(s float64) policy.Time { return policy.Time(s * 1e9) }
	a := account{loss: 0.1, free: 1}
	for i, step := range []struct {
		what func()
		now  float64
		want bool
	}{
		{func() {}, 0, true},                              // the first copy is free
		{func() { a.start(2, at(0)) }, 0, true},           // 0 <= 0
		{func() {}, 1, false},                             // it has cost 2
		{func() { a.finish(29) }, 1, true},                // 2 <= 2.9
		{func() {}, 2, false},                             // 4 > 2.9
		{func() { a.start(1, at(2)) }, 2, false},          // still
		{func() { a.end(2, at(0), at(3), 0) }, 3, false},  // 6 + 1 > 2.9
		{func() { a.finish(41) }, 3, true},                // 7 = 7
		{func() {}, 4, false},                             // 6 + 2 > 7
		{func() { a.end(1, at(2), at(4), 0.5) }, 4, true}, // 8 <= 4 * 0.5 + 7
	} {
		step.what()
		if got := a.allows(at(step.now)); got != step.want {
			t.Errorf("step %d: allows = %v, want %v, with %+v", i, got, step.want, a)
		}
	}
}

// Without a bound copies start before any task has finished.
func TestAccountUnbounded(t *testing.T) {
	a := account{loss: math.Inf(1)}
	a.start(10, 0)
	if !a.allows(policy.Never - 1) {
		t.Errorf("allows = false, want true, with %+v", a)
	}
}

// Of copies that never win no more start when they have cost the loss, so all cost no more than that and what those that run then cost
// besides. It is forgiven by half whenever the sums are halved.
func TestAccountBoundsLosers(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		a := account{loss: 0.01 + 0.2*rng.Float64()}
		const most, slots = 100, 10 // seconds of a copy, and how many run at once
		var running []policy.Time   // when they started
		cost, worked, finished, ended := 0.0, 0.0, 0, 0
		for now := policy.Time(0); now < 50_000e9; now += 1e9 {
			x := rng.ExpFloat64() * 50
			worked += x
			a.finish(x)
			finished++
			if len(running) > 0 && (rng.IntN(20) == 0 || now >= running[0]+most*1e9) {
				a.end(1, running[0], now, 0)
				cost += (now - running[0]).Seconds()
				running = running[1:]
				ended++
			}
			if len(running) < slots && a.allows(now) {
				a.start(1, now)
				running = append(running, now)
			}
			if bound := a.loss*worked + most*slots*(1+float64(finished)/memoryTasks); cost > bound+1e-6 {
				t.Fatalf("seed %d: copies cost %v of %v core-seconds, want at most %v", seed, cost, worked, bound)
			}
		}
		if ended < 100 || cost < a.loss*worked/2 {
			t.Errorf("seed %d: only %d copies, which cost %v of %v", seed, ended, cost, worked)
		}
	}
}

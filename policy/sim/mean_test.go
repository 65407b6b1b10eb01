package sim

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The mean is that of the exact sum, and so the same on every processor, and in any order.
func TestMean(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 100; n++ {
		x := make([]float64, n)
		exact := new(big.Float).SetPrec(200)
		for i := range x {
			x[i] = float64(rng.Uint64N(1<<53)) / (1 << 40)
			exact.Add(exact, big.NewFloat(x[i]))
		}
		sum, _ := exact.Float64()
		want := sum / float64(n)
		if got := mean(x); got != want {
			t.Errorf("the mean of %d numbers is %v, want %v", n, got, want)
		}
		rng.Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
		if got := mean(x); got != want {
			t.Errorf("in another order, the mean of %d numbers is %v, want %v", n, got, want)
		}
	}
	for _, x := range [][]float64{nil, {1, math.NaN()}, {math.Inf(1), 1}} {
		if got := mean(x); !math.IsNaN(got) {
			t.Errorf("the mean of %v is %v, want NaN", x, got)
		}
	}
}

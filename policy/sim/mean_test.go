package sim

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The mean is the same to the last bit on every processor, and wherever the numbers lie.
func TestMeanIsTheSameEverywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	digest := uint64(0)
	for n := range 100 {
		all := make([]float64, n+1)
		exact := new(big.Float).SetPrec(200)
		for i := range all {
			all[i] = float64(rng.Uint64N(1<<53)) / (1 << 40)
			if i > 0 {
				exact.Add(exact, big.NewFloat(all[i]))
			}
		}
		x := all[1:] // after one number, a large slice is no longer a multiple of 16 bytes from 0
		got := mean(x)
		if copied := mean(append([]float64(nil), x...)); n > 0 && copied != got {
			t.Errorf("the mean of %d numbers is %v, and of a copy %v", n, got, copied)
		}
		sum, _ := exact.Float64()
		if want := sum / float64(n); n > 0 && math.Abs(got-want) > 1e-15*want {
			t.Errorf("the mean of %d numbers is %v, want %v", n, got, want)
		}
		if n > 0 {
			digest = digest*31 + math.Float64bits(got)
		}
	}
	if !math.IsNaN(mean(nil)) {
		t.Errorf("the mean of nothing is %v, want NaN", mean(nil))
	}
	// As it came out on an amd64.
	if want := uint64(0x164eb1e2483de39c); digest != want {
		t.Errorf("means have the digest %#x, want %#x", digest, want)
	}
}

package hopper

import (
	"math"
	"testing"
)

func TestDampened(t *testing.T) {
	for _, test := range []struct{ transfer, work, dampening, want float64 }{
		{40, 10, 1, 4},
		{40, 10, 0.5, 2},
		{32, 1, 0.8, 16},
		{1024, 1, DampeningHadoop, 8},
		{40, 10, 0, 1},
		{0, 10, 1, 0},
		{0, 10, 0.8, 0},
		{0, 10, 0, 1},
		{1e300, 1e-300, 1, 1e15},
	} {
		if got := dampened(test.transfer, test.work, test.dampening); math.Abs(got-test.want) > 1e-12*test.want {
			t.Errorf("%+v: got %v", test, got)
		}
	}
}

// A factor of all weights, dampened or not, changes no share.
func TestDampeningKeepsCommonFactors(t *testing.T) {
	var shares [2][]float64
	for n, unit := range []float64{1, 1e6} {
		jobs := jobsOf(1.5, 4, 6, 9)
		for i, transfer := range []float64{3, 30, 7} {
			jobs[i].Weight = dampened(transfer*unit, jobs[i].Tasks, DampeningSpark)
		}
		var err error
		if shares[n], err = Allocate(nil, 15, jobs); err != nil {
			t.Fatal(err)
		}
	}
	if !near(shares[1], shares[0]) {
		t.Errorf("in bytes %v, in megabytes %v", shares[0], shares[1])
	}
}

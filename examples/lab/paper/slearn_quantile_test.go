package paper

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSpreadTasks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 4, 10, 150, 1000} {
		for _, cov := range []float64{0, 1e-12, 1e-3, 0.1, 0.7, 0.99, 1, 1.7, 3, 30, 1e3, 1e60} {
			for range 20 {
				z := make([]float64, n)
				for i := range z {
					z[i] = rng.NormFloat64()
				}
				x := append([]float64(nil), z...)
				spreadTasks(x, cov)
				mean, square := 0.0, 0.0
				for _, x := range x {
					mean += x / float64(n)
				}
				for _, x := range x {
					square += (x - mean) * (x - mean) / float64(n)
				}
				want := min(cov, 0.99*math.Sqrt(float64(n-1)))
				if got := math.Sqrt(square); !(math.Abs(mean-1) < 1e-9) || !(math.Abs(got-want) < 1e-5*want+1e-7) {
					t.Fatalf("%d values: got mean %v and variation %v, want 1 and %v", n, mean, got, want)
				}
				for i := range x {
					if (x[i] > x[0]) != (z[i] > z[0]) && x[i] != x[0] {
						t.Fatalf("%d values, variation %v: got %v from %v and %v from %v, want order kept", n, cov, x[0], z[0], x[i], z[i])
					}
				}
			}
		}
	}
	// All equal: nothing can make them vary.
	x := []float64{2, 2, 2}
	spreadTasks(x, 1)
	if x[0] != 1 || x[1] != 1 || x[2] != 1 {
		t.Errorf("three equal values: got %v, want 1 1 1", x)
	}
}

func TestStrata(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 100} {
		hit := make([]bool, n)
		for _, u := range strata(rng, n) {
			if !(u > 0 && u < 1) || hit[int(u*float64(n))] {
				t.Fatalf("of %d: got %v, want one from each part", n, u)
			}
			hit[int(u*float64(n))] = true
		}
	}
	for _, x := range []float64{-7, -1, 0, 0.3, 5} {
		if got := normalQuantile(math.Erfc(-x/math.Sqrt2) / 2); math.Abs(got-x) > 1e-5 {
			t.Errorf("got %v, want %v", got, x)
		}
	}
}

package hopper

import (
	"math"
	"math/rand/v2"
	"testing"
)

// rateOf is equation 3.1 with k copies of each task whose runtimes are Pareto(1, tail).
func rateOf(k, slots, tasks, tail float64) float64 {
	mean := tail / (tail - 1)
	least := k * tail / (k*tail - 1) // the mean of the least of k
	return min(slots, tasks*k) * mean / (k * least)
}

func TestRateIsTheBestOfEquation31(t *testing.T) {
	for _, tail := range []float64{1.0001, 1.2, 1.5, 1.9999, 2, 2.5, 10} {
		for _, slots := range []float64{0, 1, 7, 10, 13, 17, 40, 1000} {
			const tasks = 10.0
			best := rateOf(max(1, slots/tasks), slots, tasks, tail) // where the first factor has its kink
			for k := 1.0; k < 200; k += 1.0 / 1024 {
				best = max(best, rateOf(k, slots, tasks, tail))
			}
			got := Rate(slots, tasks, tail)
			if math.Abs(got-best) > 1e-6*best {
				t.Errorf("Rate(%v, %v, %v) = %v, want %v", slots, tasks, tail, got, best)
			}
		}
	}
}

func TestRateIsConcave(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 10_000 {
		tail := 1 + math.Exp(4*r.NormFloat64()-2)
		tasks := math.Exp(3 * r.NormFloat64())
		v := VirtualSize(tasks, tail, 1)
		a, b := 3*v*r.Float64(), 3*v*r.Float64()
		middle := Rate((a+b)/2, tasks, tail)
		if ends := (Rate(a, tasks, tail) + Rate(b, tasks, tail)) / 2; middle < ends*(1-1e-12) {
			t.Fatalf("tail %v, tasks %v: rate %v at the middle of %v and %v, want at least %v", tail, tasks, middle, a, b, ends)
		}
	}
}

func TestModelAtItsEdges(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	heavy := 1.0001
	for _, test := range []struct {
		name      string
		got, want float64
	}{
		{"level, tail 1.6", level(1.6), 1.25},
		{"level, tail 1.0001", level(1.0001), 2 / 1.0001},
		{"level, tail 1.9999", level(1.9999), 2 / 1.9999},
		{"level, tail 2.5", level(2.5), 1},
		{"level, tail 1", level(1), nan},
		{"level, no tail", level(0), nan},
		{"level, tail infinite", level(inf), nan},
		{"level, tail NaN", level(nan), nan},
		{"virtual size", VirtualSize(4, 1.6, 1), 5},
		{"virtual size, weight", VirtualSize(4, 1.6, 9), 15},
		{"virtual size, weight 0", VirtualSize(4, 1.6, 0), 0},
		{"virtual size, weight infinite", VirtualSize(4, 1.6, inf), nan},
		{"rate, tail 1.0001", Rate(1, 1, heavy), heavy * heavy / (4 * (heavy - 1))},
		{"rate, tail 1.9999, where the cases meet", Rate(2/1.9999, 1, 1.9999), 1.9999 / (2 * (1.9999 - 1))},
		{"rate, tail 2.5, a slot a task", Rate(7, 7, 2.5), 7},
		{"rate, tail 2.5, two slots a task", Rate(14, 7, 2.5), 7 * 2 / 1.5},
		{"rate, no slots", Rate(0, 7, 1.5), 0},
		{"rate, no tasks", Rate(7, 0, 1.5), 0},
		{"rate, neither", Rate(0, 0, 1.5), 0},
		{"rate, hardly any tail", Rate(14, 7, math.MaxFloat64), 7},
		{"rate, tail 1", Rate(7, 7, 1), nan},
		{"rate, slots negative", Rate(-1, 7, 1.5), nan},
		{"rate, tasks infinite", Rate(1, inf, 1.5), nan},
	} {
		same := math.IsNaN(test.got) && math.IsNaN(test.want)
		if !same && !(math.Abs(test.got-test.want) <= 1e-14*math.Abs(test.want)) {
			t.Errorf("%s: got %v, want %v", test.name, test.got, test.want)
		}
	}
}

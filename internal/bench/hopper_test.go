package bench

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/optimize"

	"example.com/augur/policy/hopper"
)

// A general optimiser finds no allocation that is better than hopper's, and one that is nearly
// as good.
func TestAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	worst := 0.0
	for n := range 20 {
		slots := 20 + 400*r.Float64()
		jobs := mixedJobs(r, 20+r.IntN(20))
		epsilon := r.Float64()
		shares, err := hopper.EpsilonFair(nil, slots, epsilon, jobs)
		if err != nil {
			t.Fatal(err)
		}
		want := throughput(jobs, shares)

		// The floors, and of what is left the square of z over the sum of squares.
		left := slots * epsilon
		at := make([]float64, len(jobs))
		spread := func(z []float64) (squares float64) {
			for _, x := range z {
				squares += x * x
			}
			for i, x := range z {
				at[i] = (slots-left)/float64(len(jobs)) + left*x*x/squares
			}
			return squares
		}
		problem := optimize.Problem{
			Func: func(z []float64) float64 { spread(z); return -throughput(jobs, at) },
			Grad: func(grad, z []float64) {
				squares := spread(z)
				mean := 0.0
				for i, x := range z {
					grad[i] = jobs[i].Weight * marginalRate(at[i], jobs[i].Tasks, jobs[i].Tail)
					mean += grad[i] * x * x / squares
				}
				for i, x := range z {
					grad[i] = -(grad[i] - mean) * 2 * x * left / squares
				}
			},
		}
		start := make([]float64, len(jobs))
		for i := range start {
			start[i] = 1 + r.Float64()/10
		}
		// The slope has jumps, at which a search may stop; it begins again near there.
		got := 0.0
		for range 10 {
			result, err := optimize.Minimize(problem, start, &optimize.Settings{MajorIterations: 2000}, &optimize.LBFGS{})
			if result == nil {
				t.Fatal(err)
			}
			got = max(got, -result.F)
			for i, x := range result.X {
				start[i] = x * (1 + r.NormFloat64()/1000)
			}
		}
		if got > want*(1+1e-9) {
			t.Errorf("case %d: gonum finds %v, Allocate %v", n, got, want)
		}
		worst = max(worst, 1-got/want)
	}
	if worst > 0.001 {
		t.Errorf("gonum is %v below Allocate, want at most 0.1 %%", worst)
	}
	t.Logf("gonum is at most %.2g below Allocate", worst)
}

// throughput is the sum of the weighted rates.
func throughput(jobs []hopper.Demand, shares []float64) (sum float64) {
	for i, d := range jobs {
		sum += d.Weight * hopper.Rate(shares[i], d.Tasks, d.Tail)
	}
	return sum
}

// marginalRate is the slope of hopper.Rate.
func marginalRate(slots, tasks, tail float64) float64 {
	switch {
	case slots >= hopper.VirtualSize(tasks, tail):
		return tasks / slots * (tasks / slots) / (tail - 1)
	case tail > 2:
		return 1
	}
	return tail * tail / (4 * (tail - 1))
}

// mixedJobs draws jobs with weights and tails of all kinds.
func mixedJobs(r *rand.Rand, n int) []hopper.Demand {
	jobs := make([]hopper.Demand, n)
	for i := range jobs {
		jobs[i] = hopper.Demand{
			Tasks:  math.Exp(1.5 * r.NormFloat64()),
			Tail:   1.05 + 2*r.Float64(),
			Weight: math.Exp(r.NormFloat64()),
		}
	}
	return jobs
}

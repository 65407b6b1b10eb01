package workload_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// straggling returns the jobs with copies that differ.
func straggling(t testing.TB, s workload.Stragglers, jobs ...*workload.Job) []*workload.Job {
	t.Helper()
	return jobtest.Made(t)(s.Source(workload.Of(jobs)))
}

func truthOf(t testing.TB, jobs []*workload.Job) *workload.Truth {
	t.Helper()
	visible, truth := workload.Split(jobs)
	for _, err := range visible {
		if err != nil {
			t.Fatal(err)
		}
	}
	return truth
}

// copyOf is a copy of a task of stage 0.
func copyOf(job policy.JobID, index, n uint32) policy.Copy {
	return policy.Copy{Task: policy.Task{Job: job, Index: index}, N: n}
}

func runtimeOf(t testing.TB, truth policy.Truth, c policy.Copy) policy.Duration {
	t.Helper()
	d, ok := truth.Runtime(c)
	if !ok {
		t.Fatalf("copy %v is unknown", c)
	}
	return d
}

// First and later copies have the Pareto distribution with mean 1 times the stage's mean:
// P(> x) = (x_m/x)^b with x_m = (b-1)/b.
func stragglersPareto(t *testing.T) {
	const n = 5_000
	tasks := make([]policy.Duration, n)
	for i := range tasks {
		tasks[i] = policy.Duration(5+10*(i%2)) * s // 10 s on average
	}
	for _, tail := range []float64{1.1, 1.9} {
		for _, bound := range []float64{0, 50} {
			jobs := straggling(t, workload.Stragglers{Seed: 7, Tail: tail, Bound: bound}, jobtest.Bag(3, 0, tasks...))
			truth := truthOf(t, jobs)
			for _, number := range []uint32{0, 1} {
				x := make([]float64, n)
				sum := 0.0
				for i := range x {
					x[i] = runtimeOf(t, truth, copyOf(3, uint32(i), number)).Seconds() / 10
					sum += x[i]
				}
				cut, least := 0.0, (tail-1)/tail
				if bound > 0 {
					cut = math.Pow(bound, -tail)
					least *= (1 - cut) / (1 - math.Pow(bound, 1-tail))
				}
				what := fmt.Sprintf("tail %v, bound %v, copy %d", tail, bound, number)
				jobtest.WantDistribution(t, what, x, func(x float64) float64 { return min(max(1-math.Pow(least/x, tail), 0)/(1-cut), 1) })
				if bound > 0 {
					// The standard error, with E[x²] = b/(2-b) (Bound^(2-b) - 1)/(1 - Bound^-b) least².
					square := tail / (2 - tail) * (math.Pow(bound, 2-tail) - 1) / (1 - cut) * least * least
					if dev := 3.3 * math.Sqrt((square-1)/n); math.Abs(sum/n-1) > dev {
						t.Errorf("%s: mean is %.4f, want 1 within %.4f", what, sum/n, dev)
					}
				}
			}
		}
	}
}

// With Observed, first copies run as they did, and further ones for the median times one of the ratios.
func TestStragglersRatios(t *testing.T) {
	runtimes := []policy.Duration{10 * s, 10 * s, 20 * s, 100 * s}
	ratios := []float64{0.5, 1, 4}
	jobs := straggling(t, workload.Stragglers{Ratios: ratios, Observed: true}, jobtest.Bag(1, 0, runtimes...))
	truth := truthOf(t, jobs)
	count := make(map[policy.Duration]int)
	const copies = 3000
	for i, want := range runtimes {
		if got := runtimeOf(t, truth, copyOf(1, uint32(i), 0)); got != want {
			t.Errorf("first copy of task %d runs for %v, want %v as observed", i, got, want)
		}
		for n := range uint32(copies) {
			count[runtimeOf(t, truth, copyOf(1, uint32(i), n+1))]++
		}
	}
	total := copies * len(runtimes)
	for _, ratio := range ratios {
		d := policy.Duration(ratio * 15 * float64(s))
		if got, want := float64(count[d]), float64(total)/3; math.Abs(got-want) > 3.3*math.Sqrt(want*2/3) {
			t.Errorf("%d of %d copies run for %v, want a third", count[d], total, d)
		}
		delete(count, d)
	}
	if len(count) > 0 {
		t.Errorf("some copies run for other times: %v", count)
	}
}

func TestStragglersErrors(t *testing.T) {
	for _, test := range []struct {
		s    workload.Stragglers
		want string
	}{
		{workload.Stragglers{}, "Tail is 0 without Ratios"},
		{workload.Stragglers{Tail: 1}, "Tail is 1, want finite, above 1"},
		{workload.Stragglers{Tail: math.NaN()}, "Tail is NaN"},
		{workload.Stragglers{Tail: math.Inf(1)}, "Tail is +Inf"},
		{workload.Stragglers{Tail: 2, Bound: 1}, "Bound is 1, want finite, above 1, or 0"},
		{workload.Stragglers{Tail: 2, Bound: math.NaN()}, "Bound is NaN"},
		{workload.Stragglers{Ratios: []float64{1}, Bound: 2}, "Bound is 2 without Tail"},
		{workload.Stragglers{Tail: 2, Ratios: []float64{1}}, "want one of them"},
		{workload.Stragglers{Ratios: []float64{1, -1}}, "Ratios[1] is -1"},
		{workload.Stragglers{Ratios: []float64{math.Inf(1)}}, "Ratios[0] is +Inf"},
		{workload.Stragglers{Ratios: make([]float64, 4097)}, "Ratios are 4097, want at most 4096"},
	} {
		if _, err := test.s.Source(workload.Of(nil)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: got error %v, want %q in it", test.s, err, test.want)
		}
	}
}

// The truth answers without allocating.
func TestLuckDoesNotAllocate(t *testing.T) {
	truth := truthOf(t, straggling(t, workload.Stragglers{Tail: 1.5, Bound: 10}, jobtest.Bag(1, 0, s, s)))
	c := copyOf(1, 1, 3)
	if n := testing.AllocsPerRun(100, func() { truth.Runtime(c) }); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}

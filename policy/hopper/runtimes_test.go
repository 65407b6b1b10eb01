package hopper_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy/hopper"
)

func ExampleRuntimes() {
	var r hopper.Runtimes
	for _, runtime := range []float64{21, 15, 25, 19} {
		r.Add(runtime)
	}
	fmt.Println(slices.Collect(r.All()), r.At(r.Len()/2))
	// Output:
	// [15 19 21 25] 21
}

func runtimesOf(runtimes ...float64) (r hopper.Runtimes) {
	for _, runtime := range runtimes {
		r.Add(runtime)
	}
	return r
}

// A Runtimes has what a slice that is sorted after each addition has, in whatever order
// runtimes come.
func TestRuntimesAgainstASortedSlice(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	orders := map[string]func(i int) float64{
		"increasing": func(i int) float64 { return float64(i) },
		"decreasing": func(i int) float64 { return float64(10000 - i) },
		"equal":      func(int) float64 { return 1 },
		"few":        func(int) float64 { return float64(rng.IntN(5)) },
		"random":     func(int) float64 { return rng.ExpFloat64() },
		"inside out": func(i int) float64 { return 5000 + float64(i*(i%2*2-1)) },
	}
	for name, next := range orders {
		var r hopper.Runtimes
		var want []float64
		for i := range 5000 {
			runtime := next(i)
			r.Add(runtime)
			at, _ := slices.BinarySearch(want, runtime)
			want = slices.Insert(want, at, runtime)
			if i%499 > 0 && i > 20 && i < 4999 {
				continue
			}
			if got := slices.Collect(r.All()); !slices.Equal(got, want) || r.Len() != len(want) {
				t.Fatalf("%s: after %d there are %d, %v, want %v", name, i+1, r.Len(), got, want)
			}
			for j, runtime := range want {
				if got := r.At(j); got != runtime {
					t.Fatalf("%s: after %d, the %d-th least is %v, want %v", name, i+1, j, got, runtime)
				}
			}
		}
		for range r.All() {
			break // it can be left
		}
	}
}

func TestRuntimesLeaveOut(t *testing.T) {
	r := runtimesOf(2, math.NaN(), -1, math.Inf(1), 0)
	if got, want := slices.Collect(r.All()), []float64{0, 2, math.Inf(1)}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, i := range []int{-1, 3} {
		if got := r.At(i); !math.IsNaN(got) {
			t.Errorf("At(%d) is %v, want NaN", i, got)
		}
	}
}

package estimate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPilotCount(t *testing.T) {
	for _, test := range []struct {
		tasks int
		ratio float64
		want  int
	}{
		{1, 0.03, 1},
		{3, 0.03, 1},
		{49, 0.03, 1},  // 1.47
		{50, 0.03, 2},  // 1.5 is rounded up
		{150, 0.03, 5}, // 4.5
		{50, 0.29, 15}, // 14.5, in binary a little less
		{1000, 0.03, 30},
		{7, 1, 7},
		{math.MaxInt32, 1, math.MaxInt32},
	} {
		if got, err := PilotCount(test.tasks, test.ratio); err != nil || got != test.want {
			t.Errorf("PilotCount(%d, %v) = %d, %v, want %d", test.tasks, test.ratio, got, err, test.want)
		}
	}
	for _, test := range []struct {
		tasks int
		ratio float64
	}{{0, 0.03}, {-1, 0.03}, {1, 0}, {1, -0.1}, {1, 1.1}, {1, math.NaN()}} {
		if _, err := PilotCount(test.tasks, test.ratio); err == nil {
			t.Errorf("PilotCount(%d, %v) gives no error", test.tasks, test.ratio)
		}
	}
}

// All ten choices of 3 among 5 come equally often.
func pilotsAreFair(t *testing.T) {
	src := rand.NewPCG(1, 41)
	const runs = 20_000
	counts := map[[3]int]int{}
	dst := make([]int, 0, 3)
	for range runs {
		got, err := Pilots(dst, 5, 3, src)
		if err != nil {
			t.Fatal(err)
		}
		counts[[3]int(got)]++
	}
	if len(counts) != 10 {
		t.Errorf("%d different choices, want 10", len(counts))
	}
	chi2 := 0.0
	for choice, n := range counts {
		if !slices.IsSorted(choice[:]) || choice[0] < 0 || choice[2] > 4 || choice[0] == choice[1] || choice[1] == choice[2] {
			t.Errorf("choice %v", choice)
		}
		off := float64(n) - runs/10
		chi2 += off * off / (runs / 10)
	}
	if chi2 > 27.9 { // 0.1 % with 9 degrees of freedom
		t.Errorf("chi squared = %v: %v", chi2, counts)
	}
}

func TestPilots(t *testing.T) {
	src := rand.NewPCG(1, 42)
	for _, test := range []struct {
		tasks, n int
		want     []int
	}{
		{0, 0, []int{7}}, {3, 0, []int{7}}, {3, 3, []int{7, 0, 1, 2}},
		{1000, 5, []int{7, 67, 295, 537, 544, 748}}, // the same on all processors
	} {
		got, err := Pilots([]int{7}, test.tasks, test.n, src)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("Pilots(%d, %d) = %v, %v, want %v", test.tasks, test.n, got, err, test.want)
		}
	}
	for _, test := range []struct {
		tasks, n int
		src      rand.Source
	}{{3, 4, src}, {3, -1, src}, {-1, 0, src}, {3, 1, nil}} {
		if got, err := Pilots([]int{7}, test.tasks, test.n, test.src); err == nil || len(got) != 1 {
			t.Errorf("Pilots(%d, %d, %v) = %v, %v, want an error", test.tasks, test.n, test.src, got, err)
		}
	}
	dst := make([]int, 0, 30)
	if got := testing.AllocsPerRun(10, func() { Pilots(dst, 1000, 30, src) }); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

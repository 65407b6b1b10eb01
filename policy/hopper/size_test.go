package hopper

import (
	"math"
	"testing"
)

func TestSize(t *testing.T) {
	for _, test := range []struct {
		name                string
		demands, capacities []float64
		want                float64
	}{
		{"slots only", []float64{4}, []float64{200}, 0.02},
		{"two resources", []float64{4, 30}, []float64{200, 100}, 0.16},
		{"nothing", []float64{0, 0}, []float64{200, 100}, 0},
		{"more than there is", []float64{400, 200}, []float64{200, 100}, 2},
	} {
		if got, err := Size(test.demands, test.capacities); err != nil || math.Abs(got-test.want) > 1e-15 {
			t.Errorf("%s: got %v, %v, want %v", test.name, got, err, test.want)
		}
	}
	for _, test := range [][2][]float64{
		{nil, nil}, {{1}, {1, 2}}, {{-1}, {1}}, {{math.NaN()}, {1}}, {{1}, {0}}, {{1}, {math.Inf(1)}}, {{math.Inf(1)}, {1}},
	} {
		if got, err := Size(test[0], test[1]); err == nil {
			t.Errorf("%v of %v: got %v, want an error", test[0], test[1], got)
		}
	}
}

// Sizes as parts of the cluster give parts of the cluster.
func TestSizesScale(t *testing.T) {
	jobs := jobsOf(1.6, 4, 6)
	for i := range jobs {
		size, err := Size([]float64{jobs[i].Tasks}, []float64{6})
		if err != nil {
			t.Fatal(err)
		}
		jobs[i].Tasks = size
	}
	if got, err := Allocate(nil, 1, jobs); err != nil || !near(got, []float64{5. / 6, 1. / 6}) {
		t.Errorf("got %v, %v", got, err)
	}
}

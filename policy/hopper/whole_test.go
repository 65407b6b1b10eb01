package hopper

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestWhole(t *testing.T) {
	for _, test := range []struct {
		name   string
		shares []float64
		want   []int
	}{
		{"none", nil, nil},
		{"whole", []float64{3, 0, 5}, []int{3, 0, 5}},
		{"largest remainder", []float64{2.4, 1.8, 2.8}, []int{2, 2, 3}},
		{"tie", []float64{2.5, 1.5}, []int{3, 1}},
		{"thirds", []float64{1. / 3, 1. / 3, 1. / 3}, []int{1, 0, 0}},
		{"rounded sum", []float64{0.4, 0.9}, []int{0, 1}},
		{"a bit below", []float64{math.Nextafter(3, 0), 4}, []int{3, 4}},
	} {
		got, err := Whole(nil, test.shares)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, %v, want %v", test.name, got, err, test.want)
		}
	}
}

func TestWholeErrors(t *testing.T) {
	dst := []int{7}
	for _, x := range []float64{-1, math.NaN(), math.Inf(1), 1e10} {
		got, err := Whole(dst, []float64{1, x})
		if err == nil || !slices.Equal(got, dst) {
			t.Errorf("share %v: got %v, %v, want an error", x, got, err)
		}
	}
	if got, err := Whole(dst, []float64{2e9, 2e9}); err == nil {
		t.Errorf("sum of 4e9: got %v, want an error", got)
	}
}

func TestWholeIsWithinASlot(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 10_000 {
		slots := r.IntN(60)
		jobs := randomJobs(r, 1+r.IntN(10), float64(slots))
		shares, err := Allocate(nil, float64(slots), jobs)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := Whole(nil, shares)
		if err != nil {
			t.Fatal(err)
		}
		sum, tasks := 0, 0.0
		for i, x := range whole {
			sum += x
			tasks += jobs[i].Tasks
			if x < 0 || math.Abs(float64(x)-shares[i]) >= 1 {
				t.Fatalf("%v for a share of %v", x, shares[i])
			}
		}
		if want := slots; tasks > 0 && sum != want {
			t.Fatalf("%d slots of shares %v, want %d", sum, shares, want)
		}
	}
}

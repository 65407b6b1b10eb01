package predict

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRing(t *testing.T) {
	for _, limit := range []int{1, 2, 3, 20, 255} {
		rng := rand.New(rand.NewPCG(1, uint64(limit)))
		memory := rings{size: limit}
		r := memory.at(memory.make(), ringState{})
		var all []float64
		for range 4 * limit {
			x := math.Floor(rng.ExpFloat64() * 4) // few values, so that many are equal
			r.add(x)
			all = append(all, x)
			last := all[max(0, len(all)-limit):]
			if got := r.appendTo(nil); !slices.Equal(got, last) {
				t.Fatalf("limit %d, %d added: values are %v, want %v", limit, len(all), got, last)
			}
			sum := 0.0
			for _, x := range last {
				sum += x
			}
			if got, want := r.mean(), sum/float64(len(last)); !near(got, want) {
				t.Fatalf("limit %d, %d added: mean is %v, want %v", limit, len(all), got, want)
			}
			sorted := slices.Sorted(slices.Values(last))
			n := len(sorted)
			if got, want := r.median(), (sorted[(n-1)/2]+sorted[n/2])/2; got != want {
				t.Fatalf("limit %d, %d added: median is %v, want %v", limit, len(all), got, want)
			}
		}
	}
}

package histogram_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"example.com/augur/histogram"
)

// To read changes nothing: several goroutines read one histogram, and the race detector looks on.
func TestReadAtOnce(t *testing.T) {
	h, err := histogram.New(histogram.Config{})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		if err := h.Add(rng.ExpFloat64()); err != nil {
			t.Fatal(err)
		}
	}
	var table histogram.Table
	table.Fill(h)
	read := func() (all []float64) {
		for i := range 100 {
			x := float64(i) / 20
			all = append(all, h.CDF(x), h.Survival(x), h.Density(x), h.Quantile(x/5), h.SurvivalIntegral(x, x+1),
				table.CDF(x), table.Survival(x), table.Quantile(x/5), table.SurvivalIntegral(x, x+1))
		}
		for centre, count := range h.All() {
			all = append(all, centre, count)
		}
		other, err := histogram.New(h.Config())
		if err == nil {
			err = other.Merge(h)
		}
		if err != nil {
			t.Error(err)
		}
		bytes, err := h.AppendBinary(nil)
		if err != nil {
			t.Error(err)
		}
		return append(all, h.Mean(), h.Variance(), h.Min(), h.Max(), h.Count(), float64(h.Len()), h.Clone().Mean(), other.Mean(), float64(len(bytes)))
	}
	var reading sync.WaitGroup
	answers := make([][]float64, 4)
	for i := range answers {
		reading.Go(func() { answers[i] = read() })
	}
	reading.Wait()
	for _, a := range answers[1:] {
		if !slices.Equal(a, answers[0]) {
			t.Errorf("one goroutine has read %v, and another %v", answers[0], a)
		}
	}
}

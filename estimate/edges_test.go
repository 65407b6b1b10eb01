package estimate_test

import (
	"math"
	"testing"
	"time"

	"example.com/augur/estimate"
)

func TestNothingSeen(t *testing.T) {
	var s estimate.Sample
	for name, got := range map[string]float64{
		"CDF": s.CDF(1), "Survival": s.Survival(1), "Quantile": s.Quantile(0.5), "SurvivalIntegral": s.SurvivalIntegral(0, 1),
		"Mean": s.Mean(), "Median": s.Median(), "TrimmedMean": s.TrimmedMean(0),
	} {
		if !math.IsNaN(got) {
			t.Errorf("%s of an empty sample is %v, want NaN", name, got)
		}
	}
}

func TestWindowOfAllTime(t *testing.T) {
	w, err := estimate.NewWindow(math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range []time.Duration{math.MinInt64, -1, 0, math.MaxInt64} {
		if err := w.Add(at, 1); err != nil {
			t.Fatal(err)
		}
		m := w.Moments()
		if got, want := m.N(), []int64{1, 2, 2, 2}[i]; got != want {
			t.Errorf("at %d it holds %d values, want %d", at, got, want)
		}
	}
}

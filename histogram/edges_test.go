package histogram_test

import (
	"math"
	"testing"

	"example.com/augur/histogram"
	"example.com/augur/internal/hostile"
)

func TestNoHistogram(t *testing.T) {
	h, table := new(histogram.Histogram), new(histogram.Table)
	for _, x := range []float64{1, 2} {
		if err := h.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	before := hostile.Dump(h)
	if err := h.Merge(nil); err != nil || hostile.Dump(h) != before {
		t.Errorf("merging nil gives %v and %s, want %s", err, hostile.Dump(h), before)
	}
	table.Fill(h)
	table.Fill(nil)
	for _, got := range []float64{table.CDF(1), table.Quantile(0.5), table.Mean(), table.Survival(1), table.SurvivalIntegral(0, 1)} {
		if !math.IsNaN(got) {
			t.Errorf("a table of nil gives %v, want NaN", got)
		}
	}
}

package threesigma_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
)

// unsteady is a distribution whose function is computed so badly that it falls, and leaves [0, 1].
type unsteady struct{ forecast.Known }

func (unsteady) CDF(x float64) float64 { return []float64{-0.1, 0.5, 0.4, 1.1, 0.9}[int(x)] }

func TestProfileEdges(t *testing.T) {
	for _, test := range []struct {
		d     threesigma.Distribution
		slots int
		want  []float64
	}{
		{forecast.Known(0), 3, []float64{1}},
		{forecast.Known(-1), 3, []float64{1}},
		{forecast.Known(2), 0, nil},
		{forecast.Known(2), 1, []float64{1}},
		{forecast.Known(2), 5, []float64{1, 1}},
		{forecast.Known(2.5), 5, []float64{1, 1, 1}},
		{unsteady{}, 5, []float64{1, 0.5, 0.5}},
	} {
		got, err := threesigma.AppendShares(nil, test.d, 0, []float64{0, 1, 2, 3, 4}[:test.slots])
		if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
			t.Errorf("%v, %d slots: error %v (-want +got):\n%s", test.d, test.slots, err, diff)
		}
	}
	scaled := threesigma.Scale(forecast.Known(2), 1.5)
	survival := scaled.(interface {
		Survival(x float64) float64
		SurvivalIntegral(a, b float64) float64
	})
	if got, want := []float64{scaled.Quantile(1), scaled.CDF(2.9), scaled.CDF(3), survival.Survival(2.9), survival.SurvivalIntegral(1, 9)}, []float64{3, 0, 1, 1, 2}; !cmp.Equal(got, want) {
		t.Errorf("scaled by 1.5: %v, want %v", got, want)
	}
}

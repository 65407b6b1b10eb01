package threesigma_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/estimate"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
)

// remainingConsumption is what a running job is still expected to take when it has run for t in all, if it holds
// so many nodes and has run for elapsed already (3Sigma, section 3.2). F is the distribution function of its runtime.
func remainingConsumption(nodes float64, F func(x float64) float64, elapsed, t float64) float64 {
	return nodes * (1 - F(t)) / (1 - F(elapsed))
}

// A job holds 4 nodes and has run for 100 s. The formula gives its remaining consumption slot by slot, and so do
// After and AppendConsumption, as a share of its nodes.
func ExampleAppendConsumption() {
	var history estimate.Sample
	for _, runtime := range []float64{60, 90, 150, 300} {
		if err := history.Add(runtime); err != nil {
			fmt.Println(err)
			return
		}
	}
	const nodes, elapsed, slot = 4, 100, 60
	for k := range 4 {
		fmt.Print(remainingConsumption(nodes, history.CDF, elapsed, elapsed+float64(k*slot)), " ")
	}
	fmt.Println("nodes")
	running, ok := threesigma.After(&history, elapsed)
	fmt.Println(ok)
	fmt.Println(threesigma.AppendConsumption(nil, running, elapsed, slot, 10))
	// Output:
	// 4 2 2 2 nodes
	// true
	// [1 0.5 0.5 0.5] <nil>
}

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
		got, err := threesigma.AppendConsumption(nil, test.d, 0, 1, test.slots)
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

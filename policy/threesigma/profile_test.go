package threesigma_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/estimate"
	"example.com/augur/histogram"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
)

// remainingConsumption is what a running job is still expected to take when it has run for t in all, if it holds
// so many nodes and has run for elapsed already (3Sigma, section 3.2). F is the distribution function of its runtime.
func remainingConsumption(nodes float64, F func(x float64) float64, elapsed, t float64) float64 {
	return nodes * (1 - F(t)) / (1 - F(elapsed))
}

// A job holds 4 nodes and has run for 100 s. The formula gives its remaining consumption slot by slot, and so do
// After and AppendProfile, as a share of its nodes.
func ExampleAppendProfile() {
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
	fmt.Println(threesigma.AppendProfile(nil, running, elapsed, slot, 10))
	// Output:
	// 4 2 2 2 nodes
	// true
	// [1 0.5 0.5 0.5] <nil>
}

func TestProfileRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	var none histogram.Histogram
	for _, test := range []struct {
		d           threesigma.Distribution
		from, width float64
		slots       int
		want        string
	}{
		{forecast.Known(1), -1, 1, 1, "threesigma: profile from -1 s on, want finite, at least 0"},
		{forecast.Known(1), nan, 1, 1, "threesigma: profile from NaN s on, want finite, at least 0"},
		{forecast.Known(1), inf, 1, 1, "threesigma: profile from +Inf s on, want finite, at least 0"},
		{forecast.Known(1), 0, 0, 1, "threesigma: slots of 0 s, want finite, above 0"},
		{forecast.Known(1), 0, nan, 1, "threesigma: slots of NaN s, want finite, above 0"},
		{forecast.Known(1), 0, 1, -1, "threesigma: profile of -1 slots, want 0 to 1048576"},
		{&none, 0, 1, 3, "threesigma: distribution d has no values, of which there were a profile"},
	} {
		dst := []float64{3}
		got, err := threesigma.AppendProfile(dst, test.d, test.from, test.width, test.slots)
		if err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
		if diff := cmp.Diff([]float64{3}, got); diff != "" {
			t.Errorf("dst has changed (-want +got):\n%s", diff)
		}
	}
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
		got, err := threesigma.AppendProfile(nil, test.d, 0, 1, test.slots)
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

func BenchmarkAppendProfile(b *testing.B) {
	h := randomHistogram(rand.New(rand.NewPCG(6, 0)), 80)
	b.ReportAllocs()
	var dst []float64
	for b.Loop() {
		var err error
		if dst, err = threesigma.AppendProfile(dst[:0], h, 0, h.Max()/100, 100); err != nil || len(dst) != 100 {
			b.Fatal(len(dst), err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/slot")
}

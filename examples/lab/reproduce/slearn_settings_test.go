package main

import (
	"context"
	"slices"
	"testing"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy/slearn"
)

// The parameters that are named after Fig. 2 give its errors of history: those of the paper
// are one draw, and shall be neither below the least nor above the greatest of five.
func TestHistoryErrorsOfFig2(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for _, test := range []struct {
		name     string
		params   paper.SLearn
		p50, p90 float64
	}{
		{"2strace", paper.TwoSigmaFig2(), 0.3657, 4.7578},
		{"gtrace11", paper.Google11Fig2(), 0.2139, 2.9452},
		{"gtrace19", paper.Google19Fig2(), 0.7156, 19.2751},
	} {
		trace := slearnTrace{name: test.name, seeds: 5, params: test.params}
		l := new(lab)
		drawn := ask(l, &bed[*contest]{name: test.name, seeds: 5, draw: trace.contest}, "history", func(_ context.Context, c *contest) ([]float64, error) { return c.historyErrors(slearn.Winner) })
		if err := l.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, at := range []struct{ p, want float64 }{{0.5, test.p50}, {0.9, test.p90}} {
			got := slices.Sorted(slices.Values(each(drawn.runs, func(e []float64) float64 { return percentile(e, at.p) })))
			t.Logf("%s: P%.0f published %.4f, generated %.4f", test.name, 100*at.p, at.want, got)
			if at.want < got[0] || got[4] < at.want {
				t.Errorf("%s: errors have P%.0f from %.4f to %.4f, want %.4f among them", test.name, 100*at.p, got[0], got[4], at.want)
			}
		}
	}
}

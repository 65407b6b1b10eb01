package main

import (
	"testing"

	"gonum.org/v1/plot"
)

// A range of less than five is not worth a logarithmic axis.
func TestLogarithmic(t *testing.T) {
	for highest, want := range map[float64]bool{80: false, 115: false, 10000: true} {
		c := newChart("title").panel("x (s)", "y (s)")
		c.X.Min, c.X.Max = 80, highest
		logarithmic(&c.X, false)
		if _, got := c.X.Scale.(plot.LogScale); got != want {
			t.Errorf("80 to %v: logarithmic is %v, want %v", highest, got, want)
		}
		if !(c.X.Min < c.X.Max) {
			t.Errorf("80 to %v: the axis is from %v to %v", highest, c.X.Min, c.X.Max)
		}
	}
}

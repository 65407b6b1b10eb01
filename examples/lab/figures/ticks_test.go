package main

import (
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.01: "0.01", 2.5: "2.5", 999: "999", 1000: "1,000", -1234567: "-1,234,567", 12345.5: "12,345.5"} {
		if got := number(x); got != want {
			t.Errorf("number(%v) = %q, want %q", x, got, want)
		}
	}
}

func TestLogTicks(t *testing.T) {
	for _, test := range []struct {
		lowest, highest float64
		small           bool
		want            string
	}{
		{1, 1000, true, "1 10 100 1,000"},
		{0.3, 40, false, "1 10"},
		{20, 900, false, "20 50 100 200 500"},
		{1, 2e6, false, "1 10 100 1,000 10,000 100,000 1,000,000"},
		{1, 2e6, true, "1 100 10,000 1,000,000"},
	} {
		var got []string
		for _, tick := range (logTicks{small: test.small}).Ticks(test.lowest, test.highest) {
			if tick.Label != "" {
				got = append(got, tick.Label)
			}
			if tick.Value < 0.99*test.lowest || tick.Value > 1.01*test.highest {
				t.Errorf("%+v: tick at %v", test, tick.Value)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%+v: labels %q", test, got)
		}
	}
}

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

func TestLinearTicks(t *testing.T) {
	for _, test := range []struct {
		lowest, highest float64
		want            string
	}{
		{-24, 66, "-20 0 20 40 60"},
		{0, 102, "0 20 40 60 80 100"},
		{0.1, 0.45, "0.1 0.2 0.3 0.4"},
		{0, 5.07, "0 1 2 3 4 5"},
		{0, 6, "0 1 2 3 4 5 6"},
		{0, 3785, "0 1,000 2,000 3,000"},
	} {
		var got []string
		for _, tick := range (linearTicks{}).Ticks(test.lowest, test.highest) {
			got = append(got, tick.Label)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%v to %v: labels %q, want %s", test.lowest, test.highest, got, test.want)
		}
	}
}

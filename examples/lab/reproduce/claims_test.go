package main

import (
	"slices"
	"strings"
	"testing"
)

// What a claim of 10 comes to, by what ten seeds measure of it: five a little below the mean, and five as far above.
func TestDecide(t *testing.T) {
	for _, test := range []struct {
		name             string
		nothing          float64
		mean, off        float64 // of the effect, whose claim is 10
		seeds            int
		controls, failed int
		want             string
		sign             int
	}{
		{"as published", gain, 10, 1, 10, 0, 0, "holds", 10},
		{"as published, of a ratio", ratio, 10, 1, 10, 0, 0, "holds", 10},
		{"a little smaller", gain, 9.5, 0.1, 10, 0, 0, "holds", 10},
		{"half", gain, 5, 1, 10, 0, 0, "holds, smaller", 10},
		{"twice", gain, 20, 1, 10, 0, 0, "holds, larger", 10},
		{"widely as published", gain, 10, 10, 10, 0, 0, "holds, size open", 5},
		{"nothing", gain, 0, 3, 10, 0, 0, "no effect seen", 5},
		{"nothing, of a ratio", ratio, 0, 3, 10, 0, 0, "no effect seen", 5},
		{"hardly any", gain, 0.5, 0.1, 10, 0, 0, "no effect seen", 10},
		{"perhaps nothing", gain, 0, 4, 10, 0, 0, "open: the interval is wide", 5},
		{"the opposite", gain, -5, 1, 10, 0, 0, "contradicted", 0},
		{"few seeds", gain, 10, 1, 9, 0, 0, "not tested: few seeds", 9},
		{"one of nine controls fails", gain, 10, 1, 10, 9, 1, "holds, on the nearest bed", 10},
		{"one of ten controls fails", gain, 10, 1, 10, 10, 1, "holds", 10},
		{"two of nineteen fail", gain, -5, 1, 10, 19, 2, "contradicted, on the nearest bed", 0},
	} {
		r := &report{paper: "none"}
		var values []float64
		for i := range test.seeds {
			values = append(values, test.nothing+test.mean+test.off*float64(2*(i%2)-1))
		}
		r.add("Fig. 1", "jobs", "saved", test.nothing+10, values)
		r.add("Fig. 1", "jobs", "size", 100, []float64{50, 51})
		r.add("Fig. 1", "jobs", "load", 100, []float64{99, 100})
		c := claim{row: name{"Fig. 1", "jobs", "saved"}, nothing: test.nothing}
		for i := range test.controls {
			what := "load"
			if i < test.failed {
				what = "size"
			}
			c.controls = append(c.controls, control{name{"Fig. 1", "jobs", what}, gain})
		}
		f, err := r.judge(&c)
		if err != nil || f.outcome() != test.want || f.sign != test.sign || f.met != test.controls-test.failed {
			t.Errorf("%s: %q, %d of the sign, %d controls met, error %v, want %q, %d", test.name, f.outcome(), f.sign, f.met, err, test.want, test.sign)
		}
	}
}

// A control is met by a quarter of how far the published number is from nothing, or by its rounding, and not by its interval.
func TestMet(t *testing.T) {
	for _, test := range []struct {
		nothing, published, measured, off float64
		want                              bool
	}{
		{gain, 100, 76, 0, true},
		{gain, 100, 74, 0, false},
		{gain, 100, 74, 30, false},
		{ratio, 3, 2.5, 0, true},
		{ratio, 3, 2.4, 0, false},
		{all, 93, 94.5, 0, true},
		{all, 93, 95, 0, false},
		{all, 93, 91, 0, false},
		{all, 99, 98.5, 0, true},
		{all, 99, 98.4, 0, false},
		{gain, 0.01, 0.006, 0, true},
		{gain, 0.01, 0.004, 0, false},
	} {
		r := &report{paper: "none"}
		r.add("1", "jobs", "size", test.published, []float64{test.measured - test.off, test.measured, test.measured + test.off})
		c := control{nothing: test.nothing}
		if off := c.off(&r.lines[0]); (off <= 1) != test.want {
			t.Errorf("%+v: %v tolerances off", test, off)
		}
	}
}

// The range is that over the open readings and the row, without those that the text contradicts. A missing line is named.
func TestJudge(t *testing.T) {
	r := &report{paper: "none"}
	for i, metric := range []string{"row", "less", "more", "wrong"} {
		r.add("1", "jobs", metric, 10, []float64{10, 5, 20, 90}[i:i+1])
	}
	of := func(metric string) name { return name{"1", "jobs", metric} }
	c := claim{row: of("row"), readings: []name{of("less"), of("more")}, refuted: []name{of("wrong")}}
	f, err := r.judge(&c)
	if slices.Sort(f.spread); err != nil || !slices.Equal(f.spread, []float64{0.5, 1, 2}) {
		t.Errorf("the spread is %v, error %v, want 0.5, 1 and 2", f.spread, err)
	}
	for _, c := range []claim{
		{row: of("none")},
		{row: of("row"), controls: []control{{row: of("none")}}},
		{row: of("row"), readings: []name{of("none")}},
		{row: of("row"), refuted: []name{of("none")}},
	} {
		if _, err := r.judge(&c); err == nil || !strings.Contains(err.Error(), "none has no line {1 jobs none}") {
			t.Errorf("%+v: error %v, want one that names the line", c, err)
		}
	}
}

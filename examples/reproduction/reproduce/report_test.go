package main

import (
	"slices"
	"testing"
)

// A line that does not come out has the first reason that is for it.
func TestExplain(t *testing.T) {
	r := &report{paper: "none"}
	for _, x := range []float64{10, 12, 9.5, unpublished} {
		r.add("Table 1", "all", "ratio", x, []float64{9.9, 10, 10.1})
	}
	r.add("Table 1", "all", "other", 12, []float64{9.9, 10, 10.1})
	r.add("Table 1", "all", "ratio of one seed", 12, []float64{10})
	r.add("Table 1", "all", "ratio of two that differ", 12, []float64{9, 11})
	r.explain([]reason{{"Table 2", "", "ratio", "no"}, {"Table 1", "some", "ratio", "no"}, {"Table 1", "", "ratio", "yes"}, {"Table 1", "all", "", "late"}})
	want := []string{"", "yes", "", "", "late", "", ""}
	if got := each(r.lines, func(l line) string { return l.Note }); !slices.Equal(got, want) {
		t.Errorf("notes are %q, want %q", got, want)
	}
}

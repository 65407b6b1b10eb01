package main

import (
	"bytes"
	"slices"
	"strings"
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

// Of the claims, those are told that were measured; one without its controls is not tested.
func TestWriteClaims(t *testing.T) {
	c := &papers["hopper"].claims[0]
	r := &report{paper: "hopper"}
	r.add(c.row.item, c.row.workload, c.row.metric, 50, []float64{9, 11})
	var out bytes.Buffer
	if err := r.writeClaims(&out); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(got) != 2 || !strings.HasPrefix(got[1], c.says) || !strings.Contains(got[1], "not tested: not all readings and controls were run") {
		t.Errorf("got %q, want a header and the claim", got)
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What comes out of any paper is the same however many runs go on at once.
func TestSameAtOnce(t *testing.T) {
	for name, f := range map[string]form{
		"hopper": {seeds: 1, few: 8}, "kairos": {seeds: 1, few: 10}, "slearn": {seeds: 1, few: 100},
		"threesigma": {seeds: 1, few: 20}, "wing": {seeds: 1, few: 100},
	} {
		lines := func(processors int) []line {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			return reportOf(t, name, f).lines
		}
		if diff := cmp.Diff(lines(4), lines(1)); diff != "" {
			t.Errorf("%s differs if one run goes on at once (-4 +1):\n%s", name, diff)
		}
	}
}

// reportOf is what is told of a paper in some form.
func reportOf(t *testing.T, name string, f form) *report {
	t.Helper()
	r, err := reproduce(t.Context(), name, f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// told checks that each line says all that it is to say, that what is printed reads back, and
// that no reason is without use. It returns the numbers, by workload, item and metric.
func told(t *testing.T, r *report, reasons []reason) (measured, published map[string]float64) {
	t.Helper()
	var out bytes.Buffer
	if err := r.writeJSON(&out); err != nil {
		t.Fatal(err)
	}
	var lines []line
	d := json.NewDecoder(&out)
	d.DisallowUnknownFields()
	if err := d.Decode(&lines); err != nil {
		t.Fatal(err)
	}
	measured, published = make(map[string]float64), make(map[string]float64)
	for _, l := range lines {
		if l.Paper != r.paper || l.Item == "" || l.Workload == "" || l.Metric == "" || l.Measured == nil {
			t.Errorf("%+v lacks something", l)
			continue
		}
		key := l.Workload + ": " + l.Item + ", " + l.Metric
		if _, ok := measured[key]; ok {
			t.Errorf("%s is told twice", key)
		}
		measured[key] = *l.Measured
		if l.Published != nil {
			published[key] = *l.Published
		}
	}
	for _, y := range reasons {
		if !slices.ContainsFunc(lines, func(l line) bool { return l.Published != nil && y.isFor(&l) }) {
			t.Errorf("reason %+v is for no published number", y)
		}
	}
	return measured, published
}

// mentioned checks that something is told of each of some items.
func mentioned(t *testing.T, r *report, items ...string) {
	t.Helper()
	for _, item := range items {
		if !slices.ContainsFunc(r.lines, func(l line) bool { return l.Item == item }) {
			t.Errorf("nothing is told of %s", item)
		}
	}
}

// dropMissing drops the lines that say that something could not be run, and returns how many they are.
func dropMissing(r *report) int {
	before := len(r.lines)
	r.lines = slices.DeleteFunc(r.lines, func(l line) bool { return l.Metric == "not run" })
	return before - len(r.lines)
}

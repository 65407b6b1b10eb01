package main

import (
	"bytes"
	"strings"
	"testing"
)

// made returns a bed with a run for each list of mean completion times, of the policies in their order.
func made(name, policies string, requested int, runs ...[]float64) *result {
	r := &result{bed: &bed{name: name, policies: policies}, Loads: make([]struct {
		Load *float64 `json:"load"`
	}, 1)}
	r.Loads[0].Load = new(0.9)
	for _, run := range runs {
		o := one{Requested: requested}
		for _, x := range run {
			o.Policies = append(o.Policies, row{Mean: &x, P99: &x, Slowdown: &x, Largest: &x})
		}
		r.Runs = append(r.Runs, o)
	}
	return r
}

// By hand: on a, las is 10 % below the index in both runs; easy, which knows the runtimes, would be half. On b the index is
// 1.5 times fair, and random is the best other. On c las is half in one run, and worse in the other: that is not certain.
func TestSummary(t *testing.T) {
	results := []*result{
		made("a", "srpt,index,index/none,easy,fair,las", 7, []float64{10, 20, 30, 10, 40, 18}, []float64{10, 10, 30, 5, 40, 9}),
		made("b", "srpt,index,index/none,fair,random", 0, []float64{10, 15, 11, 10, 15}),
		made("c", "srpt,index,index/none,fair,las", 0, []float64{10, 20, 30, 40, 10}, []float64{10, 10, 10, 40, 12}),
	}
	var b bytes.Buffer
	writeSummary(&b, results)
	writeBeds(&b, results)
	got := b.String()
	for _, want := range []string{
		"median over 3 beds of the index's mean completion time over SRPT's is 1.41, and without history 1.73.",
		"There are 3 pairs of a bed and a load.", "with the whole interval below, on 2: a 0.90 (las), b 0.90 (fair).",
		"above that of fair, with its whole interval, on 1: b 0.90 (50.0 %).",
		"| 10.0 [10.0 10.0] | 4.00 [4.00 4.00] | fair 4.00 |", // gap, fair and worst of a
		"| b 0.90 | 1.50 | 1.10 | fair 1.00 | 33.3 | 1.00 | random 1.50 | 1.50 | 1.50 | 1.50 | 1.50 (fair) | 1.50 (fair) |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the text has no %q:\n%s", want, got)
		}
	}
}

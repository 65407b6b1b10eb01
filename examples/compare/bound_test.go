package main

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"example.com/augur/policy/experiment"
)

// No policy has a mean below the bound, and runs with stragglers or trimmed ones have none.
func TestMeanBound(t *testing.T) {
	for _, test := range []struct {
		args  []string
		bound bool
	}{
		{[]string{"-jobs", "100", "-policies", "fifo,srpt,index"}, true},
		{[]string{"-workload", "e2e", "-jobs", "60", "-policies", "easy,srpt,index-easy"}, true},
		{[]string{"-workload", "gtrace19-dag", "-jobs", "20", "-policies", "fair,srpt"}, true},
		{[]string{"-jobs", "50", "-policies", "fifo", "-trim", "0.1"}, false},
		{[]string{"-jobs", "50", "-policies", "index-preempt", "-saves", "reload=1s"}, true},
		{[]string{"-jobs", "50", "-policies", "fifo,srpt-grass", "-stragglers", "tail=1.5"}, false},
	} {
		out, _, err := compare(t, slices.Concat(test.args, []string{"-json"})...)
		if err != nil {
			t.Fatal(err)
		}
		var r experiment.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		if (r.MeanBound != nil) != test.bound {
			t.Errorf("%v: the bound is %v, want one: %v", test.args, r.MeanBound, test.bound)
		}
		for _, p := range r.Policies {
			if of := p.Ratios.Bound; (of != nil) != test.bound || test.bound && !(*of >= 1 && math.Abs(*of**r.MeanBound-*p.MeanJCT) < 1e-6**p.MeanJCT) {
				t.Errorf("%v: %s has %v of the bound, want 1 at least, and its mean over the bound", test.args, p.Policy, of)
			}
		}
	}
}

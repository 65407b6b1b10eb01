package main

import (
	"testing"

	"example.com/augur/policy/workload"
)

// The history goes up to the first of the jobs, and is of the same lake, however many jobs are
// asked for: more than usual make the whole lake busier.
func TestLakeHistory(t *testing.T) {
	for _, n := range []string{"100", "16000"} {
		in := loaded(t, "-workload", "lake", "-jobs", n)
		past, err := in.History()
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := workload.ReadAll(past)
		if err != nil {
			t.Fatal(err)
		}
		first, last := in.List[0], jobs[len(jobs)-1]
		if first.ID != last.ID+1 || first.Submitted < in.LakeLog.Begin() || last.Submitted >= in.LakeLog.Begin() {
			t.Errorf("-jobs %s: the history ends with job %d at %v, and the jobs begin with %d at %v; want the next one, and %v between them",
				n, last.ID, last.Submitted, first.ID, first.Submitted, in.LakeLog.Begin())
		}
	}
}

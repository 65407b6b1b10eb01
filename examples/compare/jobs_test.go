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

// E2E's history ends before the jobs begin, has no deadlines, and has seen most of their users.
func TestE2EHistory(t *testing.T) {
	in := loaded(t, "-workload", "e2e", "-jobs", "300")
	source, err := in.History()
	if err != nil {
		t.Fatal(err)
	}
	past, err := workload.ReadAll(source)
	if err != nil {
		t.Fatal(err)
	}
	users := make(map[string]bool)
	for _, j := range past {
		user, _ := j.Attr("user")
		users[user] = true
		if j.SLO != nil || j.Submitted > in.List[0].Submitted {
			t.Fatalf("job %d of the history is submitted at %v, deadline %v; want at most %v and none", j.ID, j.Submitted, j.SLO, in.List[0].Submitted)
		}
	}
	known := 0
	for _, j := range in.List {
		if user, _ := j.Attr("user"); users[user] {
			known++
		}
	}
	if len(past) != 3000 || known < 270 {
		t.Errorf("the history has %d jobs, and %d of 300 users in it, want 3,000 and nearly all", len(past), known)
	}
}

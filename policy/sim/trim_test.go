package sim_test

import (
	"math"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Of ten jobs on one core, a share of 0.25 cuts off two at either end by submission, whatever their IDs. What is of the whole
// cluster does not change, and a job that was cut off still counts for how many are there.
func TestTrim(t *testing.T) {
	var jobs []*workload.Job
	for i := range policy.JobID(10) {
		jobs = append(jobs, bag(10-i, policy.Duration(i/2*2)*s, 2*s)) // 10 and 9 at 0 s, 8 and 7 at 2 s ...
	}
	slices.SortStableFunc(jobs, func(a, b *workload.Job) int { return int(a.Submitted - b.Submitted) })
	r := run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1})}, baseline.NewFIFO(), jobs...)
	ids := func(list []sim.JobRecord) (ids []policy.JobID) {
		for i := range list {
			ids = append(ids, list[i].ID)
		}
		slices.Sort(ids)
		return ids
	}
	for _, test := range []struct {
		share float64
		want  []policy.JobID
	}{
		{0, []policy.JobID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}, {0.25, []policy.JobID{3, 4, 5, 6, 7, 8}}, {0.3, []policy.JobID{3, 5, 6, 8}},
		{0.3 - 1e-12, []policy.JobID{3, 5, 6, 8}}, {0.5, nil}, {7, nil}, {-1, []policy.JobID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
	} {
		got := r.Trim(test.share)
		if !slices.Equal(ids(got.Jobs), test.want) || len(got.Jobs)+len(got.Cut) != 10 {
			t.Errorf("share %v: jobs %v and %v, want %v and the others", test.share, ids(got.Jobs), ids(got.Cut), test.want)
		}
	}
	whole, middle := r.Metrics(), r.Trim(0.25).Metrics()
	if middle.Done != 6 || whole.MaxSlowdown != middle.MaxSlowdown+1 || middle.MaxWait != whole.MaxWait-2 {
		t.Errorf("got %+v of the middle, want other figures than those of all jobs: %+v", middle, whole)
	}
	// The last of the middle is there from 6 s to 16 s, with 5, 6, 5, 4 and 3 jobs for 2 s each; some of these are cut off.
	if want := 10 / (4.6 * 2); math.Abs(middle.MaxRho-want) > 1e-12 {
		t.Errorf("finish-time fairness up to %v, want %v", middle.MaxRho, want)
	}
	if middle.Makespan != whole.Makespan || middle.Utilization != whole.Utilization || middle.Goodput != whole.Goodput || middle.Copies != whole.Copies {
		t.Errorf("the cluster's figures differ: got %+v, want those of %+v", middle, whole)
	}
	if r.Trim(0.25).Trim(0.25).Metrics().Goodput != whole.Goodput {
		t.Error("a second Trim loses what the first has cut off")
	}
}

package main

import (
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// Two SLO jobs are done by the last submission at 100 s, one of them late; a best-effort job then, one after, and one
// never.
func TestByDeadline(t *testing.T) {
	const s = policy.Time(time.Second)
	due := &policy.SLO{Deadline: 50 * s, Utility: 2}
	result := &sim.Result{Jobs: []sim.JobRecord{
		{Outcome: policy.Done, Ended: 50 * s, Service: 3600, SLO: due},
		{Outcome: policy.Done, Ended: 51 * s, Service: 7200, Wasted: 1800, SLO: due},
		{Outcome: policy.Done, Submitted: 10 * s, Ended: 100 * s, Service: 3600},
		{Outcome: policy.Done, Submitted: 100 * s, Ended: 110 * s, Service: 9000},
		{Outcome: policy.Stalled, Submitted: 20 * s, Ended: 100 * s, Service: 1800, Wasted: 1800},
	}}
	d := deadlines{some: true, last: 100 * s}
	for i, want := range []string{"true,2,50,3600", "false,0,51,5400", ",,90,3600", ",,10,0", ",,,0"} {
		if got := strings.Join(d.row(&result.Jobs[i]), ","); got != want {
			t.Errorf("job %d has the columns %s, want %s", i, got, want)
		}
	}
}

// Without deadlines nothing is said of them.
func TestNoDeadlines(t *testing.T) {
	for _, form := range []string{"-json", "-json=false"} {
		out, _, err := compare(t, form, "-jobs", "20", "-policies", "fifo,3sigma")
		if err != nil || strings.Contains(out, "slo_") || strings.Contains(out, "best_effort") || strings.Contains(out, "SLO") {
			t.Errorf("%s: error %v, or a figure of deadlines:\n%s", form, err, out)
		}
	}
}

// What the table and the JSON say of SLO jobs and best-effort jobs. The cluster of jobs that are given deadlines has four partitions.
func TestDeadlines(t *testing.T) {
	args := []string{"-jobs", "400", "-policies", "fifo,srpt", "-deadlines", "share=0.5,slack=20/80,utility=2"}
	r := reportOf(t, append(args, "-json")...)
	fifo, srpt := r.Policies[0], r.Policies[1]
	if fifo.MissRate == nil || srpt.MissRate == nil || fifo.Value == nil || *srpt.Value < 2 || srpt.SLOJobs+srpt.BestEffortJobs != 400 {
		t.Fatalf("miss rates and values of %+v, want some", r.Policies)
	}
	if *srpt.MissRate > *fifo.MissRate {
		t.Errorf("srpt misses %v of the deadlines, fifo %v; want fewer", *srpt.MissRate, *fifo.MissRate)
	}
	partitions := make(map[policy.PartitionID]bool)
	for _, node := range loaded(t, args...).cluster {
		partitions[node.Partition] = true
	}
	if len(partitions) != 4 {
		t.Errorf("the cluster has %d partitions, want 4", len(partitions))
	}
	out, _, err := compare(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(out, "\njobs with deadlines, and best-effort jobs")
	table, _, _ = strings.Cut(table, "\nLower is better")
	if !strings.Contains(table, "policy  SLO  done  missed %  value  goodput  best effort") || strings.Count(table, "srpt") != 1 {
		t.Errorf("the output has no table of a row for each policy between the others:\n%s", out)
	}
}

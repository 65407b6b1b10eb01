package main

import (
	"math"
	"testing"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// Generated jobs have the shares of Table 2, and none is near the cutoff.
func TestGeneratedShares(t *testing.T) {
	for i := range bigTraces {
		trace := &bigTraces[i]
		jobs := trace.generate(7, 1000)
		long, work, all := 0.0, 0.0, 0.0
		for _, j := range jobs {
			if err := j.Validate(); err != nil {
				t.Fatal(err)
			}
			all += j.Work()
			if mean := cli.MeanTask(j); mean >= trace.cutoff.Seconds() {
				long++
				work += j.Work()
			}
		}
		if got := 100 * long / float64(len(jobs)); math.Abs(got-trace.long) > 0.1 {
			t.Errorf("%s: %.2f %% of jobs are long, want %.2f %%", trace.name, got, trace.long)
		}
		// Widths are whole numbers, and tasks are drawn.
		if got := 100 * work / all; math.Abs(got-trace.work) > 1 {
			t.Errorf("%s: long jobs have %.2f %% of the work, want %.0f %%", trace.name, got, trace.work)
		}
	}
}

// Of two jobs, 100 s apart, the first could do 2 * 100 s until the second comes.
func TestNodesFor(t *testing.T) {
	job := func(at policy.Time, runtimes ...policy.Duration) *workload.Job {
		j := &workload.Job{Runtimes: [][]policy.Duration{runtimes}}
		j.Submitted = at
		return j
	}
	jobs := []*workload.Job{job(0, 1000e9, 1000e9, 50e9), job(100e9, 1e9)}
	if got := nodesFor(jobs, 0.5); got != 5 {
		t.Errorf("%d nodes, want 250 s of 100 s at load 0.5: 5", got)
	}
}

package main

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// The mean of the first job is 20 s, from which three tasks are half of it away and one one and a half times; that of the
// second is exact. Nothing is kept of a task.
func TestTaskErrors(t *testing.T) {
	var jobs []job
	for _, seconds := range [][]policy.Duration{{10, 10, 10, 50}, {7, 7}, {9}} {
		w := &workload.Job{Job: policy.Job{Stages: []policy.Stage{{Tasks: uint32(len(seconds)), Cores: 1}}}, Runtimes: [][]policy.Duration{nil}}
		for _, s := range seconds {
			w.Runtimes[0] = append(w.Runtimes[0], s*1e9)
		}
		jobs = append(jobs, job{Job: w})
	}
	if within, n := taskErrors(jobs); within != [4]int{2, 2, 5, 5} || n != 6 {
		t.Errorf("got %v of %d tasks, want [2 2 5 5] of 6", within, n)
	}
	if got := testing.AllocsPerRun(10, func() { taskErrors(jobs) }); got > 0 {
		t.Errorf("%v allocations, want none", got)
	}
}

package hopper_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
)

// Tasks that read through a pipe are T′ of section 4.1 until their input is finished, also once they may start, and then T.
// Job 1 has 4 tasks and 8 that read them, job 2 has 9, of 60 slots. Slots are in proportion to T·sqrt(α), with α the root of
// T′/T: at first to 4·2^(1/4) and 9. Were the readers T as soon as they are Ready, job 1 would have 36.8 then.
func TestSchedulerPipe(t *testing.T) {
	var c hopper.Config
	c.Epsilon, c.Dampening, c.Rule = 1, 0.5, never{}
	h := newHost(t, 60, setting{Config: c})
	stages := []policy.Stage{{Tasks: 8, Cores: 1, Reads: []policy.Dep{{Stage: 1, Pipe: true}}}, {Tasks: 4, Cores: 1}}
	job := policy.Copy{Task: policy.Task{Job: 1, Stage: 1}}
	h.step(policy.Event{Kind: policy.Submitted, Copy: job, Job: &policy.Job{ID: 1, Stages: stages}}, true)
	h.step(policy.Event{Kind: policy.Ready, Copy: job}, true)
	h.submit(2, []policy.Stage{{Tasks: 9, Cores: 1}}, false)
	want := func(when string, share, tasks, downstream float64) {
		t.Helper()
		e, _ := h.s.Explain(1)
		if math.Abs(e.Share-share) > 0.05 || e.Tasks != tasks || e.Downstream != downstream {
			t.Errorf("%s: the share is %.2f, of T %v and T′ %v, want %v, %v and %v", when, e.Share, e.Tasks, e.Downstream, share, tasks, downstream)
		}
	}
	want("at first", 20.7, 4, 8)
	for job.Index = range uint32(4) {
		h.copy(policy.Started, job, 0, true)
	}
	h.step(policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: 1}}}, false)
	want("once the readers are Ready", 20.7, 4, 8)
	for i, share := range []float64{17.9, 14.3, 9.4, 28.2} { // T·sqrt(α) is 3·(8/3)^(1/4), 2·4^(1/4), 8^(1/4), and 8
		job.Index = uint32(i)
		h.copy(policy.Finished, job, time.Second, false)
		tasks, downstream := float64(3-i), 8.0
		if i == 3 {
			tasks, downstream = 8, 0
		}
		want(fmt.Sprintf("after %d tasks", i+1), share, tasks, downstream)
	}

	// After a restart stages may come before those that they read. Left are 5 tasks of stage 0, 5 of 1 and 7 of 4.
	h = newHost(t, 60, setting{Config: c})
	pipe := func(stage uint32) []policy.Dep { return []policy.Dep{{Stage: stage, Pipe: true}} }
	stages = []policy.Stage{{Tasks: 5, Cores: 1}, {Tasks: 8, Cores: 1, Reads: pipe(3)}, {Tasks: 6, Cores: 1, Reads: pipe(3)}, {Tasks: 4, Cores: 1}, {Tasks: 7, Cores: 1, Reads: pipe(2)}}
	h.step(policy.Event{Kind: policy.Submitted, Copy: job, Job: &policy.Job{ID: 1, Stages: stages}, Replay: true}, true)
	for stage, finished := range []uint32{0, 3, 6, 4, 0} {
		c := policy.Copy{Task: policy.Task{Job: 1, Stage: uint32(stage)}}
		h.step(policy.Event{Kind: policy.Ready, Copy: c, Replay: true}, true)
		for c.Index = range finished {
			h.step(policy.Event{Kind: policy.Finished, Copy: c, Replay: true}, true)
		}
	}
	h.step(policy.Event{Kind: policy.Restored, Replay: true}, false)
	want("after a restart", 60, 17, 0)
}

// A stage that reads two through pipes counts once in T′, until both are finished.
func TestSchedulerTwoPipes(t *testing.T) {
	h := newHost(t, 60, setting{Config: hopper.Config{}})
	read := []policy.Dep{{Stage: 1, Pipe: true}, {Stage: 2, Pipe: true}}
	h.submit(1, []policy.Stage{{Tasks: 8, Cores: 1, Reads: read}, {Tasks: 1, Cores: 1}, {Tasks: 4, Cores: 1}}, false)
	for i, want := range []float64{5, 4, 3, 2, 1, 8} {
		e, _ := h.s.Explain(1)
		downstream := 8.0
		if i == 5 {
			downstream = 0
		}
		if e.Tasks != want || e.Downstream != downstream {
			t.Errorf("after %d tasks: T is %v and T′ %v, want %v and %v", i, e.Tasks, e.Downstream, want, downstream)
		}
		c := policy.Copy{Task: policy.Task{Job: 1, Stage: 1}}
		if i > 0 {
			c.Task = policy.Task{Job: 1, Stage: 2, Index: uint32(i - 1)}
		}
		if i < 5 {
			h.copy(policy.Started, c, 0, true)
			h.copy(policy.Finished, c, time.Second, false)
		}
	}
}

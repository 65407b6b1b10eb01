package slearn_test

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/slearn"
)

// Jobs of two tasks are delayed by their pilots, to three times their own runtime, unless they
// are thin, and so the limit rises.
func ExampleAdaptiveLimit() {
	limits, err := slearn.NewAdaptiveLimit(2, 10)
	if err != nil {
		log.Fatal(err)
	}
	for range 100 {
		limit, normalized := limits.Next(), 1.0
		if 2 >= limit {
			normalized = 3 // it was sampled
		}
		if err := limits.Observe(limit, normalized); err != nil {
			log.Fatal(err)
		}
	}
	for limit := range 5 {
		if score, ok := limits.Score(limit); ok {
			fmt.Printf("limit %d: score ln %.0f\n", limit, math.Exp(score))
		}
	}
	fmt.Println("next:", limits.Next())
	// Output:
	// limit 1: score ln 4
	// limit 2: score ln 4
	// limit 3: score ln 2
	// limit 4: score ln 2
	// next: 3
}

func TestAdaptiveLimitErrors(t *testing.T) {
	for _, test := range []struct {
		want           string
		middle, window int
	}{
		{"middle of the thin limits is 1, want 2 to", 1, 0},
		{"middle of the thin limits is -1", -1, 0},
		{"middle of the thin limits is 2147483647", math.MaxInt32, 0},
		{"window of what adapts is 256, want 1 to 255", 3, 256},
	} {
		if _, err := slearn.NewAdaptiveLimit(test.middle, test.window); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want one with %q", err, test.want)
		}
	}
	a := must(slearn.NewAdaptiveLimit(0, 0))
	for _, bad := range []struct {
		limit int
		x     float64
	}{{0, 1}, {6, 1}, {math.MinInt, 1}, {math.MaxInt, 1}, {3, -1}, {3, math.NaN()}, {3, math.Inf(1)}} {
		if err := a.Observe(bad.limit, bad.x); err == nil {
			t.Errorf("Observe(%d, %v) gives no error", bad.limit, bad.x)
		}
		if _, ok := a.Score(bad.limit); ok {
			t.Errorf("limit %d has a score", bad.limit)
		}
	}
}

// The limit in force decides who is thin, and jobs of both kinds give it its score.
func TestSamplingAdaptsItsLimit(t *testing.T) {
	c := slearn.DefaultSampling(rand.NewPCG(1, 2))
	c.AdaptLimit, c.Window, c.Ratio = true, 1, 0.1
	sampling := must(slearn.NewSampling(c))
	for i, test := range []struct {
		tasks, limit int
		jct          policy.Duration // the runtimes of its tasks sum up to 10 s
	}{{2, 3, 40 * s}, {2, 2, 30 * s}, {3, 4, 20 * s}, {4, 5, 50 * s}, {4, 4, 10 * s}} {
		job := &policy.Job{ID: policy.JobID(i + 1), Stages: []policy.Stage{{Tasks: uint32(test.tasks), Cores: 1}}}
		plan, err := sampling.Plan(job, 0)
		if err != nil || plan.Limit != test.limit || plan.Bypass != (test.tasks < test.limit) {
			t.Fatalf("job %d: plan %+v (%v), want limit %d", job.ID, plan, err, test.limit)
		}
		for _, outcome := range []policy.Outcome{policy.Cancelled, policy.Done} {
			sampling.Ended(job, slearn.Record{Outcome: outcome, JCT: test.jct, Runtimes: moments(4, 6), Plan: plan})
		}
		want := math.Log(1 + test.jct.Seconds()/10)
		if got, ok := sampling.AdaptiveLimit().Score(test.limit); math.Abs(got-want) > 1e-12 || !ok {
			t.Errorf("limit %d has score %v (%v), want %v", test.limit, got, ok, want)
		}
	}
}

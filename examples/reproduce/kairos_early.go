package main

import (
	"context"
	"fmt"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/workload"
)

// kairosEarly is Fig. 4 once more, with reduces that have their containers from when all maps
// of their job have begun, and wait there for what these write: Hadoop starts them when a
// twentieth of the maps is done, unless it is told not to, and the paper does not say. A job
// takes as long alone as before, but up to twice the containers.
//
// A reduce that waits leaves its core to others. Kairos holds up to eight containers on the
// four cores of a node, so that its cores go further than those of FIFO and Big-C, which hold
// four: that is shown as nodes of five, six and seven cores for the same eight tasks.
func kairosEarly(ctx context.Context, r *report, w *kairosJobs, beds []*testbed) error {
	policies := []bedPolicy{fifoOnBed, bigCOnBed, kairosOnBed("Kairos")}
	for cores := 5; cores < 8; cores++ {
		more := kairosOnBed(fmt.Sprintf("Kairos, %d cores", cores), func(c *kairos.Config) { c.Central.Queue = 8 - cores })
		more.cores = int32(cores)
		policies = append(policies, more)
	}
	early := each(beds, (*testbed).early)
	var runs [][]completed
	for _, p := range policies {
		done, err := p.run(ctx, early)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		runs = append(runs, done)
	}
	tellCompletion(r, "Fig. 4", w.name+", early reduces", policies, runs, kairosPublished)
	return nil
}

// early returns the jobs with reduces that read their maps through a pipe, and take as much
// longer as the longest of these.
func (b *testbed) early() *testbed {
	e := *b
	e.jobs = each(b.jobs, func(j *workload.Job) *workload.Job {
		c := *j
		c.Stages, c.Runtimes = slices.Clone(j.Stages), slices.Clone(j.Runtimes)
		reads := slices.Clone(j.Stages[1].Reads)
		reads[0].Pipe = true
		c.Stages[1].Reads = reads
		maps := slices.Max(j.Runtimes[0])
		c.Runtimes[1] = each(j.Runtimes[1], func(d policy.Duration) policy.Duration { return maps + d })
		return &c
	})
	return &e
}

package main

import (
	"context"
	"math"

	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

// slearnQueues is Table 7: how many wide jobs are put into the queue of their true work.
func slearnQueues(_ context.Context, r *report, t *slearnTrace, rounds []*round) error {
	paper := map[string][2]float64{"2strace": {89.09, 73.84}, "gtrace11": {86.45, 76.20}, "gtrace19": {73.96, 58.07}}[t.name]
	r.add("Table 7", t.name, "SLearn, wide jobs in the right queue, %", paper[0], each(rounds, func(d *round) float64 { return rightQueue(d.bySLearn, d.execution) }))
	r.add("Table 7", t.name, "3Sigma, wide jobs in the right queue, %", paper[1], each(rounds, func(d *round) float64 { return rightQueue(d.by3Sigma, d.execution) }))
	return nil
}

// rightQueue returns the share of wide jobs, in percent, whose estimate was in the same
// queue as their true work.
func rightQueue(o outcome, jobs []*workload.Job) float64 {
	levels, err := queue.NewMultilevel[struct{}](slearn.DefaultGS(slearn.LAS{}).Queues)
	if err != nil {
		return math.NaN()
	}
	all, right := 0.0, 0.0
	for _, j := range jobs {
		if j.Tasks() < wide {
			continue
		}
		all++
		e := o.records[j.ID]
		said, _ := levels.Level(e.Estimate)
		if is, _ := levels.Level(j.Work()); e.Estimated && said == is {
			right++
		}
	}
	return 100 * right / all
}

package workload

import (
	"math"
	"slices"

	"example.com/augur/policy"
)

// Ideal returns how long the job takes on an idle cluster without end, where it runs best
// and at speed 1: the longest path through its stages. A stage begins when those that it
// reads have ended, or begun if it reads them through a pipe, and ends with its longest
// task, but no earlier than what it reads. So for a bag of tasks, or a gang, it is the
// longest task. The job must be valid.
//
// It takes time linear in tasks and in stages and what they read.
func (j *Job) Ideal() policy.Duration {
	order := []uint32{0}
	if len(j.Stages) > 1 {
		graph, err := j.Graph()
		if err != nil {
			panic("workload: Ideal of a job that is not valid: " + err.Error())
		}
		order = graph.Order()
	}
	begin, end := make([]policy.Duration, len(order)), make([]policy.Duration, len(order))
	for _, i := range order {
		for _, d := range j.Stages[i].Reads {
			if d.Pipe {
				begin[i] = max(begin[i], begin[d.Stage])
				end[i] = max(end[i], end[d.Stage])
			} else {
				begin[i] = max(begin[i], end[d.Stage])
			}
		}
		end[i] = max(end[i], saturated(begin[i], slices.Max(j.Runtimes[i])))
	}
	return slices.Max(end)
}

// saturated adds times, which are at least 0, as far as a Duration reaches.
func saturated(a, b policy.Duration) policy.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

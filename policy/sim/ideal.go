package sim

import (
	"fmt"

	"example.com/augur/policy"
)

// describe fills in the fields of a job's record that are known at the start. The ideal completion time is the
// longest path through its stages: a stage begins when those that it reads have ended, or begun if it reads them
// through a pipe, and ends with its longest task, but no earlier than what it reads.
func (c *centre) describe(j *job) error {
	spec := j.spec
	order := []uint32{0}
	if len(spec.Stages) > 1 {
		graph, err := spec.Graph()
		if err != nil {
			return fmt.Errorf("sim: job %d: %w", spec.ID, err)
		}
		order = graph.Order()
	}
	begin, end := make([]policy.Time, len(order)), make([]policy.Time, len(order)) // since the job began
	ideal, sum, tasks := policy.Time(0), 0.0, 0
	for _, i := range order {
		stage := &spec.Stages[i]
		longest := policy.Duration(0)
		id := policy.Copy{Task: policy.Task{Job: spec.ID, Stage: i}}
		for ; id.Index < stage.Tasks; id.Index++ {
			d, ok := c.truth.Runtime(id)
			if !ok || d < 0 {
				return badTruth(id, d, ok)
			}
			longest = max(longest, d)
			sum += d.Seconds()
		}
		tasks += int(stage.Tasks)
		for _, d := range stage.Reads {
			if d.Pipe {
				begin[i] = max(begin[i], begin[d.Stage])
				end[i] = max(end[i], end[d.Stage])
			} else {
				begin[i] = max(begin[i], end[d.Stage])
			}
		}
		end[i] = max(end[i], begin[i].Add(longest))
		ideal = max(ideal, end[i])
	}
	j.tasks, j.ideal, j.meanTask = tasks, policy.Duration(ideal), span(sum/float64(tasks))
	return nil
}

// conclude adds the record of a job that is over.
func (c *centre) conclude(j *job) {
	r := JobRecord{
		ID: j.id, Outcome: j.outcome,
		Submitted: j.spec.Submitted, FirstStart: j.firstStart, Ended: j.ended,
		Tasks: j.tasks, Ideal: j.ideal, MeanTask: j.meanTask,
		Service: j.service, Wasted: j.service,
		Preemptions: j.preemptions, Stops: j.stops, Reloaded: j.reloaded, Copies: j.copies, SLO: j.spec.SLO,
	}
	if j.outcome == policy.Done {
		r.Wasted = max(0, r.Service-j.services)
	}
	if j.tried > 0 {
		r.MeanWait = span(j.waits / float64(j.tried))
	}
	c.record(&r)
}

package policytest

import (
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// scriptedNodes reads from a script what nodes there are.
func scriptedNodes(in *choices) (nodes []policy.Node) {
	partitions := 1 + in.of(3)
	for i := range 1 + in.of(5) {
		nodes = append(nodes, policy.Node{
			ID: policy.NodeID(i + 1), Partition: policy.PartitionID(1 + i%partitions), Cores: int32(1 + in.of(6)),
			Memory: []int64{0, 8, 3}[in.of(3)], Speed: []float64{1, 0.5, 1.5, 0.1}[in.of(4)],
		})
	}
	return nodes
}

// scriptedJobs reads from a script what jobs will come.
func scriptedJobs(in *choices, now policy.Time) (jobs []*workload.Job) {
	for i := range 1 + in.of(10) {
		user := fmt.Sprintf("user%d", in.of(3))
		j := &workload.Job{Job: policy.Job{
			ID: policy.JobID(1 + i), Submitted: now, Queue: user, Priority: float64(in.of(4) - 1),
			Attrs: []policy.Attr{{Name: "user", Value: user}, {Name: "program", Value: fmt.Sprintf("p%d", in.of(3))}},
		}}
		for k := range []int{1, 1, 1, 2, 3}[in.of(5)] {
			stage, runtimes := scriptedStage(in, k)
			j.Stages = append(j.Stages, stage)
			j.Runtimes = append(j.Runtimes, runtimes)
		}
		switch in.of(6) {
		case 1:
			j.Requested = scriptedTime(in)
		case 2:
			j.SLO = &policy.SLO{Deadline: now.Add(scriptedTime(in)), Utility: float64(in.of(3))}
		case 3:
			if i > 0 {
				j.Inputs = &policy.Inputs{Jobs: []policy.JobID{policy.JobID(1 + in.of(i))}, Wait: !in.one(4)}
			}
		}
		jobs = append(jobs, j)
	}
	return jobs
}

func scriptedStage(in *choices, k int) (policy.Stage, []policy.Duration) {
	stage := policy.Stage{
		Tasks: uint32(1 + in.of(6)), Cores: []int32{1, 1, 1, 2, 3}[in.of(5)], Gang: in.one(5), Memory: []int64{0, 0, 0, 1, 3}[in.of(5)],
	}
	switch in.of(6) {
	case 1:
		stage.Prefer, stage.Elsewhere = []policy.PartitionID{policy.PartitionID(1 + in.of(4))}, 1.5
	case 2:
		for range stage.Tasks {
			stage.Holders = append(stage.Holders, policy.NodeID(1+in.of(6)), policy.NodeID(in.of(7)))
		}
		stage.Elsewhere = 2
	}
	for up := range k {
		if up == k-1 || in.one(2) {
			stage.Reads = append(stage.Reads, policy.Dep{Stage: uint32(up), Pipe: in.one(3)})
		}
	}
	runtimes := make([]policy.Duration, stage.Tasks)
	for i := range runtimes {
		runtimes[i] = scriptedTime(in)
	}
	return stage, runtimes
}

func scriptedTime(in *choices) policy.Duration {
	return []policy.Duration{s, 2 * s, 0, 1, s / 3, 7 * s, 60 * s, 600 * s}[in.of(8)]
}

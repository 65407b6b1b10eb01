package policytest

import (
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// scripted reads a scene from a script: of what nodes and jobs there are, what the network and the host are like, and what
// is planned to go wrong. What is left of the script says, byte by byte, what else does.
func scripted(in *choices) *scene {
	begin := []policy.Time{0, -100e9, 1_700_000_000e9}[in.of(3)]
	sc := &scene{config: sim.Config{
		Nodes: scriptedNodes(in), MaxFailures: 1 + in.of(3),
		Delay:       []policy.Duration{0, 0, s / 100, s, 10 * s}[in.of(5)],
		SuspendCost: []policy.Duration{0, 0, s / 4}[in.of(3)], ResumeCost: []policy.Duration{0, 0, s / 3}[in.of(3)],
	}}
	sc.jobs = scriptedJobs(in, begin)
	f := &sc.config.Faults
	chance := func(p float64) float64 { return p * float64(in.of(3)) / 2 }
	f.TaskFailure, f.TaskEviction = chance(0.2), chance(0.2)
	f.PostLoss, f.PostLate, f.PostEarly, f.PostTwice, f.MeanLate = chance(0.2), chance(0.2), chance(0.2), chance(0.2), s
	f.ActionLate, f.ActionForgotten, f.MeanSlip = chance(0.2), chance(0.2), s
	now := begin
	for range in.of(12) {
		now = now.Add(scriptedTime(in))
		switch in.of(6) {
		case 0, 1, 2:
			f.Outages = append(f.Outages, sim.Outage{Node: policy.NodeID(1 + in.of(len(sc.config.Nodes))), At: now, For: 1 + scriptedTime(in)})
		case 3:
			f.Cancels = append(f.Cancels, sim.Cancel{Job: policy.JobID(1 + in.of(len(sc.jobs))), At: now})
		case 4:
			f.Restarts = append(f.Restarts, now)
		case 5:
			f.Jumps = append(f.Jumps, sim.Jump{At: now, For: scriptedTime(in)})
		}
	}
	drawn := map[float64]float64{}
	f.Luck = func(u float64) float64 {
		v, known := drawn[u]
		if !known {
			v = 1 - 1.0/512 // when the script is over, nothing goes wrong
			if len(in.left) > 0 {
				v = (float64(in.of(256)) + 0.5) / 256
			}
			drawn[u] = v
		}
		return v
	}
	return sc
}

// scriptedShadows are told, amid what the policy is told, events that cannot be, and the second one such as are not true. The
// script says when, and which.
func scriptedShadows(in *choices) (shadows []*shadow) {
	for _, kinds := range [][]forgery{impossible, untrue} {
		wait, blind := in.of(32), len(shadows) > 0
		shadows = append(shadows, &shadow{
			rule: "repeat", says: "two policies, told the same, answer otherwise", blind: blind,
			before: func(sh *shadow, part policy.NodeID, _ *policy.Event) error {
				if wait--; wait >= 0 || len(in.left) == 0 || !sh.world.live() {
					return nil
				}
				wait = in.of(32)
				sh.rule = "illegal"
				if !blind {
					part = 0
				}
				return sh.forge(kinds[in.of(len(kinds))], part)
			},
		})
	}
	return shadows
}

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
		if in.one(2) {
			now = now.Add(scriptedTime(in))
		}
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
	return []policy.Duration{s, 2 * s, 0, 1, s / 3, 7 * s, 20 * s, 60 * s}[in.of(8)]
}

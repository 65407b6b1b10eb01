package jobtest

import "example.com/augur/policy"

// Task names a task.
func Task(job policy.JobID, stage, index uint32) policy.Task {
	return policy.Task{Job: job, Stage: stage, Index: index}
}

// Do returns an action about the n-th copy of a task.
func Do(kind policy.ActionKind, task policy.Task, n uint32) policy.Action {
	return policy.Action{Kind: kind, Copy: policy.Copy{Task: task, N: n}}
}

// Start starts the n-th copy of a task, anywhere.
func Start(task policy.Task, n uint32) policy.Action { return Do(policy.Start, task, n) }

// StartOn starts it on a node.
func StartOn(node policy.NodeID, task policy.Task, n uint32) policy.Action {
	a := Start(task, n)
	a.Node = node
	return a
}

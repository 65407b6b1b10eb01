package kairos

import "testing"

// What nodes and centres promise.
func TestPromises(t *testing.T) {
	t.Run("a Node serves the task with the least service, as Algorithm 1 does", nodeAgainstNaive)
	t.Run("among nodes of the same size, Central does what Algorithm 2 does", centralIsAlgorithm2)
	t.Run("all nodes with as few tasks are equally likely", centralDrawsEvenly)
	t.Run("no node ever holds more than its cores and its queue", neverOverfed)
	t.Run("if all tasks take as long, the adaptive schedule is fair, and nothing is preempted", adaptiveIsFairToEqualTasks)
	t.Run("a suspension lasts at most 1.5 times the service of its task, or the floor, and all of them 2.5 times", adaptiveNodeBounds)
	t.Run("bad use is an error that names the culprit, and the node is as it was", badUseChangesNothing)
	t.Run("Central agrees with a naive one over a network that loses and reorders", centralAgainstNaive)
}

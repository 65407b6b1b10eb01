package wing_test

import "testing"

// What the Scheduler and its rankers promise.
func TestPromises(t *testing.T) {
	t.Run("jobs are admitted in the order of a naive scheduler, with any ranker and whatever fails", admissionIsThatOfTheNaive)
	t.Run("Lookup finds the value of a template, and else that of the user", lookups)
	t.Run("the priority of MIL is at each instant what the definition says, and holds until the instant that it says", milByDefinition)
	t.Run("Raise gives a job at least the priority of those that will read its output", raises)
	t.Run("a gang wider than the maximum of its queue waits until the queue is empty, and then starts", widerThanItsQueue)
	t.Run("priorities that are no numbers, and instants that have passed, do no harm", badRanker)
}

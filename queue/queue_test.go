package queue

import "testing"

// What the queues promise. Each is held to a naive version of it, under operations at random.
func TestPromises(t *testing.T) {
	t.Run("Heap returns the least element, whatever has been changed or removed by its handle", heapAgainstNaive)
	t.Run("Heap compares an element once on each level", callsOfCompare)
	t.Run("Multilevel returns the first element of the lowest level", multilevelAgainstNaive)
	t.Run("Sharing gives the next slot to the member with the least service or use for its weight", sharingAgainstNaive)
	t.Run("Sharing by service starves no member", sharingByServiceStarvesNone)
	t.Run("DRF serves the member with the least dominant share", drfAgainstNaive)
	t.Run("Tree serves the leaf with the least use for its guarantee, from the root down", treeAgainstNaive)
	t.Run("Tree gives each leaf that waits its guarantee", treeKeepsGuarantees)
}

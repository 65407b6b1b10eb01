// Package queue holds the queues that schedulers are made of. It knows nothing of
// jobs or clusters: each type is generic over its element and usable alone.
//
// [Heap] is a priority queue whose elements can be found again: [Heap.Push] returns a
// [Handle], by which the element is later changed or taken out, in logarithmic time.
// Start with [NewHeap].
//
// [Multilevel] is a row of first-in-first-out queues with thresholds between them, through
// which elements move as a key of theirs changes, in constant time.
//
// [Sharing] divides slots among tenants or levels by weights, and [Tree] a capacity among a
// hierarchy of queues. [DRF] divides several resources among tenants.
//
// Nothing here is safe for concurrent use, and nothing allocates once it has grown to
// the number of elements that it holds.
package queue

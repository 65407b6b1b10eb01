// Package queue holds the queues that schedulers are made of. It knows nothing of
// jobs or clusters: each type is generic over its element and usable alone.
//
// [Heap] is a priority queue whose elements can be found again: [Heap.Push] returns a
// [Handle], by which the element is later changed or taken out, in logarithmic time.
// Start with [NewHeap]:
//
//	waiting := queue.NewHeap(func(a, b *Job) int { return cmp.Compare(a.Size, b.Size) })
//	job.handle = waiting.Push(job)
//	...
//	waiting.Fix(job.handle) // its Size has changed
//	next, ok := waiting.Pop()
//
// [Multilevel] is a row of first-in-first-out queues with thresholds between them, through
// which elements move as a key of theirs changes, in constant time.
//
// [Sharing] divides slots among tenants or levels by weights, and [Tree] a capacity among a
// hierarchy of queues. [DRF] divides several resources among tenants.
//
// Nothing here is safe for concurrent use, and nothing allocates once it has grown to
// the number of elements that it holds, but for Add of a Tree.
//
// # Formulae
//
// A Heap yields the least by the caller's order. In a Multilevel with the thresholds
// First·Growth^i, a key is in level 0 if it is below First, and else in the level i with
//
//	First·Growth^(i-1) ≤ key < First·Growth^i
//
// Of those that wait, the next slot goes to the one with the least
//
//	(charged + held)/weight          Sharing by service
//	use/weight                       Sharing by use
//	max over j of use_j/(c_j·w_j)    DRF, over resources with capacity c_j and weight w_j
//	use/guaranteed                   Tree, at each node from the root down
//
// # When not to use it
//
// If nothing is ever changed or taken out but the first, container/heap or a sorted slice
// does, with less memory. If the order changes for all elements at once, as with priorities
// that age, a heap is no help: sort anew. [Multilevel] cannot tell apart what is in one level;
// it is for keys that matter by their magnitude. [Sharing] and [DRF] divide slots among those
// that wait at an instant or over time, and know nothing of deadlines.
//
// # Cost
//
// With n elements, a [Heap] and a [Sharing] take O(log n) time for a change, [DRF] O(m + log
// n) with m resources, [Tree] O(d·log k) at depth d with k siblings; [Multilevel], and every
// question, O(1).
//
// # Source
//
// SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for
// cluster job scheduling", NSDI 2022 (extended version). Each type names what it is from.
// Least measure first, by which [Sharing], [DRF] and [Tree] choose, is what start-time fair
// queueing, dominant resource fairness and the capacity scheduler of YARN have in common.
package queue

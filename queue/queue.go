// Package queue holds the queues that schedulers are made of. It knows nothing of
// jobs or clusters: each type is generic over its element and usable alone.
//
// [Heap] is an indexed priority queue: [Heap.Push] returns a [Handle], by which the element
// can later be changed or removed in logarithmic time. Start with [NewHeap]:
//
//	waiting := queue.NewHeap(func(a, b *Job) int { return cmp.Compare(a.Size, b.Size) })
//	job.handle = waiting.Push(job)
//	...
//	waiting.Fix(job.handle) // its Size has changed
//	next, ok := waiting.Pop()
//
// [Multilevel] is a multilevel queue: FIFO queues with thresholds between them. An element moves
// from level to level as its key changes. [Levels] are its levels alone.
//
// [Sharing] divides slots among tenants or levels by weighted fair queueing. [Tree] divides a
// capacity among a hierarchy of queues. [DRF] divides several resources among tenants.
//
// [Aging] gives keys by size and by age that never change, for heaps and for queues of other programs.
//
// Nothing here is safe for concurrent use. Nothing allocates once it has grown to the number of
// elements that it holds, except Tree.Add.
//
// # Formulae
//
// A Heap returns the least element in the caller's order. A Multilevel has the thresholds
// First·Growth^i: a key is in level 0 if it is below First, and otherwise in the level i with
//
//	First·Growth^(i-1) ≤ key < First·Growth^i
//
// Among the members that wait, the next slot goes to the one with the least
//
//	(charged + held)/weight          Sharing by service
//	use/weight                       Sharing by use
//	max over j of use_j/(c_j·w_j)    DRF, over resources with capacity c_j and weight w_j
//	use/guaranteed                   Tree, at each node from the root down
//
// The key of an Aging is ln(max(size, floor)) + submitted/τ.
//
// # When not to use it
//
// If only the first element is ever removed, container/heap or a sorted slice will do, with less
// memory. If the order of all elements changes at once, sort again: a heap
// does not help. For priorities that age, see whether an [Aging] will do. [Multilevel] does not order the elements of one level;
// it suits keys whose magnitude alone matters. [Sharing] and [DRF] know nothing of deadlines.
//
// # Cost
//
// A change takes O(log n) time in a [Heap], a [Multilevel] and a [Sharing] of n elements, O(m + log n) in a [DRF]
// with m resources, and O(d·log k) in a [Tree] at depth d with k siblings.
// Every query takes O(1).
//
// # Source
//
// SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for
// cluster job scheduling", NSDI 2022 (extended version). Each type names what it is from.
// [Sharing], [DRF] and [Tree] choose the least measure first, as start-time fair
// queueing, dominant resource fairness and the capacity scheduler of YARN do.
package queue

package main

import (
	"cmp"
	"runtime"
	"sync"
	"weak"

	v1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// A queueOrder is the order in which pods wait to be scheduled:
//
//  1. the greater PodPriority first, as in kube-scheduler without it;
//  2. then the lesser cost;
//  3. then what came to the queue earlier, as in kube-scheduler without it;
//  4. then the lesser UID.
//
// # A cost is asked for once
//
// Kube-scheduler keeps its queue in heaps. A heap whose elements change their order while they
// are in it is no heap any more: pods would come out of turn, or wait behind what they should
// pass. What a predictor says of a pod changes whenever another one finishes. So the cost of a
// pod is asked for when it is first compared, and kept for as long as the scheduler keeps its
// entry of the queue: while the pod waits, while it is tried and put back for want of room, and
// also when its labels change. With the costs fixed, 1 to 4 are a strict total order.
//
// The costs are held by weak pointers to the entries, and go when these do. So nothing has to
// tell when a pod is bound or deleted, and no cost is forgotten while its pod is in a heap, as
// might happen where the queue and the plug-in hear of a deletion one after the other.
//
// Less may be called by any number of goroutines at once: the scheduler has several heaps,
// each with a lock of its own.
type queueOrder struct {
	cost  func(*v1.Pod) float64 // not NaN; called by any number of goroutines at once
	costs sync.Map              // float64 by entry
}

// An entry is what the costs are held by.
type entry = weak.Pointer[framework.QueuedPodInfo]

// Less reports whether a pod goes before another one.
func (o *queueOrder) Less(a, b fwk.QueuedPodInfo) bool {
	p, q := a.GetPodInfo().GetPod(), b.GetPodInfo().GetPod()
	return cmp.Or(
		cmp.Compare(corev1helpers.PodPriority(q), corev1helpers.PodPriority(p)),
		cmp.Compare(o.of(a), o.of(b)),
		a.GetTimestamp().Compare(b.GetTimestamp()),
		cmp.Compare(p.UID, q.UID),
	) < 0
}

// of returns the cost of a pod.
func (o *queueOrder) of(info fwk.QueuedPodInfo) float64 {
	q := info.(*framework.QueuedPodInfo) // the scheduler has no other
	key := weak.Make(q)
	if c, ok := o.costs.Load(key); ok {
		return c.(float64)
	}
	c, others := o.costs.LoadOrStore(key, o.cost(q.Pod))
	if !others {
		runtime.AddCleanup(q, func(key entry) { o.costs.Delete(key) }, key)
	}
	return c.(float64)
}

package main

import (
	"context"
	"fmt"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"

	"example.com/augur/examples/internal/boost"
)

// A controller writes boosts on the workloads that wait.
type controller struct {
	client     dynamic.Interface
	booster    *boost.Booster
	key, value string // the label of LocalQueues that take part

	workloads, localQueues, clusterQueues, classes cache.Indexer

	// What is to be looked at: the keys of workloads, and "" for all queues and classes.
	queue workqueue.TypedRateLimitingInterface[string]

	said map[string]string // the last Event of each LocalQueue; only survey uses it, which runs once at a time

	mu     sync.Mutex
	inUse  map[int32]bool              // base priorities of the workloads and classes that there are; see survey
	allows map[string]bool             // the LocalQueues whose workloads are boosted; see survey
	wrote  map[types.UID]boost.Written // on workloads of which the store does not show it yet
}

// watch returns a controller that has learned from all workloads that have finished, and learns from others until ctx is done. What
// they take of the scarce resource counts.
func watch(ctx context.Context, client dynamic.Interface, booster *boost.Booster, key, value, scarce string) (*controller, error) {
	c := &controller{
		client: client, booster: booster, key: key, value: value,
		queue: workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
		inUse: make(map[int32]bool), allows: make(map[string]bool), said: make(map[string]string),
		wrote: make(map[types.UID]boost.Written),
	}
	factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 0)
	again := func(any) { c.queue.Add("") }
	var synced []cache.InformerSynced
	for _, of := range []struct {
		resource string
		trim     cache.TransformFunc
		store    *cache.Indexer
		handler  cache.ResourceEventHandler
	}{
		{"localqueues", trim[localQueue], &c.localQueues, cache.ResourceEventHandlerFuncs{AddFunc: again, UpdateFunc: c.queueChanged, DeleteFunc: again}},
		{"clusterqueues", trim[clusterQueue], &c.clusterQueues, cache.ResourceEventHandlerFuncs{AddFunc: again, UpdateFunc: c.queueChanged, DeleteFunc: again}},
		{"workloadpriorityclasses", trim[priorityClass], &c.classes, cache.ResourceEventHandlerFuncs{
			AddFunc:    func(obj any) { c.uses(obj.(*priorityClass).Value) },
			UpdateFunc: func(_, obj any) { c.uses(obj.(*priorityClass).Value) },
		}},
		{"workloads", func(obj any) (any, error) { return trimWorkload(obj, scarce) }, &c.workloads, cache.ResourceEventHandlerDetailedFuncs{
			AddFunc:    func(obj any, initial bool) { c.see(obj.(*workload), !initial) },
			UpdateFunc: func(_, obj any) { c.see(obj.(*workload), true) },
			DeleteFunc: func(obj any) {
				if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
					obj = gone.Obj
				}
				c.forget(obj.(*workload))
			},
		}},
	} {
		informer := factory.ForResource(kueue(of.resource)).Informer()
		*of.store = informer.GetIndexer()
		if err := informer.SetTransform(of.trim); err != nil {
			return nil, err
		}
		handler, err := informer.AddEventHandler(of.handler)
		if err != nil {
			return nil, err
		}
		synced = append(synced, handler.HasSynced)
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), synced...) {
		return nil, fmt.Errorf("the objects of Kueue: %w", context.Cause(ctx))
	}
	// The first come in no order, which would tell the predictor wrongly which of them are recent. So they are learned together.
	var runs []boost.Run
	for _, obj := range c.workloads.List() {
		if w := obj.(*workload); w.run != nil {
			runs = append(runs, *w.run)
		}
	}
	c.learn(runs...)
	klog.FromContext(ctx).Info("Learned from workloads that have finished", "workloads", len(runs))
	return c, nil
}

// uses notes that a base priority is in use, and looks at all workloads again if it is new, as there may be less room below it.
func (c *controller) uses(priority int32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.inUse[priority] {
		c.inUse[priority] = true
		c.queue.Add("")
	}
}

// see looks at a workload that is new or has changed.
func (c *controller) see(w *workload, learn bool) {
	c.uses(w.Priority)
	if learn && w.run != nil {
		c.learn(*w.run)
	}
	if w.pending {
		c.queue.Add(keyOf(w))
	}
}

func (c *controller) forget(w *workload) {
	c.booster.Forget(string(w.UID))
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.wrote, w.UID)
}

func (c *controller) learn(runs ...boost.Run) {
	if err := c.booster.Learn(runs); err != nil {
		klog.Background().Error(err, "Not learned from a workload")
	}
}

// queueChanged looks at all queues again if more than the status of one has changed.
func (c *controller) queueChanged(old, obj any) {
	was, is := old.(metav1.Object), obj.(metav1.Object)
	if was.GetGeneration() != is.GetGeneration() || was.GetLabels()[c.key] != is.GetLabels()[c.key] {
		c.queue.Add("")
	}
}

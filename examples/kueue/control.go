package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"

	"example.com/augur/examples/internal/boost"
)

// lead writes boosts until ctx is done.
func (c *controller) lead(ctx context.Context) {
	log := klog.FromContext(ctx)
	log.Info("This replica writes")
	c.survey(ctx) // before any workload is looked at
	go func() {   // for the epochs
		tick := time.NewTicker(time.Minute)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				c.queue.Add("")
			}
		}
	}()
	for range 4 {
		go func() {
			for {
				key, shut := c.queue.Get()
				if shut || ctx.Err() != nil {
					return
				}
				err := c.reconcile(ctx, key)
				c.queue.Done(key)
				switch {
				case err == nil, apierrors.IsNotFound(err):
					c.queue.Forget(key)
				default:
					log.Error(err, "Will try again", "workload", key)
					c.queue.AddRateLimited(key)
				}
			}
		}()
	}
}

// reconcile looks at all queues, or at the workload of a key, and writes its boost if it has another one.
func (c *controller) reconcile(ctx context.Context, key string) error {
	if key == "" {
		c.survey(ctx)
		return nil
	}
	obj, exists, err := c.workloads.GetByKey(key)
	if err != nil || !exists {
		return err
	}
	w := obj.(*workload)
	if !w.pending {
		return nil
	}
	is, room := w.Workload, int32(0)
	c.mu.Lock()
	if c.allows[w.GetNamespace()+"/"+w.Queue] {
		room = boost.Room(w.Priority, slices.Collect(maps.Keys(c.inUse)))
	}
	if wrote, ok := c.wrote[w.UID]; ok && wrote == is.Written {
		delete(c.wrote, w.UID)
	} else if ok {
		is.Written = wrote
	}
	c.mu.Unlock()
	want := c.booster.Decide(is, room, time.Now())
	if want == is.Written {
		return nil
	}
	klog.FromContext(ctx).V(1).Info("Boost", "workload", key, "boost", want.Boost, "seconds", want.Seconds)
	if err := write(ctx, c.client, w, want); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrote[w.UID] = want
	return nil
}

// survey finds out the workloads of which LocalQueues are boosted, says so in Events where that changes, and has all workloads that
// wait looked at again.
func (c *controller) survey(ctx context.Context) {
	var labelled []*localQueue
	unlabelled := make(map[string][]string) // by ClusterQueue
	for _, obj := range c.localQueues.List() {
		q := obj.(*localQueue)
		if q.Labels[c.key] == c.value {
			labelled = append(labelled, q)
		} else {
			unlabelled[q.Spec.ClusterQueue] = append(unlabelled[q.Spec.ClusterQueue], keyOf(q))
		}
	}
	cohort, fair := make(map[string]string), make(map[string]bool) // by ClusterQueue
	members := make(map[string][]boost.ClusterQueue)               // by cohort
	for _, obj := range c.clusterQueues.List() {
		q := obj.(*clusterQueue)
		cohort[q.Name] = cmp.Or(q.Spec.CohortName, "/"+q.Name)
		fair[q.Name] = q.Spec.AdmissionScope.AdmissionMode == "UsageBasedAdmissionFairSharing"
		p := q.Spec.Preemption
		members[cohort[q.Name]] = append(members[cohort[q.Name]], boost.ClusterQueue{
			Name: q.Name, Within: p.WithinClusterQueue, Reclaim: p.ReclaimWithinCohort, Borrow: p.BorrowWithinCohort.Policy,
			Unlabelled: unlabelled[q.Name],
		})
	}
	allows := make(map[string]bool)
	for _, q := range labelled {
		of := q.Spec.ClusterQueue
		why, message := boost.Refuse(members[cohort[of]]), ""
		switch {
		case cohort[of] == "":
			continue // there is no such ClusterQueue yet
		case why != "":
			message = "Workloads are not boosted: " + why
		case fair[of]:
			message = "Workloads are boosted; Admission Fair Sharing of ClusterQueue " + of + " comes first, so boosts order the workloads of one LocalQueue"
		default:
			message = "Workloads are boosted"
		}
		allows[keyOf(q)] = why == ""
		c.say(ctx, q, message, why != "")
	}
	var waits []*workload
	inUse := make(map[int32]bool)
	for _, obj := range c.workloads.List() {
		w := obj.(*workload)
		inUse[w.Priority] = true
		if w.pending {
			waits = append(waits, w)
		}
	}
	for _, obj := range c.classes.List() {
		inUse[obj.(*priorityClass).Value] = true
	}
	c.mu.Lock()
	c.allows, c.inUse = allows, inUse // what came meanwhile is in the next survey, which uses has asked for
	c.mu.Unlock()
	// Boosts grow when an epoch ends. Those that go first are written first, so that others do not pass them meanwhile.
	slices.SortFunc(waits, func(a, b *workload) int { return cmp.Compare(b.Written.Boost, a.Written.Boost) })
	for _, w := range waits {
		c.queue.Add(keyOf(w))
	}
}

// say writes an Event about a LocalQueue, unless it was the last one.
func (c *controller) say(ctx context.Context, q *localQueue, message string, warn bool) {
	if c.said[keyOf(q)] == message {
		return
	}
	kind, reason := "Normal", "Boosted"
	if warn {
		kind, reason = "Warning", "NotBoosted"
	}
	now := time.Now()
	event := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Event", "type": kind, "reason": reason, "message": message,
		"metadata": map[string]any{"name": fmt.Sprintf("%s.%x", q.Name, now.UnixNano()), "namespace": q.Namespace},
		"involvedObject": map[string]any{
			"apiVersion": kueue("").GroupVersion().String(), "kind": "LocalQueue", "namespace": q.Namespace, "name": q.Name, "uid": string(q.UID),
		},
		"source":         map[string]any{"component": "augur"},
		"firstTimestamp": now.UTC().Format(time.RFC3339), "lastTimestamp": now.UTC().Format(time.RFC3339), "count": int64(1),
	}}
	log := klog.FromContext(ctx).WithValues("localQueue", keyOf(q))
	log.Info(message)
	events := schema.GroupVersionResource{Version: "v1", Resource: "events"}
	if _, err := c.client.Resource(events).Namespace(q.Namespace).Create(ctx, event, metav1.CreateOptions{}); err != nil {
		log.Error(err, "Cannot tell it in an Event")
		return
	}
	c.said[keyOf(q)] = message
}

// keyOf is what the stores call an object.
func keyOf(o metav1.Object) string { return o.GetNamespace() + "/" + o.GetName() }

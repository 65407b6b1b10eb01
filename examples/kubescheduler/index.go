package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	batch "k8s.io/client-go/listers/batch/v1"
	"k8s.io/client-go/tools/events"
	helpers "k8s.io/component-helpers/resource"
	fwk "k8s.io/kube-scheduler/framework"

	"example.com/augur/predict"
	"example.com/augur/queue"
)

// indexName is the name of index in a configuration.
const indexName = "Index"

// index is the QueueSort plug-in that orders pods by the remaining work of their Jobs per worth. The rank of a pod is
//
//	mean runtime · cores · pods of its Job that have not succeeded / worth
//
// in core-seconds. The mean is that of the past pods like it, see [history]. A pod that is no Job's counts as a Job of one. This is
// the Gittins index of a Job that is not stopped, and Smith's rule: see package policy/gittins. Pods do not wait for ever, since the
// rank ages, see [queue.Aging]: with ranks between [least] and [most], no pod goes before one that was created maxWait earlier.
type index struct {
	queueOrder
	history  *history
	keeper   keeper // nil if snapshots are not kept
	jobs     batch.JobLister
	resource v1.ResourceName
	worth    func(*v1.Pod) float64 // at least 0
	aging    queue.Aging
	events   events.EventRecorder
}

// The least and the greatest rank, in core-seconds. Ranks are clamped to them.
const least, most = 1e-2, 1e8

// indexArgs are the arguments of index. All may be left out.
type indexArgs struct {
	// Features are those of predict.Config, made of the attributes of a subject. The default is defaultFeatures. "*" is always one,
	// so that a pod like which none has been seen counts as the average of all pods.
	Features []string `json:"features"`
	// HalfLife and Values are those of predict.Config: in which time what was seen loses half its weight (never, by default), and
	// how many values of features are kept (100,000).
	HalfLife metav1.Duration `json:"halfLife"`
	Values   int             `json:"values"`
	// Snapshot is where the history is kept: file:PATH or configmap:NAMESPACE/NAME; "" means that it begins anew with the process.
	Snapshot string `json:"snapshot"`
	// SaveEvery is how often it is saved, if there is something new; 0 means every ten minutes. What ended since is seen again at
	// the next start, if the API server still has it.
	SaveEvery metav1.Duration `json:"saveEvery"`
	// MaxWait: no pod goes before one of the same priority that was created so much earlier; 0 means a day.
	MaxWait metav1.Duration `json:"maxWait"`
	// Resource is the scarce resource, such as nvidia.com/gpu; "" means cpu. A rank counts how much of it a pod requests. Memory
	// is refused, since a rank would count its bytes.
	Resource v1.ResourceName `json:"resource"`
	// Worth is what Jobs are worth; without it all are worth the same.
	Worth *worthArgs `json:"worth"`
}

// newIndex returns the plug-in when it has learned from the pods that have finished by now. It goes on learning until ctx is done.
func newIndex(ctx context.Context, obj runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
	args := indexArgs{Resource: v1.ResourceCPU}
	if err := decode(obj, &args); err != nil {
		return nil, err
	}
	if len(args.Features) == 0 {
		args.Features = slices.Clone(defaultFeatures)
	}
	if !slices.Contains(args.Features, predict.All) {
		args.Features = append(args.Features, predict.All)
	}
	if err := checkFeatures(args.Features); err != nil {
		return nil, err
	}
	every, err := positive("saveEvery", args.SaveEvery, 10*time.Minute)
	if err != nil {
		return nil, err
	}
	wait, err := positive("maxWait", args.MaxWait, 24*time.Hour)
	if err != nil {
		return nil, err
	}
	if args.Resource == v1.ResourceMemory || args.Resource == v1.ResourceEphemeralStorage {
		return nil, fmt.Errorf("resource is %s, which is counted in bytes, want cpu or one that is counted in devices", args.Resource)
	}
	x := &index{resource: args.Resource, worth: func(*v1.Pod) float64 { return 1 }, events: handle.EventRecorder()}
	x.cost = x.key
	if x.aging, err = queue.NewAging(max(1, time.Duration(float64(wait)/math.Log(most/least))), least); err != nil {
		return nil, err
	}
	if args.Worth != nil {
		if x.worth, err = newWorth(ctx, *args.Worth); err != nil {
			return nil, fmt.Errorf("worth: %w", err)
		}
	}
	if x.history, err = newHistory(predict.Config{Features: args.Features, HalfLife: args.HalfLife.Duration, Values: args.Values}); err != nil {
		return nil, err
	}
	if x.keeper, err = keeperOf(args.Snapshot, handle.ClientSet()); err != nil {
		return nil, err
	}
	if x.keeper != nil {
		if err := restore(ctx, x.history, x.keeper); err != nil {
			return nil, err
		}
	}
	if x.jobs, err = watchJobs(ctx, handle.ClientSet()); err != nil {
		return nil, err
	}
	if err := observe(ctx, handle.ClientSet(), x.history); err != nil {
		return nil, err
	}
	if x.keeper != nil {
		go keep(ctx, x.history, x.keeper, every)
	}
	return x, nil
}

// positive returns an argument, or its default.
func positive(name string, d metav1.Duration, otherwise time.Duration) (time.Duration, error) {
	switch {
	case d.Duration < 0:
		return 0, fmt.Errorf("%s is %v, want 0 or more", name, d.Duration)
	case d.Duration == 0:
		return otherwise, nil
	}
	return d.Duration, nil
}

// Name returns indexName.
func (*index) Name() string { return indexName }

// key returns by what a pod is ordered, the least first.
func (x *index) key(p *v1.Pod) float64 {
	seconds, feature := x.history.predict(p)
	predicted.WithLabelValues(feature).Inc()
	requests := helpers.PodRequests(p, helpers.PodResourcesOptions{})[x.resource]
	// A tenth is what kube-scheduler takes a pod to need that requests no CPU.
	rank := seconds * max(requests.AsApproximateFloat64(), 0.1) * float64(x.left(p)) / x.worth(p)
	return x.aging.Key(min(rank, most), p.CreationTimestamp.Sub(time.Unix(0, 0)))
}

// PostBind writes an Event with the prediction for a pod, if a profile enables Index at postBind: it is a write to the API
// server for each pod.
func (x *index) PostBind(_ context.Context, _ fwk.CycleState, p *v1.Pod, _ string) {
	seconds, feature := x.history.predict(p)
	x.events.Eventf(p, nil, v1.EventTypeNormal, "Predicted", "Scheduling", "It will run %.4g s by the pods with its %s. Its Job has %d pods left, and is worth %.4g.",
		seconds, feature, x.left(p), x.worth(p))
}

// left returns how many pods of a pod's Job have not succeeded, with the pod itself.
func (x *index) left(p *v1.Pod) int32 {
	c := metav1.GetControllerOf(p)
	if c == nil || c.Kind != "Job" {
		return 1
	}
	j, err := x.jobs.Jobs(p.Namespace).Get(c.Name)
	if err != nil || j.UID != c.UID {
		return 1
	}
	pods := j.Spec.Completions
	if pods == nil { // they take their work from a queue, and end together
		pods = j.Spec.Parallelism
	}
	if pods == nil {
		return 1
	}
	return max(*pods-j.Status.Succeeded, 1)
}

// Close saves the history. Kube-scheduler calls it when it ends, but does not wait for it if it was the leader: the process may
// end before.
func (x *index) Close() error {
	if x.keeper == nil {
		return nil
	}
	return saveNow(context.Background(), x.history, x.keeper)
}

var (
	_ fwk.QueueSortPlugin = (*index)(nil)
	_ fwk.PostBindPlugin  = (*index)(nil)
)

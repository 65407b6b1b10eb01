package main

import (
	"context"
	"fmt"
	"sync"

	batch "k8s.io/api/batch/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/informers"
	clientset "k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/batch/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// observe lets a history learn from the pods that have succeeded, and then, until ctx is done,
// from each that does. It returns when those that had succeeded before are learned.
//
// It has an informer of its own, since that of kube-scheduler asks for pods that have not
// finished, and does not say how those ended that drop out. It holds what [trim] leaves of each pod
// for as long as the API server has it.
func observe(ctx context.Context, client clientset.Interface, h *history) error {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0,
		informers.WithTweakListOptions(func(o *metav1.ListOptions) {
			o.FieldSelector = fields.OneTermEqualSelector("status.phase", string(v1.PodSucceeded)).String()
		}),
		informers.WithTransform(trim))

	// The first pods come in no order, which would tell the predictor wrongly which of them are
	// recent. So they are gathered, and learned together.
	var (
		mu    sync.Mutex
		first []*v1.Pod
	)
	learn := func(pods ...*v1.Pod) {
		mu.Lock()
		defer mu.Unlock()
		if err := h.learn(append(first, pods...)); err != nil {
			klog.FromContext(ctx).Error(err, "Not learned from a pod")
		}
		first = nil
	}
	handler, err := factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(obj any, initial bool) {
			if !initial {
				learn(obj.(*v1.Pod))
				return
			}
			mu.Lock()
			defer mu.Unlock()
			first = append(first, obj.(*v1.Pod))
		},
		// Pods are changed after they have succeeded too, when their Job takes its finalizer away, and
		// are learned from once. What is another pod of the same name has taken the place of one whose
		// deletion was missed. What had not succeeded before can only come from an API server that does
		// not heed the selector, as the fake one.
		UpdateFunc: func(old, obj any) {
			was, is := old.(*v1.Pod), obj.(*v1.Pod)
			if was.UID != is.UID || was.Status.Phase != v1.PodSucceeded {
				learn(is)
			}
		},
	})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), handler.HasSynced) {
		return fmt.Errorf("pods that have succeeded: %w", context.Cause(ctx))
	}
	learn()
	return nil
}

// watchJobs returns the Jobs that there are, as they are until ctx is done. Of each it holds what says how many of its pods are left.
func watchJobs(ctx context.Context, client clientset.Interface) (listers.JobLister, error) {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTransform(func(obj any) (any, error) {
		j, ok := obj.(*batch.Job)
		if !ok {
			return obj, nil
		}
		return &batch.Job{
			ObjectMeta: metav1.ObjectMeta{Namespace: j.Namespace, Name: j.Name, UID: j.UID, ResourceVersion: j.ResourceVersion},
			Spec:       batch.JobSpec{Completions: j.Spec.Completions, Parallelism: j.Spec.Parallelism},
			Status:     batch.JobStatus{Succeeded: j.Status.Succeeded},
		}, nil
	}))
	jobs := factory.Batch().V1().Jobs()
	synced := jobs.Informer().HasSynced
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), synced) {
		return nil, fmt.Errorf("jobs: %w", context.Cause(ctx))
	}
	return jobs.Lister(), nil
}

// trim leaves of a pod what a history looks at.
func trim(obj any) (any, error) {
	p, ok := obj.(*v1.Pod)
	if !ok {
		return obj, nil // that one was deleted is told otherwise
	}
	small := &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: p.Namespace, Name: p.Name, GenerateName: p.GenerateName, UID: p.UID,
			ResourceVersion: p.ResourceVersion, Labels: p.Labels, Annotations: p.Annotations, OwnerReferences: p.OwnerReferences,
		},
		Status: v1.PodStatus{
			Phase:                 p.Status.Phase,
			InitContainerStatuses: p.Status.InitContainerStatuses,
			ContainerStatuses:     p.Status.ContainerStatuses,
		},
	}
	small.Spec.NodeName, small.Spec.Overhead, small.Spec.Resources = p.Spec.NodeName, p.Spec.Overhead, p.Spec.Resources
	for _, c := range p.Spec.Containers {
		small.Spec.Containers = append(small.Spec.Containers, v1.Container{Name: c.Name, Image: c.Image, Resources: requests(&c)})
	}
	for _, c := range p.Spec.InitContainers {
		small.Spec.InitContainers = append(small.Spec.InitContainers, v1.Container{Name: c.Name, RestartPolicy: c.RestartPolicy, Resources: requests(&c)})
	}
	return small, nil
}

// requests leaves of what a container may use what it requests.
func requests(c *v1.Container) v1.ResourceRequirements {
	return v1.ResourceRequirements{Requests: c.Resources.Requests}
}

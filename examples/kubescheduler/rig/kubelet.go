package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controller/job"
)

const (
	secondsKey = "rig/seconds" // annotation of a pod with the seconds for which it runs; 1 without it
	pastNode   = "past"        // node of the pods that a load writes as ones that have ended
)

// nodes makes the nodes of a cluster, calls up, and runs the nodes and the Job controller until ctx is done.
func nodes(ctx context.Context, client kubernetes.Interface, p *plane, up func() error) error {
	for i := range p.nodes {
		if err := addNode(ctx, client, fmt.Sprintf("n%03d", i), p); err != nil {
			return err
		}
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	pods, alpha := factory.Core().V1().Pods(), factory.Scheduling().V1alpha2()
	jobs, err := job.NewController(ctx, client, pods, factory.Batch().V1().Jobs(), alpha.Workloads(), alpha.PodGroups())
	if err != nil {
		return err
	}
	var started sync.Map // UIDs
	see := func(obj any) {
		p := obj.(*v1.Pod)
		if p.Spec.NodeName == "" || p.Spec.NodeName == pastNode || p.Status.Phase == v1.PodSucceeded {
			return
		}
		if p.DeletionTimestamp != nil {
			go remove(ctx, client, p)
		} else if _, old := started.LoadOrStore(p.UID, true); !old {
			go runPod(ctx, client, p)
		}
	}
	pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: see, UpdateFunc: func(_, obj any) { see(obj) }})
	// The pods of a node that is deleted go too. In a cluster the garbage collector of pods deletes them after a minute.
	factory.Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		node, _ := cache.DeletionHandlingMetaNamespaceKeyFunc(obj)
		all, _ := pods.Lister().List(labels.Everything())
		for _, p := range all {
			if p.Spec.NodeName == node && p.Status.Phase != v1.PodSucceeded {
				go remove(ctx, client, p)
			}
		}
	}})
	factory.Start(ctx.Done())
	if err := up(); err != nil {
		return err
	}
	jobs.Run(ctx, 5)
	return context.Cause(ctx)
}

func addNode(ctx context.Context, client kubernetes.Interface, name string, p *plane) error {
	has := v1.ResourceList{
		v1.ResourceCPU:    *resource.NewQuantity(int64(p.cores), resource.DecimalSI),
		v1.ResourceMemory: resource.MustParse("64Gi"),
		v1.ResourcePods:   resource.MustParse("110"),
	}
	if p.gpus > 0 {
		has["nvidia.com/gpu"] = *resource.NewQuantity(int64(p.gpus), resource.DecimalSI)
	}
	node, err := client.CoreV1().Nodes().Create(ctx, &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{v1.LabelHostname: name}}}, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	if err != nil {
		return err
	}
	node.Spec.Taints = nil // that it is not ready
	if node, err = client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{}); err != nil {
		return err
	}
	node.Status = v1.NodeStatus{Capacity: has, Allocatable: has, Conditions: []v1.NodeCondition{{Type: v1.NodeReady, Status: v1.ConditionTrue}}}
	_, err = client.CoreV1().Nodes().UpdateStatus(ctx, node, metav1.UpdateOptions{})
	return err
}

// runPod runs a pod that is bound.
func runPod(ctx context.Context, client kubernetes.Interface, p *v1.Pod) {
	seconds, err := strconv.ParseFloat(p.Annotations[secondsKey], 64)
	if err != nil {
		seconds = 1
	}
	begin := time.Now()
	report(ctx, client, p, v1.PodRunning, begin)
	if sleep(ctx, time.Until(begin.Add(time.Duration(seconds*float64(time.Second))))) == nil {
		report(ctx, client, p, v1.PodSucceeded, begin)
	}
}

// report writes the status of a pod that began to run at begin and, if phase is Succeeded, ends now.
func report(ctx context.Context, client kubernetes.Interface, p *v1.Pod, phase v1.PodPhase, begin time.Time) error {
	start, ready := metav1.NewTime(begin), v1.ConditionTrue
	s := v1.PodStatus{Phase: phase, StartTime: &start, PodIP: "10.1.1.1"}
	for _, c := range p.Spec.Containers {
		state := v1.ContainerState{Running: &v1.ContainerStateRunning{StartedAt: start}}
		if phase == v1.PodSucceeded {
			ready = v1.ConditionFalse
			state = v1.ContainerState{Terminated: &v1.ContainerStateTerminated{StartedAt: start, FinishedAt: metav1.Now(), Reason: "Completed"}}
		}
		s.ContainerStatuses = append(s.ContainerStatuses, v1.ContainerStatus{Name: c.Name, Image: c.Image, State: state, Ready: phase == v1.PodRunning})
	}
	s.Conditions = []v1.PodCondition{{Type: v1.PodReady, Status: ready}}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": p.UID}, "status": s})
	if err != nil {
		return err
	}
	return insist(ctx, func() error {
		_, err := client.CoreV1().Pods(p.Namespace).Patch(ctx, p.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
		return err
	})
}

// remove deletes a pod at once, as a kubelet does when its containers have ended.
func remove(ctx context.Context, client kubernetes.Interface, p *v1.Pod) {
	insist(ctx, func() error {
		return client.CoreV1().Pods(p.Namespace).Delete(ctx, p.Name, metav1.DeleteOptions{GracePeriodSeconds: new(int64), Preconditions: &metav1.Preconditions{UID: &p.UID}})
	})
}

// insist calls the API server until it is there and answers. An answer is also that the object is not there, is there
// already, or is another one.
func insist(ctx context.Context, call func() error) error {
	for {
		err := call()
		switch apierrors.ReasonForError(err) {
		case metav1.StatusReasonNotFound, metav1.StatusReasonAlreadyExists, metav1.StatusReasonConflict:
			return nil
		case metav1.StatusReasonInvalid, metav1.StatusReasonForbidden, metav1.StatusReasonBadRequest:
			return err
		}
		if err == nil || sleep(ctx, 200*time.Millisecond) != nil {
			return err
		}
	}
}

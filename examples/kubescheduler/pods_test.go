package main

import (
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// epoch is when the tests begin.
var epoch = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// node returns a node of the given number of cores.
func node(name string, cores int64) *v1.Node {
	has := v1.ResourceList{
		v1.ResourceCPU:    *resource.NewQuantity(cores, resource.DecimalSI),
		v1.ResourceMemory: resource.MustParse("64Gi"),
		v1.ResourcePods:   resource.MustParse("110"),
	}
	return &v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Status: v1.NodeStatus{
			Capacity: has, Allocatable: has,
			Conditions: []v1.NodeCondition{{Type: v1.NodeReady, Status: v1.ConditionTrue}},
		},
	}
}

// pod returns a pod that asks for some of a core, of a Job of the given name, which is also that of
// its image and of the label job.
func pod(scheduler, job string, i int, cpu string) *v1.Pod {
	name := fmt.Sprintf("%s-%d", job, i)
	return &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: name, UID: types.UID(name), Labels: map[string]string{"job": job},
			OwnerReferences: []metav1.OwnerReference{{Kind: "Job", Name: job, Controller: new(true)}},
		},
		Spec: v1.PodSpec{
			SchedulerName: scheduler,
			Containers: []v1.Container{{
				Name: "work", Image: "registry.example.com/" + job + ":1",
				Resources: v1.ResourceRequirements{Requests: v1.ResourceList{v1.ResourceCPU: resource.MustParse(cpu)}},
			}},
		},
		Status: v1.PodStatus{Phase: v1.PodPending},
	}
}

// aged returns a pod that a scheduler has placed on a node, and which runs for so many seconds.
func aged(scheduler, name, node string, seconds int) *v1.Pod {
	p := pod(scheduler, name, 0, "100m")
	p.Spec.NodeName = node
	p.Status.Phase = v1.PodRunning
	p.Status.StartTime = new(metav1.NewTime(epoch.Add(-time.Duration(seconds) * time.Second)))
	return p
}

// succeeded returns a pod as it is after it has run from start to end.
func succeeded(p *v1.Pod, start, end time.Time) *v1.Pod {
	p = p.DeepCopy()
	p.Status.Phase = v1.PodSucceeded
	p.Status.StartTime = new(metav1.NewTime(start))
	p.Status.ContainerStatuses = []v1.ContainerStatus{{
		Name: "work",
		State: v1.ContainerState{Terminated: &v1.ContainerStateTerminated{
			StartedAt: metav1.NewTime(start), FinishedAt: metav1.NewTime(end), Reason: "Completed",
		}},
	}}
	return p
}

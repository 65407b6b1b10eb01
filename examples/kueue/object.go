package main

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/augur/examples/internal/boost"
	"example.com/augur/examples/internal/owner"
)

// kueue names a resource in the version of the API that this package knows.
func kueue(resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "kueue.x-k8s.io", Version: "v1beta2", Resource: resource}
}

// Of the objects of Kueue only the fields that the controller looks at.
type (
	workloadObject struct {
		metav1.ObjectMeta `json:"metadata"`
		Spec              struct {
			QueueName string   `json:"queueName"`
			Priority  int32    `json:"priority"`
			Active    *bool    `json:"active"`
			PodSets   []podSet `json:"podSets"`
		} `json:"spec"`
		Status struct {
			Conditions []metav1.Condition `json:"conditions"`
		} `json:"status"`
	}

	podSet struct {
		Count    int32 `json:"count"`
		Template struct {
			Metadata struct {
				Labels      map[string]string `json:"labels"`
				Annotations map[string]string `json:"annotations"`
			} `json:"metadata"`
			Spec struct {
				Containers []struct {
					Image     string `json:"image"`
					Resources struct {
						Requests map[string]string `json:"requests"`
					} `json:"resources"`
				} `json:"containers"`
			} `json:"spec"`
		} `json:"template"`
	}

	localQueue struct {
		metav1.ObjectMeta `json:"metadata"`
		Spec              struct {
			ClusterQueue string `json:"clusterQueue"`
		} `json:"spec"`
	}

	clusterQueue struct {
		metav1.ObjectMeta `json:"metadata"`
		Spec              struct {
			CohortName string `json:"cohortName"`
			Preemption struct {
				WithinClusterQueue  string `json:"withinClusterQueue"`
				ReclaimWithinCohort string `json:"reclaimWithinCohort"`
				BorrowWithinCohort  struct {
					Policy string `json:"policy"`
				} `json:"borrowWithinCohort"`
			} `json:"preemption"`
			AdmissionScope struct {
				AdmissionMode string `json:"admissionMode"`
			} `json:"admissionScope"`
		} `json:"spec"`
	}

	priorityClass struct {
		metav1.ObjectMeta `json:"metadata"`
		Value             int32 `json:"value"`
	}
)

// A workload is what the controller keeps of one.
type workload struct {
	metav1.ObjectMeta
	boost.Workload
	pending bool
	run     *boost.Run // nil unless it has succeeded
}

// GetName and GetNamespace are what both embedded types have.
func (w *workload) GetName() string      { return w.ObjectMeta.Name }
func (w *workload) GetNamespace() string { return w.ObjectMeta.Namespace }

// trim returns a function that makes of an object from the API server a T, which keeps of its metadata what identifies it.
func trim[T any, P interface {
	*T
	metav1.Object
}](obj any) (any, error) {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return obj, nil
	}
	p := P(new(T))
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, p); err != nil {
		return nil, err
	}
	p.SetManagedFields(nil)
	return p, nil
}

// quota returns how much of a resource the pods of a workload request.
func (o *workloadObject) quota(name string) (sum float64) {
	for _, set := range o.Spec.PodSets {
		for _, c := range set.Template.Spec.Containers {
			if q, err := resource.ParseQuantity(c.Resources.Requests[name]); err == nil {
				sum += float64(set.Count) * q.AsApproximateFloat64()
			}
		}
	}
	return sum
}

// trimWorkload makes a workload of an object from the API server. Of its quota the named resource counts.
func trimWorkload(obj any, scarce string) (any, error) {
	obj, err := trim[workloadObject](obj)
	o, ok := obj.(*workloadObject)
	if !ok {
		return obj, err
	}
	w := &workload{ObjectMeta: metav1.ObjectMeta{Namespace: o.Namespace, Name: o.Name, UID: o.UID, ResourceVersion: o.ResourceVersion}}
	w.Workload = boost.Workload{
		Namespace: o.Namespace, Name: o.Name, Queue: o.Spec.QueueName, Priority: o.Spec.Priority,
		Submitted: o.CreationTimestamp.Time, Owner: owner.Object{Own: o.Name}, Quota: o.quota(scarce), Written: written(o.Annotations),
	}
	if c := metav1.GetControllerOf(o); c != nil {
		w.Owner.Kind, w.Owner.Name = c.Kind, c.Name
	}
	if len(o.Spec.PodSets) > 0 {
		t := o.Spec.PodSets[0].Template
		w.Owner.Labels, w.Owner.Annotations = t.Metadata.Labels, t.Metadata.Annotations
		if len(t.Spec.Containers) > 0 {
			w.Image = t.Spec.Containers[0].Image
		}
	}
	reserved := meta.IsStatusConditionTrue(o.Status.Conditions, "QuotaReserved")
	finished := meta.FindStatusCondition(o.Status.Conditions, "Finished")
	admitted := meta.FindStatusCondition(o.Status.Conditions, "Admitted")
	active := o.Spec.Active == nil || *o.Spec.Active
	w.pending = active && !reserved && finished == nil && o.DeletionTimestamp == nil
	if finished != nil && finished.Reason == "Succeeded" && admitted != nil && admitted.Status == metav1.ConditionTrue {
		w.run = &boost.Run{ID: string(o.UID), Workload: w.Workload, Start: admitted.LastTransitionTime.Time, End: finished.LastTransitionTime.Time}
	}
	return w, nil
}

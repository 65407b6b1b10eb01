package main

import (
	"fmt"
	"strings"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	helpers "k8s.io/component-helpers/resource"

	"example.com/augur/examples/internal/owner"
	"example.com/augur/predict"
)

// defaultFeatures are the default features.
var defaultFeatures = []string{"namespace+owner", "namespace+image", "image", "namespace", predict.All}

// A subject is a pod as the predictor sees it. Its attributes are
//
//	namespace      its namespace
//	owner          what it is a run of, see package owner: Job/report, or Airflow/sales.load
//	image          the image of its first container, without tag and digest
//	label:KEY      its label KEY
//	annotation:KEY its annotation KEY, where labels are too short: Airflow writes dag_id, task_id and run_id to both
//	resource:NAME  what it requests of a resource, such as 2 of resource:nvidia.com/gpu
type subject struct{ *v1.Pod }

// Attr returns the value of an attribute.
func (s subject) Attr(name string) (value string, ok bool) {
	switch kind, key, _ := strings.Cut(name, ":"); kind {
	case "namespace":
		return s.Namespace, true
	case "owner":
		return ownerOf(s.Pod), true
	case "image":
		if len(s.Spec.Containers) > 0 {
			return owner.Repository(s.Spec.Containers[0].Image), true
		}
	case "label":
		value, ok = s.Labels[key]
	case "annotation":
		value, ok = s.Annotations[key]
	case "resource":
		if q := helpers.PodRequests(s.Pod, helpers.PodResourcesOptions{})[v1.ResourceName(key)]; !q.IsZero() {
			return q.String(), true
		}
	}
	return value, ok
}

// checkAttr names an attribute that no pod has; it would silently have no effect.
func checkAttr(name string) error {
	switch kind, key, _ := strings.Cut(name, ":"); {
	case name == "namespace", name == "owner", name == "image":
		return nil
	case key != "" && (kind == "label" || kind == "annotation" || kind == "resource"):
		return nil
	}
	return fmt.Errorf("there is no attribute %q, want namespace, owner, image, label:KEY, annotation:KEY or resource:NAME", name)
}

// checkFeatures names what is wrong with features, besides what predict.New says.
func checkFeatures(features []string) error {
	for _, f := range features {
		if f == predict.All {
			continue
		}
		for attr := range strings.SplitSeq(f, "+") {
			if err := checkAttr(attr); err != nil {
				return fmt.Errorf("features has %q: %w", f, err)
			}
		}
	}
	return nil
}

// ownerOf names the program of which a pod is a run.
func ownerOf(p *v1.Pod) string {
	o := owner.Object{Own: p.Name, GenerateName: p.GenerateName, Labels: p.Labels, Annotations: p.Annotations}
	if c := metav1.GetControllerOf(p); c != nil {
		o.Kind, o.Name = c.Kind, c.Name
	}
	return owner.Of(o)
}

package main

import (
	"fmt"
	"strings"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	helpers "k8s.io/component-helpers/resource"

	"example.com/augur/predict"
)

// defaultFeatures are what makes pods alike if the arguments do not say otherwise.
var defaultFeatures = []string{"namespace+owner", "namespace+image", "image", "namespace", predict.All}

// A subject is a pod as the predictor sees it. Its attributes are
//
//	namespace      its namespace
//	owner          kind and name of its controller, without what is new in each run: Job/report
//	image          the image of its first container, without tag and digest
//	label:KEY      its label KEY
//	annotation:KEY its annotation KEY, where labels are too short: Airflow writes dag_id, task_id and run_id to both
//	resource:NAME  what it requests of a resource, such as 2 of resource:nvidia.com/gpu
//
// Of a pod without a controller the owner is Pod and its own name, without what is new.
type subject struct{ *v1.Pod }

// Attr returns the value of an attribute.
func (s subject) Attr(name string) (value string, ok bool) {
	switch name {
	case "namespace":
		return s.Namespace, true
	case "owner":
		return owner(s.Pod), true
	case "image":
		if len(s.Spec.Containers) == 0 {
			return "", false
		}
		return repository(s.Spec.Containers[0].Image), true
	}
	if key, found := strings.CutPrefix(name, "label:"); found {
		value, ok = s.Labels[key]
		return value, ok
	}
	if key, found := strings.CutPrefix(name, "annotation:"); found {
		value, ok = s.Annotations[key]
		return value, ok
	}
	if resource, found := strings.CutPrefix(name, "resource:"); found {
		q, ok := helpers.PodRequests(s.Pod, helpers.PodResourcesOptions{})[v1.ResourceName(resource)]
		if !ok || q.IsZero() {
			return "", false
		}
		return q.String(), true
	}
	return "", false
}

// checkAttr names an attribute that no pod has, which would be of no avail and do so in silence.
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

// owner names what a pod is a run of.
func owner(p *v1.Pod) string {
	c := metav1.GetControllerOf(p)
	switch {
	case c == nil && p.GenerateName != "":
		return "Pod/" + strings.TrimSuffix(p.GenerateName, "-")
	case c == nil:
		return "Pod/" + withoutRun(p.Name)
	}
	name := c.Name
	if hash := p.Labels["pod-template-hash"]; hash != "" {
		name = strings.TrimSuffix(name, "-"+hash) // the ReplicaSet of a Deployment
	}
	return c.Kind + "/" + withoutRun(name)
}

// withoutRun cuts from a name the last part if it was made for one run: eight digits or more,
// which CronJobs give to their Jobs, or the five letters that the API server gives to a name
// that is to be generated, among which are no vowels. Shorter numbers stay: step-1 and step-2
// may be different work.
func withoutRun(name string) string {
	i := strings.LastIndexByte(name, '-')
	if i <= 0 {
		return name
	}
	part := name[i+1:]
	if len(part) >= 8 && strings.Trim(part, "0123456789") == "" ||
		len(part) == 5 && strings.Trim(part, "bcdfghjklmnpqrstvwxz2456789") == "" {
		return name[:i]
	}
	return name
}

// repository cuts tag and digest from an image: a new version is taken to run as long as the
// last one.
func repository(image string) string {
	image, _, _ = strings.Cut(image, "@")
	if i := strings.LastIndexByte(image, ':'); i > strings.LastIndexByte(image, '/') {
		image = image[:i]
	}
	return image
}

package main

import (
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestOwner(t *testing.T) {
	controlled := func(kind, name string, labels map[string]string) *v1.Pod {
		return &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name + "-x2k4p", Labels: labels,
			OwnerReferences: []metav1.OwnerReference{{Kind: "Other", Name: "other"}, {Kind: kind, Name: name, Controller: new(true)}}}}
	}
	for _, c := range []struct {
		pod  *v1.Pod
		want string
	}{
		{controlled("Job", "report", nil), "Job/report"},
		{controlled("Job", "report-29384760", nil), "Job/report"}, // of a CronJob
		{controlled("Job", "train-x2k4p", nil), "Job/train"},      // of a generated name
		{controlled("Job", "step-2", nil), "Job/step-2"},
		{controlled("Job", "train-small", nil), "Job/train-small"},
		{controlled("Job", "train-small-x2k4pz", nil), "Job/train-small-x2k4pz"}, // six letters
		{controlled("ReplicaSet", "web-6d4cf56db6", map[string]string{"pod-template-hash": "6d4cf56db6"}), "ReplicaSet/web"},
		{controlled("StatefulSet", "db", nil), "StatefulSet/db"},
		{&v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "once-29384760"}}, "Pod/once"},
		{&v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "by-hand-x2k4p", GenerateName: "by-hand-"}}, "Pod/by-hand"},
		{&v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "12345678"}}, "Pod/12345678"},
	} {
		if got := owner(c.pod); got != c.want {
			t.Errorf("the owner of %s is %q, want %q", c.pod.Name, got, c.want)
		}
	}
}

func TestRepository(t *testing.T) {
	for image, want := range map[string]string{
		"busybox":                           "busybox",
		"busybox:1.37":                      "busybox",
		"registry:5000/team/job":            "registry:5000/team/job",
		"registry:5000/team/job:v2":         "registry:5000/team/job",
		"registry:5000/job:v2@sha256:abcde": "registry:5000/job",
	} {
		if got := repository(image); got != want {
			t.Errorf("the repository of %s is %q, want %q", image, got, want)
		}
	}
}

func TestAttr(t *testing.T) {
	p := asking(pod("s", "report", 1, "1"), amounts{"nvidia.com/gpu": "2"})
	for name, want := range map[string]string{
		"namespace": "default", "owner": "Job/report", "image": "registry.example.com/report", "label:job": "report",
		"resource:nvidia.com/gpu": "2", "resource:cpu": "1",
	} {
		if got, ok := (subject{p}).Attr(name); got != want || !ok {
			t.Errorf("attribute %s is %q, %v, want %q", name, got, ok, want)
		}
	}
	// A history sees what trim leaves.
	small, err := trim(p)
	if got, ok := (subject{small.(*v1.Pod)}).Attr("resource:nvidia.com/gpu"); got != "2" || !ok || err != nil {
		t.Errorf("of a trimmed pod the attribute is %q, %v, %v, want 2", got, ok, err)
	}
	for _, name := range []string{"label:team", "user", "label", "resource:example.com/licence", "resource:"} {
		if got, ok := (subject{p}).Attr(name); ok {
			t.Errorf("attribute %s is %q, want none", name, got)
		}
	}
	if _, ok := (subject{&v1.Pod{}}).Attr("image"); ok {
		t.Error("a pod without containers has an image")
	}
}

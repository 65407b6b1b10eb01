package main

import (
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestAttr(t *testing.T) {
	p := asking(pod("s", "report", 1, "1"), amounts{"nvidia.com/gpu": "2"})
	p.Annotations = map[string]string{"dag_id": "sales"}
	for name, want := range map[string]string{
		"namespace": "default", "owner": "Job/report", "annotation:dag_id": "sales", "image": "registry.example.com/report", "label:job": "report",
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
	for name, p := range map[string]*v1.Pod{
		"Airflow/sales.load": {ObjectMeta: metav1.ObjectMeta{Name: "sales-load-x2k4p", Annotations: map[string]string{"dag_id": "sales", "task_id": "load"}}},
		"Pod/by-hand":        {ObjectMeta: metav1.ObjectMeta{Name: "by-hand-x2k4p", GenerateName: "by-hand-"}},
		"Pod/once":           {ObjectMeta: metav1.ObjectMeta{Name: "once-29384760"}},
	} {
		obj, err := trim(p)
		if got, _ := (subject{obj.(*v1.Pod)}).Attr("owner"); got != name || err != nil {
			t.Errorf("the owner of %s is %q, %v, want %q", p.Name, got, err, name)
		}
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

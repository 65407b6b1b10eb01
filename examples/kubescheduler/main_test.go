package main

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/events"
	fwk "k8s.io/kube-scheduler/framework"
)

// handle is what the plug-ins ask of a framework.
type handle struct {
	fwk.Handle
	client clientset.Interface
	events events.EventRecorderLogger
}

func (h handle) ClientSet() clientset.Interface            { return h.client }
func (h handle) EventRecorder() events.EventRecorderLogger { return h.events }

// Arguments that are wrong are named.
func TestArguments(t *testing.T) {
	for _, c := range []struct{ plugin, args, want string }{
		{indexName, `{}`, ""},
		{indexName, `{"features": ["label:app"], "halfLife": "24h", "values": 10, "maxWait": "2h", "resource": "nvidia.com/gpu"}`, ""},
		{indexName, `{"features": ["namespace+resource:nvidia.com/gpu", "annotation:task_id"]}`, ""},
		{indexName, `{"feature": ["label:app"]}`, "feature"},
		{indexName, `{"features": ["namespace+user"]}`, "user"},
		{indexName, `{"features": ["image", "image"]}`, `"image"`},
		{indexName, `{"features": ["resource:"]}`, "resource:NAME"},
		{indexName, `{"halfLife": "-1s"}`, "HalfLife"},
		{indexName, `{"values": -1}`, "Values"},
		{indexName, `{"saveEvery": "-1s"}`, "saveEvery"},
		{indexName, `{"maxWait": "-1s"}`, "maxWait"},
		{indexName, `{"resource": "memory"}`, "resource is memory"},
		{indexName, `{"snapshot": "/tmp/history"}`, "/tmp/history"},
		{indexName, `{"snapshot": "file:"}`, "file:PATH"},
		{indexName, `{"snapshot": "configmap:history"}`, "NAMESPACE/NAME"},
		{indexName, `{"snapshot": "configmap:kube-system/"}`, "NAMESPACE/NAME"},
		{indexName, `{"worth": {}}`, "store"},
		{indexName, `{"worth": {"store": "/no/such/file"}}`, "job"},
		{indexName, `{"worth": {"store": "/no/such/file", "job": "label:job"}}`, "label:job"},
		{indexName, `{"worth": {"store": "/no/such/file", "job": "{label:job"}}`, "{label:job"},
		{indexName, `{"worth": {"store": "/no/such/file", "job": "{label:job} {name}"}}`, `"name"`},
		{indexName, `{"worth": {"store": "/no/such/file", "job": "{label:job}", "user": "ann"}}`, "user"},
		{indexName, `{"worth": {"store": "/no/such/file", "job": "{label:job}"}}`, "/no/such/file"},
		{indexName, `{"worth": {"store": "main_test.go", "job": "{label:job}"}}`, "main_test.go"},
		{indexName, `{"worth": {"store": "main_test.go", "job": "{label:job}", "reload": "-1s"}}`, "reload"},
		{fragmentationName, `{}`, ""},
		{fragmentationName, `{"devices": {"example.com/gpu-milli": 1000}}`, ""},
		{fragmentationName, `{"devices": {"example.com/gpu-milli": 0}}`, "example.com/gpu-milli"},
		{fragmentationName, `{"device": {}}`, "device"},
	} {
		_, err := plugins()[c.plugin](t.Context(), &runtime.Unknown{Raw: []byte(c.args)}, handle{client: fake.NewClientset()})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s %s: %v", c.plugin, c.args, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s %s: the error is %v, want one that names %s", c.plugin, c.args, err, c.want)
		}
	}
}

// Two profiles have one history.
func TestProfilesShareTheQueue(t *testing.T) {
	factory := plugins()[indexName]
	h := handle{client: fake.NewClientset()}
	one, err := factory(t.Context(), nil, h)
	if err != nil {
		t.Fatal(err)
	}
	if other, err := factory(t.Context(), nil, h); other != one || err != nil {
		t.Errorf("the second profile has %p, %v, want %p", other, err, one)
	}
}

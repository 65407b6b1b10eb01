package main

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	fwk "k8s.io/kube-scheduler/framework"
)

// handle is what the plug-ins ask of a framework.
type handle struct {
	fwk.Handle
	client clientset.Interface
}

func (h handle) ClientSet() clientset.Interface { return h.client }
func (h handle) ProfileName() string            { return "augur-scheduler" }

// Arguments that are wrong are named.
func TestArguments(t *testing.T) {
	for _, c := range []struct{ plugin, args, want string }{
		{runtimeName, `{}`, ""},
		{runtimeName, `{"features": ["label:app"], "halfLife": "24h", "values": 10}`, ""},
		{runtimeName, `{"feature": ["label:app"]}`, "feature"},
		{runtimeName, `{"features": ["namespace+user"]}`, "user"},
		{runtimeName, `{"features": ["image", "image"]}`, `"image"`},
		{runtimeName, `{"halfLife": "-1s"}`, "HalfLife"},
		{runtimeName, `{"values": -1}`, "Values"},
		{runtimeName, `{"saveEvery": "-1s"}`, "saveEvery"},
		{runtimeName, `{"snapshot": "/tmp/history"}`, "/tmp/history"},
		{valueName, `{}`, "store"},
		{valueName, `{"store": "/no/such/file", "template": "name"}`, `"name"`},
		{valueName, `{"store": "/no/such/file", "user": ""}`, `user`},
		{valueName, `{"store": "/no/such/file"}`, "/no/such/file"},
		{valueName, `{"store": "main_test.go"}`, "main_test.go"},
		{valueName, `{"store": "main_test.go", "reload": "0s"}`, "reload"},
		{runtimeName, `{"features": ["namespace+resource:nvidia.com/gpu"]}`, ""},
		{runtimeName, `{"features": ["resource:"]}`, "resource:NAME"},
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
	factory := plugins()[runtimeName]
	h := handle{client: fake.NewClientset()}
	one, err := factory(t.Context(), nil, h)
	if err != nil {
		t.Fatal(err)
	}
	if other, err := factory(t.Context(), nil, h); other != one || err != nil {
		t.Errorf("the second profile has %p, %v, want %p", other, err, one)
	}
}

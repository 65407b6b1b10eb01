package main

import (
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
)

// indexOf returns the plug-in on a cluster with these objects.
func indexOf(t *testing.T, args string, objects ...runtime.Object) *index {
	t.Helper()
	p, err := newIndex(t.Context(), &runtime.Unknown{Raw: []byte(args)}, handle{client: fake.NewClientset(objects...)})
	if err != nil {
		t.Fatal(err)
	}
	return p.(*index)
}

// A pod counts for those of its Job that have not succeeded, if the cluster has that Job.
func TestLeft(t *testing.T) {
	sized := func(name string, completions, parallelism *int32, succeeded int32) runtime.Object {
		return &batchv1.Job{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: "1"},
			Spec:       batchv1.JobSpec{Completions: completions, Parallelism: parallelism}, Status: batchv1.JobStatus{Succeeded: succeeded},
		}
	}
	x := indexOf(t, `{}`, sized("begun", new(int32(9)), new(int32(3)), 4), sized("over", new(int32(9)), new(int32(3)), 9),
		sized("queue", nil, new(int32(3)), 0), sized("plain", nil, nil, 0))
	for _, c := range []struct {
		kind, job string
		uid       types.UID
		want      int32
	}{
		{"Job", "begun", "1", 5},
		{"Job", "over", "1", 1},
		{"Job", "queue", "1", 3},
		{"Job", "plain", "1", 1},
		{"Job", "begun", "2", 1}, // another one of that name
		{"Job", "gone", "1", 1},
		{"Workflow", "begun", "1", 1},
		{"", "begun", "", 1},
	} {
		p := pod("s", c.job, 1, "1")
		p.OwnerReferences = []metav1.OwnerReference{{Kind: c.kind, Name: c.job, UID: c.uid, Controller: new(c.kind != "")}}
		if got := x.left(p); got != c.want {
			t.Errorf("of %s %s are left %d, want %d", c.kind, c.job, got, c.want)
		}
		if alone := x.key(pod("s", "alone", 1, "1")); c.want > 1 != (x.key(p) > alone) {
			t.Errorf("%s %s goes after a pod alone: %v", c.kind, c.job, x.key(p) > alone)
		}
	}
}

// The pod goes first that is shorter, that requests less of the scarce resource, or that is worth more. No pod goes before one that
// was created maxWait earlier.
func TestKey(t *testing.T) {
	past := []runtime.Object{finished("short", 1, 10, 0), finished("short", 2, 10, 1), finished("long", 1, 100000, 2), finished("long", 2, 100000, 3), finished("none", 1, 0, 4), finished("mid", 1, 1000, 5)}
	aged := func(p *v1.Pod, d time.Duration) *v1.Pod {
		p.CreationTimestamp = metav1.NewTime(epoch.Add(d))
		return p
	}
	new := func(job, cpu string) *v1.Pod { return aged(pod("s", job, 3, cpu), 0) }
	x := indexOf(t, `{"maxWait": "10h", "features": ["owner"]}`, past...)
	gpus := indexOf(t, `{"resource": "nvidia.com/gpu", "worth": {"store": "`+saveValues(t, map[string]float64{"short": 0, "long": 1e300})+`", "job": "{label:job}"}}`, past...)
	for _, c := range []struct {
		name        string
		x           *index
		first, then *v1.Pod
	}{
		{"shorter", x, new("short", "1"), new("long", "1")},
		{"narrower", x, new("short", "1"), new("short", "2")},
		{"one without requests is no less than a tenth", x, new("short", "99m"), new("short", "101m")},
		{"unknown: the average", x, new("mid", "1"), new("novel", "1")},
		{"unknown: the average", x, new("novel", "1"), new("long", "1")},
		{"fewer GPUs", gpus, asking(new("novel", "9"), amounts{"nvidia.com/gpu": "1"}), asking(new("novel", "1"), amounts{"nvidia.com/gpu": "8"})},
		{"worth more", gpus, new("long", "1"), new("novel", "1")},
		{"worth nothing", gpus, new("novel", "1"), new("short", "1")},
		{"much shorter, a little later", x, aged(new("short", "1"), time.Hour), new("long", "1")},
		{"as short, later", x, new("short", "1"), aged(new("short", "1"), time.Second)},
		{"the longest before the shortest of maxWait later", x, new("long", "1e9"), aged(new("none", "1e-6"), 10*time.Hour+time.Second)},
	} {
		if a, b := c.x.key(c.first), c.x.key(c.then); !(a < b) {
			t.Errorf("%s: the key is %v, want less than %v", c.name, a, b)
		}
	}
}

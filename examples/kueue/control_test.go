package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"example.com/augur/examples/internal/boost"
)

type fields = map[string]any

// object returns an object of Kueue.
func object(kind, namespace, name string, more fields) *unstructured.Unstructured {
	o := fields{"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": fields{"name": name, "uid": "uid-" + name}}
	if namespace != "" {
		o["metadata"].(fields)["namespace"] = namespace
	}
	maps.Copy(o, more)
	return &unstructured.Unstructured{Object: o}
}

// aWorkload is one of a Job, which came some time ago; or which was admitted then, and has succeeded after a while.
func aWorkload(job string, priority int, ago, ran time.Duration) *unstructured.Unstructured {
	at := func(ago time.Duration) string { return time.Now().Add(-ago).UTC().Format(time.RFC3339) }
	w := object("Workload", "team", "job-"+job, fields{"spec": fields{
		"queueName": "batch", "priority": int64(priority),
		"podSets": []any{fields{"template": fields{"spec": fields{"containers": []any{fields{"image": "work:v7"}}}}}},
	}})
	m := w.Object["metadata"].(fields)
	m["creationTimestamp"] = at(ago)
	m["ownerReferences"] = []any{fields{"apiVersion": "batch/v1", "kind": "Job", "name": job, "uid": "j", "controller": true}}
	if ran > 0 {
		m["creationTimestamp"] = at(ago + 5*time.Hour)
		w.Object["status"] = succeeded(at(ago), at(ago-ran))
	}
	return w
}

func succeeded(start, end string) fields {
	return fields{"conditions": []any{
		fields{"type": "QuotaReserved", "status": "True", "lastTransitionTime": start, "reason": "x", "message": ""},
		fields{"type": "Admitted", "status": "True", "lastTransitionTime": start, "reason": "x", "message": ""},
		fields{"type": "Finished", "status": "True", "lastTransitionTime": end, "reason": "Succeeded", "message": ""},
	}}
}

// queues are a labelled LocalQueue and its ClusterQueue.
func queues(spec fields) []runtime.Object {
	q := object("LocalQueue", "team", "batch", fields{"spec": fields{"clusterQueue": "cluster"}})
	q.SetLabels(map[string]string{"augur.example.com/boost": "true"})
	return []runtime.Object{q, object("ClusterQueue", "", "cluster", fields{"spec": spec})}
}

// A server is a fake API server with a controller that writes.
type server struct {
	*testing.T
	client *fake.FakeDynamicClient
	ctx    context.Context
}

func serve(t *testing.T, objects ...runtime.Object) *server {
	kinds := map[schema.GroupVersionResource]string{
		kueue("workloads"): "WorkloadList", kueue("localqueues"): "LocalQueueList", kueue("clusterqueues"): "ClusterQueueList",
		kueue("workloadpriorityclasses"): "WorkloadPriorityClassList", {Version: "v1", Resource: "events"}: "EventList",
	}
	s := &server{t, fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), kinds, objects...), t.Context()}
	s.lead()
	return s
}

// lead starts a controller that writes.
func (s *server) lead() {
	s.Helper()
	c := s.watch()
	context.AfterFunc(s.ctx, c.queue.ShutDown)
	c.lead(s.ctx)
}

func (s *server) watch() *controller {
	s.Helper()
	booster, err := boost.New(boost.Config{})
	if err != nil {
		s.Fatal(err)
	}
	c, err := watch(s.ctx, s.client, booster, "augur.example.com/boost", "true", "cpu")
	if err != nil {
		s.Fatal(err)
	}
	return c
}

// boosts returns the annotations of a Job's workload, 0 for none.
func (s *server) boosts(job string) int {
	s.Helper()
	w, err := s.client.Resource(kueue("workloads")).Namespace("team").Get(s.ctx, "job-"+job, metav1.GetOptions{})
	if err != nil {
		s.Fatal(err)
	}
	n, _ := strconv.Atoi(w.GetAnnotations()["kueue.x-k8s.io/priority-boost"])
	return n
}

// until waits for something, and then some more for what should not come.
func (s *server) until(what string, ok func() bool) {
	s.Helper()
	for end := time.Now().Add(10 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.Fatalf("not in 10 s: %s", what)
		}
	}
	time.Sleep(50 * time.Millisecond)
	if !ok() {
		s.Fatalf("no longer: %s", what)
	}
}

// did returns how many requests with a verb there were for a resource.
func (s *server) did(verb, resource string) (n int) {
	for _, a := range s.client.Actions() {
		if a.Matches(verb, resource) {
			n++
		}
	}
	return n
}

func (s *server) create(o *unstructured.Unstructured) {
	s.Helper()
	if _, err := s.client.Resource(kueue("workloads")).Namespace("team").Create(s.ctx, o, metav1.CreateOptions{}); err != nil {
		s.Fatal(err)
	}
}

func TestBoosts(t *testing.T) {
	s := serve(t, append(queues(nil),
		aWorkload("long-29000001", 0, 3*time.Hour, time.Hour), aWorkload("short-29000001", 0, 3*time.Hour, 10*time.Second),
		aWorkload("long-29000002", 0, time.Minute, 0), aWorkload("short-29000002", 0, 0, 0))...)
	s.until("the short one goes first", func() bool {
		return s.boosts("short-29000002") > s.boosts("long-29000002") && s.boosts("long-29000002") > 0
	})
	// One that comes later, of a job that was not known, and another one after it has finished.
	s.create(aWorkload("new-29000001", 0, 0, 0))
	s.until("the new one has a boost", func() bool { return s.boosts("new-29000001") > 0 })
	w := aWorkload("new-29000001", 0, 2*time.Hour, 2*time.Hour)
	if _, err := s.client.Resource(kueue("workloads")).Namespace("team").Update(s.ctx, w, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	s.create(aWorkload("new-29000002", 0, 0, 0))
	s.until("it is known to run longest", func() bool { b := s.boosts("new-29000002"); return b > 0 && b < s.boosts("long-29000002") })
	if n := s.did("patch", "workloads"); n != 4 {
		t.Errorf("%d patches for 4 workloads that waited", n)
	}
	for _, a := range s.client.Actions() {
		if p, ok := a.(clienttesting.PatchAction); ok && !strings.Contains(string(p.GetPatch()), `"uid":"uid-`+p.GetName()) {
			t.Errorf("patch %s does not say which %s it is for", p.GetPatch(), p.GetName())
		}
	}
	if n := s.did("create", "events"); n != 1 {
		t.Errorf("%d Events, want 1", n)
	}
}

// One that takes over writes nothing on what has its boost, and neither does one whose store is behind.
func TestOnePatch(t *testing.T) {
	objects := queues(nil)
	for i := range 50 {
		objects = append(objects, aWorkload(fmt.Sprintf("j-%d", i), 0, time.Minute, 0))
	}
	s := serve(t, objects...)
	patches := func() int { return s.did("patch", "workloads") }
	s.until("all have a boost", func() bool { return patches() == 50 })
	s.lead()
	time.Sleep(100 * time.Millisecond)
	if n := patches(); n != 50 {
		t.Errorf("%d patches after a restart, want 50", n)
	}
	s.create(aWorkload("late", 0, 0, 0)) // by one of the two
	s.until("it has a boost", func() bool { return s.boosts("late") > 0 })

	behind := serve(t, queues(nil)...).watch()
	behind.survey(t.Context())
	behind.workloads = cache.NewIndexer(cache.MetaNamespaceKeyFunc, nil)
	w, err := trimWorkload(aWorkload("x", 0, 0, 0), "cpu")
	if err != nil {
		t.Fatal(err)
	}
	behind.workloads.Add(w)
	behind.client.Resource(kueue("workloads")).Namespace("team").Create(t.Context(), aWorkload("x", 0, 0, 0), metav1.CreateOptions{})
	for range 3 {
		if err := behind.reconcile(t.Context(), "team/job-x"); err != nil {
			t.Fatal(err)
		}
	}
	s.client = behind.client.(*fake.FakeDynamicClient)
	if n := patches(); n != 1 {
		t.Errorf("%d patches with a store that does not show the first, want 1", n)
	}
}

// When boosts change, as with an epoch, those are looked at first that go first.
func TestFirstIsFirst(t *testing.T) {
	c := serve(t, queues(nil)...).watch()
	c.workloads = cache.NewIndexer(cache.MetaNamespaceKeyFunc, nil)
	for i := range 20 {
		o := aWorkload(fmt.Sprint(i), 0, 0, 0)
		o.SetAnnotations(map[string]string{boostKey: strconv.Itoa(1 + i*7%20), secondsKey: "1"})
		w, err := trimWorkload(o, "cpu")
		if err != nil {
			t.Fatal(err)
		}
		c.workloads.Add(w)
	}
	next := func() string {
		key, _ := c.queue.Get()
		c.queue.Done(key)
		return key
	}
	for c.queue.Len() > 0 { // the queues are new
		next()
	}
	c.survey(t.Context())
	for want := int32(20); want > 0; want-- {
		obj, _, err := c.workloads.GetByKey(next())
		if err != nil {
			t.Fatal(err)
		}
		if got := obj.(*workload).Written.Boost; got != want {
			t.Fatalf("one with the boost %d is looked at, want the one with %d", got, want)
		}
	}
}

// Nothing is written on what runs, is not to run, or is of another queue.
func TestLeavesAlone(t *testing.T) {
	running, inactive, other := aWorkload("running", 0, 0, time.Second), aWorkload("inactive", 0, 0, 0), aWorkload("other", 0, 0, 0)
	c := running.Object["status"].(fields)["conditions"].([]any)
	running.Object["status"].(fields)["conditions"] = c[:2]
	inactive.Object["spec"].(fields)["active"] = false
	other.Object["spec"].(fields)["queueName"] = "other"
	s := serve(t, append(queues(nil), running, inactive, other, aWorkload("waits", 0, 0, 0))...)
	s.until("one is written", func() bool { return s.boosts("waits") > 0 })
	if n := s.did("patch", "workloads"); n != 1 {
		t.Errorf("%d patches, want 1", n)
	}
}

// What failed does not count as a runtime.
func TestLearnsFromSuccess(t *testing.T) {
	failed := aWorkload("report-29000001", 0, 3*time.Hour, 2*time.Hour)
	failed.Object["status"].(fields)["conditions"].([]any)[2].(fields)["reason"] = "Failed"
	s := serve(t, append(queues(nil), failed, aWorkload("report-29000002", 0, 3*time.Hour, 20*time.Second), aWorkload("report-29000003", 0, 0, 0))...)
	s.until("it is written", func() bool { return s.boosts("report-29000003") > 0 })
	w, _ := s.client.Resource(kueue("workloads")).Namespace("team").Get(s.ctx, "job-report-29000003", metav1.GetOptions{})
	if got := w.GetAnnotations()["augur.example.com/predicted-seconds"]; got != "20" {
		t.Errorf("predicted %q seconds, want 20", got)
	}
}

func TestClasses(t *testing.T) {
	s := serve(t, append(queues(nil), aWorkload("low", 100, 0, 0), aWorkload("high", 102, 0, 0), aWorkload("below", 200, 0, 0),
		object("WorkloadPriorityClass", "", "above", fields{"value": int64(201)}))...)
	s.until("there is room for one below a workload", func() bool { return s.boosts("low") == 1 && s.boosts("high") > 1 && s.boosts("high") < 98 })
	if b := s.boosts("below"); b != 0 {
		t.Errorf("boost is %d where there is no room", b)
	}
}

// When the only workload of a class has gone, there is room again below it.
func TestClassGone(t *testing.T) {
	s := serve(t, append(queues(nil), aWorkload("low", 100, 0, 0), aWorkload("near", 101, 0, 0))...)
	s.until("there is no room", func() bool { return s.boosts("near") > 0 && s.boosts("low") == 0 })
	if err := s.client.Resource(kueue("workloads")).Namespace("team").Delete(s.ctx, "job-near", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	generation := int64(1)
	s.until("there is room", func() bool {
		q := object("ClusterQueue", "", "cluster", nil) // which changes, so that nobody waits for the minute
		generation++
		q.SetGeneration(generation)
		if _, err := s.client.Resource(kueue("clusterqueues")).Update(s.ctx, q, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		return s.boosts("low") > 0
	})
}

func TestRefuses(t *testing.T) {
	unlabelled := object("LocalQueue", "other", "batch", fields{"spec": fields{"clusterQueue": "cluster"}})
	cohort := fields{"cohortName": "all"}
	for want, objects := range map[string][]runtime.Object{
		"withinClusterQueue: LowerPriority":        queues(fields{"preemption": fields{"withinClusterQueue": "LowerPriority"}}),
		"reclaimWithinCohort: LowerPriority":       queues(fields{"preemption": fields{"reclaimWithinCohort": "LowerPriority"}}),
		"borrowWithinCohort.policy: LowerPriority": queues(fields{"preemption": fields{"borrowWithinCohort": fields{"policy": "LowerPriority"}}}),
		"other/batch, of ClusterQueue cluster":     append(queues(nil), unlabelled),
		"ClusterQueue other-3 has":                 queues(cohort),
	} {
		for i := range 8 {
			spec := maps.Clone(cohort)
			if i == 3 {
				spec["preemption"] = fields{"withinClusterQueue": "LowerPriority"}
			}
			objects = append(objects, object("ClusterQueue", "", fmt.Sprint("other-", i), fields{"spec": spec}))
		}
		s := serve(t, append(objects, aWorkload("waits", 0, 0, 0))...)
		s.until(want, func() bool { return strings.Contains(s.events(), want) })
		if n := s.did("patch", "workloads"); n != 0 {
			t.Errorf("%s: %d patches, want none", want, n)
		}
	}
}

// events returns all Events as text.
func (s *server) events() string {
	s.Helper()
	list, err := s.client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "events"}).Namespace("team").List(s.ctx, metav1.ListOptions{})
	if err != nil {
		s.Fatal(err)
	}
	return fmt.Sprint(list.Items)
}

func TestRefusesLater(t *testing.T) {
	s := serve(t, append(queues(nil), aWorkload("waits", 0, 0, 0))...)
	s.until("it is written", func() bool { return s.boosts("waits") > 0 })
	q := object("ClusterQueue", "", "cluster", fields{"spec": fields{"preemption": fields{"withinClusterQueue": "LowerPriority"}}})
	q.SetGeneration(2)
	if _, err := s.client.Resource(kueue("clusterqueues")).Update(s.ctx, q, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	s.until("the boost is taken away", func() bool { return s.boosts("waits") == 0 })
	w, _ := s.client.Resource(kueue("workloads")).Namespace("team").Get(s.ctx, "job-waits", metav1.GetOptions{})
	if len(w.GetAnnotations()) > 0 {
		t.Errorf("annotations are %v, want none", w.GetAnnotations())
	}
	if !strings.Contains(s.events(), "NotBoosted") {
		t.Errorf("Events are %s, want one that it is not boosted", s.events())
	}
}

// An API server that is slow to take an Event holds up nothing else.
func TestEventsWithoutLock(t *testing.T) {
	c, said := serve(t, queues(nil)...).watch(), 0
	c.client.(*fake.FakeDynamicClient).PrependReactor("create", "events", func(clienttesting.Action) (bool, runtime.Object, error) {
		said++
		if !c.mu.TryLock() {
			t.Error("an Event is written with the lock held, for which all that is seen waits")
			return false, nil, nil
		}
		c.mu.Unlock()
		return false, nil, nil
	})
	if c.survey(t.Context()); said != 1 {
		t.Errorf("%d Events, want 1", said)
	}
}

// Admission Fair Sharing comes first, and the Event says so.
func TestFairSharing(t *testing.T) {
	s := serve(t, queues(fields{"admissionScope": fields{"admissionMode": "UsageBasedAdmissionFairSharing"}})...)
	s.until("it is said", func() bool {
		return strings.Contains(s.events(), "Admission Fair Sharing of ClusterQueue cluster comes first")
	})
}

// An annotation that another controller has written is replaced, not trusted.
func TestWritten(t *testing.T) {
	for _, tc := range []struct {
		boost, seconds string
		want           boost.Written
	}{
		{"12", "3.5", boost.Written{Boost: 12, Seconds: 3.5}},
		{"12", "", boost.Written{}},
		{"", "3.5", boost.Written{}},
		{"12", "NaN", boost.Written{}},
		{"99999999999", "1", boost.Written{}},
	} {
		if got := written(map[string]string{boostKey: tc.boost, secondsKey: tc.seconds}); got != tc.want {
			t.Errorf("%q, %q: %+v, want %+v", tc.boost, tc.seconds, got, tc.want)
		}
	}
}

// The pods of all sets count, each with all its containers.
func TestQuotaOfPodSets(t *testing.T) {
	var o workloadObject
	if err := json.Unmarshal([]byte(`{"spec": {"podSets": [
		{"count": 3, "template": {"spec": {"containers": [{"resources": {"requests": {"cpu": "1500m"}}}, {"resources": {"requests": {"cpu": "500m", "memory": "1Gi"}}}]}}},
		{"count": 1, "template": {"spec": {"containers": [{"image": "x"}]}}}]}}`), &o); err != nil {
		t.Fatal(err)
	}
	if got := o.quota("cpu"); got != 6 {
		t.Errorf("%v cores, want 6", got)
	}
}

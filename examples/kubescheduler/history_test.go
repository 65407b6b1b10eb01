package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/augur/predict"
)

func terminated(start, end int) v1.ContainerStatus {
	at := func(s int) metav1.Time { return metav1.NewTime(epoch.Add(time.Duration(s) * time.Second)) }
	return v1.ContainerStatus{State: v1.ContainerState{Terminated: &v1.ContainerStateTerminated{StartedAt: at(start), FinishedAt: at(end)}}}
}

func TestRan(t *testing.T) {
	running := v1.ContainerStatus{State: v1.ContainerState{Running: &v1.ContainerStateRunning{}}}
	never := v1.ContainerStatus{State: v1.ContainerState{Terminated: &v1.ContainerStateTerminated{}}}
	type statuses = []v1.ContainerStatus
	for _, c := range []struct {
		name        string
		phase       v1.PodPhase
		inits, main statuses
		start, end  int // seconds; -1: no answer
	}{
		{"one container", v1.PodSucceeded, nil, statuses{terminated(5, 65)}, 5, 65},
		{"several", v1.PodSucceeded, nil, statuses{terminated(5, 65), terminated(3, 20), terminated(7, 70)}, 3, 70},
		{"after an init container", v1.PodSucceeded, statuses{terminated(1, 4)}, statuses{terminated(5, 65)}, 1, 65},
		{"no time at all", v1.PodSucceeded, nil, statuses{terminated(5, 5)}, 5, 5},
		{"one that never started", v1.PodSucceeded, nil, statuses{never, terminated(5, 65)}, 5, 65},
		{"one whose clock went back", v1.PodSucceeded, nil, statuses{terminated(9, 2), terminated(5, 65)}, 5, 65},
		{"no times", v1.PodSucceeded, nil, statuses{never}, -1, -1},
		{"no containers", v1.PodSucceeded, nil, nil, -1, -1},
		{"failed", v1.PodFailed, nil, statuses{terminated(5, 65)}, -1, -1},
		{"runs", v1.PodRunning, nil, statuses{running, terminated(5, 65)}, -1, -1},
	} {
		p := &v1.Pod{Status: v1.PodStatus{Phase: c.phase, InitContainerStatuses: c.inits, ContainerStatuses: c.main}}
		start, end, ok := ran(p)
		if ok != (c.start >= 0) {
			t.Errorf("%s: there is an answer: %v", c.name, ok)
			continue
		}
		if ok && (start.Sub(epoch) != time.Duration(c.start)*time.Second || end.Sub(epoch) != time.Duration(c.end)*time.Second) {
			t.Errorf("%s: from %v to %v, want %d s to %d s", c.name, start.Sub(epoch), end.Sub(epoch), c.start, c.end)
		}
	}
}

// A pod whose container was restarted tells when its last attempt began only. A sidecar may be
// restarted, also in what the history gets to see.
func TestRanOnce(t *testing.T) {
	again := func(name string, start, end int, restarts int32) v1.ContainerStatus {
		c := terminated(start, end)
		c.Name, c.RestartCount = name, restarts
		return c
	}
	spec := v1.PodSpec{
		InitContainers: []v1.Container{
			{Name: "fetch"},
			{Name: "retry", RestartPolicy: new(v1.ContainerRestartPolicyOnFailure)},
			{Name: "proxy", RestartPolicy: new(v1.ContainerRestartPolicyAlways)},
		},
		Containers: []v1.Container{{Name: "work"}},
	}
	for _, c := range []struct {
		name        string
		inits, main v1.ContainerStatus
		ok          bool
	}{
		{"not restarted", again("fetch", 1, 4, 0), again("work", 5, 65, 0), true},
		{"the work restarted", again("fetch", 1, 4, 0), again("work", 30, 65, 1), false},
		{"an init container restarted", again("fetch", 3, 4, 2), again("work", 5, 65, 0), false},
		{"one that retries restarted", again("retry", 3, 4, 2), again("work", 5, 65, 0), false},
		{"a sidecar restarted", again("proxy", 40, 65, 3), again("work", 5, 65, 0), true},
		{"both restarted", again("proxy", 40, 65, 3), again("work", 30, 65, 1), false},
	} {
		p := &v1.Pod{Spec: spec, Status: v1.PodStatus{
			Phase:                 v1.PodSucceeded,
			InitContainerStatuses: []v1.ContainerStatus{c.inits},
			ContainerStatuses:     []v1.ContainerStatus{c.main},
		}}
		small, err := trim(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []*v1.Pod{p, small.(*v1.Pod)} {
			if _, _, ok := ran(p); ok != c.ok {
				t.Errorf("%s: there is an answer: %v, want %v", c.name, ok, c.ok)
			}
		}
	}
}

func testHistory(t *testing.T) *history {
	t.Helper()
	h, err := newHistory(predict.Config{Features: defaultFeatures})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// secondsOf returns how long a pod will run.
func secondsOf(h *history, p *v1.Pod) float64 {
	s, _ := h.predict(p)
	return s
}

// finished returns a pod of a Job that has run for so many seconds, and ended so many after epoch.
func finished(job string, i int, ran, end int) *v1.Pod {
	at := epoch.Add(time.Duration(end) * time.Second)
	return succeeded(pod("s", job, i, "1"), at.Add(-time.Duration(ran)*time.Second), at)
}

// Pods that come at once are learned in the order in which they ended: rolling estimates, which win
// where runtimes grow, go by the last.
func TestLearnInOrder(t *testing.T) {
	var forth, back []*v1.Pod
	for i := range 10 {
		forth = append(forth, finished("grows", i, 10<<i, 10_000*i))
	}
	for i := range forth {
		back = append(back, forth[len(forth)-1-i])
	}
	one, other := testHistory(t), testHistory(t)
	for _, p := range forth {
		if err := one.learn([]*v1.Pod{p}); err != nil {
			t.Fatal(err)
		}
	}
	if err := other.learn(back); err != nil {
		t.Fatal(err)
	}
	next := subject{pod("s", "grows", 99, "1")}
	want, _ := one.predictor.Estimate(next, epoch)
	if got, _ := other.predictor.Estimate(next, epoch); got != want {
		t.Errorf("it will run %v s by pods that came backwards, want %v s", got, want)
	}
}

// After a restart the API server shows again what is in the snapshot, and it counts once.
func TestRestoreCountsOnce(t *testing.T) {
	seen := []*v1.Pod{finished("a", 1, 100, 10), finished("a", 2, 200, 20)}
	before := testHistory(t)
	if err := before.learn(seen); err != nil {
		t.Fatal(err)
	}
	snapshot, err := before.snapshot()
	if err != nil || snapshot == nil {
		t.Fatalf("no snapshot: %v", err)
	}

	after := testHistory(t)
	if err := after.restore(snapshot); err != nil {
		t.Fatal(err)
	}
	next := pod("s", "a", 3, "1")
	if got, want := secondsOf(after, next), secondsOf(before, next); got != want || got == 0 {
		t.Errorf("restored, it will run %v s, want %v s", got, want)
	}
	if err := after.learn(append(seen, finished("a", 4, 300, 21))); err != nil {
		t.Fatal(err)
	}
	if got := after.predictor.Observed(); got != 3 {
		t.Errorf("it has learned from %d pods, want two before and the one that ended since", got)
	}
}

// A node whose clock is wrong has finished a pod in fifty years. Those that finish now are learned, also after a restart.
func TestEndInTheFuture(t *testing.T) {
	run := func(i int, start, end time.Time) *v1.Pod { return succeeded(pod("s", "a", i, "1"), start, end) }
	next := pod("s", "a", 99, "1")
	then := time.Now().AddDate(50, 0, 0)
	before := testHistory(t)
	if err := before.learn([]*v1.Pod{run(1, then.Add(-10*time.Second), then)}); err != nil {
		t.Fatal(err)
	}
	if got := secondsOf(before, next); got != 10 {
		t.Errorf("by a pod whose start was as wrong as its end, the next will run %v s, want 10 s", got)
	}
	snapshot, err := before.snapshot()
	if err != nil {
		t.Fatal(err)
	}
	before.predictor.SetNote(then.UTC().Format(time.RFC3339))
	var wrong bytes.Buffer
	if err := before.predictor.Snapshot(&wrong); err != nil {
		t.Fatal(err)
	}
	for name, snapshot := range map[string][]byte{
		"as it is":              snapshot,
		"with that end as last": wrong.Bytes(),
	} {
		after := testHistory(t)
		if err := after.restore(snapshot); err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		if err := after.learn([]*v1.Pod{run(2, now.Add(-20*time.Second), now)}); err != nil {
			t.Fatal(err)
		}
		if got := after.predictor.Observed(); got != 2 {
			t.Errorf("%s: after a restart it has learned from %d pods, want 2", name, got)
		}
	}

	jumped := testHistory(t) // while the pod ran, the clock went wrong
	if err := jumped.learn([]*v1.Pod{run(1, time.Now().Add(-30*time.Second), then)}); err != nil {
		t.Fatal(err)
	}
	if got := secondsOf(jumped, next); got < 30 || got > 60 {
		t.Errorf("by a pod that ended after now, and has run for 30 s at most, the next will run %v s", got)
	}
}

// Every day 1,100 pods come that never come again, those of 200 Jobs, and one at night. The history of the manifests, which a ConfigMap
// holds, knows it.
func TestNightlyAmongMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := indexOf(t, string(deployed(t, "index").Profiles[0].PluginConfig[0].Args.(*runtime.Unknown).Raw))
	for day := range 30 {
		nightly := "nightly-" + epoch.AddDate(0, 0, day).Format("20060102")
		if got := secondsOf(x.history, pod("s", nightly, 0, "1")); day > 2 && got != 5000 {
			t.Fatalf("on day %d the pod at night will run %v s, want 5000", day, got)
		}
		var runs []*v1.Pod
		add := func(job string, ran, at int) { runs = append(runs, finished(job, len(runs), ran, 86400*day+at)) }
		for i := range 1100 {
			add(fmt.Sprintf("once-%dx", 10000*day+i), 20, 60*i)
			runs[len(runs)-1].Spec.Containers[0].Image = "registry.example.com/adhoc:1"
		}
		for i := range 400 {
			add(fmt.Sprintf("recurs-%d", i%200), 1+int(1000*rng.ExpFloat64()), 60*i)
		}
		add(nightly, 5000, 80000)
		if err := x.history.learn(runs); err != nil {
			t.Fatal(err)
		}
	}
	if err := saveNow(t.Context(), x.history, x.keeper); err != nil {
		t.Error(err)
	}
}

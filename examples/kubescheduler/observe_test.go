package main

import (
	"context"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
)

// Each pod that succeeds counts once, whether before or after the start, and however often it is
// changed afterwards; no other pod counts.
func TestObserve(t *testing.T) {
	runs := pod("s", "runs", 1, "1")
	runs.Status.Phase = v1.PodRunning
	fails := finished("fails", 1, 30, 5)
	fails.Status.Phase = v1.PodFailed
	client := fake.NewClientset(finished("before", 1, 100, 5), finished("before", 2, 100, 6), runs, fails)
	h := testHistory(t)
	if err := observe(t.Context(), client, h); err != nil {
		t.Fatal(err)
	}
	learned := func() int { return int(h.predictor.Observed()) }
	if got := learned(); got != 2 {
		t.Errorf("at the start it has learned from %d pods, want 2", got)
	}
	pods := client.CoreV1().Pods("default")
	update := func(p *v1.Pod) {
		t.Helper()
		if _, err := pods.Update(t.Context(), p, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	done := succeeded(runs, epoch, epoch.Add(40*time.Second))
	update(done)
	for i := range 3 {
		done = done.DeepCopy()
		done.Finalizers = make([]string, i)
		done.Labels["changed"] = string(rune('a' + i))
		update(done)
	}
	if err := pods.Delete(t.Context(), done.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	other := finished("before", 1, 100, 45)
	other.UID = "another"
	update(other)
	// What comes last has the others before it.
	if _, err := pods.Create(t.Context(), finished("last", 1, 7, 50), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(30 * time.Second); learned() < 5; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			break
		}
	}
	if got := learned(); got != 5 {
		t.Errorf("it has learned from %d pods, want 5", got)
	}
	for job, want := range map[string]float64{"before": 100, "runs": 40, "last": 7} {
		if got := secondsOf(h, pod("s", job, 9, "1")); got != want {
			t.Errorf("a pod of %s will run %v s, want %v s", job, got, want)
		}
	}
}

func TestObserveEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := observe(ctx, fake.NewClientset(), testHistory(t)); err == nil {
		t.Error("there is no error where it was to end before it had begun")
	}
}

package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// Both keepers give back what they were given last, and nothing at first.
func TestKeepers(t *testing.T) {
	for name, arg := range map[string]string{
		"file":      "file:" + filepath.Join(t.TempDir(), "history"),
		"configmap": "configmap:kube-system/augur-history",
	} {
		k, err := keeperOf(arg, fake.NewClientset())
		if err != nil {
			t.Fatal(err)
		}
		if b, err := k.load(t.Context()); b != nil || err != nil {
			t.Errorf("%s: at first it has %q, %v, want nothing", name, b, err)
		}
		for _, want := range []string{"one", "\x00two"} {
			if err := k.save(t.Context(), []byte(want)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if b, err := k.load(t.Context()); string(b) != want || err != nil {
				t.Errorf("%s: it has %q, %v, want %q", name, b, err, want)
			}
		}
	}
}

func TestConfigMapIsLimited(t *testing.T) {
	m := inConfigMap{fake.NewClientset(), "kube-system", "augur-history"}
	if err := m.save(t.Context(), make([]byte, 10*configMapBytes)); err != nil {
		t.Errorf("what can be compressed: %v", err)
	}
	noise := make([]byte, configMapBytes)
	rand.NewChaCha8([32]byte{}).Read(noise)
	if err := m.save(t.Context(), noise); err == nil || !strings.Contains(err.Error(), "file") {
		t.Errorf("the error is %v, want one that names the way out", err)
	}
}

// What could not be saved is saved the next time, though nothing has been learned since.
func TestSaveAgain(t *testing.T) {
	client := fake.NewClientset()
	refuse := true
	client.PrependReactor("create", "configmaps", func(clienttesting.Action) (bool, runtime.Object, error) {
		return refuse, nil, errors.New("refused")
	})
	m := inConfigMap{client, "kube-system", "augur-history"}
	h := testHistory(t)
	if err := h.learn([]*v1.Pod{finished("a", 1, 100, 10)}); err != nil {
		t.Fatal(err)
	}
	if err := saveNow(t.Context(), h, m); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("the error is %v, want that of the API server", err)
	}
	refuse = false
	if err := saveNow(t.Context(), h, m); err != nil {
		t.Fatal(err)
	}
	restored := testHistory(t)
	if err := restore(t.Context(), restored, m); err != nil {
		t.Fatal(err)
	}
	if got := secondsOf(restored, pod("s", "a", 2, "1")); got != 100 {
		t.Errorf("restored, it will run %v s, want 100", got)
	}
}

// A held keeper saves only when it is told to.
type held struct {
	began, goes chan struct{}
	last        []byte
}

func (k *held) load(context.Context) ([]byte, error) { return k.last, nil }

func (k *held) save(ctx context.Context, b []byte) error {
	k.began <- struct{}{}
	<-k.goes
	k.last = b
	return ctx.Err()
}

// The scheduler ends while the history is being saved. That save goes on, and what is saved at the end comes after it.
func TestLastSaveIsTheNewest(t *testing.T) {
	k := &held{began: make(chan struct{}), goes: make(chan struct{})}
	h := testHistory(t)
	learn := func(p *v1.Pod) {
		if err := h.learn([]*v1.Pod{p}); err != nil {
			t.Error(err)
		}
	}
	learn(finished("a", 1, 100, 10))
	ctx, end := context.WithCancel(t.Context())
	saved := make(chan error)
	go func() { saved <- saveNow(ctx, h, k) }()
	<-k.began
	learn(finished("b", 1, 200, 20))
	end()
	go func() { saved <- (&index{history: h, keeper: k}).Close() }()
	select {
	case <-k.began:
		t.Fatal("two saves at once")
	case <-time.After(50 * time.Millisecond):
	}
	k.goes <- struct{}{}
	<-k.began
	k.goes <- struct{}{}
	if err := errors.Join(<-saved, <-saved); err != nil {
		t.Error(err)
	}
	restored := testHistory(t)
	if err := restore(t.Context(), restored, k); err != nil {
		t.Fatal(err)
	}
	if got := secondsOf(restored, pod("s", "b", 2, "1")); got != 200 {
		t.Errorf("restored, it will run %v s, want the 200 s of the pod that ended last", got)
	}
}

// A snapshot that cannot be used is no reason not to start, and a keeper that cannot be reached is
// one: it may have a good one, which would be written over.
func TestRestore(t *testing.T) {
	client := fake.NewClientset()
	m := inConfigMap{client, "kube-system", "augur-history"}
	if err := m.save(t.Context(), []byte("nonsense")); err != nil {
		t.Fatal(err)
	}
	if err := restore(t.Context(), testHistory(t), m); err != nil {
		t.Errorf("a snapshot that is none: %v", err)
	}
	maps := client.CoreV1().ConfigMaps("kube-system")
	kept, err := maps.Get(t.Context(), "augur-history", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	whole := kept.BinaryData["history"]
	for name, b := range map[string][]byte{"not compressed": []byte("not compressed"), "cut short": whole[:len(whole)-1]} {
		if _, err := maps.Update(t.Context(), &v1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "augur-history"}, BinaryData: map[string][]byte{"history": b},
		}, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := restore(t.Context(), testHistory(t), m); err != nil {
			t.Errorf("one that is %s: %v", name, err)
		}
	}
	client.PrependReactor("get", "configmaps", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, errors.New("refused")
	})
	if err := restore(t.Context(), testHistory(t), m); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("the error is %v, want that of the API server", err)
	}
}

// A scheduler that waits to lead does not save, and when it leads it does.
func TestOnlyTheLeaderSaves(t *testing.T) {
	if !leads() {
		t.Error("without an election the scheduler does not lead")
	}
	client := fake.NewClientset()
	c := leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "augur-scheduler"}, Client: client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: "this"},
		},
		Name: "kube-scheduler", LeaseDuration: time.Second, RenewDeadline: 500 * time.Millisecond, RetryPeriod: 50 * time.Millisecond,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) {}, OnStoppedLeading: func() {}},
	}
	// The other one was killed a moment ago.
	other := resourcelock.LeaderElectionRecord{HolderIdentity: "other", LeaseDurationSeconds: 1, AcquireTime: metav1.Now(), RenewTime: metav1.Now()}
	if err := c.Lock.Create(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	h := testHistory(t)
	if err := h.learn([]*v1.Pod{finished("a", 1, 100, 10)}); err != nil {
		t.Fatal(err)
	}
	m := inConfigMap{client, "kube-system", "augur-history"}
	elector, err := leaderelection.NewLeaderElector(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { elector.Run(ctx) })
	wg.Go(func() { keep(ctx, h, m, 10*time.Millisecond) })
	for saved := false; !saved; time.Sleep(5 * time.Millisecond) {
		before := leads()
		b, err := m.load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if saved = b != nil; saved && !before && !leads() {
			t.Fatal("a scheduler saves that does not lead")
		}
	}
	end()
	wg.Wait()
}

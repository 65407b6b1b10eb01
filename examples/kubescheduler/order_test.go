package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	goruntime "runtime"
	"slices"
	"sync"
	"testing"
	"time"
	"weak"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/scheduler/backend/heap"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// queued returns a pod as it waits.
func queued(uid string, priority int32, since time.Time) *framework.QueuedPodInfo {
	return &framework.QueuedPodInfo{
		PodInfo: &framework.PodInfo{Pod: &v1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: uid, UID: types.UID(uid)},
			Spec:       v1.PodSpec{Priority: new(priority)},
		}},
		Timestamp: since,
	}
}

func TestQueueOrderRules(t *testing.T) {
	later := epoch.Add(time.Second)
	costs := map[string]float64{"a": 1, "b": 2, "c": 2, "d": 2, "e": 0, "f": 0}
	o := queueOrder{cost: func(p *v1.Pod) float64 { return costs[p.Name] }}
	want := []*framework.QueuedPodInfo{
		queued("f", 7, later), // the greatest priority
		queued("e", 0, later), // the least cost
		queued("a", 0, later), // the next one
		queued("d", 0, epoch), // came earlier
		queued("b", 0, later), // the lesser UID
		queued("c", 0, later),
	}
	for i, p := range want {
		for j, q := range want {
			if got := o.Less(p, q); got != (i < j) {
				t.Errorf("Less(%s, %s) is %v, want %v", p.Pod.Name, q.Pod.Name, got, i < j)
			}
		}
	}
}

// The predictor says something else each time, and the pods leave the scheduler's heap in the order
// of what it said first, though they come, go and are changed in between.
func TestQueueOrderStaysInHeap(t *testing.T) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, 0))
	first := make(map[types.UID]float64)
	o := queueOrder{cost: func(p *v1.Pod) float64 {
		if _, ok := first[p.UID]; ok {
			t.Errorf("the cost of %s is asked for again", p.UID)
		}
		first[p.UID] = float64(rng.IntN(50))
		return first[p.UID]
	}}
	h := heap.New(func(q *framework.QueuedPodInfo) string { return q.Pod.Name },
		func(a, b *framework.QueuedPodInfo) bool { return o.Less(a, b) })
	var in []*framework.QueuedPodInfo
	for i := range 5000 {
		switch r := rng.IntN(10); {
		case r < 5 || len(in) == 0:
			q := queued(fmt.Sprint(i), int32(rng.IntN(2)), epoch.Add(time.Duration(rng.IntN(100))))
			in = append(in, q)
			h.AddOrUpdate(q)
		case r < 7: // its labels change
			h.AddOrUpdate(in[rng.IntN(len(in))])
		case r < 8: // it is deleted
			at := rng.IntN(len(in))
			if err := h.Delete(in[at]); err != nil {
				t.Fatal(err)
			}
			in = slices.Delete(in, at, at+1)
		default:
			got, err := h.Pop()
			if err != nil {
				t.Fatal(err)
			}
			want := slices.MinFunc(in, func(a, b *framework.QueuedPodInfo) int {
				return cmp.Or(cmp.Compare(*b.Pod.Spec.Priority, *a.Pod.Spec.Priority),
					cmp.Compare(o.of(a), o.of(b)), a.Timestamp.Compare(b.Timestamp), cmp.Compare(a.Pod.UID, b.Pod.UID))
			})
			if got != want {
				t.Fatalf("seed %d, step %d: pod %s comes out, want %s", seed, i, got.Pod.Name, want.Pod.Name)
			}
			in = slices.DeleteFunc(in, func(q *framework.QueuedPodInfo) bool { return q == got })
		}
	}
}

// Several goroutines that compare a pod for the first time see one cost.
func TestQueueOrderAtOnce(t *testing.T) {
	var mu sync.Mutex
	asked := 0.0
	o := queueOrder{cost: func(*v1.Pod) float64 {
		mu.Lock()
		defer mu.Unlock()
		asked++
		return asked
	}}
	for range 200 {
		q, other := queued("q", 0, epoch), queued("other", 0, epoch)
		got := make([]float64, 4)
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() {
				o.Less(q, other)
				got[i] = o.of(q)
			})
		}
		wg.Wait()
		if slices.Min(got) != slices.Max(got) {
			t.Fatalf("four goroutines see the costs %v, want one", got)
		}
	}
}

// Costs go with the entries of the queue.
func TestQueueOrderForgets(t *testing.T) {
	o := queueOrder{cost: func(*v1.Pod) float64 { return 1 }}
	held := func() (n int) {
		o.costs.Range(func(any, any) bool { n++; return true })
		return n
	}
	stays := queued("stays", 0, epoch)
	func() {
		for i := range 100 {
			o.Less(stays, queued(fmt.Sprint(i), 0, epoch))
		}
	}()
	for end := time.Now().Add(30 * time.Second); held() > 1; {
		if time.Now().After(end) {
			t.Fatalf("%d costs are held, want that of the one pod that waits", held())
		}
		goruntime.GC()
		time.Sleep(time.Millisecond)
	}
	if _, ok := o.costs.Load(weak.Make(stays)); !ok {
		t.Error("the cost of the pod that waits is not held")
	}
	goruntime.KeepAlive(stays)
}

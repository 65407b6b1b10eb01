package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"example.com/augur/policy/kairos"
)

// aged returns a pod that a scheduler has placed on a node, and which runs for so many seconds.
func aged(scheduler, name, node string, seconds int) *v1.Pod {
	p := pod(scheduler, name, 0, "100m")
	p.Spec.NodeName = node
	p.Status.Phase = v1.PodRunning
	p.Status.StartTime = new(metav1.NewTime(epoch.Add(-time.Duration(seconds) * time.Second)))
	return p
}

// The scores of up to 250 nodes: the best one has 100 alone, none has more than a better one, and each
// stays in its position.
func TestNormalizeScore(t *testing.T) {
	for _, n := range []int{2, 3, 100, 101, 102, 250} {
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		scores := make(fwk.NodeScoreList, n)
		for i, place := range rng.Perm(n) {
			scores[i] = fwk.NodeScore{Name: fmt.Sprintf("n%03d", place), Score: int64(-place / 2)} // the name breaks ties
		}
		before := slices.Clone(scores)
		if s := new(kairosDispatch).NormalizeScore(t.Context(), nil, nil, scores); !s.IsSuccess() {
			t.Fatal(s)
		}
		for i := range scores {
			if scores[i].Name != before[i].Name {
				t.Fatalf("%d nodes: %s is at %d, want %s", n, scores[i].Name, i, before[i].Name)
			}
		}
		slices.SortFunc(scores, func(a, b fwk.NodeScore) int { return cmp.Compare(a.Name, b.Name) })
		if scores[0].Score != fwk.MaxScore || scores[n-1].Score != fwk.MinScore {
			t.Errorf("%d nodes: the best has %d and the worst %d, want 100 and 0", n, scores[0].Score, scores[n-1].Score)
		}
		for i := 1; i < n; i++ {
			if scores[i].Score > scores[i-1].Score || scores[i].Score == fwk.MaxScore {
				t.Errorf("%d nodes: place %d has %d, after %d", n, i, scores[i].Score, scores[i-1].Score)
			}
		}
	}
}

// A mirror that is shown how a cluster changes says the same as a new one that is shown only how it
// is now, though nodes come, go and change.
func TestMirrorForgetsNothing(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 4))
		type state struct {
			cores int64
			pods  map[string]*v1.Pod
			info  *framework.NodeInfo
		}
		nodes := make(map[string]*state)
		now, count, ever := epoch, 0, int64(0)
		kept := testMirror(t)
		for range 200 {
			now = now.Add(time.Duration(rng.IntN(100)) * time.Second)
			name := fmt.Sprintf("n%d", rng.IntN(4))
			n := nodes[name]
			switch r := rng.IntN(20); {
			case n == nil:
				n = &state{cores: 1 + rng.Int64N(4), pods: make(map[string]*v1.Pod)}
				nodes[name] = n
			case r == 0:
				delete(nodes, name)
				n = nil
			case r == 1:
				n.cores = 1 + rng.Int64N(4)
			case r < 12:
				p := aged("s", fmt.Sprintf("p%d", count), name, int(epoch.Sub(now).Seconds()))
				p.Spec.SchedulerName = []string{"s", "s", "other"}[rng.IntN(3)]
				n.pods[p.Name] = p
				count++
			default:
				for p := range n.pods {
					delete(n.pods, p)
					break
				}
			}
			if n != nil { // another generation
				var pods []*v1.Pod
				for _, p := range n.pods {
					pods = append(pods, p)
				}
				n.info = framework.NewNodeInfo(pods...)
				n.info.SetNode(node(name, n.cores))
			}
			var infos []fwk.NodeInfo
			for _, n := range nodes {
				infos = append(infos, n.info)
			}
			fresh := testMirror(t)
			for _, m := range []*mirror{kept, fresh} {
				if err := m.update(infos, now); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			// In places of a node; of the widest one each mirror has seen another.
			var widest int64
			for _, n := range nodes {
				widest = max(widest, n.cores)
			}
			ever = max(ever, widest)
			for name := range nodes {
				got, want := kept.score(name)*float64(ever+kairos.MaxQueue), fresh.score(name)*float64(widest+kairos.MaxQueue)
				if math.Abs(got-want) > 1e-6 {
					t.Fatalf("seed %d: the score of %s is %v, want %v", seed, name, got, want)
				}
			}
			if len(kept.nodes) != len(nodes) {
				t.Fatalf("seed %d: there are %d nodes, want %d", seed, len(kept.nodes), len(nodes))
			}
		}
	}
}

func testMirror(t testing.TB) *mirror {
	t.Helper()
	m, err := newMirror("s")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The cost of a PreScore, which comes with each pod, after one node has changed.
func BenchmarkMirror(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		var nodes []fwk.NodeInfo
		for i := range n {
			name := fmt.Sprintf("n%04d", i)
			info := framework.NewNodeInfo(aged("s", "x", name, i%7), aged("s", "y", name, i%11))
			info.SetNode(node(name, 4))
			nodes = append(nodes, info)
		}
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) {
			m := testMirror(b)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				name := fmt.Sprintf("n%04d", i%n)
				info := framework.NewNodeInfo(aged("s", fmt.Sprintf("x%d", i), name, i%7))
				info.SetNode(node(name, 4))
				nodes[i%n] = info
				if err := m.update(nodes, epoch); err != nil || m.score(name) == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}

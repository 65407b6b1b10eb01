package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

const milli = "example.com/gpu-milli"

// placedPod returns a pod that runs on a node since so many seconds, with thousandths of GPUs.
func placedPod(name, node, gpus string, seconds int) *v1.Pod {
	return asking(aged("augur-scheduler", name, node, seconds), amounts{milli: gpus})
}

// Kube-scheduler with the plug-in, worked by hand. Three nodes have two GPUs each. On a nothing runs, on b one half, on c 0.3.
// So the mix is a half and a 0.3, and then each pod that was placed. Before the first pod of a half comes all that is free is of
// use to both. Then it grows by
//
//	a  [0.5 1]    0
//	b  [0 1]      0
//	c  [0.2 1]    0.2: neither of the two can use it
//
// and it goes to a, whose name is first, where another half fits. A 0.3 comes: on a [0.2 1] it grows by 0.2, on b, whose
// GPUs are [0.5 1], as well, and on c [0.4 1] by 0.4 times the two of three that are halves, 0.27. It goes to a. Then a whole
// GPU: a [0.2 0] loses nothing that was of use but its whole GPU, b [0.5 0] and c [0.7 0] too. It goes to a. Last a half: only b
// and c have room, b [0 1] without a rest.
func TestLeastFragmentationPlaces(t *testing.T) {
	var objects []runtime.Object
	for _, name := range []string{"a", "b", "c"} {
		objects = append(objects, offering(node(name, 8), amounts{milli: "2000"}))
	}
	objects = append(objects, placedPod("half", "b", "500", 100), placedPod("third", "c", "300", 50))
	c := deployed(t, "gpu")
	argue(t, c, fragmentationName, `"nvidia.com/gpu":1`, `"example.com/gpu-milli":1000`)
	k := newCluster(t, c, objects...)
	var pods []*v1.Pod
	for i, gpus := range []string{"500", "300", "1000", "500"} {
		pods = append(pods, asking(pod("augur-scheduler", "new", i, "100m"), amounts{milli: gpus}))
	}
	for i, want := range []string{"a", "a", "a", "b"} {
		k.submit(pods[i])
		if !k.place(map[string]time.Duration{pods[i].Name: time.Hour}) {
			t.Fatalf("there is no room for pod %d", i)
		}
		if got := k.placed[i]; got.node != want {
			t.Errorf("pod %d goes to %s, want %s", i, got.node, want)
		}
	}
}

// look returns a plug-in that has seen nodes.
func look(t *testing.T, infos ...fwk.NodeInfo) *leastFragmentation {
	t.Helper()
	p, err := newLeastFragmentation(t.Context(), &runtime.Unknown{Raw: []byte(`{"devices": {"example.com/gpu-milli": 1000}}`)}, handle{})
	if err != nil {
		t.Fatal(err)
	}
	f := p.(*leastFragmentation)
	f.all = func() ([]fwk.NodeInfo, error) { return infos, nil }
	return f
}

func info(n *v1.Node, pods ...*v1.Pod) *framework.NodeInfo {
	i := framework.NewNodeInfo(pods...)
	i.SetNode(n)
	return i
}

// The score is FGD's measure, by hand, and not that of nodes without room or that cannot be counted.
func TestLeastFragmentationScores(t *testing.T) {
	two := amounts{milli: "2000"}
	nodes := []fwk.NodeInfo{
		info(offering(node("empty", 8), two)),
		info(offering(node("half", 8), two), placedPod("x", "half", "500", 9)),
		info(offering(node("whole", 8), two), placedPod("y", "whole", "1000", 9), placedPod("z", "whole", "900", 9)),
		info(offering(node("odd", 8), amounts{milli: "1500"})),
		info(node("none", 8)),
	}
	f := look(t, nodes...)
	p := asking(pod("augur-scheduler", "new", 0, "1"), amounts{milli: "400"})
	for range 2 { // what has not changed counts once
		if s := f.PreScore(t.Context(), nil, p, nodes); !s.IsSuccess() {
			t.Fatal(s)
		}
	}
	// The mix is a half, a whole one and 0.9. An empty node goes from 0 to [0.6 1], 0.6 for two of three. The node with a half goes
	// from [0.5 1], 0.5 for two of three, to [0.1 1], 0.1 for three.
	for i, want := range []float64{-0.4, 1.0/3 - 0.1, math.NaN(), math.NaN(), math.NaN()} {
		got, s := f.Score(t.Context(), nil, p, nodes[i])
		name := nodes[i].Node().Name
		if !s.IsSuccess() {
			t.Fatal(s)
		}
		if math.IsNaN(want) && got != math.MinInt64 || !math.IsNaN(want) && math.Abs(float64(got)/(1<<30)-want) > 1e-8 {
			t.Errorf("the score of %s is %v, want %v", name, float64(got)/(1<<30), want)
		}
	}
	// The odd one is named.
	if err := f.update([]fwk.NodeInfo{info(offering(node("odd", 8), amounts{milli: "1500"}))}); err == nil || !strings.Contains(err.Error(), "node odd") {
		t.Errorf("the error is %v, want one that names the node", err)
	}
	if len(f.nodes) != 1 {
		t.Errorf("%d nodes are kept, want the one that is left", len(f.nodes))
	}
}

// Pods without devices are left to other plug-ins, and those that cannot be counted are named.
func TestLeastFragmentationSkips(t *testing.T) {
	f := look(t)
	for _, has := range []amounts{nil, {"example.com/licence": "1"}} {
		if s := f.PreScore(t.Context(), nil, asking(pod("augur-scheduler", "new", 0, "1"), has), nil); !s.IsSkip() {
			t.Errorf("with %v the status is %v, want skip", has, s)
		}
	}
	s := f.PreScore(t.Context(), nil, asking(pod("augur-scheduler", "new", 0, "1"), many(9)), nil)
	if s.Code() != fwk.Error || !strings.Contains(s.Message(), "default/new-0") {
		t.Errorf("with nine kinds the status is %v, want an error that names the pod", s)
	}
}

// Pods are taken to have come in the order of their starts.
func TestByStart(t *testing.T) {
	late, early, twin, going := placedPod("late", "n", "1", 1), placedPod("early", "n", "1", 9), placedPod("twin", "n", "1", 1), placedPod("going", "n", "1", 0)
	going.Status.StartTime = (*metav1.Time)(nil)
	pods := []*v1.Pod{going, twin, late, early}
	slices.SortFunc(pods, byStart)
	var got []string
	for _, p := range pods {
		got = append(got, p.Name)
	}
	if want := []string{"early-0", "late-0", "twin-0", "going-0"}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
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
		if s := (ranked{}).NormalizeScore(t.Context(), nil, nil, scores); !s.IsSuccess() {
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

package main

import (
	"fmt"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Ten pods on three nodes of two cores, worked out by hand. The services on node a are not this
// scheduler's. Variances of the ages are in s², before the pod has come:
//
//	pod  a: pods variance  b: pods variance  c: pods variance  goes to
//	 0         1        0        2        4        2      900  a, where a core is idle
//	 1         2     2500        2        4        2      900  b
//	 2         2     2500        3     2315        2      900  c
//	 3         2     2500        3     2315        3     1689  a
//	 4         3     2222        3     2315        3     1689  c
//	 5         3     2222        3     2315        4     1675  a
//	 6         4     1875        3     2315        4     1675  b
//	 7         4     1875        4     2603        4     1675  c
//	 8         4     1875        4     2603        5     1536  a
//	 9         5     1600        4     2603        5     1536  b
func TestPlaces(t *testing.T) {
	objects := []runtime.Object{
		node("a", 2), node("b", 2), node("c", 2),
		aged("augur-scheduler", "a1", "a", 100),
		aged("augur-scheduler", "b1", "b", 100), aged("augur-scheduler", "b2", "b", 104),
		aged("augur-scheduler", "c1", "c", 40), aged("augur-scheduler", "c2", "c", 100),
	}
	for i := range 5 {
		objects = append(objects, aged("default-scheduler", fmt.Sprintf("service%d", i), "a", 1_000_000*i))
	}
	k := newCluster(t, deployed(t, "deploy/config-runtime.yaml"), objects...)
	var pods []*v1.Pod
	for i := range 10 {
		pods = append(pods, pod("augur-scheduler", "new", i, "100m"))
	}
	k.submit(pods...)
	for i, want := range []string{"a", "b", "c", "a", "c", "a", "b", "c", "a", "b"} {
		if !k.place(nil) {
			t.Fatalf("there is no room for pod %d", i)
		}
		if got := k.placed[i]; got.pod != pods[i].Name || got.node != want {
			t.Errorf("place %d: %s goes to %s, want %s to %s", i, got.pod, got.node, pods[i].Name, want)
		}
	}
}

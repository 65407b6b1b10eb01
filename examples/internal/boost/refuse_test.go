package boost

import (
	"math"
	"strings"
	"testing"

	"example.com/augur/examples/internal/owner"
)

func TestRefuse(t *testing.T) {
	for _, tc := range []struct {
		name   string
		cohort []ClusterQueue
		want   string // "" if they may be boosted
	}{
		{"no preemption", []ClusterQueue{{Name: "a"}}, ""},
		{"Never", []ClusterQueue{{Name: "a", Within: "Never", Reclaim: "Never", Borrow: "Never"}}, ""},
		{"Any does not compare", []ClusterQueue{{Name: "a", Reclaim: "Any"}}, ""},
		{"within", []ClusterQueue{{Name: "a", Within: "LowerPriority"}}, "withinClusterQueue: LowerPriority"},
		{"within, or newer", []ClusterQueue{{Name: "a", Within: "LowerOrNewerEqualPriority"}}, "withinClusterQueue: LowerOrNewerEqualPriority"},
		{"reclaim", []ClusterQueue{{Name: "a", Reclaim: "LowerPriority"}}, "reclaimWithinCohort: LowerPriority"},
		{"borrow", []ClusterQueue{{Name: "a", Reclaim: "Any", Borrow: "LowerPriority"}}, "borrowWithinCohort.policy: LowerPriority"},
		{"another of the cohort", []ClusterQueue{{Name: "a"}, {Name: "b", Within: "LowerPriority"}}, "ClusterQueue b"},
		{"a queue that takes no part", []ClusterQueue{{Name: "a", Unlabelled: []string{"team/x"}}}, "LocalQueue team/x"},
	} {
		got := Refuse(tc.cohort)
		if (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
			t.Errorf("%s: %q, want %q in it", tc.name, got, tc.want)
		}
	}
}

// With any boost up to the room a class stays below the next one.
func TestRoom(t *testing.T) {
	for _, tc := range []struct {
		base  int32
		inUse []int32
		want  int32
	}{
		{0, nil, math.MaxInt32},
		{1000, []int32{1000, 100, 0}, math.MaxInt32},
		{100, []int32{1000, 100, 0, 500}, 399},
		{0, []int32{1, 0}, 0},
		{-5, []int32{-5, 3}, 7},
		{math.MinInt32, []int32{math.MaxInt32}, math.MaxInt32},
	} {
		if got := Room(tc.base, tc.inUse); got != tc.want {
			t.Errorf("Room(%d, %v) = %d, want %d", tc.base, tc.inUse, got, tc.want)
		}
	}
	b := booster(t, Config{})
	for room, want := range map[int32]bool{0: false, 1: true} {
		if got := b.Decide(of("x", start), room, start); (got != Written{}) != want {
			t.Errorf("room %d: %+v is written", room, got)
		}
	}
}

func TestAttr(t *testing.T) {
	w := Workload{Namespace: "team", Queue: "batch", Image: "registry:5000/work:v7@sha256:1234", Owner: owner.Object{
		Kind: "Job", Name: "report-29374120", Labels: map[string]string{"app": "report"},
	}}
	for name, want := range map[string]string{
		"namespace": "team", "queue": "batch", "owner": "Job/report", "image": "registry:5000/work", "label:app": "report", "label:none": "",
	} {
		if got, ok := w.Attr(name); got != want || ok != (want != "") {
			t.Errorf("%s is %q, %v, want %q", name, got, ok, want)
		}
	}
	if got, _ := (Workload{Image: "registry:5000/work"}).Attr("image"); got != "registry:5000/work" {
		t.Errorf("image without a tag is %q", got)
	}
	if _, ok := (Workload{}).Attr("image"); ok {
		t.Error("a workload without containers has an image")
	}
}

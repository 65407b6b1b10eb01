package view_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/view"
)

// Those of First go first, then the others by index; what is to be tried again goes before
// both, the last one first.
func TestViewFirstAgainstDefinition(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		tasks := 1 + rng.IntN(12)
		first := rng.Perm(tasks)[:rng.IntN(tasks+1)]
		job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: uint32(tasks), Cores: 1}}}
		var v view.View[struct{}]
		for _, ev := range []policy.Event{
			{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 100, Speed: 1}},
			{Kind: policy.Submitted, Copy: copyOf(1, 0, 0, 0), Job: job},
			{Kind: policy.Ready, Copy: copyOf(1, 0, 0, 0)},
		} {
			if _, err := v.Observe(&ev); err != nil {
				t.Fatal(err)
			}
		}
		j := v.Job(1)
		if ok := v.First(j, 0, first); ok != (len(first) > 0) {
			t.Fatalf("seed %d: First of %v says %v", seed, first, ok)
		}
		var fresh, again []int
		fresh = append(fresh, first...)
		for i := range tasks {
			if !slices.Contains(first, i) {
				fresh = append(fresh, i)
			}
		}
		var started []policy.Copy
		for range 60 {
			if rng.IntN(3) > 0 && j.Waiting > 0 {
				c := v.Start(j, view.Where{}).Copy
				started = append(started, c)
				want := 0
				if n := len(again); n > 0 {
					want, again = again[n-1], again[:n-1]
				} else {
					want, fresh = fresh[0], fresh[1:]
				}
				if int(c.Index) != want {
					t.Fatalf("seed %d: started %v, want task %d; first were %v", seed, c, want, first)
				}
			} else if len(started) > 0 {
				i := rng.IntN(len(started))
				ev := policy.Event{Kind: policy.Refused, Copy: started[i], Again: true}
				if _, err := v.Observe(&ev); err != nil {
					t.Fatal(err)
				}
				again = append(again, int(started[i].Index))
				started = slices.Delete(started, i, i+1)
			}
			_, ok := j.Next()
			if want := len(fresh) + len(again); j.Waiting != want || ok != (want > 0) {
				t.Fatalf("seed %d: %d wait (%v), want %d", seed, j.Waiting, ok, want)
			}
		}
		if len(started) > 0 && v.First(j, 0, []int{0}) {
			t.Fatalf("seed %d: First says yes when tasks have been started", seed)
		}
	}
}

func TestViewFirstRefusesTheImpossible(t *testing.T) {
	v, j := observed(t) // of three tasks, and of a gang
	for _, test := range []struct {
		stage uint32
		tasks []int
	}{{0, []int{3}}, {0, []int{-1}}, {0, []int{1, 1}}, {1, []int{1}}, {2, []int{0}}} {
		if v.First(j, test.stage, test.tasks) {
			t.Errorf("First of %v of stage %d says yes", test.tasks, test.stage)
		}
	}
	if got := v.Start(j, view.Where{}).Copy; got != copyOf(1, 0, 0, 0) {
		t.Errorf("started %v, want the first task", got)
	}
}

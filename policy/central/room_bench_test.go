package central_test

import (
	"fmt"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// BenchmarkRooms asks for room for tasks of two cores after each event, while a Start is always under way: on many idle
// nodes it takes as long as on few.
func BenchmarkRooms(b *testing.B) {
	for _, n := range []policy.NodeID{100, 10_000} {
		b.Run(fmt.Sprint("nodes=", n), func(b *testing.B) {
			var v central.View
			for id := range n {
				observe(b, &v, policy.Event{Kind: policy.Joined, Node: id + 1, Info: &policy.Node{ID: id + 1, Partition: 1, Cores: 8, Speed: 1}})
			}
			j := observe(b, &v, policy.Event{Kind: policy.Submitted, Copy: copyOf(1, 0, 0, 0), Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1 << 28, Cores: 2}}}})
			observe(b, &v, policy.Event{Kind: policy.Ready, Copy: copyOf(1, 0, 0, 0)})
			before := v.Start(j, central.Where{})
			for b.Loop() {
				a := v.Start(j, central.Where{})
				for _, kind := range []policy.EventKind{policy.Started, policy.Finished} {
					observe(b, &v, policy.Event{Kind: kind, Copy: before.Copy, Node: 1})
					if !v.Fits(j) {
						b.Fatal("no room")
					}
				}
				before = a
			}
		})
	}
}

package central_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
)

// A task ends, and the next one of 1,000 jobs that wait starts in its place.
func BenchmarkStep(b *testing.B) {
	const jobs, cores = 1000, 100
	h := newHost(b, central.Config{Turn: baseline.FIFO(), Fill: baseline.EASY()}, cores)
	var running []policy.Copy
	take := func(actions []policy.Action) {
		for _, a := range actions {
			if a.Kind == policy.Start {
				running = append(running, a.Copy)
			}
		}
	}
	for id := range policy.JobID(jobs) {
		take(h.submit(id+1, policy.Stage{Tasks: 1 << 20, Cores: 1}))
	}
	var ev policy.Event
	var actions []policy.Action
	b.ReportAllocs()
	for b.Loop() {
		c := running[0]
		running = running[:copy(running, running[1:])]
		for _, kind := range []policy.EventKind{policy.Started, policy.Finished} {
			h.Now += second
			ev = policy.Event{Time: h.Now, Kind: kind, Copy: c, Node: 1}
			var err error
			actions, err = h.Policy.Step(&ev, actions[:0])
			if err != nil {
				b.Fatal(err)
			}
			take(actions)
		}
		if len(running) != cores {
			b.Fatalf("%d tasks run, want %d", len(running), cores)
		}
	}
}

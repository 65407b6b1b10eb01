package journal

import (
	"fmt"
	"testing"

	"example.com/augur/policy"
)

// What a journal adds to a step, in time and in bytes; the policy itself does nothing.
func BenchmarkStep(b *testing.B) {
	_, steps := run(b, policies["fifo"], 200, 1)
	f := new(discard)
	j, err := Open(f, Config{New: func() (policy.Scheduler, error) { return silent{}, nil }})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	i, n, last := 0, 0, policy.Time(0)
	var actions []policy.Action
	ev := new(policy.Event)
	for b.Loop() {
		if i == len(steps) {
			i, last = 0, last+steps[i-1].event.Time
		}
		*ev = steps[i].event
		ev.Time += last
		if actions, err = j.Step(steps[i].part, ev, actions[:0]); err != nil {
			b.Fatal(err)
		}
		i++
		n++
	}
	b.ReportMetric(float64(j.offset)/float64(n), "bytes/event")
}

// How long it takes to go on after a crash.
func BenchmarkOpen(b *testing.B) {
	for _, name := range []string{"fifo", "sparrow"} {
		whole, steps := run(b, policies[name], 2000, 1)
		b.Run(fmt.Sprintf("policy=%s/events=%d", name, len(steps)), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(whole.b)))
			for b.Loop() {
				j, err := Open(&memory{b: whole.b}, Config{New: policies[name]})
				if err != nil {
					b.Fatal(err)
				}
				if events, _ := j.Restored(); events != len(steps) {
					b.Fatalf("%d events restored, want %d", events, len(steps))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(steps)), "ns/event")
			b.ReportMetric(float64(len(whole.b))/float64(len(steps)), "bytes/event")
		})
	}
}

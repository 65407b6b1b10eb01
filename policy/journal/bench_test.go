package journal

import (
	"fmt"
	"testing"

	"example.com/augur/policy"
)

// What a journal adds to a step, in time and in bytes; the policy itself does nothing.
func BenchmarkStep(b *testing.B) {
	_, steps := run(b, policies["fifo"], 200, 1)
	f := new(memory)
	j := opened(b, f, of(silent{}))
	b.ReportAllocs()
	i, n, last := 0, 0, policy.Time(0)
	var actions []policy.Action
	var err error
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

// How long it takes to go on after a crash: of the events of a run of FIFO what the journal takes itself, then
// with the policies.
func BenchmarkOpen(b *testing.B) {
	whole, steps := run(b, policies["fifo"], 2000, 1)
	alone := new(memory)
	j := opened(b, alone, of(silent{}))
	for i := range steps {
		_, err := j.Step(steps[i].part, &steps[i].event, nil)
		ok(b, err)
	}
	ok(b, j.Sync())
	benchmarkOpen(b, "none", of(silent{}).New, alone.b, len(steps))
	benchmarkOpen(b, "fifo", policies["fifo"], whole.b, len(steps))
	whole, steps = run(b, policies["kairos"], 2000, 1)
	benchmarkOpen(b, "kairos", policies["kairos"], whole.b, len(steps))
}

func benchmarkOpen(b *testing.B, name string, newPolicy func(map[string][]byte) (policy.Scheduler, error), whole []byte, want int) {
	b.Run(fmt.Sprintf("policy=%s/events=%d", name, want), func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(whole)))
		for b.Loop() {
			j := opened(b, &memory{b: whole}, Config{New: newPolicy})
			if events, _ := j.Restored(); events != want {
				b.Fatalf("%d events restored, want %d", events, want)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*want), "ns/event")
		b.ReportMetric(float64(len(whole))/float64(want), "bytes/event")
	})
}

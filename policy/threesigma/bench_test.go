package threesigma_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
)

// A cycle plans for 100 jobs that wait for 64 cores, half of them with deadlines.
func BenchmarkStep(b *testing.B) {
	const jobs, cores = 100, 64
	of := &book{of: map[policy.JobID]central.Distribution{}}
	s := must(b, threesigma.NewScheduler, threesigma.Config{Forecast: of, Iterations: 100})
	step := func(ev policy.Event) {
		if _, err := s.Step(&ev, nil); err != nil {
			b.Fatal(err)
		}
	}
	step(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: cores, Speed: 1}, More: true})
	for id := policy.JobID(1); id <= jobs; id++ {
		of.of[id] = forecast.Known(100 * id)
		c := policy.Copy{Task: policy.Task{Job: id}}
		j := gang(id, 0, uint32(1+id%8), float64(100*id), float64(id%2)*1e9)
		step(policy.Event{Kind: policy.Submitted, Copy: c, Job: &j.Job, More: true})
		step(policy.Event{Kind: policy.Ready, Copy: c, More: true})
	}
	now := policy.Time(0)
	b.ReportAllocs()
	for b.Loop() {
		step(policy.Event{Time: now, Kind: policy.Woken})
		now = now.Add(10 * second)
	}
	if last := s.Last(); last.Err != nil || last.Jobs == 0 {
		b.Fatalf("the last cycle was %+v", last)
	}
}

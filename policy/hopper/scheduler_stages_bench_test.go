package hopper_test

import (
	"fmt"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
)

// stagesOf returns so many stages of one task, all of which may run at once. Where they are piped each reads the one
// before and the first.
func stagesOf(n int, piped bool) []policy.Stage {
	stages := make([]policy.Stage, n)
	for i := range stages {
		stages[i] = policy.Stage{Tasks: 1, Cores: 1}
		if piped && i > 0 {
			stages[i].Reads = []policy.Dep{{Stage: uint32(i - 1), Pipe: true}}
		}
		if piped && i > 1 {
			stages[i].Reads = append(stages[i].Reads, policy.Dep{Stage: 0, Pipe: true})
		}
	}
	return stages
}

// One job of many stages comes, all of them are Ready, from the last to the first, and finish from the first to the last,
// so that the list of phases moves most.
func BenchmarkStages(b *testing.B) {
	for _, piped := range []bool{false, true} {
		for _, n := range []int{1000, 8000, 32_000} {
			b.Run(fmt.Sprintf("piped=%t/stages=%d", piped, n), func(b *testing.B) {
				b.ReportAllocs()
				stages := stagesOf(n, piped)
				for b.Loop() {
					runStages(b, stages)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/stage")
			})
		}
	}
}

func runStages(b *testing.B, stages []policy.Stage) {
	c := hopper.DefaultConfig()
	s, err := hopper.NewScheduler(c)
	if err != nil {
		b.Fatal(err)
	}
	var actions []policy.Action
	started := 0
	step := func(ev policy.Event) {
		if actions, err = s.Step(&ev, actions[:0]); err != nil {
			b.Fatal(err)
		}
		for _, a := range actions {
			if a.Kind == policy.Start {
				started++
			}
		}
	}
	step(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Cores: 1 << 20, Speed: 1, Partition: 1}})
	id := policy.Copy{Task: policy.Task{Job: 1}}
	step(policy.Event{Kind: policy.Submitted, Copy: id, Job: &policy.Job{ID: 1, Stages: stages}, More: true})
	for i := range stages {
		id.Stage = uint32(len(stages) - 1 - i)
		step(policy.Event{Kind: policy.Ready, Copy: id, More: i < len(stages)-1})
	}
	if started != len(stages) {
		b.Fatalf("%d tasks started, want %d", started, len(stages))
	}
	for _, kind := range []policy.EventKind{policy.Started, policy.Finished} {
		for i := range stages {
			id.Stage = uint32(i)
			step(policy.Event{Kind: kind, Copy: id, Node: 1, Time: policy.Time(kind), Service: time.Second, More: true})
		}
	}
	step(policy.Event{Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: 1}}})
}

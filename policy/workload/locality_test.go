package workload_test

import (
	"math"
	"slices"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

func placed(t testing.TB, l workload.Locality, jobs ...*workload.Job) []*workload.Job {
	t.Helper()
	return jobtest.Made(t)(l.Source(workload.Of(jobs)))
}

// Every task of a stage that reads no other has its nodes, none twice, all equally likely; the rest of the job is as it was.
func TestLocality(t *testing.T) {
	const tasks, nodes, replicas = 4000, 20, 3
	old := jobtest.Bag(5, 0, make([]policy.Duration, tasks)...)
	old.Stages = append(old.Stages, policy.Stage{Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 0}}})
	old.Runtimes = append(old.Runtimes, []policy.Duration{s})
	l := workload.Locality{Seed: 2, Nodes: nodes, Replicas: replicas, Elsewhere: 1.5}
	j := placed(t, l, old)[0]
	if j.Stages[1].Holders != nil || j.Stages[1].Elsewhere != 0 {
		t.Errorf("the stage that reads another has %v and factor %v, want none", j.Stages[1].Holders, j.Stages[1].Elsewhere)
	}
	stage := &j.Stages[0]
	if stage.Elsewhere != 1.5 || old.Stages[0].Elsewhere != 0 || old.Stages[0].Holders != nil {
		t.Errorf("got factor %v, want 1.5; the old job has holders %v, want none", stage.Elsewhere, old.Stages[0].Holders)
	}
	var count [nodes + 1]float64
	for i := range uint32(tasks) {
		holders := stage.HoldersOf(i)
		if len(holders) != replicas || len(slices.Compact(slices.Sorted(slices.Values(holders)))) != replicas {
			t.Fatalf("task %d is held by %v, want %d nodes", i, holders, replicas)
		}
		for _, id := range holders {
			count[id]++
		}
	}
	want := float64(tasks * replicas / nodes)
	for id, n := range count[1:] {
		if math.Abs(n-want) > 4*math.Sqrt(want) {
			t.Errorf("node %d holds %v replicas, want about %v", id+1, n, want)
		}
	}
	// Another job before it changes nothing.
	twice := placed(t, l, jobtest.Bag(4, 0, s), old)
	if !slices.Equal(twice[1].Stages[0].Holders, stage.Holders) {
		t.Error("the nodes of a job depend on the jobs before it")
	}
}

func TestLocalityErrors(t *testing.T) {
	config := func() workload.Locality { return workload.Locality{Nodes: 200} }
	source := func(l workload.Locality) (workload.Source, error) { return l.Source(workload.Of(nil)) }
	jobtest.WantRefused(t, "workload: Locality.", config, source, map[string]func(*workload.Locality){
		"Nodes is 0, want 1 to 2^24-1":                func(l *workload.Locality) { l.Nodes = 0 },
		"Nodes is 16777216, want 1 to 2^24-1":         func(l *workload.Locality) { l.Nodes = policy.MaxID + 1 },
		"Replicas is -1, want 1 to 16, at most Nodes": func(l *workload.Locality) { l.Replicas = -1 },
		"Replicas is 17, want 1 to 16, at most Nodes": func(l *workload.Locality) { l.Replicas = 17 },
		"Replicas is 3, want 1 to 16, at most Nodes":  func(l *workload.Locality) { l.Nodes, l.Replicas = 2, 3 },
		"Elsewhere is 0.5, want finite, at least 1":   func(l *workload.Locality) { l.Elsewhere = 0.5 },
		"Elsewhere is NaN, want finite, at least 1":   func(l *workload.Locality) { l.Elsewhere = math.NaN() },
	})
}

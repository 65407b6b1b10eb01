package kairos

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
)

// The node with the greatest score is the one that a centre sends the next task to, and a job is
// admitted as long as there is one.
func TestAdvisorAgreesWithCentre(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 3))
		queue := rng.IntN(4)
		centre := newCentre(Config{Queue: queue})
		advisor := jobtest.Must(NewAdvisor(queue))
		observe := func(ev policy.Event) {
			if err := advisor.Observe(&ev); err != nil {
				t.Fatal(err)
			}
		}
		nodes := policy.NodeID(1 + rng.IntN(5))
		for id := policy.NodeID(1); id <= nodes; id++ {
			cores := 1 + rng.IntN(4)
			centre.joined(&policy.Node{ID: id, Cores: int32(cores)})
			observe(policy.Event{Kind: policy.Joined, Node: id, Info: &policy.Node{ID: id, Partition: 1, Cores: int32(cores), Speed: 1}})
		}
		type running struct {
			job   policy.JobID
			node  policy.NodeID
			start policy.Time
		}
		var run []running
		now, number := policy.Time(0), uint64(0)
		for id := policy.JobID(1); id <= 300; id++ {
			now += policy.Time(rng.Int64N(20e9))
			for id := policy.NodeID(1); id <= nodes; id++ { // what the nodes would say of themselves
				sum, squares, n := 0.0, 0.0, 0.0
				for _, r := range run {
					if age := now.Sub(r.start).Seconds(); r.node == id {
						sum, squares, n = sum+age, squares+age*age, n+1
					}
				}
				variance := 0.0
				if n > 1 {
					variance = max(0, squares/n-sum/n*sum/n)
				}
				number++
				centre.hear(id, report{number: number, seen: centre.workers.Get(id).sent, tasks: uint64(n), tie: variance})
			}
			observe(policy.Event{Time: now, Kind: policy.Submitted, Copy: copyOf(id), Job: &policy.Job{ID: id, Submitted: now, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}})
			observe(policy.Event{Time: now, Kind: policy.Ready, Copy: copyOf(id)})
			want, ok := centre.order.next()
			best, score := policy.NodeID(0), 0.0
			for n := policy.NodeID(1); n <= nodes; n++ {
				if s := advisor.Score(id, n); s > score+1e-9 {
					best, score = n, s
				} else if s < 0 || s > 1 {
					t.Fatalf("score %v of node %d", s, n)
				}
			}
			if ok != (best != 0) || ok && advisor.Score(id, want) < score-1e-9 {
				t.Fatalf("seed %d, job %d: node %d has the greatest score, %v; the centre has node %d, of score %v", seed, id, best, score, want, advisor.Score(id, want))
			}
			if ok {
				centre.send(want, copyOf(id), 0)
				run = append(run, running{id, want, now})
				observe(policy.Event{Time: now, Kind: policy.Started, Copy: copyOf(id), Node: want})
			}
			for rng.IntN(2) == 0 && len(run) > 0 {
				i := rng.IntN(len(run))
				r := run[i]
				run = append(run[:i], run[i+1:]...)
				centre.release(r.node, copyOf(r.job))
				observe(policy.Event{Time: now, Kind: policy.Finished, Copy: copyOf(r.job), Node: r.node})
				observe(policy.Event{Time: now, Kind: policy.Ended, Copy: copyOf(r.job)})
			}
		}
	}
}

// A gang counts as many tasks as it has, and takes no more memory for it. It has run since before a restart that tells of it.
func TestAdvisorCountsGangs(t *testing.T) {
	a := jobtest.Must(NewAdvisor(4))
	observe := func(ev policy.Event) {
		if err := a.Observe(&ev); err != nil {
			t.Fatal(err)
		}
	}
	for id, cores := range []int32{8, 2} {
		id := policy.NodeID(id + 1)
		observe(policy.Event{Kind: policy.Joined, Node: id, Info: &policy.Node{ID: id, Partition: 1, Cores: cores, Speed: 1}})
	}
	for id, tasks := range []uint32{1, 3, policy.MaxTasks} {
		id := policy.JobID(id + 1)
		node := policy.NodeID(max(1, id-1))
		now := policy.Time(id) * 10e9
		observe(policy.Event{Time: now, Kind: policy.Submitted, Copy: copyOf(id), Job: &policy.Job{ID: id, Submitted: now, Stages: []policy.Stage{{Tasks: tasks, Cores: 1, Gang: true}}}})
		observe(policy.Event{Time: now, Kind: policy.Ready, Copy: copyOf(id)})
		run := policy.Duration(id-1) * 1e9
		observe(policy.Event{Time: now.Add(run), Kind: policy.Started, Replay: true, Copy: copyOf(id), Gang: []policy.Share{{Node: node, Tasks: tasks}}, Service: run})
	}
	// Of 12 places of node 1 there are 8 left, and its tasks began at 10, 20, 20 and 20 s, with a variance of 75/4 s².
	want := (7 + 1/(1+math.Sqrt(75.0/4)/60)) / 12
	if got, full := a.Score(1, 1), a.Score(1, 2); math.Abs(got-want) > 1e-12 || full != 0 {
		t.Errorf("scores %v and %v, want %v and 0", got, full, want)
	}
}

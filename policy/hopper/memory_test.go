package hopper_test

import (
	"math"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
)

// Where memory counts, a task is as large as half its share of the cores and half its share of the
// memory, in cores; also after nodes with more memory have joined.
func TestSchedulerMemory(t *testing.T) {
	var c hopper.Config
	c.Memory, c.Epsilon, c.Tail = true, 1, 1.6
	s := newLine(t, setting{Config: c})
	h := host{t: t, s: s}
	cores, memory := 0.0, 0.0
	for n, bytes := range []int64{8 << 30, 24 << 30, 2 << 30} {
		id := policy.NodeID(n + 1)
		h.step(policy.Event{Kind: policy.Joined, Node: id, Info: &policy.Node{ID: id, Cores: 4, Memory: bytes, Speed: 1, Partition: 1}}, false)
		cores, memory = cores+4, memory+float64(bytes)
		if n == 0 {
			h.submit(1, []policy.Stage{{Tasks: 100, Cores: 1, Memory: 6 << 30}}, false)
			h.submit(2, []policy.Stage{{Tasks: 100, Cores: 3, Memory: 1 << 30}}, false)
		}
		var demands []hopper.Demand
		for j, task := range [][]float64{{1, 6 << 30}, {3, 1 << 30}} {
			size := (task[0]/cores + task[1]/memory) / 2
			want := 100 * size * cores
			if e, _ := s.Explain(policy.JobID(j + 1)); math.Abs(e.Tasks-want) > 1e-9*want {
				t.Errorf("%v cores: job %d has %v tasks, want %v", cores, j+1, e.Tasks, want)
			}
			demands = append(demands, hopper.Demand{Tasks: want, Tail: 1.6})
		}
		shares, err := hopper.EpsilonFair(nil, cores, 1, demands)
		if err != nil {
			t.Fatal(err)
		}
		for j, want := range shares {
			if e, _ := s.Explain(policy.JobID(j + 1)); math.Abs(e.Share-want) > 1e-9 {
				t.Errorf("%v cores: the share of job %d is %v, want %v", cores, j+1, e.Share, want)
			}
		}
	}
}

// What a job holds counts as its tasks do: three tasks of a quarter of the memory are half of the node, though not of its cores.
func TestSchedulerHoldsMemory(t *testing.T) {
	var c hopper.Config
	c.Memory, c.Epsilon, c.Tail = true, -1, 1.6
	h := host{t: t, s: newLine(t, setting{Config: c})}
	h.submit(1, []policy.Stage{{Tasks: 20, Cores: 1, Memory: 3 << 30}}, false)
	h.submit(2, []policy.Stage{{Tasks: 100, Cores: 1}}, false)
	h.step(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Cores: 12, Memory: 12 << 30, Speed: 1, Partition: 1}}, false)
	started := map[policy.JobID]int{}
	for _, id := range h.starts {
		started[id]++
	}
	if started[1] != 3 || started[2] != 9 {
		t.Errorf("%d and %d tasks are started, want 3 and 9", started[1], started[2])
	}
}

// A task runs anywhere if the node that holds its data has cores, but not the memory.
func TestSchedulerLocalWithoutMemory(t *testing.T) {
	b := newBooks(t, setting{Config: paper()})
	nodes := sim.Cluster(sim.Partition{Nodes: 1, Cores: 4, Memory: 1 << 20}, sim.Partition{Nodes: 1, Cores: 4, Memory: 1 << 30})
	// Of 10 s each: neither waits for the node of its data.
	if jct := run1(t, b, policy.Stage{Tasks: 2, Cores: 1, Memory: 1 << 28, Holders: []policy.NodeID{1, 1}}, nodes); jct != 10*time.Second {
		t.Errorf("the job takes %v, want 10 s", jct)
	}
}

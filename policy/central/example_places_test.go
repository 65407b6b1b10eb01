package central_test

import (
	"fmt"
	"log"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// A node with free cores takes a task that finds there what it reads, if the job has one.
func ExampleWhere() {
	var v central.View
	observe := func(ev policy.Event) *central.Job {
		j, err := v.Observe(&ev)
		if err != nil {
			log.Fatal(err)
		}
		return j
	}
	for id := range policy.NodeID(3) {
		observe(policy.Event{Kind: policy.Joined, Node: id + 1, Info: &policy.Node{ID: id + 1, Partition: 1, Cores: 2, Speed: 1}})
	}
	of := policy.Copy{Task: policy.Task{Job: 1}}
	observe(policy.Event{Kind: policy.Submitted, Copy: of, Job: &policy.Job{ID: 1, Stages: []policy.Stage{{
		Tasks: 5, Cores: 1,
		Holders: []policy.NodeID{3, 1, 3, 3, 1}, // of tasks 0 to 4
	}}}})
	j := observe(policy.Event{Kind: policy.Ready, Copy: of})

	for n := range v.Open() {
		fmt.Printf("node %d: %d free cores, %d local tasks\n", n, v.Room(n), v.Local(j, n))
		for v.Room(n) > 0 && v.Local(j, n) > 0 {
			fmt.Printf("  start %v, local\n", v.Start(j, central.Where{Node: n, Local: true}).Copy)
		}
	}
	for n := range v.Open() {
		if j.Waiting > 0 {
			fmt.Printf("node %d: start %v\n", n, v.Start(j, central.Where{Node: n}).Copy)
		}
	}
	// Output:
	// node 1: 2 free cores, 2 local tasks
	//   start 1/0/1#0, local
	//   start 1/0/4#0, local
	// node 2: 2 free cores, 0 local tasks
	// node 3: 2 free cores, 3 local tasks
	//   start 1/0/0#0, local
	//   start 1/0/2#0, local
	// node 2: start 1/0/3#0
}

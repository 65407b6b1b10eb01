package advise_test

import (
	"fmt"
	"log"

	"example.com/augur/policy"
	"example.com/augur/policy/advise"
)

// A policy that preempts gives an Advisor orders besides grants: here a task of a job is to
// stand still for one with a priority. The host carries out orders first.
func ExampleAdvisor_Orders() {
	advisor, err := advise.New(new(urgent)) // a policy under which jobs with a priority preempt others
	if err != nil {
		log.Fatal(err)
	}
	observe := func(ev policy.Event) {
		if err := advisor.Observe(&ev); err != nil {
			log.Fatal(err)
		}
	}
	submit := func(id policy.JobID, tasks uint32, priority float64) {
		j := &policy.Job{ID: id, Priority: priority, Stages: []policy.Stage{{Tasks: tasks, Cores: 1}}}
		c := policy.Copy{Task: policy.Task{Job: id}}
		observe(policy.Event{Kind: policy.Submitted, Copy: c, Job: j, More: true})
		observe(policy.Event{Kind: policy.Ready, Copy: c})
	}
	observe(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 2, Speed: 1}})

	submit(1, 2, 0)
	var granted []policy.Action
	for a := range advisor.Grants(1) {
		granted = append(granted, a)
	}
	for _, a := range granted {
		fmt.Println("start", a.Copy, "on node", a.Node)
		observe(policy.Event{Kind: policy.Started, Copy: a.Copy, Node: a.Node})
	}

	submit(2, 1, 1)
	for _, a := range advisor.Orders() {
		fmt.Println(a.Kind, a.Copy)
		observe(policy.Event{Time: 1, Kind: policy.Suspended, Copy: a.Copy, Node: a.Node})
	}
	for a := range advisor.Grants(2) {
		fmt.Println("start", a.Copy, "on node", a.Node)
	}
	// Output:
	// start 1/0/0#0 on node 1
	// start 1/0/1#0 on node 1
	// Suspend 1/0/0#0
	// start 2/0/0#0 on node 1
}

package view_test

import (
	"testing"

	"example.com/augur/internal/heap"
	"example.com/augur/policy"
	"example.com/augur/policy/view"
)

// What is documented of sizes, with 10,000 of each. Tables that grow by doubling may have as much again in reserve.
func TestSizesAreAsDocumented(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds under the race detector")
	}
	const n = 10_000
	jobs := make([]policy.Job, 5*n)
	for i := range jobs {
		jobs[i] = policy.Job{ID: policy.JobID(i + 1), Stages: make([]policy.Stage, 1+i/n)}
		for k := range jobs[i].Stages {
			jobs[i].Stages[k] = policy.Stage{Tasks: 3, Cores: 1}
		}
	}
	nodes := func(tell func(policy.Event), n int) {
		for id := policy.NodeID(1); int(id) <= n; id++ {
			tell(policy.Event{Kind: policy.Joined, Node: id, Info: &policy.Node{ID: id, Partition: 1, Cores: 4, Speed: 1}})
		}
	}
	submit := func(tell func(policy.Event), jobs []policy.Job) {
		for i := range jobs {
			of := policy.Copy{Task: policy.Task{Job: jobs[i].ID}}
			tell(policy.Event{Kind: policy.Submitted, Copy: of, Job: &jobs[i]})
			tell(policy.Event{Kind: policy.Ready, Copy: of})
		}
	}
	bytes := func(fill func(tell func(policy.Event))) float64 {
		return float64(heap.Of(func() *view.View[struct{}] {
			v := new(view.View[struct{}])
			fill(func(ev policy.Event) {
				if _, err := v.Observe(&ev); err != nil {
					t.Fatal(err)
				}
			})
			return v
		})) / n
	}
	one := bytes(func(tell func(policy.Event)) { submit(tell, jobs[:n]) })
	five := bytes(func(tell func(policy.Event)) { submit(tell, jobs[4*n:]) })
	node := bytes(func(tell func(policy.Event)) { nodes(tell, n) })
	t.Logf("a job takes a View %.0f bytes, each further stage %.0f, a node %.0f", one, (five-one)/4, node)
	if one > 130+56+20 || five-one > 4*(56+16) || node > 2*35 {
		t.Errorf("a job takes a View %.0f bytes, each further stage %.0f, a node %.0f; want about 186, 56 and 35", one, (five-one)/4, node)
	}
}

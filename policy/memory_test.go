package policy_test

import (
	"testing"
	"unsafe"

	"example.com/augur/internal/heap"
	"example.com/augur/policy"
)

// What is documented of sizes, with 10,000 of each. Tables that grow by doubling may have as much again in reserve.
func TestSizesAreAsDocumented(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds under the race detector")
	}
	if got := unsafe.Sizeof(policy.Event{}); unsafe.Sizeof(uintptr(0)) == 8 && got != 160 {
		t.Errorf("an Event takes %d bytes, want 160", got)
	}
	if got := unsafe.Sizeof(policy.Action{}); got > 104 {
		t.Errorf("an Action takes %d bytes, want at most 104", got)
	}
	const n = 10_000
	jobs := make([]policy.Job, 5*n)
	for i := range jobs {
		jobs[i] = policy.Job{ID: policy.JobID(i + 1), Stages: make([]policy.Stage, 1+i/n)}
		for k := range jobs[i].Stages {
			jobs[i].Stages[k] = policy.Stage{Tasks: 3, Cores: 1}
		}
	}
	nodes := func(tell func(policy.Event)) {
		for id := policy.NodeID(1); id <= n; id++ {
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
	view := func(fill func(tell func(policy.Event))) float64 {
		return float64(heap.Of(func() *policy.View[struct{}] {
			v := new(policy.View[struct{}])
			fill(func(ev policy.Event) {
				if _, err := v.Observe(&ev); err != nil {
					t.Fatal(err)
				}
			})
			return v
		})) / n
	}
	one := view(func(tell func(policy.Event)) { submit(tell, jobs[:n]) })
	five := view(func(tell func(policy.Event)) { submit(tell, jobs[4*n:]) })
	node := view(func(tell func(policy.Event)) { nodes(tell) })
	t.Logf("a job takes a View %.0f bytes, each further stage %.0f, a node %.0f", one, (five-one)/4, node)
	if one > 100+56+8+20 || five-one > 4*(56+16) || node > 2*16 {
		t.Errorf("a job takes a View %.0f bytes, each further stage %.0f, a node %.0f; want about 156, 56 and 16", one, (five-one)/4, node)
	}
}

package policy_test

import (
	"testing"
	"unsafe"

	"example.com/augur/internal/heap"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
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
	node := view(func(tell func(policy.Event)) { nodes(tell, n) })
	t.Logf("a job takes a View %.0f bytes, each further stage %.0f, a node %.0f", one, (five-one)/4, node)
	if one > 100+56+8+20 || five-one > 4*(56+16) || node > 2*16 {
		t.Errorf("a job takes a View %.0f bytes, each further stage %.0f, a node %.0f; want about 156, 56 and 16", one, (five-one)/4, node)
	}

	// What an Advisor keeps of its own is what is more than its policy keeps.
	advisor := func(fill func(tell func(policy.Event)), advised bool) float64 {
		return float64(heap.Of(func() any {
			p := baseline.NewFIFO()
			a, err := policy.NewAdvisor(p)
			if err != nil {
				t.Fatal(err)
			}
			var actions []policy.Action
			fill(func(ev policy.Event) {
				if advised {
					err = a.Observe(&ev)
				} else {
					actions, err = p.Step(&ev, actions[:0])
				}
				if err != nil {
					t.Fatal(err)
				}
			})
			if advised {
				return a
			}
			return p
		})) / n
	}
	own := func(fill func(tell func(policy.Event))) float64 { return advisor(fill, true) - advisor(fill, false) }
	waiting := func(tell func(policy.Event)) { submit(tell, jobs[:n]) }
	joined := func(tell func(policy.Event)) { nodes(tell, 3*n/4) } // of four cores, for three tasks of each job
	granted := func(tell func(policy.Event)) { joined(tell); submit(tell, jobs[:n]) }
	job := own(waiting)
	grant := (own(granted) - own(joined) - job) / 3
	t.Logf("a job takes an Advisor %.0f bytes, a grant %.0f", job, grant)
	if job > 100 || !(grant > 0 && grant <= 120) {
		t.Errorf("a job takes an Advisor %.0f bytes, and a grant %.0f; want at most 100, and some 100", job, grant)
	}
}

package advise_test

import (
	"testing"

	"example.com/augur/internal/heap"
	"example.com/augur/policy"
	"example.com/augur/policy/advise"
	"example.com/augur/policy/baseline"
)

// What is documented of sizes, with 10,000 jobs. Tables that grow by doubling may have as much again in reserve.
func TestSizesAreAsDocumented(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds under the race detector")
	}
	const n = 10_000
	jobs := make([]policy.Job, n)
	for i := range jobs {
		jobs[i] = policy.Job{ID: policy.JobID(i + 1), Stages: []policy.Stage{{Tasks: 3, Cores: 1}}}
	}
	join := func(tell func(policy.Event)) { // of four cores, for three tasks of each job
		for id := policy.NodeID(1); id <= 3*n/4; id++ {
			tell(policy.Event{Kind: policy.Joined, Node: id, Info: &policy.Node{ID: id, Partition: 1, Cores: 4, Speed: 1}})
		}
	}
	submit := func(tell func(policy.Event)) {
		for i := range jobs {
			of := policy.Copy{Task: policy.Task{Job: jobs[i].ID}}
			tell(policy.Event{Kind: policy.Submitted, Copy: of, Job: &jobs[i]})
			tell(policy.Event{Kind: policy.Ready, Copy: of})
		}
	}
	// What an Advisor keeps of its own is what is more than its policy keeps.
	size := func(fill func(tell func(policy.Event)), advised bool) float64 {
		return float64(heap.Of(func() any {
			p := baseline.NewFIFO()
			a := must(advise.New(p))
			var actions []policy.Action
			fill(func(ev policy.Event) {
				var err error
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
	own := func(fill func(tell func(policy.Event))) float64 { return size(fill, true) - size(fill, false) }
	granted := func(tell func(policy.Event)) { join(tell); submit(tell) }
	job := own(submit)
	grant := (own(granted) - own(join) - job) / 3
	t.Logf("a job takes an Advisor %.0f bytes, a grant %.0f", job, grant)
	if job > 100 || !(grant > 0 && grant <= 120) {
		t.Errorf("a job takes an Advisor %.0f bytes, and a grant %.0f; want at most 100, and some 100", job, grant)
	}
}

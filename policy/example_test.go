package policy_test

import (
	"cmp"
	"fmt"
	"log"

	"example.com/augur/policy"
)

// lastFirst is a whole policy: last come, first served. The View remembers the jobs; all
// that the policy adds is an order.
type lastFirst struct {
	view policy.View[struct{}]
}

func (p *lastFirst) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if _, err := p.view.Observe(ev); err != nil {
		return actions, err
	}
	if !p.view.Decide(ev) {
		return actions, nil
	}
	for {
		last := p.view.Front(func(a, b *policy.JobView[struct{}]) int { return cmp.Compare(b.Job.ID, a.Job.ID) })
		if last == nil || !p.view.Fits(last) {
			return actions, nil
		}
		actions = append(actions, p.view.Start(last, 0))
	}
}

// A host tells a policy what happens, and does what comes back.
func Example() {
	p := new(lastFirst)
	bag := []policy.Stage{{Tasks: 2, Cores: 1}}
	job := func(id policy.JobID) policy.Copy { return policy.Copy{Task: policy.Task{Job: id}} }
	first := policy.Copy{Task: policy.Task{Job: 2}}

	var actions []policy.Action
	for _, ev := range []policy.Event{
		{Time: 0, Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}},
		{Time: 0, Kind: policy.Submitted, Copy: job(1), Job: &policy.Job{ID: 1, Stages: bag}, More: true},
		{Time: 0, Kind: policy.Ready, Copy: job(1), More: true},
		{Time: 0, Kind: policy.Submitted, Copy: job(2), Job: &policy.Job{ID: 2, Stages: bag}, More: true},
		{Time: 0, Kind: policy.Ready, Copy: job(2)},
		{Time: 0, Kind: policy.Started, Copy: first, Node: 1},
		{Time: 5e9, Kind: policy.Finished, Copy: first, Node: 1, Service: 5e9},
	} {
		var err error
		actions, err = p.Step(&ev, actions[:0])
		if err != nil {
			log.Fatal(err)
		}
		for _, a := range actions {
			fmt.Printf("at %v s, after %v: %v %v\n", ev.Time.Seconds(), ev.Kind, a.Kind, a.Copy)
		}
	}
	// Output:
	// at 0 s, after Ready: Start 2/0/0#0
	// at 5 s, after Finished: Start 2/0/1#0
}

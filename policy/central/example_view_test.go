package central_test

import (
	"cmp"
	"fmt"
	"log"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// leastServed is a whole policy: the job goes first that has attained the least service. The
// View keeps that, and what was refused.
type leastServed struct {
	view central.View
}

func (p *leastServed) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if _, err := p.view.Observe(ev); err != nil || !p.view.Decide(ev) {
		return actions, err
	}
	for {
		j := p.view.Front(func(a, b *central.Job) int { return cmp.Compare(p.view.Service(a), p.view.Service(b)) })
		if j == nil || !p.view.Fits(j) {
			return actions, nil
		}
		actions = append(actions, p.view.Start(j, central.Where{}))
		if j.Refused {
			return actions, nil // it tries alone until it gets through
		}
	}
}

// Two jobs take turns on the only core: the one with less service goes first.
func ExampleView() {
	p := &leastServed{central.View{Serves: true}}
	of := func(id policy.JobID, task uint32) policy.Copy {
		return policy.Copy{Task: policy.Task{Job: id, Index: task}}
	}
	job := func(id policy.JobID) *policy.Job {
		return &policy.Job{ID: id, Stages: []policy.Stage{{Tasks: 3, Cores: 1}}}
	}
	var actions []policy.Action
	for _, ev := range []policy.Event{
		{Time: 0, Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}, More: true},
		{Time: 0, Kind: policy.Submitted, Copy: of(1, 0), Job: job(1), More: true},
		{Time: 0, Kind: policy.Ready, Copy: of(1, 0), More: true},
		{Time: 0, Kind: policy.Submitted, Copy: of(2, 0), Job: job(2), More: true},
		{Time: 0, Kind: policy.Ready, Copy: of(2, 0)},
		{Time: 0, Kind: policy.Started, Copy: of(1, 0), Node: 1},
		{Time: 7e9, Kind: policy.Finished, Copy: of(1, 0), Node: 1, Service: 7e9},
		{Time: 7e9, Kind: policy.Started, Copy: of(2, 0), Node: 1},
		{Time: 12e9, Kind: policy.Finished, Copy: of(2, 0), Node: 1, Service: 5e9},
		{Time: 12e9, Kind: policy.Started, Copy: of(2, 1), Node: 1},
		{Time: 16e9, Kind: policy.Finished, Copy: of(2, 1), Node: 1, Service: 4e9},
	} {
		var err error
		actions, err = p.Step(&ev, actions[:0])
		if err != nil {
			log.Fatal(err)
		}
		for _, a := range actions {
			first, second := p.view.Service(p.view.Job(1)), p.view.Service(p.view.Job(2))
			fmt.Printf("at %2v s, with %v and %v core-seconds: %v %v\n", ev.Time.Seconds(), first, second, a.Kind, a.Copy)
		}
	}
	// Output:
	// at  0 s, with 0 and 0 core-seconds: Start 1/0/0#0
	// at  7 s, with 7 and 0 core-seconds: Start 2/0/0#0
	// at 12 s, with 7 and 5 core-seconds: Start 2/0/1#0
	// at 16 s, with 7 and 9 core-seconds: Start 1/0/1#0
}

package check_test

import (
	"fmt"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/check"
)

// host is the smallest host there can be: one node of one core, on which every task takes
// a second. What passes between it and its policy goes through a checker.
type host struct {
	policy  policy.Scheduler
	checker *check.Checker
	told    []policy.Event // what is to be told, in order
	left    int            // tasks of the job
}

func (h *host) run() error {
	for len(h.told) > 0 {
		ev := h.told[0]
		h.told = h.told[1:]
		if err := h.checker.Event(0, &ev); err != nil {
			return err
		}
		actions, err := h.policy.Step(&ev, nil)
		if err != nil {
			return err
		}
		for _, a := range actions {
			if err := h.checker.Action(0, ev.Time, &a); err != nil {
				return err
			}
			h.carryOut(ev.Time, a)
		}
	}
	return h.checker.Done()
}

func (h *host) carryOut(now policy.Time, a policy.Action) {
	if a.Kind != policy.Start {
		return // this policy wants nothing else
	}
	end := now.Add(time.Second)
	h.told = append(h.told,
		policy.Event{Time: now, Kind: policy.Started, Copy: a.Copy, Node: 1, Partition: a.Partition},
		policy.Event{Time: end, Kind: policy.Finished, Copy: a.Copy, Node: 1, Service: time.Second})
	if h.left--; h.left == 0 {
		h.told = append(h.told, policy.Event{Time: end, Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: a.Copy.Job}}, Outcome: policy.Done})
	}
}

// A host of one's own under the checker. It forgets an answer, and is found out.
func Example() {
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}}
	about := policy.Copy{Task: policy.Task{Job: 1}}
	newHost := func() *host {
		return &host{policy: baseline.NewFIFO(), checker: check.New(), left: 2, told: []policy.Event{
			{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}},
			{Kind: policy.Submitted, Copy: about, Job: job},
			{Kind: policy.Ready, Copy: about},
		}}
	}
	fmt.Println(newHost().run())

	forgetful := newHost()
	forgetful.left = 1 // so that the job ends before its second task does
	if v, ok := forgetful.run().(*check.Violation); ok {
		fmt.Printf("%s: %s\n", v.Rule, v.Text)
	}
	// Output:
	// <nil>
	// Copy: job 1 has ended, but the Start of 1/0/1#0 was never answered
}

package policy_test

import (
	"cmp"
	"fmt"
	"log"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// lastFirst is a whole policy: last come, first served. The View remembers the jobs; all
// that the policy adds is an order.
type lastFirst struct {
	view central.View
}

func (p *lastFirst) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if _, err := p.view.Observe(ev); err != nil {
		return actions, err
	}
	if !p.view.Decide(ev) {
		return actions, nil
	}
	for {
		last := p.view.Front(func(a, b *central.Job) int { return cmp.Compare(b.Job.ID, a.Job.ID) })
		if last == nil || !p.view.Fits(last) {
			return actions, nil
		}
		actions = append(actions, p.view.Start(last, central.Where{}))
	}
}

// A host owns the nodes and the clock. This one has a node of one core and tells the policy what happens there.
type host struct {
	policy policy.Scheduler
	now    policy.Time
	asked  []policy.Action // and not carried out yet
}

func (h *host) tell(ev policy.Event) {
	var err error
	ev.Time = h.now
	if h.asked, err = h.policy.Step(&ev, h.asked); err != nil {
		log.Fatal(err)
	}
}

// run carries out what the policy asks for, which is Starts here: each task runs for five seconds.
func (h *host) run() {
	for len(h.asked) > 0 {
		c := h.asked[0].Copy
		h.asked = h.asked[1:]
		fmt.Printf("at %v s: %v\n", h.now.Seconds(), c)
		h.tell(policy.Event{Kind: policy.Started, Copy: c, Node: 1})
		h.now = h.now.Add(5e9)
		if c.Job == 2 && c.N == 0 { // the first copy of this task fails, and the task is to be tried again
			h.tell(policy.Event{Kind: policy.Failed, Copy: c, Node: 1, Service: 5e9, Again: true})
			continue
		}
		h.tell(policy.Event{Kind: policy.Finished, Copy: c, Node: 1, Service: 5e9, More: true})
		h.tell(policy.Event{Kind: policy.Ended, Copy: c, Outcome: policy.Done})
	}
}

// A small host, under which a policy decides. It keeps the first five of the rules: Time, Job, Copy, Node and Order.
func Example() {
	h := host{policy: new(lastFirst)}
	h.tell(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}})
	for id := policy.JobID(1); id <= 3; id++ {
		job := &policy.Job{ID: id, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}
		of := policy.Copy{Task: policy.Task{Job: id}}
		h.tell(policy.Event{Kind: policy.Submitted, Copy: of, Job: job, More: true})
		h.tell(policy.Event{Kind: policy.Ready, Copy: of})
	}
	h.run()
	// Output:
	// at 0 s: 1/0/0#0
	// at 5 s: 3/0/0#0
	// at 10 s: 2/0/0#0
	// at 15 s: 2/0/0#1
}

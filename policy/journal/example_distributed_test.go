package journal_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"example.com/augur/policy"
	"example.com/augur/policy/journal"
	"example.com/augur/policy/kairos"
)

var twoNodes = []policy.Node{{ID: 1, Partition: 1, Cores: 1, Speed: 1}, {ID: 2, Partition: 1, Cores: 1, Speed: 1}}

// A nodesHost is the host of a distributed policy, all parts of which are in its process. What it knows it has from
// what they were told, and so it knows that again after a restart.
type nodesHost struct {
	runs    map[policy.Copy]policy.NodeID // in the cluster, which goes on when its host is down
	journal *journal.Journal
	ledger  journal.Ledger
	now     policy.Time
	joined  policy.NodeID // how many nodes the parts have heard of
	ready   bool
	left    uint32 // tasks of the job that are not finished
	over    bool
}

func openNodes(name string, runs map[policy.Copy]policy.NodeID) (h *nodesHost, err error) {
	h = &nodesHost{runs: runs, over: true}
	h.journal, err = journal.Open(name, journal.Config{
		New: func(map[string][]byte) (policy.Scheduler, error) {
			return kairos.NewScheduler(kairos.Config{})
		},
		Replayed: h.heed,
		Ledger:   &h.ledger,
	})
	if err != nil {
		return nil, err
	}
	return h, h.follow()
}

// heed takes note of what a part was told, now or before a restart.
func (h *nodesHost) heed(part policy.NodeID, ev *policy.Event, _ []policy.Action) error {
	h.now = ev.Time
	switch {
	case part != 0 && ev.Kind == policy.Joined:
		h.joined = part
	case part == 0 && ev.Kind == policy.Submitted:
		h.left, h.ready, h.over = ev.Job.Stages[0].Tasks, false, false
	case part == 0 && ev.Kind == policy.Ready:
		h.ready = true
	case part == 0 && ev.Kind == policy.Finished:
		h.left--
	case part == 0 && ev.Kind == policy.Ended:
		h.over = true
	}
	return nil
}

// step tells a part of an event.
func (h *nodesHost) step(part policy.NodeID, ev policy.Event) error {
	ev.Time = h.now + 1
	actions, err := h.journal.Step(part, &ev, nil)
	if err != nil {
		return err
	}
	return h.heed(part, &ev, actions)
}

// follow tells and does all that is still to be told and done, until there is nothing left.
func (h *nodesHost) follow() error {
	for {
		if err := h.journal.Sync(); err != nil { // before anything is carried out
			return err
		}
		part, ev, ok := h.next()
		if !ok {
			return nil
		}
		if err := h.step(part, ev); err != nil {
			return err
		}
	}
}

// next returns who is to be told what next: the centre of what only a part has heard, then what follows from the state, and then what
// becomes of an order.
func (h *nodesHost) next() (part policy.NodeID, ev policy.Event, ok bool) {
	if ev, ok := h.ledger.Unheard(); ok {
		return 0, ev, true
	}
	job := policy.Copy{Task: policy.Task{Job: 1}}
	switch {
	case int(h.joined) < len(twoNodes):
		return h.joined + 1, policy.Event{Kind: policy.Joined, Node: h.joined + 1, Info: &twoNodes[h.joined]}, true
	case !h.over && !h.ready:
		return 0, policy.Event{Kind: policy.Ready, Copy: job}, true
	case !h.over && h.left == 0:
		return 0, policy.Event{Kind: policy.Ended, Copy: job, Outcome: policy.Done}, true
	}
	o, ok := h.ledger.Next()
	if !ok {
		return 0, ev, false
	}
	if o.Kind == policy.Send || o.Kind == policy.Post {
		return o.Node, policy.Event{Kind: policy.Arrived, Node: o.Part, Msg: o.Msg}, true
	}
	if _, was := h.runs[o.Copy]; !was { // a Start, since nothing is preempted here; it may have been carried out before a crash
		fmt.Println("start", o.Copy, "on node", o.Part)
		h.runs[o.Copy] = o.Part
	}
	return o.Part, policy.Event{Kind: policy.Started, Copy: o.Copy, Node: o.Part}, true
}

// The parts of a distributed policy, on two nodes, are restored too, with the messages that were under way between them and
// the copies of which only the node had heard. (How a journal begins anew, the package's Example shows.)
func Example_distributed() {
	do := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	dir, err := os.MkdirTemp("", "journal")
	do(err)
	defer os.RemoveAll(dir)
	name, runs := filepath.Join(dir, "events"), make(map[policy.Copy]policy.NodeID)
	ended := func(kind policy.EventKind, index, n uint32) (policy.NodeID, policy.Event) {
		c := policy.Copy{Task: policy.Task{Job: 1, Index: index}, N: n}
		return runs[c], policy.Event{Kind: kind, Copy: c, Node: runs[c], Again: kind == policy.Failed} // rule Copy
	}

	h, err := openNodes(name, runs)
	do(err)
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}}
	do(h.step(0, policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Job: job}))
	do(h.follow())
	do(h.step(ended(policy.Failed, 0, 0)))
	do(h.journal.Close()) // the node has heard of it, and the centre has not

	fmt.Println("the host comes back")
	h, err = openNodes(name, runs)
	do(err)
	for _, c := range []policy.Copy{{Task: policy.Task{Index: 1}}, {N: 1}} {
		do(h.step(ended(policy.Finished, c.Index, c.N)))
		do(h.follow())
	}
	fmt.Println("tasks that are left:", h.left)
	do(h.journal.Close())

	// Output:
	// start 1/0/0#0 on node 1
	// start 1/0/1#0 on node 2
	// the host comes back
	// start 1/0/0#1 on node 1
	// tasks that are left: 0
}

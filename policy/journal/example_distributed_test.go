package journal_test

import (
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/journal"
	"example.com/augur/policy/probing"
)

var twoNodes = []policy.Node{{ID: 1, Partition: 1, Cores: 1, Speed: 1}, {ID: 2, Partition: 1, Cores: 1, Speed: 1}}

// A duty is an event that the part on a node, or the centre, part 0, is still to be told. That of a copy's Started on its
// node is a Start that is still to be carried out.
type duty struct {
	part policy.NodeID
	ev   policy.Event
}

// A nodesHost is the host of a distributed policy, all parts of which are in its process. It knows what it knows from
// what they were told, and so knows it again after a restart, with what is still to be told.
type nodesHost struct {
	runs    map[policy.Copy]policy.NodeID // in the cluster, which goes on when its host is down
	journal *journal.Journal
	now     policy.Time
	duties  []duty
	left    map[policy.JobID]uint32 // tasks that are not finished
}

func openNodes(name string, runs map[policy.Copy]policy.NodeID) (h *nodesHost, err error) {
	h = &nodesHost{runs: runs, left: make(map[policy.JobID]uint32)}
	h.journal, err = journal.Open(name, journal.Config{
		New: func(map[string][]byte) (policy.Scheduler, error) {
			return probing.NewSparrow(probing.Config{Src: rand.NewPCG(1, 2)}) // always with the same seed
		},
		Told: h.heed,
	})
	if err != nil {
		return nil, err
	}
	if events, _ := h.journal.Restored(); events == 0 {
		h.owe(1, joined(1)) // the first part, and from that the rest follows
	}
	return h, h.follow()
}

func joined(id policy.NodeID) policy.Event {
	return policy.Event{Kind: policy.Joined, Node: id, Info: &twoNodes[id-1]}
}

func (h *nodesHost) owe(to policy.NodeID, ev policy.Event) { h.duties = append(h.duties, duty{to, ev}) }

// heed takes note of what a part was told, now or before a restart, and of what it wants done: one duty
// is done, and others follow from it.
func (h *nodesHost) heed(part policy.NodeID, ev *policy.Event, actions []policy.Action) error {
	h.now = ev.Time
	if i := slices.IndexFunc(h.duties, func(d duty) bool {
		return d.part == part && d.ev.Kind == ev.Kind && d.ev.Copy == ev.Copy && d.ev.Node == ev.Node
	}); i >= 0 {
		h.duties = slices.Delete(h.duties, i, i+1)
	}
	switch c := ev.Copy; {
	case part != 0 && ev.Kind == policy.Joined: // what ev points to is the journal's, and so not kept
		if h.owe(0, joined(part)); part < 2 {
			h.owe(part+1, joined(part+1))
		}
	case part != 0 && ev.Kind != policy.Arrived: // the centre hears of all copies, after the node
		h.owe(0, policy.Event{Kind: ev.Kind, Copy: c, Node: part, Again: ev.Again})
	case ev.Kind == policy.Submitted:
		h.left[c.Job] = ev.Job.Stages[0].Tasks
		h.owe(0, policy.Event{Kind: policy.Ready, Copy: c})
	case ev.Kind == policy.Finished:
		if h.left[c.Job]--; h.left[c.Job] == 0 {
			h.owe(0, policy.Event{Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: c.Job}}, Outcome: policy.Done})
		}
	}
	for _, a := range actions {
		switch a.Kind { // a part's Start may leave its Node 0; Sparrow's do not
		case policy.Start:
			h.owe(a.Node, policy.Event{Kind: policy.Started, Copy: a.Copy, Node: a.Node})
		case policy.Send:
			a.Msg.Data = slices.Clone(a.Msg.Data)
			h.owe(a.Node, policy.Event{Kind: policy.Arrived, Node: part, Msg: a.Msg})
		default:
			return fmt.Errorf("a host for policies that start copies and send messages is told to %v", a.Kind)
		}
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

// follow does all duties, in their order, which keeps that of messages too.
func (h *nodesHost) follow() error {
	for len(h.duties) > 0 {
		if err := h.journal.Sync(); err != nil { // before anything is carried out
			return err
		}
		d := h.duties[0]
		if _, was := h.runs[d.ev.Copy]; d.part != 0 && d.ev.Kind == policy.Started && !was { // it may have been, before a crash
			fmt.Println("start", d.ev.Copy, "on node", d.part)
			h.runs[d.ev.Copy] = d.part
		}
		if err := h.step(d.part, d.ev); err != nil {
			return err
		}
	}
	return h.journal.Sync()
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
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 3, Cores: 1}}}
	do(h.step(0, policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Job: job}))
	do(h.follow())
	do(h.step(ended(policy.Failed, 0, 0)))
	do(h.journal.Close()) // the node has heard of it, and the centre has not

	fmt.Println("the host comes back")
	h, err = openNodes(name, runs)
	do(err)
	for _, c := range []policy.Copy{{Task: policy.Task{Index: 1}}, {Task: policy.Task{Index: 2}}, {N: 1}} {
		do(h.step(ended(policy.Finished, c.Index, c.N)))
		do(h.follow())
	}
	fmt.Println("tasks that are left:", h.left[1])
	do(h.journal.Close())

	// Output:
	// start 1/0/0#0 on node 1
	// start 1/0/1#0 on node 2
	// the host comes back
	// start 1/0/0#1 on node 1
	// start 1/0/2#0 on node 2
	// tasks that are left: 0
}

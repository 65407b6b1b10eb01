package journal_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/journal"
)

// A machine runs copies of tasks. It goes on when its host is down.
type machine interface {
	start(policy.Copy) error // changes nothing if it was started already
}

// A host is a node with one core. What it knows it has from what the policy was told, so that it knows that again after
// a restart; only Next is of jobs that are long over, and kept.
type host struct {
	machine machine
	journal *journal.Journal
	Next    policy.JobID // no ID is used twice
	now     policy.Time
	jobs    []*policy.Job // that have not ended
	ready   map[policy.JobID]bool
	over    map[policy.JobID][]policy.Copy
	running map[policy.Copy]bool
	ledger  journal.Ledger // what is to be started: carried out or not, nobody knows after a restart
	refused bool           // something was, and the policy has not been told since that it may be tried again
}

// open opens a journal and brings the host to where it was. What was wanted last is carried out, or was.
func open(name string, m machine) (*host, error) {
	h := &host{machine: m, Next: 1, ready: make(map[policy.JobID]bool), over: make(map[policy.JobID][]policy.Copy), running: make(map[policy.Copy]bool)}
	var err error
	h.journal, err = journal.Open(name, journal.Config{
		New: func(kept map[string][]byte) (policy.Scheduler, error) {
			return baseline.NewFIFO(), json.Unmarshal(kept["host"], h)
		},
		Keep: func() (map[string][]byte, error) {
			b, err := json.Marshal(h)
			return map[string][]byte{"host": b}, err
		},
		Replayed: h.heed,
		Ledger:   &h.ledger,
	})
	if err != nil {
		return nil, err
	}
	if events, _ := h.journal.Restored(); events == 0 {
		return h, h.tell(policy.Event{Kind: policy.Joined, Node: 1, Info: node})
	}
	return h, h.follow()
}

var node = &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}

// heed takes note of what the policy was told, now or before a restart. What it wants done is in the ledger.
func (h *host) heed(_ policy.NodeID, ev *policy.Event, _ []policy.Action) error {
	h.now = ev.Time
	c := ev.Copy
	switch ev.Kind {
	case policy.Submitted:
		h.jobs = append(h.jobs, ev.Job)
		h.Next = max(h.Next, c.Job+1)
	case policy.Ready:
		h.ready[c.Job] = true
	case policy.Started:
		h.running[c] = true
	case policy.Finished:
		delete(h.running, c)
		h.over[c.Job] = append(h.over[c.Job], c)
	case policy.Refused:
		h.refused = true
	case policy.Woken:
		h.refused = false
	case policy.Ended:
		h.jobs = slices.DeleteFunc(h.jobs, func(j *policy.Job) bool { return j.ID == c.Job })
		delete(h.ready, c.Job)
		delete(h.over, c.Job)
	}
	return nil
}

// step tells the policy of an event.
func (h *host) step(ev policy.Event) error {
	ev.Time = h.now + 1
	actions, err := h.journal.Step(0, &ev, nil)
	if err != nil {
		return err
	}
	return h.heed(0, &ev, actions)
}

// tell tells the policy of an event and of what follows from it, and carries out what it wants.
func (h *host) tell(ev policy.Event) error {
	if err := h.step(ev); err != nil {
		return err
	}
	return h.follow()
}

// follow tells the policy what follows from what it was told, and carries out what it wants. That it goes by the state, and
// not by the event before, makes it right also when a host comes back that went down between the two.
func (h *host) follow() error {
	for _, j := range slices.Clone(h.jobs) {
		c := policy.Copy{Task: policy.Task{Job: j.ID}}
		if !h.ready[j.ID] {
			if err := h.step(policy.Event{Kind: policy.Ready, Copy: c}); err != nil {
				return err
			}
		}
		if len(h.over[j.ID]) == int(j.Stages[0].Tasks) {
			if err := h.step(policy.Event{Kind: policy.Ended, Copy: c, Outcome: policy.Done}); err != nil {
				return err
			}
		}
	}
	return h.carryOut()
}

// carryOut does what is wanted once that is in the journal, and tells how it went.
func (h *host) carryOut() error {
	for {
		if err := h.journal.Sync(); err != nil {
			return err
		}
		o, ok := h.ledger.Next()
		if !ok {
			return nil
		}
		if o.Kind != policy.Start {
			return fmt.Errorf("a host for policies that start copies is told to %v", o.Kind)
		}
		ev := policy.Event{Kind: policy.Started, Copy: o.Copy, Node: 1}
		if err := h.machine.start(o.Copy); err != nil {
			ev.Kind, ev.Again = policy.Refused, true
		}
		if err := h.step(ev); err != nil {
			return err
		}
	}
}

// retry says that what was refused may be tried again: nothing else may happen that tells the policy.
func (h *host) retry() error {
	if !h.refused {
		return nil
	}
	return h.tell(policy.Event{Kind: policy.Woken})
}

func (h *host) submit(tasks uint32) error {
	job := &policy.Job{ID: h.Next, Stages: []policy.Stage{{Tasks: tasks, Cores: 1}}}
	return h.tell(policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: job.ID}}, Job: job})
}

func (h *host) finish(c policy.Copy) error {
	return h.tell(policy.Event{Kind: policy.Finished, Copy: c, Node: 1})
}

// renew begins the journal anew with the present state: nothing that has been forgotten is in it any more.
func (h *host) renew() error {
	told := []policy.Event{{Kind: policy.Joined, Node: 1, Info: node}}
	for _, j := range h.jobs { // in the order of their IDs
		c := policy.Copy{Task: policy.Task{Job: j.ID}}
		told = append(told, policy.Event{Kind: policy.Submitted, Copy: c, Job: j}, policy.Event{Kind: policy.Ready, Copy: c})
		for _, c := range h.over[j.ID] { // and of their tasks
			told = append(told, policy.Event{Kind: policy.Finished, Copy: c, Node: 1})
		}
		for c := range h.running { // there is one core
			if c.Job == j.ID {
				told = append(told, policy.Event{Kind: policy.Started, Copy: c, Node: 1})
			}
		}
	}
	told = append(told, policy.Event{Kind: policy.Restored})
	err := h.journal.Renew(func(next *journal.Journal) error {
		for i := range told {
			told[i].Time, told[i].Replay = h.now, told[i].Kind != policy.Restored
			if _, err := next.Step(0, &told[i], nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	h.refused = false // what was refused is decided anew
	return h.carryOut()
}

// A crowded machine starts a copy only while it has room.
type crowded struct {
	started map[policy.Copy]bool
	full    bool
}

func (m *crowded) start(c policy.Copy) error {
	if m.full && !m.started[c] {
		fmt.Println("no room for", c)
		return errors.New("too many processes")
	}
	fmt.Println("start", c)
	m.started[c] = true
	return nil
}

// A host goes down between two tasks, and comes back with a policy that knows what was done and what waits. It is also
// the model of a host that begins its journal anew, and of one on whose machine a start may fail.
func Example() {
	dir, err := os.MkdirTemp("", "journal")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name, m := filepath.Join(dir, "events"), &crowded{started: make(map[policy.Copy]bool)}

	do := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	come := func() *host {
		h, err := open(name, m)
		do(err)
		events, _ := h.journal.Restored()
		fmt.Printf("%d events restored, %d copies run\n", events, len(h.running))
		return h
	}

	h := come()
	do(h.submit(2))
	do(h.submit(2))
	do(h.finish(policy.Copy{Task: policy.Task{Job: 1}}))
	do(h.journal.Close()) // and all that was in memory is gone

	h = come()
	m.full = true
	do(h.finish(policy.Copy{Task: policy.Task{Job: 1, Index: 1}}))
	m.full = false
	do(h.retry())
	fmt.Println("begin anew")
	do(h.renew()) // the journal is short again
	do(h.journal.Close())

	h = come()
	fmt.Println("the next job will be", h.Next)
	do(h.finish(policy.Copy{Task: policy.Task{Job: 2}}))
	do(h.journal.Close())

	// Output:
	// 0 events restored, 0 copies run
	// start 1/0/0#0
	// start 1/0/1#0
	// 8 events restored, 1 copies run
	// no room for 2/0/0#0
	// no room for 2/0/0#0
	// start 2/0/0#0
	// begin anew
	// 5 events restored, 1 copies run
	// the next job will be 3
	// start 2/0/1#0
}

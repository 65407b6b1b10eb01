package journal_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/journal"
)

// A host is a node with one core. What it knows of its cluster it learns from the journal again.
type host struct {
	file    *os.File
	journal *journal.Journal
	now     policy.Time
	running []policy.Copy
	actions []policy.Action
}

// open opens the journal in a file, and brings the host to where it was.
func open(name string) *host {
	h := new(host)
	var err error
	if h.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		log.Fatal(err)
	}
	h.journal, err = journal.Open(h.file, journal.Config{
		New:  func() (policy.Scheduler, error) { return baseline.NewFIFO(), nil },
		Told: func(_ policy.NodeID, ev *policy.Event, _ []policy.Action) { h.heed(ev) },
	})
	if err != nil {
		log.Fatal(err)
	}
	events, _ := h.journal.Restored()
	fmt.Printf("%d events restored, %d copies run\n", events, len(h.running))
	return h
}

// heed keeps what the host must know.
func (h *host) heed(ev *policy.Event) {
	h.now = ev.Time
	switch {
	case ev.Kind == policy.Started:
		h.running = append(h.running, ev.Copy)
	case ev.Kind.End():
		h.running = h.running[1:]
	}
}

// tell tells the policy of an event, and carries out what it wants once that is in the journal.
func (h *host) tell(ev policy.Event) {
	ev.Time = h.now + 1
	var err error
	if h.actions, err = h.journal.Step(0, &ev, h.actions[:0]); err != nil {
		log.Fatal(err)
	}
	h.heed(&ev)
	if err := h.journal.Sync(); err != nil {
		log.Fatal(err)
	}
	for _, a := range h.actions {
		if a.Kind == policy.Start {
			fmt.Println("start", a.Copy)
			h.tell(policy.Event{Kind: policy.Started, Copy: a.Copy, Node: 1})
			return // a node with one core is given one
		}
	}
}

func (h *host) submit(id policy.JobID) {
	job := &policy.Job{ID: id, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}}
	c := policy.Copy{Task: policy.Task{Job: id}}
	h.tell(policy.Event{Kind: policy.Submitted, Copy: c, Job: job})
	h.tell(policy.Event{Kind: policy.Ready, Copy: c})
}

func (h *host) finish() {
	h.tell(policy.Event{Kind: policy.Finished, Copy: h.running[0], Node: 1})
}

// A host goes down between two tasks, and comes back with a policy that knows what was done and what waits.
func Example() {
	dir, err := os.MkdirTemp("", "journal")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "events")

	h := open(name)
	h.tell(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}})
	h.submit(1)
	h.submit(2)
	h.finish()
	h.file.Close() // and all that was in memory is gone

	h = open(name)
	h.finish()
	h.finish()
	h.file.Close()

	// Output:
	// 0 events restored, 0 copies run
	// start 1/0/0#0
	// start 1/0/1#0
	// 8 events restored, 1 copies run
	// start 2/0/0#0
	// start 2/0/1#0
}

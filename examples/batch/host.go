package main

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net"
	"os"
	"slices"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/check"
	"example.com/augur/policy/journal"
)

// A host tells a policy what happens, and carries out what it answers. What it knows comes back with the journal (book, ledger,
// checker), but for its connections.
type host struct {
	book
	ledger  journal.Ledger
	checker *check.Checker
	journal *journal.Journal

	options *options
	scripts []*script
	parts   bool // the policy has parts on nodes
	base    policy.Time
	awake   time.Time // when it began, of which base is the time
	retry   policy.Time

	listener net.Listener
	in       chan saying
	look     *time.Ticker // when to look for machines that are missing
	machines map[policy.NodeID]*link
	sent     map[policy.Copy]policy.NodeID // Starts that a machine was sent in this life, and has not answered
	killed   map[policy.Copy]bool          // the same of copies of jobs that have failed
}

// point is called wherever a scheduler may be killed, for tests.
var point = func() {}

// run is the loop: something happens, the policy hears of it, and what it wants done is done.
func (h *host) run(ctx context.Context) error {
	if err := h.gather(ctx); err != nil {
		return err
	}
	for {
		if err := h.settle(); err != nil {
			return err
		}
		if h.done() {
			return h.dismiss()
		}
		var err error
		select {
		case <-ctx.Done():
			return errStopped
		case s := <-h.in:
			err = h.hear(s)
		case <-h.look.C: // the machine that was started in the place of another may have failed
			err = h.replace()
		case <-time.After(h.next().Sub(h.now())):
			err = h.due()
		}
		if err != nil {
			return err
		}
	}
}

// tell tells a part of the policy of an event. Every event has an instant of its own.
func (h *host) tell(part policy.NodeID, ev policy.Event) error {
	ev.Time = max(h.now(), h.last+1)
	ev.Again = h.again(&ev, h.options.Attempts)
	if err := h.checker.Event(part, &ev); err != nil {
		return err
	}
	point()
	actions, err := h.journal.Step(part, &ev, nil)
	if err != nil {
		return err
	}
	point()
	return h.noted(part, &ev, actions)
}

// noted takes note of a step, now or after a restart.
func (h *host) noted(part policy.NodeID, ev *policy.Event, actions []policy.Action) error {
	for i := range actions {
		if err := h.checker.Action(part, ev.Time, &actions[i]); err != nil {
			return err
		}
	}
	if ev.Kind == policy.Started || ev.Kind == policy.Refused {
		delete(h.sent, ev.Copy)
	}
	return h.note(part, ev, actions, h.options.Attempts)
}

// inform tells what has happened on a node: its part first, and then the centre.
func (h *host) inform(node policy.NodeID, ev policy.Event) error {
	if !h.parts {
		return h.tell(0, ev)
	}
	if err := h.tell(node, ev); err != nil {
		return err
	}
	return h.pass()
}

// pass tells the centre what only a part has heard.
func (h *host) pass() error {
	for {
		ev, ok := h.ledger.Unheard()
		if !ok {
			return nil
		}
		if err := h.tell(0, ev); err != nil {
			return err
		}
	}
}

// settle tells what follows from the state, and carries out what the policy wants, until nothing is left. What machines are to do
// leaves the process last, once its reasons are on disk.
func (h *host) settle() error {
	if err := h.pass(); err != nil { // a scheduler before this one had not come to it
		return err
	}
	for {
		told, err := h.follow()
		if err != nil {
			return err
		}
		if told {
			continue
		}
		o, ok := h.ledger.Next()
		if !ok {
			break
		}
		if err := h.carryOut(o); err != nil {
			return err
		}
	}
	point()
	if err := h.journal.Sync(); err != nil {
		return err
	}
	for _, m := range h.sorted() {
		to := json.NewEncoder(m.conn)
		if m.said > m.kept {
			m.out, m.kept = append(m.out, order{Do: forget, Seq: m.said}), m.said
		}
		for _, o := range m.out {
			point()
			_ = to.Encode(o) // if it fails, the connection breaks
		}
		m.out = m.out[:0]
	}
	point()
	return nil
}

// follow tells the first thing that follows from the state, and reports whether there was one.
func (h *host) follow() (told bool, err error) {
	for id := policy.JobID(1); int(id) <= len(h.jobs); id++ {
		j := h.jobs[id]
		of := policy.Copy{Task: policy.Task{Job: id}}
		if j.over {
			continue
		}
		if j.outcome == 0 {
			if stage, ok := j.startable(); ok {
				of.Stage = stage
				return true, h.tell(0, policy.Event{Kind: policy.Ready, Copy: of})
			}
			continue
		}
		if j.copies == 0 {
			return true, h.tell(0, policy.Event{Kind: policy.Ended, Copy: of, Outcome: j.outcome})
		}
		for _, c := range slices.SortedFunc(maps.Keys(h.copies), compareCopies) { // it has failed, or was given up
			if node := h.where(c); c.Job == id && node != 0 && !h.killed[c] {
				h.send(node, order{Do: kill, Copy: c})
				h.killed[c] = true
			}
		}
	}
	return false, nil
}

// carryOut does what a part wants done.
func (h *host) carryOut(o journal.Order) error {
	switch o.Kind {
	case policy.Send, policy.Post:
		if o.Node != 0 && !h.nodes[o.Node] {
			return nil // it is lost with its node
		}
		return h.tell(o.Node, policy.Event{Kind: policy.Arrived, Node: o.Part, Msg: o.Msg})
	case policy.Start:
		node := o.Node
		if o.Part != 0 {
			node = o.Part
		} else if node == 0 {
			node = h.roomiest()
		}
		if h.jobs[o.Copy.Job].outcome != 0 || h.machines[node] == nil {
			return h.refuse(o.Copy)
		}
		s := h.scripts[o.Copy.Job-1]
		h.sent[o.Copy] = node
		saved := h.jobs[o.Copy.Job].saved[o.Copy.Task]
		h.send(node, order{Do: start, Copy: o.Copy, Command: s.commands[o.Copy.Stage], Env: s.env(o.Copy, saved), Saved: saved, Reload: s.stages[o.Copy.Stage].Reload})
	case policy.Suspend:
		h.send(h.where(o.Copy), order{Do: suspend, Copy: o.Copy})
	case policy.Resume:
		h.send(h.where(o.Copy), order{Do: resume, Copy: o.Copy})
	case policy.Kill:
		do := kill
		if o.Save {
			do = save
		}
		h.send(h.where(o.Copy), order{Do: do, Copy: o.Copy})
	}
	return nil // GiveUp is in the book
}

// refuse answers a Start that is not carried out. The policy tries again after the next Woken.
func (h *host) refuse(c policy.Copy) error {
	h.retry = h.now().Add(100 * time.Millisecond)
	if err := h.tell(h.copies[c].part, policy.Event{Kind: policy.Refused, Copy: c, Partition: h.copies[c].named}); err != nil {
		return err
	}
	return h.pass()
}

// where returns the node that has a copy, or was sent it; 0 if there is none.
func (h *host) where(c policy.Copy) policy.NodeID {
	if r := h.copies[c]; r != nil && r.node != 0 {
		return r.node
	}
	return h.sent[c]
}

// roomiest returns the node with the most free cores, 0 if none has any.
func (h *host) roomiest() (node policy.NodeID) {
	free := make(map[policy.NodeID]int)
	for c, r := range h.copies {
		if !r.stands {
			free[h.where(c)]--
		}
	}
	most := 0
	for _, m := range h.sorted() {
		if n := m.cores + free[m.node]; n > most {
			node, most = m.node, n
		}
	}
	return node
}

// now is the time of the policy.
func (h *host) now() policy.Time { return h.base.Add(time.Since(h.awake)) }

// next returns when there is something to tell though nothing happens.
func (h *host) next() policy.Time {
	at := h.now().Add(time.Hour)
	if n := len(h.jobs); n < len(h.scripts) {
		at = min(at, h.begun.Add(h.scripts[n].at))
	}
	if _, rings, ok := h.ledger.Alarm(); ok {
		at = min(at, rings)
	}
	if len(h.refused) > 0 {
		at = min(at, h.retry)
	}
	return at
}

// due tells what is due: an alarm, a time to try again, a job of the file.
func (h *host) due() error {
	now := h.now()
	if part, at, ok := h.ledger.Alarm(); ok && at <= now {
		return h.tell(part, policy.Event{Kind: policy.Woken})
	}
	if len(h.refused) > 0 && h.retry <= now {
		for _, part := range slices.Sorted(maps.Keys(h.refused)) {
			if part != 0 && !h.nodes[part] {
				delete(h.refused, part)
				continue
			}
			if err := h.tell(part, policy.Event{Kind: policy.Woken}); err != nil {
				return err
			}
		}
	}
	if n := len(h.jobs); n < len(h.scripts) && h.begun.Add(h.scripts[n].at) <= now {
		s := h.scripts[n]
		j := &policy.Job{ID: policy.JobID(n + 1), Submitted: max(now, h.last+1), Stages: s.stages, Attrs: []policy.Attr{{Name: "program", Value: s.name}}}
		return h.tell(0, policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: j.ID}}, Job: j})
	}
	return nil
}

// done reports whether all jobs of the file have ended.
func (h *host) done() bool {
	if len(h.jobs) < len(h.scripts) {
		return false
	}
	for _, j := range h.jobs {
		if !j.over {
			return false
		}
	}
	return true
}

// open opens the journal, and with it all that the host knew, and waits for machines.
func open(o *options) (h *host, err error) {
	h = &host{
		book: newBook(), checker: check.New(), options: o, in: make(chan saying),
		machines: make(map[policy.NodeID]*link), sent: make(map[policy.Copy]policy.NodeID), killed: make(map[policy.Copy]bool),
	}
	h.journal, err = journal.Open(o.journal(), journal.Config{
		Keep: o.keep,
		New: func(kept map[string][]byte) (policy.Scheduler, error) {
			if h.scripts, err = readScripts(string(kept["jobs"]), "jobs"); err != nil {
				return nil, err
			}
			if err := json.Unmarshal(kept["options"], o); err != nil {
				return nil, err
			}
			p, err := newPolicy(o.Policy)
			_, h.parts = p.(policy.Distributed)
			return p, err
		},
		Ledger: &h.ledger,
		Replayed: func(part policy.NodeID, ev *policy.Event, actions []policy.Action) error {
			if err := h.checker.Event(part, ev); err != nil {
				return err
			}
			return h.noted(part, ev, actions)
		},
	})
	if err != nil {
		return nil, err
	}
	h.awake = time.Now()
	h.base = max(policy.Time(h.awake.UnixNano()), h.last+1)
	_ = os.Remove(o.socket()) // of a scheduler that was killed: no other one is there, since the journal is locked
	if h.listener, err = net.Listen("unix", o.socket()); err != nil {
		return nil, errors.Join(err, h.journal.Close())
	}
	h.look = time.NewTicker(time.Second)
	go h.listen()
	return h, nil
}

func (h *host) close() {
	h.look.Stop()
	_ = h.listener.Close()
	_ = h.journal.Close()
}

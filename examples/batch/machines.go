package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net"
	"os"
	"slices"
	"time"

	"example.com/augur/policy"
)

// A link is the connection to a machine.
type link struct {
	conn  net.Conn
	node  policy.NodeID
	cores int
	out   []order
	said  uint64 // the last report that was heard
	kept  uint64 // the last one that it was told to forget
}

// A saying is a report of a machine; none if the connection is broken.
type saying struct {
	from *link
	*report
}

// listen passes on what machines say.
func (h *host) listen() {
	for {
		conn, err := h.listener.Accept()
		if err != nil {
			return
		}
		go func() {
			m := &link{conn: conn}
			for from := json.NewDecoder(conn); ; {
				r := new(report)
				if from.Decode(r) != nil {
					break
				}
				h.in <- saying{m, r}
			}
			h.in <- saying{m, nil}
		}()
	}
}

// gather waits for the machines that were there, and starts those that are missing. Only they know which open orders were
// carried out before the scheduler went down, so nothing is carried out until all have spoken.
func (h *host) gather(ctx context.Context) error {
	if len(h.jobs) == len(h.scripts) && h.done() {
		return nil
	}
	if events, cut := h.journal.Restored(); events > 0 {
		fmt.Fprintf(os.Stderr, "batch: %d events restored, %d bytes cut off, %d orders open\n", events, cut, len(h.ledger.Open()))
		if err := h.pass(); err != nil {
			return err
		}
	}
	patience := time.After(h.options.patience)
	err := h.replace()
	for err == nil && len(h.machines) < h.options.Machines {
		select {
		case <-ctx.Done():
			err = errStopped
		case <-patience:
			err = fmt.Errorf("%d of %d machines have not come within %v; their logs in %s say why", h.options.Machines-len(h.machines), h.options.Machines, h.options.patience, h.options.dir)
		case <-h.look.C:
			err = h.replace()
		case s := <-h.in:
			err = h.hear(s)
		}
	}
	return err
}

// replace starts machines in the place of those that are no more.
func (h *host) replace() (err error) {
	for id := policy.NodeID(1); int(id) <= h.options.Machines && err == nil; id++ {
		switch {
		case h.machines[id] != nil || alive(h.options, int(id)): // it is here, or will come
		case h.nodes[id]:
			err = h.gone(id)
		default:
			err = startMachine(h.options, int(id))
		}
	}
	return err
}

// dismiss ends the machines.
func (h *host) dismiss() error {
	for _, m := range h.sorted() {
		_ = json.NewEncoder(m.conn).Encode(order{Do: quit})
	}
	return h.checker.Done()
}

// sorted returns the connections, by node.
func (h *host) sorted() []*link {
	return slices.SortedFunc(maps.Values(h.machines), func(a, b *link) int { return int(a.node) - int(b.node) })
}

// send puts an order into the mail of a machine; settle sends it.
func (h *host) send(node policy.NodeID, o order) {
	if m := h.machines[node]; m != nil {
		m.out = append(m.out, o)
	}
}

// hear takes note of what a machine says.
func (h *host) hear(s saying) error {
	switch {
	case s.report == nil:
		if h.machines[s.from.node] != s.from {
			return nil // it never said who it is
		}
		return h.gone(s.from.node)
	case s.Kind == policy.Joined:
		return h.joined(s.from, s.report)
	case h.machines[s.from.node] != s.from:
		return nil
	}
	return h.says(s.from, s.report)
}

// joined takes note of a machine that has come, or was there before a restart of the scheduler.
func (h *host) joined(m *link, r *report) error {
	if r.Node < 1 || int(r.Node) > h.options.Machines {
		_ = json.NewEncoder(m.conn).Encode(order{Do: quit})
		return nil
	}
	m.node, m.cores = r.Node, int(r.Cores)
	if h.machines[m.node] != nil { // it has ended, though its connection does not say so yet: a machine that comes has the lock
		if err := h.left(m.node); err != nil {
			return err
		}
	}
	h.machines[m.node] = m
	if !h.nodes[m.node] { // what it has is of an earlier life of this node
		for _, c := range r.Copies {
			h.send(m.node, order{Do: kill, Copy: c})
		}
		h.send(m.node, order{Do: forget, Seq: math.MaxUint64})
		info := &policy.Node{ID: m.node, Partition: 1, Cores: r.Cores, Speed: 1}
		return h.inform(m.node, policy.Event{Kind: policy.Joined, Node: m.node, Info: info})
	}
	for _, c := range h.on(m.node) {
		if !slices.Contains(r.Copies, c) { // the machine is another one than before
			if err := h.inform(m.node, h.loss(c)); err != nil {
				return err
			}
		}
	}
	for i := range r.Log {
		if err := h.says(m, &r.Log[i]); err != nil {
			return err
		}
	}
	return nil
}

// says tells the policy what has become of a copy, unless it has heard that.
func (h *host) says(m *link, r *report) error {
	m.said = r.Seq
	c := h.copies[r.Copy]
	ev := policy.Event{Kind: r.Kind, Copy: r.Copy, Node: m.node, Service: r.Service}
	switch {
	case c == nil || c.node != 0 && c.node != m.node || c.node == 0 && h.sent[r.Copy] != 0 && h.sent[r.Copy] != m.node:
		if !r.Kind.End() {
			h.send(m.node, order{Do: kill, Copy: r.Copy}) // it has ended since, or its node was given up
		}
		return nil
	case r.Kind == policy.Started && c.node == 0:
		ev.Partition = c.named
	case r.Kind == policy.Suspended && !c.stands && r.Service > c.service:
	case r.Kind == policy.Resumed && c.stands && r.Service == c.service:
	case r.Kind.End():
		if ev.Idle = c.stands; r.Kind != policy.Finished {
			ev.Saved = r.Saved
		}
	default:
		return nil
	}
	return h.inform(m.node, ev)
}

// loss is the end of a copy that is lost.
func (h *host) loss(c policy.Copy) policy.Event {
	r := h.copies[c]
	return policy.Event{Kind: policy.Lost, Copy: c, Node: r.node, Service: r.service, Saved: h.jobs[c.Job].saved[c.Task], Idle: r.stands}
}

// on returns the copies that were started on a node, in order.
func (h *host) on(node policy.NodeID) (on []policy.Copy) {
	for c, r := range h.copies {
		if r.node == node {
			on = append(on, c)
		}
	}
	slices.SortFunc(on, compareCopies)
	return on
}

// gone takes note of a machine that has gone away, and starts another.
func (h *host) gone(node policy.NodeID) error {
	if err := h.left(node); err != nil {
		return err
	}
	return startMachine(h.options, int(node))
}

// left tells that a machine has gone away. Its part is gone too, so the centre hears of it alone.
func (h *host) left(node policy.NodeID) error {
	delete(h.machines, node)
	for _, c := range h.on(node) {
		if err := h.tell(0, h.loss(c)); err != nil {
			return err
		}
	}
	var unanswered []policy.Copy
	for c, to := range h.sent {
		if to == node && h.copies[c].part == 0 {
			unanswered = append(unanswered, c)
		}
	}
	slices.SortFunc(unanswered, compareCopies)
	if err := h.tell(0, policy.Event{Kind: policy.Left, Node: node}); err != nil {
		return err
	}
	for _, c := range unanswered {
		if err := h.refuse(c); err != nil {
			return err
		}
	}
	maps.DeleteFunc(h.sent, func(_ policy.Copy, to policy.NodeID) bool { return to == node })
	return nil
}

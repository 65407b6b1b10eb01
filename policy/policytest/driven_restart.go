package policytest

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// restart takes the policy down, and tells a new one the present state (see Restart in package policy).
func (h *driven) restart() {
	h.settle()
	h.posts, h.sent, h.asks = nil, nil, nil
	if h.in.one(2) {
		h.checker = sim.NewChecker() // as in a new process
	}
	h.checker.Restart()
	h.tell("RESTART")
	h.world.observe(&entry{restart: true})
	h.happens(answers)
	h.remake()
	if !h.going() {
		return
	}
	h.blind = false
	for id := 1; id < len(h.nodes); id++ {
		n := &h.nodes[id]
		if n.known = n.life; !n.up {
			continue
		}
		n.life++
		n.known++
		h.makePart(policy.NodeID(id))
		ev := policy.Event{Kind: policy.Joined, Replay: true, Node: policy.NodeID(id), Info: &n.info}
		h.put(policy.NodeID(id), ev)
		h.put(0, ev)
	}
	for _, j := range h.jobs {
		if j.over {
			continue
		}
		id := policy.Copy{Task: policy.Task{Job: j.spec.ID}}
		h.put(0, policy.Event{Kind: policy.Submitted, Replay: true, Copy: id, Job: j.spec})
		for i := range j.ready {
			if j.ready[i] {
				id.Stage, id.Index = uint32(i), 0
				h.put(0, policy.Event{Kind: policy.Ready, Replay: true, Copy: id})
				h.replayStage(j, id)
			}
		}
	}
	for id := range h.parts {
		h.put(policy.NodeID(id), policy.Event{Kind: policy.Restored})
	}
	h.flush()
}

// replayStage tells of the tasks of a stage.
func (h *driven) replayStage(j *drivenJob, id policy.Copy) {
	for i := range j.units[id.Stage] {
		u := &j.units[id.Stage][i]
		id.Index, id.N = uint32(i), max(1, u.used)-1
		ev := policy.Event{Replay: true, Copy: id}
		if u.done {
			ev.Kind = policy.Finished
			h.put(0, ev)
			continue
		}
		if u.used == 0 {
			continue
		}
		var copies []*drivenCopy
		for _, c := range h.copies {
			if c.id.Task == id.Task {
				copies = append(copies, c)
			}
		}
		slices.SortFunc(copies, func(a, b *drivenCopy) int { return cmp.Compare(a.id.N, b.id.N) })
		if n := len(copies); n == 0 || copies[n-1].id.N < id.N {
			ev.Kind, ev.Again = cmp.Or(u.last, policy.Refused), n == 0
			h.put(0, ev)
		}
		for _, c := range copies {
			h.replay(c, policy.Started)
			if c.stands {
				h.replay(c, policy.Suspended)
			}
		}
	}
}

func (h *driven) replay(c *drivenCopy, kind policy.EventKind) {
	ev := policy.Event{Kind: kind, Replay: true, Copy: c.id, Node: c.node, Gang: c.gang, Service: c.served(h.now)}
	for _, share := range c.shares() {
		h.put(share.Node, ev)
	}
	h.put(0, ev)
	c.local = false // the centre knows of it
}

// settle brings all that is under way to its end: Starts are refused, orders carried out. The checker
// hears what the policy will hear no more.
func (h *driven) settle() {
	for busy := true; busy && h.going(); {
		busy = false
		for lane := range h.lanes {
			orders := h.lanes[lane]
			h.lanes[lane] = nil
			for i := range orders {
				busy = true
				if o := &orders[i]; o.mail == nil && o.action.Kind == policy.Start {
					h.refuse(o)
				} else {
					h.carryOut(o)
				}
			}
		}
		h.bring(len(h.news))
		for id := range h.parts {
			for len(h.parts[id].inbox) > 0 && h.going() {
				busy = true
				h.open(policy.NodeID(id), func(part policy.NodeID, ev *policy.Event) {
					if part == 0 {
						ev.More = false
						h.check(0, ev)
					}
				})
			}
		}
	}
}

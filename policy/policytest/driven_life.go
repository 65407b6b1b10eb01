package policytest

import (
	"math"
	"slices"

	"example.com/augur/policy"
)

// join lets a node come, or come back.
func (h *driven) join(id policy.NodeID) {
	n := &h.nodes[id]
	n.up, n.cores, n.memory = true, n.info.Cores, n.info.Memory
	if n.memory == 0 {
		n.memory = math.MaxInt64
	}
	n.life++
	h.makePart(id)
	ev := policy.Event{Kind: policy.Joined, Node: id, Info: &n.info}
	h.put(id, ev)
	h.news = append(h.news, letterTo{event: ev})
}

func (h *driven) makePart(id policy.NodeID) {
	h.parts[id] = drivenPart{alarm: policy.Never}
	if h.distributed == nil {
		return
	}
	var err error
	if h.parts[id].policy, err = makePart(h.distributed, new(h.nodes[id].info)); err != nil {
		h.fail(&Failure{Rule: "legal", Err: err})
		return
	}
	if h.parts[0].twin != nil {
		h.parts[id].twin, _ = makePart(h.parts[0].twin.(policy.Distributed), new(h.nodes[id].info))
	}
}

// leave takes a node away, with what runs on it and what is under way to it.
func (h *driven) leave() {
	id := policy.NodeID(1 + h.in.of(len(h.nodes)-1))
	n := &h.nodes[id]
	if !n.up {
		return
	}
	h.happens(nodesChange)
	for _, c := range slices.Clone(h.copies) {
		if slices.ContainsFunc(c.shares(), func(s policy.Share) bool { return s.Node == id }) {
			h.end(c, policy.Lost)
		}
	}
	n.up = false
	h.parts[id] = drivenPart{alarm: policy.Never}
	h.asks = slices.DeleteFunc(h.asks, func(o drivenOrder) bool { return o.from == id })
	for _, o := range h.lanes[id] {
		if o.mail == nil && o.action.Kind == policy.Start {
			h.refuse(&o)
		}
	}
	h.lanes[id] = nil
	h.news = append(h.news, letterTo{event: policy.Event{Kind: policy.Left, Node: id}})
}

func (h *driven) comeBack() {
	id := policy.NodeID(1 + h.in.of(len(h.nodes)-1))
	if !h.nodes[id].up {
		h.happens(nodesChange)
		h.join(id)
	}
}

// breakCopy ends a copy before its time.
func (h *driven) breakCopy() {
	kind := []policy.EventKind{policy.Failed, policy.Killed, policy.Lost}[h.in.of(3)]
	if len(h.copies) > 0 {
		h.happens(ends)
		h.end(h.copies[h.in.of(len(h.copies))], kind)
	}
}

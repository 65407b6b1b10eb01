package policytest

import (
	"math"
	"slices"

	"example.com/augur/policy"
)

// drivenNode is a node, as it is.
type drivenNode struct {
	info   policy.Node
	up     bool
	cores  int32 // free
	memory int64
	life   int // how often it has joined
	known  int // the same, as the centre has heard
}

// drivenCopy is a copy on its nodes.
type drivenCopy struct {
	id      policy.Copy
	stage   *policy.Stage
	node    policy.NodeID
	gang    []policy.Share
	local   bool
	stands  bool
	idle    bool // the last thing said of it is Suspended
	service policy.Duration
	since   policy.Time // from when on it runs
	runtime policy.Duration
}

// shares returns where a copy is, a task being a gang of one.
func (c *drivenCopy) shares() []policy.Share {
	if c.node != 0 {
		return []policy.Share{{Node: c.node, Tasks: 1}}
	}
	return c.gang
}

func (c *drivenCopy) served(now policy.Time) policy.Duration {
	if c.stands {
		return c.service
	}
	return c.service + now.Sub(c.since)
}

// ends returns when a copy will have run for its time, unless it stands or waits for its input.
func (h *driven) ends(c *drivenCopy) (policy.Time, bool) {
	if c.stands || !h.flowed(c) {
		return 0, false
	}
	return c.since.Add(c.runtime - c.service), true
}

// runs reports whether a copy is about to end by itself.
func (h *driven) runs(c *drivenCopy) bool { _, ok := h.ends(c); return ok }

func (h *driven) find(id policy.Copy) *drivenCopy {
	for _, c := range h.copies {
		if c.id == id {
			return c
		}
	}
	return nil
}

// hold takes (sign 1) or gives back (-1) what a copy holds.
func (h *driven) hold(c *drivenCopy, cores, memory int32) {
	for _, share := range c.shares() {
		n := &h.nodes[share.Node]
		n.cores -= cores * c.stage.Cores * int32(share.Tasks)
		n.memory -= int64(memory) * c.stage.Memory * int64(share.Tasks)
	}
}

// start carries a Start out, or refuses it.
func (h *driven) start(o *drivenOrder) {
	a := &o.action
	j := h.job(a.Copy.Job)
	var c *drivenCopy
	if j.outcome == 0 && !j.unit(a.Copy).done && j.ready[a.Copy.Stage] && h.flows(j, a.Copy.Stage) {
		if h.in.one(12) {
			h.refuse(o)
			h.again(policy.Share{Node: o.from})
			return
		}
		c = h.place(&j.spec.Stages[a.Copy.Stage], a)
	}
	if c == nil {
		h.refuse(o)
		return
	}
	c.local, c.since, c.runtime = o.from != 0, h.now, h.runtime(c)
	h.hold(c, 1, 1)
	h.copies = append(h.copies, c)
	h.inform(c, policy.Started, a.Partition)
	if !c.local && h.started[c.id] == 0 {
		h.divert(c.id, c.shares()[0].Node)
	}
}

// divert has orders to a copy wait on its node, once that is known: what concerns that node keeps its order (rule Order).
func (h *driven) divert(id policy.Copy, to policy.NodeID) {
	h.started[id] = to
	var left []drivenOrder
	for _, o := range h.lanes[0] {
		if o.mail == nil && o.action.Kind != policy.Start && o.action.Copy == id {
			h.lanes[to] = append(h.lanes[to], o)
		} else {
			left = append(left, o)
		}
	}
	h.lanes[0] = left
}

func (h *driven) refuse(o *drivenOrder) {
	ev := policy.Event{Kind: policy.Refused, Copy: o.action.Copy, Partition: o.action.Partition}
	if o.from != 0 {
		h.put(o.from, ev)
	}
	h.news = append(h.news, letterTo{event: ev, local: o.from != 0})
}

// again tells the centre, and the parts that have heard that something was not carried out, though it could have
// been, to try again (rule Order). If that goes round in a circle the script does, as long as it is.
func (h *driven) again(heard ...policy.Share) {
	h.instant = 0
	ev := policy.Event{Kind: policy.Woken}
	for _, share := range heard {
		if share.Node != 0 {
			h.put(share.Node, ev)
		}
	}
	h.news = append(h.news, letterTo{event: ev})
}

// place finds nodes with room; the script chooses among them.
func (h *driven) place(stage *policy.Stage, a *policy.Action) *drivenCopy {
	c := &drivenCopy{id: a.Copy, stage: stage}
	left, first := int32(1), 0
	if stage.Gang {
		left = int32(stage.Tasks)
	}
	if len(h.nodes) > 2 && a.Node == 0 {
		first = h.in.of(len(h.nodes))
	}
	for k := range h.nodes {
		id := policy.NodeID((first + k) % len(h.nodes))
		n := &h.nodes[id]
		if id == 0 || !n.up || a.Node != 0 && a.Node != id || a.Partition != 0 && a.Partition != n.info.Partition {
			continue
		}
		fit := min(left, n.cores/stage.Cores)
		if stage.Memory > 0 {
			fit = int32(min(int64(fit), n.memory/stage.Memory))
		}
		if fit <= 0 {
			continue
		}
		if left -= fit; !stage.Gang {
			c.node = id
			return c
		}
		c.gang = append(c.gang, policy.Share{Node: id, Tasks: uint32(fit)})
		if left == 0 {
			return c
		}
	}
	return nil
}

// runtime returns how long a copy will run where it is.
func (h *driven) runtime(c *drivenCopy) (longest policy.Duration) {
	id := c.id
	for _, share := range c.shares() {
		n := &h.nodes[share.Node].info
		for range share.Tasks {
			d, ok := h.truth.Runtime(id)
			if !ok {
				h.fail(failure("config", "Config.Prepare has left no runtime for %v", id))
			}
			factor := 1 / n.Speed
			if c.stage.Elsewhere > 1 && !(c.stage.Prefers(n.Partition) && c.stage.Local(id.Index, n.ID)) {
				factor *= c.stage.Elsewhere
			}
			longest = max(longest, policy.Duration(math.Round(float64(d)*factor)))
			id.Index++
		}
	}
	return longest
}

// inform tells the parts where a copy is, at once, and sends news to the centre.
func (h *driven) inform(c *drivenCopy, kind policy.EventKind, p policy.PartitionID) {
	ev := policy.Event{Kind: kind, Copy: c.id, Node: c.node, Gang: c.gang, Partition: p, Service: c.served(h.now)}
	if kind == policy.Suspended || kind.End() {
		ev.Idle = c.idle
	}
	c.idle = kind == policy.Suspended || c.idle && kind != policy.Resumed
	for _, share := range c.shares() {
		h.put(share.Node, ev)
	}
	h.news = append(h.news, letterTo{event: ev, local: c.local})
}

// end takes a copy off its nodes.
func (h *driven) end(c *drivenCopy, kind policy.EventKind) {
	i := slices.Index(h.copies, c)
	h.copies = slices.Delete(h.copies, i, i+1)
	cores := int32(-1)
	if c.stands {
		cores = 0
	}
	h.hold(c, cores, -1)
	h.inform(c, kind, 0)
}

// carryOut does what an order says. A Start of a node that has left is refused, all else is in vain.
func (h *driven) carryOut(o *drivenOrder) {
	a := &o.action
	if o.mail != nil {
		h.arrive(o.mail)
		return
	}
	if a.Kind == policy.Start {
		h.start(o)
		return
	}
	if a.Kind == policy.Report && a.At > h.now {
		if a.At < policy.Never {
			h.asks = append(h.asks, *o)
		}
		return
	}
	c := h.find(a.Copy)
	switch {
	case c == nil:
	case a.Kind == policy.Kill && o.lost:
		h.end(c, policy.Lost)
	case a.Kind == policy.Kill:
		h.end(c, policy.Killed)
	case a.Kind == policy.Suspend && !c.stands:
		c.service, c.stands = c.served(h.now), true
		h.hold(c, -1, 0)
		h.inform(c, policy.Suspended, 0)
	case a.Kind == policy.Resume && c.stands && h.in.one(12):
		h.inform(c, policy.Suspended, 0)
		h.again(c.shares()...)
	case a.Kind == policy.Resume && c.stands:
		for _, share := range c.shares() {
			if h.nodes[share.Node].cores < c.stage.Cores*int32(share.Tasks) {
				h.inform(c, policy.Suspended, 0)
				return
			}
		}
		h.hold(c, 1, 0)
		c.stands, c.since = false, h.now
		h.inform(c, policy.Resumed, 0)
	case a.Kind == policy.Report:
		h.report(o, c)
	}
}

func (h *driven) report(o *drivenOrder, c *drivenCopy) {
	ev := policy.Event{Kind: policy.Progress, Copy: c.id, Node: c.node, Gang: c.gang, Service: c.served(h.now), Value: 1}
	if ev.Service < c.runtime {
		ev.Value = ev.Service.Seconds() / c.runtime.Seconds()
	}
	if o.from != 0 {
		h.put(o.from, ev)
		return
	}
	h.news = append(h.news, letterTo{event: ev, local: c.local})
}

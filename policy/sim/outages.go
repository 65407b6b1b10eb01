package sim

import (
	"math"
	"math/rand/v2"

	"example.com/augur/internal/luck"
	"example.com/augur/policy"
)

// outages take nodes away and bring them back.
type outages struct {
	clock    *clock
	nodes    *nodes
	parts    *parts
	reports  *reports
	mail     *mail
	slips    *slips
	machines *machines
	faults   *Faults
	count    *FaultCount

	list []Outage               // those of Faults, then one for each node, by chance
	rand []*rand.Rand           // by node
	gone map[policy.NodeID]bool // for good
}

// plan schedules the outages.
func (o *outages) plan() {
	f, now := o.faults, o.clock.now
	o.list = append(o.list, f.Outages...)
	for i, x := range f.Outages {
		o.clock.at(max(x.At, now), nodeFails, uint32(i))
	}
	if f.MeanUp == 0 {
		return
	}
	o.rand = make([]*rand.Rand, len(o.nodes.all))
	for id := 1; id < len(o.nodes.all); id++ {
		o.rand[id] = rand.New(rand.NewPCG(f.Seed, luck.Mix(luckNode<<32|uint64(id))))
		o.list = append(o.list, Outage{Node: policy.NodeID(id)})
		o.draw(len(o.list) - 1)
	}
}

// draw draws the next outage of a node after outage i, if that was by chance.
func (o *outages) draw(i int) {
	if i < len(o.faults.Outages) {
		return
	}
	x := &o.list[i]
	up := exponential(o.faults.MeanUp, o.rand[x.Node].Float64())
	x.For = max(1, exponential(o.faults.MeanDown, o.rand[x.Node].Float64()))
	if x.At = o.clock.now.Add(up); x.At < math.MaxInt64 {
		o.clock.at(x.At, chanceFails, uint32(i))
	}
}

// begin takes a node away: its copies are lost, and its part forgets everything.
func (o *outages) begin(i int) {
	x := o.list[i]
	n := &o.nodes.all[x.Node]
	if !n.up { // it is gone already
		if !o.gone[x.Node] {
			o.draw(i)
		}
		return
	}
	switch {
	case x.For == 0:
		o.gone[x.Node] = true
	case i < len(o.faults.Outages):
		o.clock.after(x.For, nodeBack, uint32(i))
	default:
		o.clock.after(x.For, chanceBack, uint32(i))
	}
	o.count.Outages++
	o.nodes.leave(n)
	o.machines.lose(x.Node)
	for _, late := range o.slips.settle(func(s *slip) bool { return s.from() == x.Node }) {
		switch { // its messages are still sent, and its other actions are dropped
		case late.mail:
			o.mail.wire.push(&late.message)
		case late.order.action.Kind == policy.Start:
			o.machines.refuse(&late.order)
		}
	}
	o.machines.refuseWaiting(x.Node)
	o.parts.leave(x.Node)
	o.reports.ofNode(&policy.Event{Kind: policy.Left, Node: x.Node})
}

// end brings a node back.
func (o *outages) end(i int) {
	o.join(o.list[i].Node)
	o.draw(i)
}

// join brings a node into the cluster.
func (o *outages) join(id policy.NodeID) {
	n := &o.nodes.all[id]
	o.nodes.join(n)
	ev := policy.Event{Kind: policy.Joined, Node: id, Info: n.info}
	o.parts.join(&ev)
	o.reports.ofNode(&ev)
}

package sim

import "example.com/augur/policy"

// orders are on their way from the centre to nodes, or from the part on a node to its node.
type orders struct {
	books    *books
	slips    *slips
	machines *machines
	wire     wire[order]
	giveUp   func(policy.JobID)
}

// An order is an action on its way to a node.
type order struct {
	action policy.Action
	from   policy.NodeID
	lost   bool // a Kill whose victim is to end as Lost
	host   bool // the host's own
	late   bool // it was carried out late
}

// command sends an order to its node: at once from the part there, after the network's delay from the centre.
func (os *orders) command(o *order) {
	if o.from != 0 || os.wire.delay == 0 {
		os.obey(o)
		return
	}
	os.wire.push(o)
}

// kill sends the host's own order to end a copy, as Killed or as Lost.
func (os *orders) kill(c policy.Copy, lost bool) {
	os.command(&order{action: policy.Action{Kind: policy.Kill, Copy: c}, lost: lost, host: true})
}

// obey carries out an order: now or, if the host slips, later.
func (os *orders) obey(o *order) {
	if os.slips.faults.ActionLate == 0 {
		os.carryOut(o)
		return
	}
	late := policy.Duration(0)
	if c := o.action.Copy; !o.host {
		late = os.slips.draw(o.action.Kind, uint64(c.Job)<<32|uint64(c.Stage), uint64(c.Index)<<32|uint64(c.N), os.times(o))
	}
	if !os.slips.keep(late, slip{order: *o, channels: os.channels(o)}) {
		os.carryOut(o)
	}
}

// carryOut carries out an order now.
func (os *orders) carryOut(o *order) {
	if o.action.Kind == policy.GiveUp {
		os.giveUp(o.action.Copy.Job)
	} else {
		os.machines.carryOut(o)
	}
}

// A request is what is asked of a copy.
type request struct {
	copy policy.Copy
	kind policy.ActionKind
}

// times counts how often something was asked of a copy, so that each time has its own luck: the number of a Start
// that was Refused may be used again.
func (os *orders) times(o *order) uint64 {
	j := os.books.jobs.Get(o.action.Copy.Job)
	if j == nil {
		return 0 // nothing will come of it
	}
	if j.asked == nil {
		j.asked = make(map[request]uint64)
	}
	r := request{o.action.Copy, o.action.Kind}
	j.asked[r]++
	return j.asked[r]
}

// channels returns the channels of an order: that of its copy, and that of the part that wants it, or those from the centre
// to the nodes that a Start names or that the copy is on.
func (os *orders) channels(o *order) []channel {
	if o.action.Kind == policy.GiveUp {
		return nil // it is about a job
	}
	channels := []channel{{copy: o.action.Copy}}
	if o.from != 0 {
		return append(channels, channel{from: o.from, to: o.from})
	}
	if o.action.Kind == policy.Start {
		if o.action.Node != 0 {
			channels = append(channels, channel{to: o.action.Node})
		}
	} else if at := os.books.find(o.action.Copy); at > 0 {
		for node := range os.books.where(at - 1) {
			channels = append(channels, channel{to: node})
		}
	}
	return channels
}

package sim

import "example.com/augur/policy"

// reports are on their way from nodes to the centre.
type reports struct {
	parts *parts
	wire  wire[report]
	hear  func(report) // at the centre
}

// A report is an event of a copy on its way to the centre.
type report struct {
	event policy.Event
	at    policy.Time // when it happened
	local bool        // the Start came from the part on the node
	limit bool        // a copy was killed since it had run for the requested time

	stopped bool    // an end: it was to be saved
	carried carried // an end: what the copy went on from
}

// inform reports an event of a copy to the parts where it is, at once, and to the centre.
func (rs *reports) inform(r *report) {
	rs.parts.tellNodes(&r.event)
	rs.bring(r)
}

// bring sends a report to the centre, with the network's delay.
func (rs *reports) bring(r *report) {
	r.at = rs.wire.clock.now
	if rs.wire.delay == 0 {
		rs.hear(*r)
		return
	}
	rs.wire.push(r)
}

// ofNode reports a node to the centre. The centre hears at once of the nodes that are there from the start.
func (rs *reports) ofNode(ev *policy.Event) {
	if now := rs.wire.clock.now; now > rs.wire.clock.begin {
		rs.bring(&report{event: *ev})
		return
	}
	rs.parts.tell(0, ev)
}

package sim

import (
	"slices"

	"example.com/augur/internal/slab"
	"example.com/augur/policy"
	"example.com/augur/policy/check"
)

// machines run the copies that are on nodes.
type machines struct {
	clock   *clock
	books   *books
	nodes   *nodes
	parts   *parts
	reports *reports
	checker *check.Checker

	truth                   policy.Truth
	faults                  *Faults
	count                   *FaultCount
	suspendCost, resumeCost policy.Duration
	saveCost                policy.Duration

	all  []machine      // by node
	asks slab.Slab[ask] // reports asked for
}

// A machine is what is on a node.
type machine struct {
	copies []int32 // places of the copies, oldest first
	wants  []order // that wait for cores to be freed
}

// carryOut carries out an order on a node.
func (m *machines) carryOut(o *order) {
	a := &o.action
	if a.Kind == policy.Start {
		m.start(o)
		return
	}
	if a.Kind == policy.Report && a.At > m.clock.now {
		if a.At < policy.Never {
			m.ask(o) // also of a copy that still waits for its cores
		}
		return
	}
	at := m.books.find(a.Copy)
	if at == 0 {
		m.withdraw(o)
		return // it has ended
	}
	at--
	c := m.books.attempts.At(at)
	if o.from != 0 && !m.books.on(at, o.from) {
		if o.late {
			return // it has gone elsewhere meanwhile
		}
		m.clock.fail(m.checker.Breach("Parts", "the part on node %d wants to %v %v, which is not there", o.from, a.Kind, a.Copy))
		return
	}
	switch a.Kind {
	case policy.Kill:
		if a.Save {
			m.stop(at)
			return
		}
		kind := policy.Killed
		if o.lost {
			kind = policy.Lost
		}
		m.endCopy(at, kind)
	case policy.Suspend:
		m.suspend(at)
	case policy.Resume:
		switch c.state {
		case suspended:
			m.resume(at, o)
		case suspending:
			c.state = turning
		}
	case policy.Report:
		if c.state != saving {
			m.report(o, at)
		}
	}
}

// start runs a copy if there is room for it.
func (m *machines) start(o *order) {
	a := &o.action
	j := m.books.jobs.Get(a.Copy.Job)
	if j == nil || j.told {
		m.refuse(o)
		return
	}
	st := &j.stages[a.Copy.Stage]
	finished := st.units[a.Copy.Index] < 0
	if u := m.books.first(st, a.Copy.Index); u != nil {
		finished = u.done()
	}
	if j.outcome != 0 || finished || !st.ready || !m.books.flows(j, st) {
		m.refuse(o)
		return
	}
	if st.spec.Gang {
		gang := m.nodes.placeGang(st.spec, a)
		if gang == nil {
			m.refuse(o)
			return
		}
		m.launch(o, j, 0, gang)
		return
	}
	id := a.Node
	if id == 0 {
		id = m.nodes.place(st.spec, a.Copy.Index, a.Partition)
	} else if n := &m.nodes.all[id]; !n.up || a.Partition != 0 && n.partition != a.Partition {
		id = 0
	} else if !n.fits(st.spec) || len(m.all[id].wants) > 0 {
		if n.freeing > 0 && n.cores+n.freeing >= st.spec.Cores && n.fitsRest(st.spec) {
			m.all[id].wants = append(m.all[id].wants, *o)
			return
		}
		id = 0
	}
	if id == 0 {
		m.refuse(o)
		return
	}
	m.launch(o, j, id, nil)
}

// withdraw answers a Kill of a copy that still waits for cores to be freed.
func (m *machines) withdraw(o *order) {
	if o.action.Kind != policy.Kill || m.suspendCost == 0 {
		return // nothing waits for cores that are free at once
	}
	for id := range m.all {
		if w := m.unwant(policy.NodeID(id), policy.Start, o.action.Copy); w != nil {
			m.refuse(w)
			return
		}
	}
}

// unwant removes an order that waits for cores on a node, and returns nil if there is none.
func (m *machines) unwant(id policy.NodeID, kind policy.ActionKind, c policy.Copy) *order {
	n := &m.all[id]
	for i := range n.wants {
		if w := n.wants[i]; w.action.Kind == kind && w.action.Copy == c {
			n.wants = slices.Delete(n.wants, i, i+1)
			return &w
		}
	}
	return nil
}

// refuse answers a Start that cannot be carried out.
func (m *machines) refuse(o *order) {
	r := report{
		event: policy.Event{Kind: policy.Refused, Copy: o.action.Copy, Partition: o.action.Partition},
		local: o.from != 0,
	}
	if r.local {
		m.parts.tell(o.from, &r.event)
	}
	m.reports.bring(&r)
}

// lose ends the copies on a node that is lost.
func (m *machines) lose(id policy.NodeID) {
	for n := &m.all[id]; len(n.copies) > 0; {
		m.endCopy(n.copies[0], policy.Lost)
	}
}

// refuseWaiting refuses the Starts that wait for cores on a node.
func (m *machines) refuseWaiting(id policy.NodeID) {
	wants := m.all[id].wants
	m.all[id].wants = nil
	for i := range wants {
		if wants[i].action.Kind == policy.Start {
			m.refuse(&wants[i])
		}
	}
}

// grant gives freed cores to the orders that wait for them.
func (m *machines) grant(id policy.NodeID, gang []policy.Share) {
	if id != 0 {
		m.grantNode(id)
	}
	for _, share := range gang {
		m.grantNode(share.Node)
	}
}

func (m *machines) grantNode(id policy.NodeID) {
	n, free := &m.all[id], &m.nodes.all[id]
	for len(n.wants) > 0 {
		o := n.wants[0]
		wants := n.wants
		n.wants = n.wants[1:]
		spec := m.books.spec(o.action.Copy)
		if spec != nil && free.cores < spec.Cores && free.freeing > 0 {
			n.wants = wants // it goes on waiting
			return
		}
		rest := n.wants
		n.wants = nil // nobody is before it now
		m.carryOut(&o)
		n.wants = append(rest, n.wants...)
	}
}

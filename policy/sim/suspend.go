package sim

import (
	"example.com/augur/policy"
)

// suspend takes a copy off its cores.
func (m *machines) suspend(at int32) {
	c := m.books.attempts.At(at)
	switch c.state {
	case suspending, saving:
		return
	case turning:
		c.state = suspending
		return
	case suspended:
		if m.unwant(c.node, policy.Resume, c.id()) != nil {
			m.tellSuspended(at) // the answer to the Resume that waited
		}
		return
	}
	if c.state == reloading {
		m.loaded(at)
	}
	m.halt(c)
	c.state = suspending
	m.clock.idle = 0
	if m.suspendCost == 0 {
		m.copyOff(at)
		return
	}
	m.freeing(at, 1)
	c.event = m.clock.after(m.suspendCost, copyFreed, uint32(at))
}

// freeing records that a copy is about to leave its cores, or no longer is.
func (m *machines) freeing(at int32, sign int32) {
	cores := sign * m.books.attempts.At(at).of().spec.Cores
	for id, tasks := range m.books.where(at) {
		m.nodes.all[id].freeing += cores * tasks
	}
}

func (m *machines) copyFreed(at int32) {
	m.freeing(at, -1)
	m.copyOff(at)
}

// copyOff handles the instant at which a suspended copy has left its cores.
func (m *machines) copyOff(at int32) {
	c := m.books.attempts.At(at)
	turns := c.state == turning
	c.state = suspended
	m.hold(at, -1, true, false)
	m.clock.idle = 0
	id, gang, copy := c.node, m.books.gang(at), c.id()
	m.tellSuspended(at)
	m.grant(id, gang)
	if turns {
		m.carryOut(&order{action: policy.Action{Kind: policy.Resume, Copy: copy}})
	}
}

func (m *machines) tellSuspended(at int32) {
	c := m.books.attempts.At(at)
	r := m.tells(at, policy.Suspended, m.served(c))
	r.event.Idle = c.is(idle)
	c.set(idle, true)
	m.reports.inform(&r)
}

// resume gives a suspended copy its cores back, if they are free.
func (m *machines) resume(at int32, o *order) {
	c := m.books.attempts.At(at)
	cores, fits := c.of().spec.Cores, true
	last, want := policy.NodeID(0), int64(0)
	for id, tasks := range m.books.where(at) {
		if id != last {
			last, want = id, 0
		}
		want += int64(cores) * int64(tasks)
		fits = fits && int64(m.nodes.all[id].cores) >= want
	}
	if c.node != 0 {
		n, free := &m.all[c.node], &m.nodes.all[c.node]
		fits = fits && len(n.wants) == 0
		if !fits && free.freeing > 0 && free.cores+free.freeing >= cores {
			n.wants = append(n.wants, *o)
			return
		}
	}
	if !fits {
		m.tellSuspended(at)
		return
	}
	m.resumeNow(at)
}

func (m *machines) resumeNow(at int32) {
	c := m.books.attempts.At(at)
	m.hold(at, 1, true, false)
	c.state = resuming
	m.clock.idle = 0
	cost := m.resumeCost
	if c.is(unloaded) { // once more
		cost += c.of().spec.Reload
	}
	if cost == 0 {
		m.copyBack(at)
		return
	}
	c.event = m.clock.after(cost, copyBack, uint32(at))
}

// copyBack handles the instant at which a resumed copy goes on.
func (m *machines) copyBack(at int32) {
	a := m.books.attempts.At(at)
	if a.set(idle, false); a.is(unloaded) {
		c := m.books.carried[at]
		c.reloaded += a.of().spec.Reload
		m.books.carried[at] = c
		a.set(unloaded, false)
	}
	m.goOn(at, m.left(at))
	m.clock.idle = 0
	r := m.tells(at, policy.Resumed, m.served(a))
	m.reports.inform(&r)
}

package sim

import (
	"math"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// A save is what the next copy of a task need not do again.
type save struct {
	work policy.Duration // at speed 1 where the stage prefers
	took policy.Duration // of the service of earlier copies, each in the time of its nodes
	luck uint32          // the number of the copy whose runtime this is a part of
}

// carried is what a copy has from the save that it went on from.
type carried struct {
	save
	service  policy.Duration // as work, in the time of its nodes
	since    policy.Time     // when it began to reload
	reloaded policy.Duration // before it was suspended
}

// takeUp lets a copy that starts go on from what is saved of its task, if anything is.
func (m *machines) takeUp(at int32) {
	a := m.books.attempts.At(at)
	if s, ok := a.job.saved[a.id().Task]; ok {
		service := m.inTime(at, s.work)
		m.books.carried[at] = carried{save: s, service: service}
		a.begun, a.past = int64(service), s.took-service
		a.set(unloaded, a.of().spec.Reload > 0)
	}
}

// drawn returns the copy by which the runtime of a copy is drawn: of one that goes on, that whose runtime was saved a part of.
func (m *machines) drawn(at int32) policy.Copy {
	id := m.books.attempts.At(at).id()
	if c, ok := m.books.carried[at]; ok {
		id.N = c.luck
	}
	return id
}

// inTime returns how long a copy takes for work, where it is.
func (m *machines) inTime(at int32, work policy.Duration) policy.Duration {
	if f := m.slowest(at); f != 1 {
		return saturate.To[policy.Duration](math.Round(float64(work) * f))
	}
	return work
}

// slowest returns how many times longer a copy runs than at speed 1 where its stage prefers. The slowest task of a gang counts.
func (m *machines) slowest(at int32) (factor float64) {
	a := m.books.attempts.At(at)
	index := a.index
	for id, tasks := range m.books.where(at) {
		for range tasks {
			factor = max(factor, m.slowdown(index, a.of().spec, id))
			index++
		}
	}
	return factor
}

// load lets a copy that goes on from a save hold its cores until it works.
func (m *machines) load(at int32) {
	a := m.books.attempts.At(at)
	c := m.books.carried[at]
	c.since = m.clock.now
	m.books.carried[at] = c
	a.state = reloading
	a.event = m.clock.after(a.of().spec.Reload, copyLoaded, uint32(at))
}

// copyLoaded handles the instant at which a copy that goes on begins to work.
func (m *machines) copyLoaded(at int32) {
	m.loaded(at)
	m.goOn(at, m.left(at))
	m.clock.idle = 0
}

// loaded counts the time for which a copy has reloaded until now. If that is all, it is done with it.
func (m *machines) loaded(at int32) {
	a, c := m.books.attempts.At(at), m.books.carried[at]
	c.reloaded = m.clock.now.Sub(c.since)
	m.books.carried[at] = c
	a.set(unloaded, m.clock.now.Sub(c.since) < a.of().spec.Reload)
}

// stop ends a copy once it is saved. What holds no cores, or has done nothing since it was saved, is so at once.
func (m *machines) stop(at int32) {
	a := m.books.attempts.At(at)
	if a.state == saving {
		return
	}
	a.set(stopped, true)
	if m.saveCost == 0 || a.state == suspended || a.state == reloading {
		m.copySaved(at)
		return
	}
	if a.state == suspending || a.state == turning {
		m.freeing(at, -1)
	}
	m.halt(a)
	a.state = saving
	m.clock.idle = 0
	a.event = m.clock.after(m.saveCost, copySaved, uint32(at))
}

// copySaved handles the instant at which a copy has been saved, unless that has failed, or its task is finished. It ends there.
func (m *machines) copySaved(at int32) {
	a := m.books.attempts.At(at)
	id, served := a.id(), m.served(a)
	work := served
	if f := m.slowest(at); f != 1 {
		work = saturate.To[policy.Duration](math.Floor(float64(served) / f))
	}
	switch {
	case m.faults.savingFails(id):
		m.count.SavesFailed++
	case work > a.job.saved[id.Task].work && !m.books.unit(a.job, id).is(written):
		if a.job.saved == nil {
			a.job.saved = make(map[policy.Task]save)
		}
		c := m.books.carried[at]
		a.job.saved[id.Task] = save{work: work, took: c.took + served - c.service, luck: m.drawn(at).N}
	}
	m.endCopy(at, policy.Killed)
}

package sim

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// launch puts a copy on its node or nodes.
func (m *machines) launch(o *order, j *job, id policy.NodeID, gang []policy.Share) {
	at := m.books.enroll(j, o.action.Copy)
	a := m.books.attempts.At(at)
	a.node = id
	if gang != nil {
		m.books.gangs[at] = gang
	}
	m.takeUp(at)
	m.joinRace(a)
	a.set(local, o.from != 0)
	j.onNodes++
	if spec := j.stages[o.action.Copy.Stage].spec; gang == nil && spec.Needs != nil {
		devices, _ := m.nodes.all[id].stock.Take(spec)
		m.nodes.all[id].stock.Add(spec, devices, 1) // until hold takes it
		m.books.devices[at] = devices
	}
	m.hold(at, 1, true, true)
	m.enter(at)
	r := m.tells(at, policy.Started, m.served(a))
	if a.is(unloaded) {
		m.load(at)
	} else {
		m.goOn(at, m.left(at))
	}
	m.clock.changed()
	r.event.Partition = o.action.Partition
	m.reports.inform(&r)
}

// runtime returns how long a copy, or a gang, would run where it is placed.
func (m *machines) runtime(c policy.Copy, j *job, id policy.NodeID, gang []policy.Share) (policy.Duration, error) {
	spec := j.stages[c.Stage].spec
	if gang == nil {
		return m.taskRuntime(c, spec, id)
	}
	longest := policy.Duration(0)
	for _, share := range gang {
		for range share.Tasks {
			d, err := m.taskRuntime(c, spec, share.Node)
			if err != nil {
				return 0, err
			}
			longest = max(longest, d)
			c.Index++
		}
	}
	return longest, nil
}

func (m *machines) taskRuntime(c policy.Copy, spec *policy.Stage, id policy.NodeID) (policy.Duration, error) {
	d, ok := m.truth.Runtime(c)
	if !ok || d < 0 {
		return 0, badTruth(c, d, ok)
	}
	factor := m.slowdown(c.Index, spec, id)
	if factor == 1 {
		return d, nil
	}
	f := math.Round(float64(d) * factor)
	if f >= math.MaxInt64 {
		return 0, fmt.Errorf("sim: task %v would run for %v s on node %d, too long for policy.Duration (the node's Speed is %v, and the stage's Elsewhere %v)", c, f/1e9, id, m.nodes.all[id].speed, spec.Elsewhere)
	}
	return saturate.To[policy.Duration](f), nil
}

// slowdown returns the [policy.Stage.Slowdown] of a task on a node.
func (m *machines) slowdown(index uint32, spec *policy.Stage, id policy.NodeID) float64 {
	n := &m.nodes.all[id]
	return spec.Slowdown(n.partition, n.speed, spec.Elsewhere <= 1 || spec.Local(index, id))
}

func badTruth(c policy.Copy, d policy.Duration, ok bool) error {
	if !ok {
		return fmt.Errorf("sim: Config.Truth does not know task %v (a truth serves one run, and forgets)", c)
	}
	return fmt.Errorf("sim: Config.Truth says that task %v runs for %v, want at least 0", c, d)
}

// hold takes (sign 1) or gives back (-1) a copy's cores, its memory, or both.
func (m *machines) hold(at int32, sign int32, cores, memory bool) {
	spec := m.books.attempts.At(at).of().spec
	var cs int32
	var ms int64
	if cores {
		cs = sign * spec.Cores
	}
	if memory {
		ms = int64(sign) * spec.Memory
	}
	for id, tasks := range m.books.where(at) {
		m.nodes.take(&m.nodes.all[id], cs*tasks, ms*int64(tasks))
	}
	if memory && spec.Needs != nil {
		m.holdNeeds(at, spec, sign)
	}
}

// holdNeeds is hold for named resources, which a copy holds as long as its memory.
func (m *machines) holdNeeds(at int32, spec *policy.Stage, sign int32) {
	if id := m.books.attempts.At(at).node; id != 0 {
		m.nodes.all[id].stock.Add(spec, m.books.devices[at], -int64(sign))
		return
	}
	for _, share := range m.books.gangs[at] {
		m.nodes.all[share.Node].stock.Add(spec, share.Devices, -int64(sign)*int64(share.Tasks))
	}
}

// enter records a copy on its nodes.
func (m *machines) enter(at int32) {
	for id := range m.books.where(at) {
		m.all[id].copies = append(m.all[id].copies, at)
	}
}

// leave undoes enter.
func (m *machines) leave(at int32) {
	for id := range m.books.where(at) {
		n := &m.all[id]
		i := slices.Index(n.copies, at)
		n.copies = slices.Delete(n.copies, i, i+1)
	}
}

// tells makes the report of something that has happened to a copy.
func (m *machines) tells(at int32, kind policy.EventKind, service policy.Duration) report {
	a := m.books.attempts.At(at)
	var devices policy.Devices
	if len(m.books.devices) > 0 {
		devices = m.books.devices[at]
	}
	return report{
		event: policy.Event{Kind: kind, Copy: a.id(), Node: a.node, Gang: m.books.gang(at), Devices: devices, Service: service},
		local: a.is(local),
	}
}

// served returns the service of a copy so far.
func (m *machines) served(a *attempt) policy.Duration {
	if a.state == runs || a.state == drains {
		return policy.Duration(int64(m.clock.now) - a.begun)
	}
	return policy.Duration(a.begun)
}

// total returns how long a copy runs in all if nothing ends it: until it finishes or, if it will fail, until it
// fails.
func (m *machines) total(at int32) policy.Duration {
	a := m.books.attempts.At(at)
	whole := m.whole(at)
	part, kind := m.faults.breaks(a.id())
	if kind == 0 {
		return whole
	}
	begin := m.books.carried[at].service
	return begin + saturate.To[policy.Duration](part*float64(max(0, whole-begin)))
}

// whole returns the runtime of a copy where it is.
func (m *machines) whole(at int32) policy.Duration {
	a := m.books.attempts.At(at)
	whole, err := m.runtime(m.drawn(at), a.job, a.node, m.books.gang(at))
	if err != nil {
		m.clock.fail(err)
	}
	return whole
}

// left returns how much longer a copy runs that does not run now, if nothing ends it.
func (m *machines) left(at int32) policy.Duration {
	return max(0, m.total(at)-policy.Duration(m.books.attempts.At(at).begun))
}

// goOn lets a copy that starts, or that stood still, run from now on, for that long.
func (m *machines) goOn(at int32, left policy.Duration) {
	a := m.books.attempts.At(at)
	if limit, ok := m.limit(a); ok {
		left = min(left, max(0, limit-policy.Duration(a.begun)))
	}
	a.begun, a.state = int64(m.clock.now)-a.begun, runs
	a.event = m.clock.after(left, copyDue, uint32(at))
}

// limit returns the service after which a copy is killed, and false if it has no limit: see [policy.Job].Limited. The job then
// ends as TimedOut, unless another copy of the task still runs.
func (m *machines) limit(a *attempt) (policy.Duration, bool) {
	return a.job.spec.Requested - a.past, a.job.spec.Limited
}

// joinRace lets a copy that starts share the limit of the copies beside it, which counts from the first of them.
func (m *machines) joinRace(a *attempt) {
	for at := a.of().units[a.index]; at > 0; {
		x := m.books.attempts.At(at - 1)
		if at = x.next; x.state != away {
			a.past = max(a.past, x.past+m.served(x)-m.served(a))
		}
	}
}

// exceeds reports whether a copy has reached its limit without finishing.
func (m *machines) exceeds(at int32) bool {
	a := m.books.attempts.At(at)
	limit, ok := m.limit(a)
	return ok && m.served(a) >= limit && (a.of().flowing > 0 || m.total(at) > limit)
}

// halt stops the clock of a copy from now on; the caller sets its next state.
func (m *machines) halt(a *attempt) {
	a.begun = int64(m.served(a))
	m.clock.cancel(&a.event)
}

// due handles what is due of a copy.
func (m *machines) due(what happening, at int32) {
	m.books.attempts.At(at).event = 0
	switch what {
	case copyDue:
		m.copyDue(at)
	case copyFreed:
		m.copyFreed(at)
	case copyBack:
		m.copyBack(at)
	case copyLoaded:
		m.copyLoaded(at)
	case copySaved:
		m.copySaved(at)
	}
}

// copyDue handles the instant at which a copy has run for its time.
func (m *machines) copyDue(at int32) {
	a := m.books.attempts.At(at)
	_, fault := m.faults.breaks(a.id())
	switch {
	case m.exceeds(at):
		a.set(overran, true)
		m.endCopy(at, policy.Killed)
	case fault != 0:
		m.count.Failures++
		if fault == policy.Killed && a.of().spec.Saves {
			m.copySaved(at)
		} else {
			m.endCopy(at, fault)
		}
	case a.of().flowing > 0:
		a.state = drains
		if limit, ok := m.limit(a); ok {
			a.event = m.clock.after(limit-m.served(a), copyDue, uint32(at))
		}
	default:
		m.endCopy(at, policy.Finished)
	}
}

// drain finishes the copies of a stage that waited for the last of their input.
func (m *machines) drain(st *stage) {
	var places []int32
	for i := range st.units {
		places = append(places, m.books.copies(st, uint32(i))...)
	}
	for _, at := range places {
		// The end of one may have ended another, which has lost the race.
		if m.books.attempts.At(at).state == drains {
			m.endCopy(at, policy.Finished)
		}
	}
}

// endCopy takes a copy off its node.
func (m *machines) endCopy(at int32, kind policy.EventKind) {
	a := m.books.attempts.At(at)
	if a.state == suspending || a.state == turning {
		m.freeing(at, -1)
	}
	if a.state == reloading {
		m.loaded(at)
	}
	m.hold(at, -1, a.state != suspended, true)
	m.leave(at)
	r := m.tells(at, kind, m.served(a))
	r.event.Idle = a.is(idle)
	r.limit, r.stopped, r.carried = a.is(overran), a.is(stopped), m.books.carried[at]
	if a.node == 0 {
		delete(m.books.gangs, at)
	}
	delete(m.books.devices, at)
	delete(m.books.carried, at)
	m.clock.cancel(&a.event)
	j := a.job
	if kind == policy.Finished {
		m.books.unit(j, r.event.Copy).set(written, true)
	} else {
		r.event.Saved = j.saved[r.event.Copy.Task].work
	}
	m.books.strike(at)
	j.onNodes--
	m.books.drop(j)
	m.clock.changed()
	m.reports.inform(&r)
	m.grant(r.event.Node, r.event.Gang)
}

// ask is a Report that is due later.
type ask struct {
	order order
	life  int // the policy's, as parts.lives
}

// ask keeps a Report until it is due.
func (m *machines) ask(o *order) {
	i := m.asks.Take()
	*m.asks.At(i) = ask{*o, m.parts.lives}
	m.clock.at(o.action.At, askDue, uint32(i))
}

func (m *machines) askDue(i int32) {
	a := *m.asks.At(i)
	m.asks.Drop(i)
	if a.life == m.parts.lives {
		m.carryOut(&a.order)
	}
}

// report answers a Report that is due.
func (m *machines) report(o *order, at int32) {
	a := m.books.attempts.At(at)
	served := m.served(a)
	r := m.tells(at, policy.Progress, served)
	ev := &r.event
	ev.Value = 1
	if whole := m.whole(at); served < whole { // though it may break before
		ev.Value = float64(served) / float64(whole)
	}
	if o.from != 0 {
		m.parts.tell(o.from, ev)
		return
	}
	r.local = false
	m.reports.bring(&r)
}

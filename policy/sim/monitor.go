package sim

import (
	"example.com/augur/policy"
)

// A Span is a time during which a copy held cores of a node. A copy that is suspended and resumed has several, and a
// gang has one on each of its nodes.
type Span struct {
	Node       policy.NodeID
	Copy       policy.Copy
	Cores      int64
	Begin, End policy.Time
	How        policy.EventKind // it ended: Suspended, Finished, Failed, Killed or Lost
}

// A Use is how much is in use, and how much waits, after all events of an instant.
type Use struct {
	Time         policy.Time
	InUse, Cores int64 // cores that copies hold, and cores of the nodes that are there
	Tasks        int64 // waiting tasks: unfinished, of Ready stages, without a copy that holds cores
	Jobs         int64 // waiting jobs: with waiting tasks and without cores
}

// A Monitor follows which copies hold which cores, and what waits, from the events of the centre. Either function may
// be nil. Set Config.Watch to its Event. Another host, or a program that reads a record, calls Event before each
// Step. Call Flush at the end.
//
// It sees what the centre hears, so a network delay shifts all instants, and a span begins after the time that a Resume
// takes (Config.ResumeCost). It does not see copies that a part started after their job was over. Its figures mean nothing
// if a Checker would refuse the events. An event takes constant time, or for gangs time in proportion to their nodes.
type Monitor struct {
	Span func(Span) // is called when a span ends
	Use  func(Use)  // is called after each instant at which one of its numbers has changed

	now, said Use
	nodes     map[policy.NodeID]int64 // cores
	jobs      map[policy.JobID]*monitored
	holders   map[policy.Copy]holder
}

type monitored struct {
	job            *policy.Job
	units          [][]monitoredUnit // by stage; nil: it is not Ready
	waits, holding int64             // tasks, copies
}

type monitoredUnit struct {
	holding int32 // copies
	done    bool
}

// holder is a copy that holds cores.
type holder struct {
	since policy.Time
	where []policy.Share
}

// Event updates the Monitor with an event that a part is about to hear. It ignores parts other than the centre (0)
// and replays.
func (m *Monitor) Event(part policy.NodeID, ev *policy.Event) {
	if part != 0 || ev == nil || ev.Replay {
		return
	}
	if m.jobs == nil {
		m.nodes, m.jobs, m.holders = make(map[policy.NodeID]int64), make(map[policy.JobID]*monitored), make(map[policy.Copy]holder)
	}
	if ev.Time != m.now.Time {
		m.Flush()
		m.now.Time = ev.Time
	}
	j := m.jobs[ev.Copy.Job]
	switch {
	case ev.Kind == policy.Joined && ev.Info != nil:
		m.now.Cores += int64(ev.Info.Cores) - m.nodes[ev.Node]
		m.nodes[ev.Node] = int64(ev.Info.Cores)
	case ev.Kind == policy.Left:
		m.now.Cores -= m.nodes[ev.Node]
		delete(m.nodes, ev.Node)
	case ev.Kind == policy.Submitted && ev.Job != nil:
		m.jobs[ev.Copy.Job] = &monitored{job: ev.Job, units: make([][]monitoredUnit, len(ev.Job.Stages))}
	case j == nil || int64(ev.Copy.Stage) >= int64(len(j.units)):
	case ev.Kind == policy.Ready && j.units[ev.Copy.Stage] == nil:
		stage := &j.job.Stages[ev.Copy.Stage]
		j.units[ev.Copy.Stage] = make([]monitoredUnit, stage.Units())
		m.wait(j, int64(stage.Tasks), 0)
	case ev.Kind == policy.Ended:
		m.wait(j, -j.waits, 0)
		delete(m.jobs, ev.Copy.Job)
	case int64(ev.Copy.Index) >= int64(len(j.units[ev.Copy.Stage])):
	case ev.Kind == policy.Started || ev.Kind == policy.Resumed:
		m.take(j, ev)
	case ev.Kind == policy.Suspended || ev.Kind.End():
		m.free(j, ev)
	}
}

// Flush reports the last instant. More events of it may follow.
func (m *Monitor) Flush() {
	said := m.said
	said.Time = m.now.Time
	if m.Use != nil && said != m.now {
		m.Use(m.now)
	}
	m.said = m.now
}

// take begins the spans of a copy.
func (m *Monitor) take(j *monitored, ev *policy.Event) {
	if _, twice := m.holders[ev.Copy]; twice {
		return
	}
	h := holder{ev.Time, []policy.Share{{Node: ev.Node, Tasks: 1}}}
	if ev.Node == 0 {
		h.where = append(h.where[:0], ev.Gang...)
	}
	m.holders[ev.Copy] = h
	m.hold(j, ev.Copy, h, 1, false)
}

// free ends the spans of a copy, if it holds cores; a copy that ends while suspended holds none.
func (m *Monitor) free(j *monitored, ev *policy.Event) {
	h, holds := m.holders[ev.Copy]
	if !holds {
		m.hold(j, ev.Copy, h, 0, ev.Kind == policy.Finished)
		return
	}
	delete(m.holders, ev.Copy)
	m.hold(j, ev.Copy, h, -1, ev.Kind == policy.Finished)
	if m.Span == nil {
		return
	}
	cores := int64(j.job.Stages[ev.Copy.Stage].Cores)
	for _, share := range h.where {
		m.Span(Span{share.Node, ev.Copy, cores * int64(share.Tasks), h.since, ev.Time, ev.Kind})
	}
}

// hold records that a copy holds cores (sign 1) or no longer does (-1), and whether its unit is finished.
func (m *Monitor) hold(j *monitored, c policy.Copy, h holder, sign int32, done bool) {
	stage, u := &j.job.Stages[c.Stage], &j.units[c.Stage][c.Index]
	for _, share := range h.where {
		m.now.InUse += int64(sign) * int64(stage.Cores) * int64(share.Tasks)
	}
	waited := !u.done && u.holding == 0
	u.holding += sign
	u.done = u.done || done
	tasks := int64(0)
	if waits := !u.done && u.holding == 0; waits != waited {
		if tasks = int64(stage.UnitTasks()); waited {
			tasks = -tasks
		}
	}
	m.wait(j, tasks, int64(sign))
}

// wait adds to a job's waiting tasks and to its copies that hold cores.
func (m *Monitor) wait(j *monitored, tasks, holding int64) {
	if j.waits > 0 && j.holding == 0 {
		m.now.Jobs--
	}
	m.now.Tasks += tasks
	j.waits += tasks
	j.holding += holding
	if j.waits > 0 && j.holding == 0 {
		m.now.Jobs++
	}
}

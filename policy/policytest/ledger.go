package policytest

import (
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// A ledger is what the centre has been told and what all parts have asked for, in the plainest
// books. It says for how long room stands empty beside work that would fit there (see idle.go).
type ledger struct {
	now    policy.Time
	jumps  []sim.Jump // of the clock, in the scene
	size   int        // how many nodes there are, with those that are gone for now
	nodes  map[policy.NodeID]*room
	jobs   map[policy.JobID]*openJob
	copies map[policy.Copy]*placed
	sent   map[lane][]policy.Msg // that have not arrived
	bound  map[policy.Task]policy.NodeID
	alarms map[policy.NodeID]policy.Time

	node  idle // the longest of any node
	whole idle // the longest of the whole cluster, with nothing running
	empty idle // the present one of the whole cluster

	refused bool // nothing but Refused has been told since the last Refused: one waits (P4)
}

// A room is what is free on a node.
type room struct {
	info          policy.Node
	cores, memory int64
	idle          idle
}

// An openJob is one that was submitted and has not ended.
type openJob struct {
	job   *policy.Job
	ready []bool
	done  []map[uint32]bool // by stage
	dying bool              // a task of it has no copy and is not to be started: it is about to end
}

// A placed copy was asked for, runs or stands. It holds cores and memory on nodes: of a Start that names
// none it is not known where.
type placed struct {
	asked, stands bool
	turns         bool // Suspend, Resume or Kill is under way
	where         []policy.Share
	named         policy.NodeID
}

type lane struct{ from, to policy.NodeID }

func newLedger(c *sim.Config) *ledger {
	l := &ledger{jumps: c.Faults.Jumps, size: len(c.Nodes)}
	l.restart()
	return l
}

// restart forgets everything: the policy will be told anew.
func (l *ledger) restart() {
	l.nodes, l.jobs, l.copies = map[policy.NodeID]*room{}, map[policy.JobID]*openJob{}, map[policy.Copy]*placed{}
	l.sent, l.bound, l.alarms = map[lane][]policy.Msg{}, map[policy.Task]policy.NodeID{}, map[policy.NodeID]policy.Time{}
	l.empty = idle{}
}

// told takes note of an event that a part is told, and before, of the time that has passed.
func (l *ledger) told(part policy.NodeID, ev *policy.Event) {
	if ev.Time > l.now {
		l.pass(ev.Time)
	}
	if ev.Kind == policy.Refused {
		l.refused = true
	} else if part == 0 {
		l.refused = false
	}
	switch {
	case ev.Kind == policy.Woken:
		if at := l.alarms[part]; at != 0 && at <= ev.Time {
			delete(l.alarms, part)
		}
	case ev.Kind == policy.Arrived:
		from := lane{ev.Node, part}
		if q := l.sent[from]; len(q) > 0 && same(&policy.Action{Msg: q[0]}, &policy.Action{Msg: ev.Msg}) {
			l.sent[from] = q[1:]
		}
	case part == 0:
		l.observe(ev)
	}
}

func (l *ledger) observe(ev *policy.Event) {
	id, c := ev.Copy.Job, ev.Copy
	switch ev.Kind {
	case policy.Joined:
		n := &room{info: *ev.Info, cores: int64(ev.Info.Cores), memory: ev.Info.Memory}
		if n.memory == 0 {
			n.memory = 1 << 62
		}
		l.nodes[ev.Node] = n
		return
	case policy.Left:
		l.left(ev.Node)
		return
	case policy.Submitted:
		j := &openJob{job: ev.Job, ready: make([]bool, len(ev.Job.Stages)), done: make([]map[uint32]bool, len(ev.Job.Stages))}
		for i := range j.done {
			j.done[i] = map[uint32]bool{}
		}
		l.jobs[id] = j
		return
	}
	j := l.jobs[id]
	if j == nil {
		return
	}
	stage := &j.job.Stages[c.Stage]
	switch {
	case ev.Kind == policy.Ready:
		j.ready[c.Stage] = true
	case ev.Kind == policy.Ended:
		delete(l.jobs, id)
	case ev.Kind == policy.Started:
		l.release(c)
		p := &placed{where: slices.Clone(ev.Gang)}
		if ev.Node != 0 {
			p.where = []policy.Share{{Node: ev.Node, Tasks: 1}}
		}
		l.copies[c] = p
		l.hold(p, stage, 1, 1)
		delete(l.bound, c.Task)
	case ev.Kind == policy.Suspended:
		if p := l.copies[c]; p != nil {
			if p.turns = false; !p.stands {
				l.hold(p, stage, -1, 0)
			}
			p.stands = true
		}
	case ev.Kind == policy.Resumed:
		if p := l.copies[c]; p != nil && p.stands {
			p.stands, p.turns = false, false
			l.hold(p, stage, 1, 0)
		}
	case ev.Kind == policy.Refused || ev.Kind.End():
		l.release(c)
		delete(l.bound, c.Task)
		if ev.Kind == policy.Finished {
			j.done[c.Stage][c.Index] = true
		} else if !ev.Again && !ev.Replay && !j.done[c.Stage][c.Index] && !l.alive(c.Task) {
			j.dying = true
		}
	}
}

func (l *ledger) alive(task policy.Task) bool {
	for c := range l.copies {
		if c.Task == task {
			return true
		}
	}
	return false
}

// left forgets a node, what was sent there and what it had sent.
func (l *ledger) left(id policy.NodeID) {
	delete(l.nodes, id)
	delete(l.alarms, id)
	for at := range l.sent {
		if at.from == id || at.to == id {
			delete(l.sent, at)
		}
	}
	for _, p := range l.copies { // what is on its way there may be carried out when it is back
		if p.asked && len(p.where) == 1 && p.where[0].Node == id {
			p.where = nil
		}
	}
	for task, to := range l.bound {
		if to == id {
			delete(l.bound, task)
		}
	}
}

// acted takes note of what a part has asked for.
func (l *ledger) acted(part policy.NodeID, a *policy.Action) {
	c := a.Copy
	switch a.Kind {
	case policy.Start:
		if l.jobs[c.Job] == nil || l.copies[c] != nil {
			return
		}
		p := &placed{asked: true, named: a.Node}
		if part != 0 {
			p.named = part
		}
		if p.named != 0 && !l.jobs[c.Job].job.Stages[c.Stage].Gang {
			p.where = []policy.Share{{Node: p.named, Tasks: 1}}
		}
		l.copies[c] = p
		l.hold(p, &l.jobs[c.Job].job.Stages[c.Stage], 1, 1)
	case policy.Suspend, policy.Resume:
		if p := l.copies[c]; p != nil && !p.asked && p.stands == (a.Kind == policy.Resume) {
			p.turns = true
		}
	case policy.Kill:
		if p := l.copies[c]; p != nil {
			p.turns = true
		}
	case policy.Send:
		at := lane{part, a.Node}
		l.sent[at] = append(l.sent[at], a.Msg)
		if delete(l.bound, a.Msg.Copy.Task); a.Node != 0 && l.jobs[a.Msg.Copy.Job] != nil {
			l.bound[a.Msg.Copy.Task] = a.Node
		}
	case policy.Wake:
		if delete(l.alarms, part); a.At != 0 {
			l.alarms[part] = a.At
		}
	}
}

// release lets go of a copy.
func (l *ledger) release(c policy.Copy) {
	p := l.copies[c]
	if p == nil {
		return
	}
	cores := int64(-1)
	if p.stands {
		cores = 0
	}
	l.hold(p, &l.jobs[c.Job].job.Stages[c.Stage], cores, -1)
	delete(l.copies, c)
}

// hold takes or gives back what a copy holds, times 1, 0 or -1.
func (l *ledger) hold(p *placed, stage *policy.Stage, cores, memory int64) {
	for _, share := range p.where {
		if n := l.nodes[share.Node]; n != nil {
			n.cores -= cores * int64(stage.Cores) * int64(share.Tasks)
			n.memory -= memory * stage.Memory * int64(share.Tasks)
		}
	}
}

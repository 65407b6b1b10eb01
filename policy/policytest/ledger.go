package policytest

import (
	"math"
	"slices"

	"example.com/augur/policy"
)

// A ledger is what the centre has been told and what all parts have asked for, in the plainest
// books. It says what is the matter with a job that has not ended (see unfinished.go), and, if it watches, for
// how long room stands empty beside work that would fit there (see idle.go).
type ledger struct {
	now    policy.Time // of the last event
	nodes  map[policy.NodeID]*room
	jobs   map[policy.JobID]*openJob
	over   map[policy.JobID]*policy.Job // those that have ended, of which a part may not know yet
	copies map[policy.Copy]*placed
	sent   map[lane][]policy.Msg // that have not arrived
	bound  map[policy.Task]policy.NodeID
	alarms map[policy.NodeID]policy.Time

	refused bool   // nothing but Refused has been told since the last Refused: one waits (No circles)
	stalled string // the first job that the simulator gave up

	watch *watch // for room that stands empty, if not nil
}

// A room is what is free on a node.
type room struct {
	info          policy.Node
	cores, memory int64
	idle          idle

	claimed, claimedMemory int64 // by Starts that may come here, see claim
}

// An openJob is one that was submitted and has not ended.
type openJob struct {
	job   *policy.Job
	ready []bool
	done  []map[uint32]bool                // by stage
	dying bool                             // a task of it has no copy and is not to be started: it is about to end
	tries bool                             // its last Start to be answered was Refused
	begun map[policy.Task]int              // copies that were started one after the other
	last  map[policy.Task]policy.EventKind // how its last copy ended
}

// A placed copy was asked for, runs or stands. It holds cores and memory on nodes: of a Start that names
// none it is not known where.
type placed struct {
	asked, stands bool
	trial         bool                // asked for after another of its job was Refused
	killed        bool                // a Kill is under way
	ended         bool                // the part on its node has heard its end, or Refused
	orders        []policy.ActionKind // Suspends and Resumes under way, in their order
	where         []policy.Share
	named         policy.NodeID
	partition     policy.PartitionID // that the Start names
	stage         *policy.Stage
}

type lane struct{ from, to policy.NodeID }

func newLedger() *ledger {
	l := &ledger{now: math.MinInt64}
	l.restart()
	return l
}

// restart forgets everything: the policy will be told anew.
func (l *ledger) restart() {
	l.nodes, l.jobs, l.copies = map[policy.NodeID]*room{}, map[policy.JobID]*openJob{}, map[policy.Copy]*placed{}
	l.over = map[policy.JobID]*policy.Job{}
	l.sent, l.bound, l.alarms = map[lane][]policy.Msg{}, map[policy.Task]policy.NodeID{}, map[policy.NodeID]policy.Time{}
	if l.watch != nil {
		l.watch.empty = idle{}
	}
}

// told takes note of an event that a part is told, and before, of the time that has passed.
func (l *ledger) told(part policy.NodeID, ev *policy.Event) {
	if ev.Time > l.now {
		if l.watch != nil {
			l.pass(ev.Time)
		}
		l.now = ev.Time
	}
	if ev.Kind == policy.Refused {
		l.refused = true
	} else if part == 0 {
		l.refused = false
	}
	switch {
	case ev.Kind == policy.Woken:
		if at, ok := l.alarms[part]; ok && at <= ev.Time {
			delete(l.alarms, part)
		} else if part == 0 { // no alarm was to go off: the host has failed to do something (rule Order)
			l.anew()
		}
	case ev.Kind == policy.Arrived:
		from := lane{ev.Node, part}
		if q := l.sent[from]; len(q) > 0 && same(&policy.Action{Msg: q[0]}, &policy.Action{Msg: ev.Msg}) {
			l.sent[from] = q[1:]
		}
		if part == 0 { // what a node gives back was bound to it until now
			delete(l.bound, ev.Msg.Copy.Task)
		}
	case part == 0:
		l.observe(ev)
	case ev.Kind == policy.Refused || ev.Kind.End():
		if p := l.copies[ev.Copy]; p != nil {
			p.ended = true
		}
		l.forget(ev.Copy.Job)
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
		j := &openJob{
			job: ev.Job, ready: make([]bool, len(ev.Job.Stages)), done: make([]map[uint32]bool, len(ev.Job.Stages)),
			begun: map[policy.Task]int{}, last: map[policy.Task]policy.EventKind{},
		}
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
	if ev.Kind == policy.Started || ev.Kind == policy.Refused {
		j.tries = ev.Kind == policy.Refused
	}
	switch {
	case ev.Kind == policy.Ready:
		j.ready[c.Stage] = true
	case ev.Kind == policy.Ended:
		if ev.Outcome == policy.Stalled && l.stalled == "" {
			l.stalled = l.missing(j)
		}
		l.over[id] = j.job
		delete(l.jobs, id)
		l.forget(id)
	case ev.Kind == policy.Started:
		p := &placed{where: slices.Clone(ev.Gang), stage: stage}
		if asked := l.copies[c]; asked != nil {
			p.orders, p.killed = asked.orders, asked.killed
		}
		l.release(c)
		if j.begun[c.Task]++; l.alive(c.Task) {
			j.begun[c.Task] = 0
		}
		if ev.Node != 0 {
			p.where = []policy.Share{{Node: ev.Node, Tasks: 1}}
		}
		l.copies[c] = p
		l.hold(p, 1, 1)
		delete(l.bound, c.Task)
	case ev.Kind == policy.Suspended || ev.Kind == policy.Resumed:
		if p := l.copies[c]; p != nil {
			l.turn(p, func() { p.answered(ev) })
		}
	case ev.Kind == policy.Refused || ev.Kind.End():
		l.release(c)
		delete(l.bound, c.Task)
		j.last[c.Task] = ev.Kind
		if ev.Kind == policy.Finished {
			j.done[c.Stage][c.Index] = true
		} else if !ev.Again && !ev.Replay && !j.done[c.Stage][c.Index] && !l.alive(c.Task) {
			j.dying = true
		}
	}
}

// forget lets go of the copies of a job that is over, as their nodes know: the centre is not told of all of them (rule Parts).
func (l *ledger) forget(id policy.JobID) {
	if l.over[id] == nil {
		return
	}
	for c, p := range l.copies {
		if c.Job == id && p.ended {
			l.release(c)
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
	l.anew()
	for at := range l.sent {
		if at.from == id || at.to == id {
			delete(l.sent, at)
		}
	}
	for _, p := range l.copies { // what is on its way there may be carried out when it is back
		if p.asked && len(p.where) == 1 && p.where[0].Node == id {
			p.where, p.named = nil, 0
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
		job, tries := l.over[c.Job], false
		if j := l.jobs[c.Job]; j != nil {
			job, tries = j.job, j.tries
		}
		if job == nil || l.copies[c] != nil || int64(c.Stage) >= int64(len(job.Stages)) {
			return
		}
		p := &placed{asked: true, trial: tries, named: a.Node, partition: a.Partition, stage: &job.Stages[c.Stage]}
		if part != 0 {
			p.named = part
		}
		if p.named != 0 && !p.stage.Gang {
			p.where = []policy.Share{{Node: p.named, Tasks: 1}}
		}
		l.copies[c] = p
		l.hold(p, 1, 1)
	case policy.Suspend, policy.Resume:
		if p := l.copies[c]; p != nil && (a.Kind == policy.Resume || !p.stands || len(p.orders) > 0) {
			l.turn(p, func() { p.orders = append(p.orders, a.Kind) })
		}
	case policy.Kill:
		if p := l.copies[c]; p != nil {
			p.killed = true
		}
	case policy.Send:
		at := lane{part, a.Node}
		l.sent[at] = append(l.sent[at], a.Msg)
		if a.Node != 0 && l.jobs[a.Msg.Copy.Job] != nil {
			l.bound[a.Msg.Copy.Task] = a.Node
		}
	case policy.Wake:
		if delete(l.alarms, part); a.At != policy.Never {
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
	cores := int64(0)
	if p.holds() {
		cores = -1
	}
	l.hold(p, cores, -1)
	delete(l.copies, c)
}

// hold takes or gives back what a copy holds, times 1, 0 or -1.
func (l *ledger) hold(p *placed, cores, memory int64) {
	for _, share := range p.where {
		if n := l.nodes[share.Node]; n != nil {
			n.cores -= cores * int64(p.stage.Cores) * int64(share.Tasks)
			n.memory -= memory * p.stage.Memory * int64(share.Tasks)
		}
	}
}

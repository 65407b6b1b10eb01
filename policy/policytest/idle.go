package policytest

import (
	"cmp"
	"maps"
	"slices"

	"example.com/augur/policy"
)

// idle is a stretch of time in which room stood empty beside work. It does not count while something
// is under way that may end it: a Start that names no node, a Suspend, Resume or Kill, or a message that
// was sent. Nor does it while an alarm is late, the clock jumps, or who was Refused waits for an event of
// another kind (P4).
type idle struct {
	span   policy.Duration
	since  policy.Time
	node   policy.NodeID
	beside policy.Task
}

// more adds a stretch to it, or begins it anew.
func (i *idle) more(span policy.Duration, since policy.Time, node policy.NodeID, beside policy.Task) {
	if i.beside == (policy.Task{}) {
		i.since = since
	}
	i.span += span
	i.node, i.beside = node, beside
}

// pass lets time go on: what stood empty has stood empty until then.
func (l *ledger) pass(to policy.Time) {
	span := l.counts(to)
	waiting := l.waiting()
	running := slices.ContainsFunc(slices.Collect(maps.Values(l.copies)), func(p *placed) bool { return !p.stands })
	any := idle{}
	for _, id := range slices.Sorted(maps.Keys(l.nodes)) {
		n := l.nodes[id]
		k := slices.IndexFunc(waiting, func(w work) bool { return (w.node == 0 || w.node == id) && l.fits(w, n) })
		if k < 0 {
			n.idle = idle{}
			continue
		}
		n.idle.more(span, l.now, id, waiting[k].task)
		if any = n.idle; any.span > l.node.span {
			l.node = any
		}
	}
	if running || any.beside == (policy.Task{}) || len(l.nodes) < l.size { // else whatever comes first has room
		l.empty = idle{}
	} else if l.empty.more(span, l.now, any.node, any.beside); l.empty.span > l.whole.span {
		l.whole = l.empty
	}
	l.now = to
}

// counts returns how much of the time until then counts.
func (l *ledger) counts(to policy.Time) policy.Duration {
	if l.refused {
		return 0
	}
	for _, q := range l.sent {
		if len(q) > 0 {
			return 0
		}
	}
	for _, p := range l.copies {
		if p.asked && len(p.where) == 0 || p.turns {
			return 0
		}
	}
	for _, at := range l.alarms {
		to = min(to, max(at, l.now))
	}
	span := to.Sub(l.now)
	for _, j := range l.jumps {
		span -= max(0, min(to, j.At.Add(j.For)).Sub(max(l.now, j.At)))
	}
	return max(0, span)
}

// work is a task that waits, or a gang, or a copy that stands.
type work struct {
	task   policy.Task
	stage  *policy.Stage
	units  uint32
	memory bool          // it holds none yet
	node   policy.NodeID // where it must run, 0: anywhere
}

// waiting returns some of the work that waits: of each stage, one unit that may run anywhere, and
// those that are bound to a node.
func (l *ledger) waiting() (list []work) {
	busy := map[policy.Task]bool{}
	for c, p := range l.copies {
		busy[c.Task] = true
		if j := l.jobs[c.Job]; j != nil && p.stands && len(p.where) == 1 && p.where[0].Tasks == 1 {
			list = append(list, work{c.Task, &j.job.Stages[c.Stage], 1, false, p.where[0].Node})
		}
	}
	for _, j := range l.jobs {
		for i := range j.job.Stages {
			if j.dying || !j.ready[i] || !l.flows(j, i, busy) {
				continue
			}
			stage, free := &j.job.Stages[i], false
			for k := range stage.Units() {
				task := policy.Task{Job: j.job.ID, Stage: uint32(i), Index: k}
				to, bound := l.bound[task]
				if j.done[i][k] || busy[task] || free && !bound {
					continue
				}
				w := work{task, stage, 1, true, to}
				if stage.Gang {
					w.units = stage.Tasks
				}
				list = append(list, w)
				free = free || !bound
			}
		}
	}
	slices.SortFunc(list, func(a, b work) int {
		return cmp.Or(cmp.Compare(a.task.Job, b.task.Job), cmp.Compare(a.task.Stage, b.task.Stage), cmp.Compare(a.task.Index, b.task.Index))
	})
	return list
}

// flows reports whether the host would start a stage: all that it reads through pipes is there (H11).
func (l *ledger) flows(j *openJob, i int, busy map[policy.Task]bool) bool {
	for _, d := range j.job.Stages[i].Reads {
		for k := range j.job.Stages[d.Stage].Units() {
			task := policy.Task{Job: j.job.ID, Stage: d.Stage, Index: k}
			if d.Pipe && !j.done[d.Stage][k] && !busy[task] {
				return false
			}
		}
	}
	return true
}

// fits reports whether there is room for work on a node, or, for a gang, there and elsewhere.
func (l *ledger) fits(w work, n *room) bool {
	fit := func(n *room) int64 {
		k := max(0, n.cores/int64(w.stage.Cores))
		if w.memory && w.stage.Memory > 0 {
			k = min(k, max(0, n.memory/w.stage.Memory))
		}
		return k
	}
	room := fit(n)
	if room == 0 || w.units == 1 {
		return room > 0
	}
	room = 0
	for _, n := range l.nodes {
		room += fit(n)
	}
	return room >= int64(w.units)
}

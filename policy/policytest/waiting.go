package policytest

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
)

// work is a task that waits, or a gang, or a copy that stands.
type work struct {
	task   policy.Task
	stage  *policy.Stage
	units  uint32
	stands bool          // so it holds memory already
	node   policy.NodeID // where it must run, 0: anywhere
}

// waiting returns some of the work that waits: of each stage, one unit that may run anywhere, and
// those that are bound to a node.
func (l *ledger) waiting() (list []work) {
	busy := map[policy.Task]bool{}
	for c, p := range l.copies {
		busy[c.Task] = true
		if j := l.jobs[c.Job]; j != nil && p.stands && !p.holds() && !p.killed && len(p.where) == 1 && p.where[0].Tasks == 1 {
			list = append(list, work{c.Task, &j.job.Stages[c.Stage], 1, true, p.where[0].Node})
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
				w := work{task, stage, 1, false, to}
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

// flows reports whether the host would start a stage: all that it reads through pipes is there (see Pipelines in package policy).
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
		k := max(0, (n.cores-n.claimed)/int64(w.stage.Cores))
		if !w.stands && w.stage.Memory > 0 {
			k = min(k, max(0, (n.memory-n.claimedMemory)/w.stage.Memory))
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

package advise

import (
	"cmp"
	"iter"

	"example.com/augur/policy"
)

// Compare returns a negative number if job x goes before job y, a positive one if it goes after, and 0 if they are
// the same. Jobs with grants go first, in the order of their first grants. The others go in the policy's order, if
// the policy orders all jobs; else by submission, then by ID. A job that is not there goes last.
//
// The order may change with each event. A host that keeps jobs in a heap must then restore the heap, or keep the
// order that held when a job came.
func (a *Advisor) Compare(x, y policy.JobID) int {
	i, k := a.jobs.Get(x), a.jobs.Get(y)
	switch {
	case i == nil && k == nil:
		return cmp.Compare(x, y)
	case i == nil:
		return +1
	case k == nil:
		return -1
	}
	if c := cmp.Compare(i.turn(), k.turn()); c != 0 {
		return c
	}
	if p, ok := a.policy.(interface{ Compare(a, b policy.JobID) int }); ok {
		return p.Compare(x, y)
	}
	return cmp.Or(cmp.Compare(i.job.Submitted, k.job.Submitted), cmp.Compare(x, y))
}

// turn returns the number of a job's first grant.
func (j *advised) turn() uint64 {
	if len(j.grants) == 0 {
		return 1<<64 - 1
	}
	return j.grants[0].number
}

// Score returns how well a node suits a job, from 0 to 1. It is 0 if the job has a grant for another node or
// partition, and for a job or node that is not there. Otherwise it is the speed of a task of the job on that node,
// divided by its speed on the fastest node that has ever joined, with its input and in a preferred partition. The
// task is that of the job's first grant, or else the first of the stage that was Ready last. Score does not look at
// what is free, which the host knows.
func (a *Advisor) Score(job policy.JobID, node policy.NodeID) float64 {
	j, n := a.jobs.Get(job), a.nodes.Get(node)
	if j == nil || n == nil {
		return 0
	}
	c := policy.Copy{Task: policy.Task{Job: job, Stage: j.stage}}
	if len(j.grants) > 0 {
		if !a.meets(&j.grants[0], []policy.Share{{Node: node}}) {
			return 0
		}
		c = j.grants[0].copy
	}
	score := n.Speed / a.fastest
	stage := &j.job.Stages[c.Stage]
	if stage.Elsewhere > 1 && !(stage.Prefers(n.Partition) && stage.Local(c.Index, node)) {
		score /= stage.Elsewhere
	}
	return score
}

// Admit reports whether a job may start something now, because it has a grant. If not, again is how long after the
// last event the host should report Woken and ask again: at the policy's planned start or alarm, whichever is
// earlier. 0 means that nothing is planned: ask after the next event.
func (a *Advisor) Admit(job policy.JobID) (ok bool, again policy.Duration) {
	j := a.jobs.Get(job)
	if j == nil {
		return false, 0
	}
	if len(j.grants) > 0 {
		return true, 0
	}
	at := a.alarm
	if p, ok := a.policy.(interface {
		Planned(id policy.JobID) (policy.Time, bool)
	}); ok {
		if planned, ok := p.Planned(job); ok && planned > a.now && planned < at {
			at = planned
		}
	}
	if at == policy.Never {
		return false, 0
	}
	return false, max(1, at.Sub(a.now))
}

// Grants yields the Starts of a job that the policy has returned and the host has not answered, in order. Each names
// the copy to start, gang or not, and the node if the policy chose one. Do not call Observe meanwhile.
func (a *Advisor) Grants(job policy.JobID) iter.Seq[policy.Action] {
	return func(yield func(policy.Action) bool) {
		if j := a.jobs.Get(job); j != nil {
			for i := range j.grants {
				if g := &j.grants[i]; !yield(policy.Action{Kind: policy.Start, Copy: g.copy, Node: g.node, Partition: g.partition}) {
					return
				}
			}
		}
	}
}

// Alarm returns when the policy wants to be woken: the host then reports Woken. It returns [policy.Never] and false
// if no alarm is set.
func (a *Advisor) Alarm() (at policy.Time, ok bool) { return a.alarm, a.alarm != policy.Never }

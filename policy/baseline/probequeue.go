package baseline

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
)

// A Probe waits on a node for its turn: it stands for some task of a job, which the node
// asks for when the turn comes (late binding), or for a task that was sent to the node.
type Probe struct {
	Job policy.JobID
	// Estimate is what one task of the job will take, ≥ 0.
	Estimate policy.Duration
	// Remaining is the work of all tasks of the job that are not finished, in task-seconds,
	// as far as the node has heard; +Inf lets all others go first.
	Remaining float64
	// Sticky: a task of the job has just finished on this node, which is to go on with
	// the job (sticky batch probing).
	Sticky bool

	place     uint64          // in the order in which they came
	overtaken policy.Duration // the estimates of what has gone first, though it came later
	slot      uint32          // of the probe in its job
	cores     int32
	bound     bool // it is task, which was sent to this node
	long      bool
	task      policy.Copy
}

// A ProbeQueue holds what waits on a node, in the order in which it came.
//
// By default the first goes first. With SRPT, the one whose job has the least work left
// does: shortest remaining processing time, each node by what it knows. To keep long ones
// from starving, a probe may be overtaken only so often:
//
//	sum of the estimates of those that overtook it  ≤  Bypass * its own estimate
//
// One that would break this for any probe ahead of it is not eligible. The first probe
// always is. A sticky one that is eligible goes before all others.
//
// A probe that is taken overtakes those that came before it. When it turns out that it gets no
// task, say so with Cancel; when its job has another task for the node, let it Return.
//
// Next, Take, Cancel and Return take time in proportion to the length of the queue, and
// allocate nothing.
//
// # Source
//
// Delgado et al. (see [Eagle]). The bypass limit is that of the authors' simulator, a sum of
// estimated durations and not a number of probes. We differ in how it is kept: here no probe
// ever waits for more than its limit, whoever is chosen.
type ProbeQueue struct {
	SRPT   bool    // the least remaining work first; else first in, first out
	Bypass float64 // see above; ≥ 0, read only with SRPT

	probes []Probe
	came   uint64 // how many
}

// Len returns the number of probes.
func (q *ProbeQueue) Len() int { return len(q.probes) }

// Push adds a probe at the end.
func (q *ProbeQueue) Push(p Probe) {
	q.came++
	p.place = q.came
	q.probes = append(q.probes, p)
}

// Return puts a probe that was taken back to the place that it had, for its next task. What
// it has overtaken stays overtaken.
func (q *ProbeQueue) Return(p Probe) {
	q.probes = slices.Insert(q.probes, q.before(p), p)
}

// Cancel says that a probe that was taken got no task: then it has overtaken nobody.
func (q *ProbeQueue) Cancel(p Probe) {
	for k := range q.before(p) {
		o := &q.probes[k].overtaken
		*o -= min(p.Estimate, *o)
	}
}

// before returns how many probes came before one that was taken.
func (q *ProbeQueue) before(p Probe) int {
	i, _ := slices.BinarySearchFunc(q.probes, p.place, func(o Probe, place uint64) int { return cmp.Compare(o.place, place) })
	return i
}

// At returns the i-th probe, 0 being the one that came first. It is valid until the queue
// changes.
func (q *ProbeQueue) At(i int) *Probe { return &q.probes[i] }

// Next returns the place of the probe whose turn it is, and false if there is none.
func (q *ProbeQueue) Next() (i int, ok bool) {
	if len(q.probes) == 0 {
		return 0, false
	}
	if !q.SRPT {
		return 0, true
	}
	best, slack := 0, q.slack(&q.probes[0])
	if q.probes[0].Sticky {
		return 0, true
	}
	for i := 1; i < len(q.probes); i++ {
		p := &q.probes[i]
		if float64(p.Estimate) <= slack {
			if p.Sticky {
				return i, true
			}
			if p.Remaining < q.probes[best].Remaining {
				best = i
			}
		}
		slack = min(slack, q.slack(p))
	}
	return best, true
}

// slack returns by how much more a probe may be overtaken, in ns.
func (q *ProbeQueue) slack(p *Probe) float64 {
	return float64(q.Bypass*float64(p.Estimate)) - float64(p.overtaken)
}

// Take takes the i-th probe out. It overtakes those that came before it.
func (q *ProbeQueue) Take(i int) Probe {
	p := q.probes[i]
	for k := range i {
		o := &q.probes[k].overtaken
		*o += min(p.Estimate, policy.Duration(never)-*o)
	}
	q.remove(i, i+1)
	return p
}

// remove takes the probes from place i up to j out, as if they had not been there.
func (q *ProbeQueue) remove(i, j int) { q.probes = slices.Delete(q.probes, i, j) }

// Overtaken returns for how long the i-th probe has been overtaken: the sum of the
// estimates of those that came later and went first.
func (q *ProbeQueue) Overtaken(i int) policy.Duration { return q.probes[i].overtaken }

// blocked returns the first row of short probes that waits for a long task: for one that
// runs on the node, if so, or else for the first in the queue. The row is empty if there is
// none. This is what an idle node steals in Hawk.
func (q *ProbeQueue) blocked(running bool) (from, to int) {
	if !running {
		if from = slices.IndexFunc(q.probes, func(p Probe) bool { return p.long }); from < 0 {
			return 0, 0
		}
	}
	for from < len(q.probes) && q.probes[from].long {
		from++
	}
	for to = from; to < len(q.probes) && !q.probes[to].long; {
		to++
	}
	return from, to
}

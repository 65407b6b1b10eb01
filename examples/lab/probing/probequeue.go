package probing

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/policy"
)

// A probe waits on a node for its turn: it stands for some task of a job, which the node
// asks for when the turn comes (late binding), or for a task that was sent to the node. It takes
// 64 bytes, a line of most caches.
type probe struct {
	// estimate is what one task of the job will take, ≥ 0.
	estimate  policy.Duration
	place     uint64          // in the order in which they came
	overtaken policy.Duration // the estimates of what has gone first, though it came later
	memory    int64           // bytes
	job       policy.JobID
	slot      uint32 // of the probe in its job
	cores     int32
	// left is how many tasks of the job are not finished, as far as the node has heard.
	left uint32
	// stage, index and n are those of its task, if it is bound.
	stage, index, n uint32

	bound bool // it is a task, which was sent to this node
	long  bool // likewise, and lets all others go first
	// sticky: it has been given a task, and further ones of the job wait, so it comes back (sticky batch probing).
	sticky bool
}

// remaining returns the work of all tasks of the job that are not finished, in task-seconds.
func (p *probe) remaining() float64 {
	if p.long {
		return math.Inf(1)
	}
	return p.estimate.Seconds() * float64(p.left)
}

// bind makes a probe stand for a task of its job; task returns that.
func (p *probe) bind(c policy.Copy) { p.bound, p.stage, p.index, p.n = true, c.Stage, c.Index, c.N }

func (p *probe) task() policy.Copy {
	return policy.Copy{Task: policy.Task{Job: p.job, Stage: p.stage, Index: p.index}, N: p.n}
}

// A probeQueue holds what waits on a node, in the order in which it came.
//
// Without a limit on bypassing, the first goes first. With one, the probe does whose job has
// the least work left: shortest remaining processing time, each node by what it knows. To keep
// long ones from starving, a probe may be overtaken only so often:
//
//	sum of the estimates of those that overtook it  ≤  bypass * its own estimate
//
// One that would break this for any probe ahead of it is not eligible. The first probe
// always is.
//
// A probe that is taken overtakes those that came before it. When it turns out that it gets no
// task, say so with cancel; when its job has another task for the node, putBack.
//
// take and cancel take time in proportion to the place of the probe, as next does if none behind it could have less left
// or be short enough to overtake those ahead. Else next looks at all, and putBack moves all behind. They allocate nothing,
// but putBack while the queue grows.
type probeQueue struct {
	bypass float64 // ≥ 0; 0: first in, first out
	probes []probe
	all    []probe              // the memory of probes with what was before them, empty
	came   uint64               // how many
	jobs   map[policy.JobID]int // how many probes each has here that are not bound

	// No probe has a shorter estimate, or less work left: they are exact when next has looked at all.
	shortest policy.Duration
	least    float64
}

// room makes room for one more probe, which is to be p, and counts it.
func (q *probeQueue) room(p *probe) {
	if len(q.probes) == 0 {
		q.shortest, q.least = math.MaxInt64, math.Inf(1)
	}
	q.shortest, q.least = min(q.shortest, p.estimate), min(q.least, p.remaining())
	if q.jobs == nil {
		q.jobs = make(map[policy.JobID]int)
	}
	if !p.bound {
		q.jobs[p.job]++
	}
	switch n := len(q.probes); {
	case n < cap(q.probes):
	case 2*n < cap(q.all):
		q.probes = append(q.all, q.probes...)
	default:
		q.probes = slices.Grow(q.probes, 1)
		q.all = q.probes[:0]
	}
}

// push adds a probe at the end.
func (q *probeQueue) push(p probe) {
	q.came++
	p.place = q.came
	q.room(&p)
	q.probes = append(q.probes, p)
}

// putBack puts a probe that was taken back to the place that it had, for its next task. What
// it has overtaken stays overtaken.
func (q *probeQueue) putBack(p probe) {
	q.room(&p)
	q.probes = slices.Insert(q.probes, q.before(p), p)
}

// cancel says that a probe that was taken got no task: then it has overtaken nobody.
func (q *probeQueue) cancel(p probe) {
	for k := range q.before(p) {
		o := &q.probes[k].overtaken
		*o -= min(p.estimate, *o)
	}
}

// before returns how many probes came before one that was taken.
func (q *probeQueue) before(p probe) int {
	i, _ := slices.BinarySearchFunc(q.probes, p.place, func(o probe, place uint64) int { return cmp.Compare(o.place, place) })
	return i
}

// next returns the place of the probe whose turn it is, and false if there is none.
func (q *probeQueue) next() (i int, ok bool) {
	if len(q.probes) == 0 {
		return 0, false
	}
	if q.bypass == 0 {
		return 0, true
	}
	best, least, slack := 0, math.Inf(1), math.Inf(1)
	shortest, lowest := policy.Duration(math.MaxInt64), math.Inf(1) // of those before i
	for i := range q.probes {
		if slack < float64(q.shortest) || least <= q.least {
			return best, true
		}
		p := &q.probes[i]
		r := p.remaining()
		if float64(p.estimate) <= slack && r < least {
			best, least = i, r
		}
		shortest, lowest, slack = min(shortest, p.estimate), min(lowest, r), min(slack, q.slack(p))
	}
	q.shortest, q.least = shortest, lowest
	return best, true
}

// slack returns by how much more a probe may be overtaken, in ns.
func (q *probeQueue) slack(p *probe) float64 {
	return q.bypass*float64(p.estimate) - float64(p.overtaken)
}

// take takes the i-th probe out. It overtakes those that came before it.
func (q *probeQueue) take(i int) probe {
	p := q.probes[i]
	for k := range i {
		o := &q.probes[k].overtaken
		*o += min(p.estimate, policy.Duration(policy.Never)-*o)
	}
	q.remove(i, i+1)
	q.uncount(&p)
	return p
}

// uncount counts a probe no more, which is taken out.
func (q *probeQueue) uncount(p *probe) {
	if p.bound {
		return
	}
	if q.jobs[p.job]--; q.jobs[p.job] == 0 {
		delete(q.jobs, p.job)
	}
}

// until returns the place behind the last probe of a job that is not bound. It looks no further than that: those of a job
// mostly came at one time.
func (q *probeQueue) until(job policy.JobID) (to int) {
	for left := q.jobs[job]; left > 0; to++ {
		if p := &q.probes[to]; p.job == job && !p.bound {
			left--
		}
	}
	return to
}

// remove takes the probes from place i up to j out, as if they had not been there. The fewer of the others move: those
// before i or those from j on.
func (q *probeQueue) remove(i, j int) {
	if i > len(q.probes)-j {
		q.probes = slices.Delete(q.probes, i, j)
		return
	}
	copy(q.probes[j-i:], q.probes[:i])
	q.probes = q.probes[j-i:]
}

// blocked returns the first row of short probes that waits for a long task: for one that
// runs on the node, if so, or else for the first in the queue. The row is empty if there is
// none. This is what an idle node steals in Hawk.
func (q *probeQueue) blocked(running bool) (from, to int) {
	if !running {
		if from = slices.IndexFunc(q.probes, func(p probe) bool { return p.long }); from < 0 {
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

package slearn

import (
	"cmp"
	"fmt"

	"example.com/augur/policy"
)

// An Explanation says why a job is where it is.
type Explanation struct {
	Queue int  // where it is, 0 being the highest; of pilots Apart, the number of queues
	When  When // its work is known: Now, Later (it is being sampled) or Never
	// Estimate is the job's work in core-seconds, if it is Estimated: known Now, and not
	// passed by.
	Estimate  float64
	Estimated bool
	Bypass    bool    // it is in the highest queue whatever its work
	Attained  float64 // service so far, core-seconds
	Cores     int64   // that it has
	Charged   int64   // of these, those that count as its queue's: while it is sampled, the pilots' only
	Share     float64 // of its Charged cores in all of its queue, 0 to 1
	Pilots    int     // wanted; 0 if it is not sampled
	Done      int     // of these, finished
}

// String says it in a line, as in
//
//	queue 2, estimated at 12000 core-seconds by 5 pilots, 300 attained, 4 cores (10 % of its queue's)
func (e Explanation) String() string {
	why := "goes by attained service"
	switch {
	case e.Bypass:
		why = "bypasses the estimate"
	case e.Estimated && e.Pilots > 0:
		why = fmt.Sprintf("estimated at %.6g core-seconds by %d pilots", e.Estimate, e.Pilots)
	case e.Estimated:
		why = fmt.Sprintf("estimated at %.6g core-seconds", e.Estimate)
	case e.When == Later:
		why = fmt.Sprintf("sampled, %d of %d pilots done", e.Done, e.Pilots)
	}
	spare := ""
	if e.Charged < e.Cores {
		spare = fmt.Sprintf(", %d else idle", e.Cores-e.Charged)
	}
	return fmt.Sprintf("queue %d, %s, %.6g attained, %d cores (%.3g %% of its queue's%s)", e.Queue, why, e.Attained, e.Cores, 100*e.Share, spare)
}

// Explain says why a job is where it is, and false if it is not there.
func (g *GS) Explain(id policy.JobID) (e Explanation, ok bool) {
	j := g.view.Job(id)
	if j == nil {
		return Explanation{}, false
	}
	o := &j.Own
	e = Explanation{
		Queue: g.home(o), When: o.when, Estimate: o.work, Estimated: o.when == Now && !o.plan.Bypass, Bypass: o.plan.Bypass,
		Attained: g.service(o), Cores: j.Cores, Charged: o.charged, Pilots: o.pilots.want, Done: len(o.pilots.runtimes),
	}
	if cores := g.cores[o.queue]; cores > 0 {
		e.Share = float64(o.charged) / float64(cores)
	}
	return e, true
}

// Resistance returns the work that goes before a job, in core-seconds: what is left, by the
// estimates, of the jobs in higher queues and of those before it in its own. Jobs of which
// no stage has been Ready yet are in nobody's way. A job without an estimate counts with the
// mean runtime of all tasks so far for each of its tasks. It takes time in proportion to the
// number of jobs, and is false if the job is not there.
//
// # Source
//
// SLearn, section 5.4.4, which counts true runtimes, in units of 1,000 s of the whole
// cluster, at the moment of arrival or, for sampled jobs, when the estimate is made.
func (g *GS) Resistance(id policy.JobID) (work float64, ok bool) {
	j := g.view.Job(id)
	if j == nil {
		return 0, false
	}
	own, joined := g.home(&j.Own), j.Own.joined-1 // none: it will come to the tail
	for other, k := range g.view.Jobs() {
		if k.Own.joined == 0 || other == id {
			continue
		}
		if q := g.home(&k.Own); g.rank(q) < g.rank(own) || q == own && k.Own.joined-1 < joined {
			work += g.left(k)
		}
	}
	return work, true
}

// left returns what is left of a job by its estimate, core-seconds.
func (g *GS) left(j *jobView) float64 {
	o := &j.Own
	total := o.work
	if o.when != Now || o.plan.Bypass {
		total = float64(g.expect(o) * Width(j.Job))
	}
	return max(0, total-g.service(o))
}

// Compare returns a negative number if job a goes before job b within their queue, or is in a higher
// one, and a positive number if it is the other way round. Jobs whose pilots all run or have run, and
// whose work is not known yet, go after the others. It says nothing of how the queues share the
// cluster. A job that is not there goes last.
func (g *GS) Compare(a, b policy.JobID) int {
	sampled := func(j *jobView) int {
		if o := &j.Own; o.when == Later && !o.pilots.wait() {
			return 1
		}
		return 0
	}
	return g.view.Compare(a, b, func(a, b *jobView) int {
		return cmp.Or(cmp.Compare(sampled(a), sampled(b)), cmp.Compare(g.rank(g.home(&a.Own)), g.rank(g.home(&b.Own))),
			cmp.Compare(a.Own.joined-1, b.Own.joined-1), // those that have not joined, 0, after those that have
			submission(a.Job, b.Job))
	})
}

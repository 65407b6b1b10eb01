package slearn

import (
	"cmp"
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// An Explanation says why a job is in its queue.
type Explanation struct {
	Queue int  // where it is, 0 being the highest; the number of queues if it is in the pilots' own queue (PilotQueue)
	When  When // its work is known: Now, Later (it is being sampled) or Never
	// Estimate is the job's work in core-seconds, if it is Estimated: known Now, and without Bypass.
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

// String returns it in a line, as in
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

// Explain calls [Queues.Explain].
func (g *GS) Explain(id policy.JobID) (e Explanation, ok bool) { return g.queues.Explain(id) }

// Explain explains the queue of a job. It returns false if the job is not there.
func (g *Queues) Explain(id policy.JobID) (e Explanation, ok bool) {
	o := g.jobs.Get(id)
	if o == nil {
		return Explanation{}, false
	}
	e = Explanation{
		Queue: g.home(o), When: o.when, Estimate: o.work, Estimated: o.when == Now && !o.sampled.Bypass, Bypass: o.sampled.Bypass,
		Attained: g.view.Service(o.Job), Cores: o.Cores, Charged: o.charged, Pilots: o.sampled.Pilots, Done: o.sampled.Done,
	}
	if cores := g.cores[o.queue]; cores > 0 {
		e.Share = float64(o.charged) / float64(cores)
	}
	return e, true
}

// Compare orders jobs by queue, and within a queue. Jobs whose pilots all run or have run, and whose work is not
// known yet, go after the others. It says nothing of how the queues share the cluster.
func (g *Queues) Compare(a, b *central.Job) int {
	x, y := g.jobs.Get(a.Job.ID), g.jobs.Get(b.Job.ID)
	sampled := func(o *job) int {
		if o.when == Later && !o.sampled.Wait {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(sampled(x), sampled(y)), cmp.Compare(g.rank(g.home(x)), g.rank(g.home(y))),
		cmp.Compare(x.joined-1, y.joined-1), // those that have not joined, 0, after those that have
		central.BySubmission(a, b))
}

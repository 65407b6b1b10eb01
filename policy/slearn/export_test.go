package slearn

import "example.com/augur/policy"

// An Explanation says why a job is in its queue, for tests.
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

// Explain calls [Queues.Explain].
func (g *Scheduler) Explain(id policy.JobID) (e Explanation, ok bool) { return g.queues.Explain(id) }

// Explain explains the queue of a job. It returns false if the job is not there.
func (g *Turn) Explain(id policy.JobID) (e Explanation, ok bool) {
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

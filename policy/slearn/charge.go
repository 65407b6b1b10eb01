package slearn

import "example.com/augur/queue"

// charge lets a job's queue hold some more cores of the job, or release some: cores by use, and by service the
// core-seconds that are expected of them. It releases a proportional part of what is held for the job, so that
// nothing remains when its last task has ended.
func (g *Turn) charge(o *job, cores int64) {
	if cores == 0 {
		return
	}
	amount := float64(cores)
	if g.config.Sharing == queue.ByService {
		if cores > 0 {
			amount = amount * g.expect(o)
		} else {
			amount = amount * (o.held / float64(o.charged))
		}
	}
	o.charged += cores
	o.held += amount
	if o.charged == 0 {
		o.held = 0
	}
	member := g.members[o.queue]
	g.cores[o.queue] += cores
	g.sharing.Hold(member, amount)
	if g.cores[o.queue] == 0 {
		if rounding, _ := g.sharing.Held(member); rounding != 0 {
			g.sharing.Hold(member, -rounding)
		}
	}
}

// expect returns the expected runtime of a job's task in seconds: not 0, so that the turn passes on, and at most
// thirty years, beside which a second is not lost to rounding.
func (g *Turn) expect(o *job) float64 {
	mean, ok := o.mean, o.mean > 0
	if !ok {
		mean, ok = g.runtimes.Mean()
	}
	if !ok {
		mean = 1
	}
	return min(max(mean, 1e-3), 1e9)
}

// ended charges a job's queue, by service, for a copy that has ended, in seconds. What the queue held is released
// when the job is placed.
func (g *Turn) ended(o *job, service float64, width int64) {
	if g.config.Sharing == queue.ByService {
		g.sharing.Charge(g.members[o.queue], float64(width)*service)
	}
}

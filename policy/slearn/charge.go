package slearn

import "example.com/augur/queue"

// charge charges a job's queue for some more cores that it has, or takes back the charge
// for some. By service, what is taken back is a part of what is held for the job, so that
// nothing remains when its last task has ended.
func (g *GS) charge(o *job, cores int64) {
	if cores == 0 {
		return
	}
	amount := float64(cores)
	if g.config.Sharing == queue.ByService {
		if cores > 0 {
			amount = float64(amount * g.expect(o))
		} else {
			amount = float64(amount * (o.held / float64(o.charged)))
		}
	}
	o.charged += cores
	o.held += amount
	if o.charged == 0 {
		o.held = 0
	}
	g.cores[o.queue] += cores
	g.sharing.Charge(g.members[o.queue], amount)
}

// expect returns for how long a task of a job is expected to run, in seconds, and not 0, so
// that the turn passes on.
func (g *GS) expect(o *job) float64 {
	mean, ok := o.mean, o.mean > 0
	if !ok {
		mean, ok = g.runtimes.Value()
	}
	if !ok {
		mean = 1
	}
	return max(mean, 1e-3)
}

// correct charges, by service, what a copy that has ended was true to have, in seconds. The
// charge for its cores is taken back when the job is placed.
func (g *GS) correct(o *job, service float64, width int64) {
	if g.config.Sharing == queue.ByService {
		g.sharing.Charge(g.members[o.queue], float64(float64(width)*service))
	}
}

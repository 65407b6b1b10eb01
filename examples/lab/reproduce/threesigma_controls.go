package main

import (
	"context"

	"example.com/augur/policy/workload"
)

// A sigmaControl is what is published of E2E's jobs, and can be held against those of a seed.
type sigmaControl struct{ hours, machineHours, load, widest, width float64 }

// sigmaControls are what section 5 tells of the jobs: 600 take two hours at a load of 1.4 on 256 nodes, so that a job is
// 1.19 machine-hours, and none is wider than 256 nodes. The load is that which the arrivals are scaled to.
func sigmaControls(b *sigmaBed) item {
	return func(l *lab) func(r *report) {
		t := ask(l, b.bed(), "controls", func(_ context.Context, d *sigmaJobs) (sigmaControl, error) { return d.controls(), nil })
		return func(r *report) {
			for _, c := range []struct {
				metric    string
				published float64
				of        func(c sigmaControl) float64
			}{
				{"600 jobs arrive in, h", 2, func(c sigmaControl) float64 { return c.hours }},
				{"work of a job, mean, machine-hours", 1.19, func(c sigmaControl) float64 { return c.machineHours }},
				{"load offered", 1.4, func(c sigmaControl) float64 { return c.load }},
				{"largest job, nodes, of at most 256", unpublished, func(c sigmaControl) float64 { return c.widest }},
				{"nodes of a job, mean", unpublished, func(c sigmaControl) float64 { return c.width }},
			} {
				r.add("section 5", b.name, c.metric, c.published, each(t.runs, c.of))
			}
		}
	}
}

func (d *sigmaJobs) controls() (c sigmaControl) {
	n := float64(len(d.jobs))
	for _, j := range d.jobs {
		c.machineHours += j.Work() / 3600 / n
		c.widest = max(c.widest, float64(j.Tasks()))
		c.width += float64(j.Tasks()) / n
	}
	c.hours = d.jobs[len(d.jobs)-1].Submitted.Seconds() / 3600 * 600 / n
	c.load = workload.Measure(d.jobs).Load(float64(len(d.nodes)))
	return c
}

package main

import (
	"cmp"
	"context"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// sigmaControls are what section 5 tells of the jobs: 600 take two hours at a load of 1.4 on 256 nodes, so that a job is
// 1.19 machine-hours. The load is that which the arrivals are scaled to.
func sigmaControls(b *sigmaBed) item {
	measures := []struct {
		metric    string
		published float64
		of        func(d *sigmaJobs) float64
	}{
		{"600 jobs arrive in, h", 2, func(d *sigmaJobs) float64 {
			n := float64(len(d.jobs))
			return d.jobs[len(d.jobs)-1].Submitted.Seconds() / 3600 * 600 / n
		}},
		{"work of a job, mean, machine-hours", 1.19, func(d *sigmaJobs) (hours float64) {
			for _, j := range d.jobs {
				hours += j.Work() / 3600 / float64(len(d.jobs))
			}
			return hours
		}},
		{"load offered", 1.4, func(d *sigmaJobs) float64 { return workload.Measure(d.jobs).Load(float64(len(d.nodes))) }},
	}
	return func(l *lab) func(r *report) {
		t := ask(l, b.bed(), "controls", func(_ context.Context, d *sigmaJobs) (all []float64, err error) {
			for _, m := range measures {
				all = append(all, m.of(d))
			}
			return all, nil
		})
		return func(r *report) {
			for i, m := range measures {
				r.add("section 5", b.name, m.metric, m.published, column(t.runs, i))
			}
		}
	}
}

// sigmaPredicted is section 2.1: how many estimates are within a factor of two, if all jobs began at
// once. Published are 92 % for Google's trace.
func sigmaPredicted(b *sigmaBed) item {
	return func(l *lab) func(r *report) {
		t := ask(l, b.bed(), "estimates", func(_ context.Context, d *sigmaJobs) (float64, error) { return d.nearlyRight() })
		return func(r *report) {
			r.add("2.1", b.name, "estimates within a factor of two, %", 92, t.runs)
		}
	}
}

// nearlyRight returns how many percent of the estimates are within a factor of two.
func (d *sigmaJobs) nearlyRight() (percent float64, err error) {
	p, err := d.predictor()
	if err != nil {
		return 0, err
	}
	ended := func(j *workload.Job) policy.Time { return j.Submitted.Add(j.Ideal()) }
	ends := slices.Clone(d.jobs)
	slices.SortStableFunc(ends, func(a, b *workload.Job) int { return cmp.Compare(ended(a), ended(b)) })
	near, all := 0, 0
	for _, j := range d.jobs {
		for len(ends) > 0 && ended(ends[0]) < j.Submitted {
			if err := p.Observe(ends[0], ends[0].Ideal().Seconds(), j.Calendar(j.Submitted)); err != nil {
				return 0, err
			}
			ends = ends[1:]
		}
		x, ok := p.Estimate(j, j.Calendar(j.Submitted))
		truth := j.Ideal().Seconds()
		if all++; ok && truth/2 <= x && x <= 2*truth {
			near++
		}
	}
	return 100 * float64(near) / float64(all), nil
}

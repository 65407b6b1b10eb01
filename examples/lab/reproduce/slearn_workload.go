package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"example.com/augur/estimate"
	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// slearnWorkload is Tables 4, 5 and 9: what the traces are like.
func slearnWorkload(t *slearnTrace, b *bed[*round]) item {
	return byRound(b, "Tables 4, 5 and 9", func(_ context.Context, d *round) (like likeness, err error) {
		if like.space, err = acrossSpace(d.halved); err != nil {
			return like, err
		}
		like.past, err = acrossTime(d.halved, time.Duration(t.days)*24*time.Hour)
		like.loads, like.bins = windowLoads(d.execution, float64(d.cores)), sizeBins(d.execution)
		like.length = d.execution[len(d.execution)-1].Submitted.Seconds() / 1000
		return like, err
	}, func(r *report, all []likeness) { tellLikeness(r, t, all) })
}

// A likeness is what a trace is like: variation of runtimes across tasks and across jobs, loads of windows,
// shares of bins, and its length. The axis of Fig. 14 goes to 1050 ks and more.
type likeness struct {
	space, past, loads []float64
	bins               [4]share
	length             float64 // 1000 s
}

func tellLikeness(r *report, t *slearnTrace, all []likeness) {
	type table struct{ time50, time90, space50, space90, mean, p50, p90 float64 }
	paper := map[string]table{
		"2strace":  {1.00, 3.10, 0.18, 0.55, 1.05, 0.13, 2.47},
		"gtrace11": {0.20, 0.73, 0.04, 0.58, 1.01, 0.29, 1.49},
		"gtrace19": {1.35, 1.67, 0.70, 1.33, 1.04, 0.09, 0.91},
	}[t.of]
	r.add("Table 4", t.name, "CoV across time P50", paper.time50, each(all, func(l likeness) float64 { return percentile(l.past, 0.5) }))
	r.add("Table 4", t.name, "CoV across time P90", paper.time90, each(all, func(l likeness) float64 { return percentile(l.past, 0.9) }))
	r.add("Table 4", t.name, "CoV across space P50", paper.space50, each(all, func(l likeness) float64 { return percentile(l.space, 0.5) }))
	r.add("Table 4", t.name, "CoV across space P90", paper.space90, each(all, func(l likeness) float64 { return percentile(l.space, 0.9) }))
	r.add("Table 5", t.name, "load of 1000 s, mean", paper.mean, each(all, func(l likeness) float64 { mean, _ := interval(l.loads); return mean }))
	r.add("Table 5", t.name, "load of 1000 s, P50", paper.p50, each(all, func(l likeness) float64 { return percentile(l.loads, 0.5) }))
	r.add("Table 5", t.name, "load of 1000 s, P90", paper.p90, each(all, func(l likeness) float64 { return percentile(l.loads, 0.9) }))
	r.add("Fig. 14", t.name, "time from the first job to the last, 1000 s", unpublished, each(all, func(l likeness) float64 { return l.length }))
	published := [4]share{{4.55, 0.01}, {28.73, 0.06}, {14.29, 5.41}, {52.43, 94.52}}
	for i, name := range binNames {
		want := share{unpublished, unpublished}
		if t.of == "2strace" {
			want = published[i]
		}
		r.add("Table 9", t.name, fmt.Sprintf("bin %d, %s: jobs, %%", i+1, name), want.jobs, each(all, func(l likeness) float64 { return l.bins[i].jobs }))
		r.add("Table 9", t.name, fmt.Sprintf("bin %d, %s: work, %%", i+1, name), want.work, each(all, func(l likeness) float64 { return l.bins[i].work }))
	}
}

// acrossSpace returns the coefficient of variation of the mean of a job's pilots, 3 % of its N tasks, for the jobs of two
// tasks and more (section 4.2): s1 / (sqrt(0.03*N) * mean) with the standard deviation s1 of all tasks. The text has s1^2 for
// s1, a slip; its plots leave the square out.
func acrossSpace(h halved) (covs []float64, err error) {
	for _, j := range h.execution {
		var m estimate.Moments
		for _, d := range j.Runtimes[0] {
			if err := m.Add(d.Seconds()); err != nil {
				return nil, err
			}
		}
		if cov, _ := m.CoV(); m.N() >= 2 {
			covs = append(covs, cov/math.Sqrt(0.03*float64(m.N())))
		}
	}
	return covs, nil
}

// acrossTime returns the least coefficient of variation of the mean task runtimes of jobs that have a feature in common, over
// all features and the last days of the history (section 4.2), for the jobs of its last quarter: those of the execution trace
// have been drawn from times that are days apart. Hour and day count as one feature each, and one of fewer than two jobs does
// not count.
func acrossTime(h halved, window time.Duration) (covs []float64, err error) {
	type job struct {
		at   policy.Time
		mean float64
	}
	similar := make(map[policy.Attr][]job)
	for i, j := range h.history {
		cov, known := math.Inf(1), false
		for _, attr := range j.Attrs {
			past := similar[attr]
			for len(past) > 0 && j.Submitted.Sub(past[0].at) > window {
				past = past[1:]
			}
			var m estimate.Moments
			if i >= len(h.history)*3/4 {
				for _, job := range past {
					if err := m.Add(job.mean); err != nil {
						return nil, err
					}
				}
			}
			if x, _ := m.CoV(); m.N() >= 2 {
				cov, known = min(cov, x), true
			}
			similar[attr] = append(past, job{j.Submitted, cli.MeanTask(j)})
		}
		if known {
			covs = append(covs, cov)
		}
	}
	return covs, nil
}

// windowLoads returns the load of each window of 1000 s, one every 100 s from the first
// arrival to the last: the work of the jobs that arrive in it over what the cores can do.
func windowLoads(jobs []*workload.Job, cores float64) (loads []float64) {
	end := jobs[len(jobs)-1].Submitted.Seconds()
	first := 0
	for from := jobs[0].Submitted.Seconds(); from+1000 <= end; from += 100 {
		for jobs[first].Submitted.Seconds() < from {
			first++
		}
		work := 0.0
		for i := first; i < len(jobs) && jobs[i].Submitted.Seconds() < from+1000; i++ {
			work += jobs[i].Work()
		}
		loads = append(loads, work/(1000*cores))
	}
	return loads
}

// A share is that of some jobs among all, and of their work, in percent.
type share struct{ jobs, work float64 }

// sizeBins divides jobs as Table 9 does.
func sizeBins(jobs []*workload.Job) (bins [4]share) {
	all := 0.0
	for _, j := range jobs {
		b := &bins[sizeBin(j)]
		b.jobs += 100 / float64(len(jobs))
		b.work += j.Work()
		all += j.Work()
	}
	for i := range bins {
		bins[i].work *= 100 / all
	}
	return bins
}

// sizeBin returns the bin of a job: thin jobs have fewer than three tasks, small ones less
// than 1000 s of work.
func sizeBin(j *workload.Job) (bin int) {
	if j.Tasks() >= wide {
		bin++
	}
	if j.Work() >= 1000 {
		bin += 2
	}
	return bin
}

// binNames are those of Table 9.
var binNames = [4]string{"thin and small", "wide and small", "thin and large", "wide and large"}

package main

import (
	"context"
	"fmt"

	"example.com/augur/policy/workload"
)

// slearnWorkload is Tables 5 and 9: what the traces are like.
func slearnWorkload(t *slearnTrace, b *bed[*round]) item {
	return byRound(b, "Tables 5 and 9", func(_ context.Context, d *round) (likeness, error) {
		return likeness{windowLoads(d.execution, float64(d.cores)), sizeBins(d.execution)}, nil
	}, func(r *report, all []likeness) { tellLikeness(r, t, all) })
}

// A likeness is what a trace is like: the loads of windows and the shares of bins.
type likeness struct {
	loads []float64
	bins  [4]share
}

func tellLikeness(r *report, t *slearnTrace, all []likeness) {
	load := map[string]struct{ mean, p50, p90 float64 }{
		"2strace": {1.05, 0.13, 2.47}, "gtrace11": {1.01, 0.29, 1.49}, "gtrace19": {1.04, 0.09, 0.91},
	}[t.of]
	r.add("Table 5", t.name, "load of 1000 s, mean", load.mean, each(all, func(l likeness) float64 { mean, _ := interval(l.loads); return mean }))
	r.add("Table 5", t.name, "load of 1000 s, P50", load.p50, each(all, func(l likeness) float64 { return percentile(l.loads, 0.5) }))
	r.add("Table 5", t.name, "load of 1000 s, P90", load.p90, each(all, func(l likeness) float64 { return percentile(l.loads, 0.9) }))
	if t.of != "2strace" {
		return // nothing is published
	}
	for i, published := range []share{{4.55, 0.01}, {28.73, 0.06}, {14.29, 5.41}, {52.43, 94.52}} {
		bin := fmt.Sprintf("bin %d, %s", i+1, binNames[i])
		r.add("Table 9", t.name, bin+": jobs, %", published.jobs, each(all, func(l likeness) float64 { return l.bins[i].jobs }))
		r.add("Table 9", t.name, bin+": work, %", published.work, each(all, func(l likeness) float64 { return l.bins[i].work }))
	}
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

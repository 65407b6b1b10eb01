package main

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// A placed is how a wide job was estimated and where it was put for it.
type placed struct {
	off    float64 // error of its estimate, %: above 0 if it was estimated too long
	queues int     // how much lower than the queue of its true work it was put
	longer float64 // its completion time over that under the Oracle
}

// slearnMoreRight is the difference of Table 7 between SLearn and 3Sigma.
const slearnMoreRight = "wide jobs in the right queue under SLearn less those under 3Sigma, % of all"

// A table10 has the columns of Table 10 for one scheduler.
type table10 struct{ over, low, slowed, meanOver, p50Over, under, high, sped, meanUnder, p50Under float64 }

// queuesPublished are Table 7, by trace, and Table 10, of 2strace, for SLearn and 3Sigma.
var queuesPublished = [2]struct {
	name  string
	right map[string]float64
	off   table10
}{
	{
		"SLearn", map[string]float64{"2strace": 89.09, "gtrace11": 86.45, "gtrace19": 73.96},
		table10{43.75, 3.54, 2.85, 30.65, 18.19, 55.45, 7.37, 3.64, -26.79, -20.69},
	},
	{
		"3Sigma", map[string]float64{"2strace": 73.84, "gtrace11": 76.20, "gtrace19": 58.07},
		table10{59.78, 17.50, 12.19, 898.5, 48.00, 40.22, 8.65, 6.88, -37.0, -28.57},
	},
}

// slearnQueues is Tables 7 and 10: how many wide jobs are put into the queue of their true
// work, and what became of the others. Shares are of all wide jobs.
func slearnQueues(t *slearnTrace, b *bed[*round]) item {
	return byRound(b, "Tables 7 and 10", func(_ context.Context, d *round) (jobs [2][]placed, err error) {
		if jobs[0], err = d.placed(d.bySLearn); err != nil {
			return jobs, err
		}
		jobs[1], err = d.placed(d.by3Sigma)
		return jobs, err
	}, func(r *report, runs [][2][]placed) {
		var right [2][]float64 // by seed
		for i, who := range queuesPublished {
			all := each(runs, func(jobs [2][]placed) []placed { return jobs[i] })
			right[i] = each(all, func(jobs []placed) float64 { return shareOf(jobs, inRightQueue) })
			r.add("Table 7", t.name, who.name+", wide jobs in the right queue, %", who.right[t.name], right[i])
			u := unpublished
			published := table10{u, u, u, u, u, u, u, u, u, u}
			if t.name == "2strace" {
				published = who.off
			}
			tellTable10(r, t.name, who.name, published, all)
		}
		floats.Sub(right[0], right[1])
		r.add("Table 7", t.name, slearnMoreRight, queuesPublished[0].right[t.name]-queuesPublished[1].right[t.name], right[0])
	})
}

// tellTable10 tells of the wide jobs of each seed under one scheduler.
func tellTable10(r *report, trace, who string, paper table10, all [][]placed) {
	add := func(metric string, published float64, of func(jobs []placed) float64) {
		r.add("Table 10", trace, who+", "+metric, published, each(all, of))
	}
	share := func(kind func(p placed) bool) func(jobs []placed) float64 {
		return func(jobs []placed) float64 { return shareOf(jobs, kind) }
	}
	over := func(p placed) bool { return p.off > 0 }
	add("overestimated, %", paper.over, share(over))
	add("overestimated and misplaced, %", paper.low, share(func(p placed) bool { return p.queues > 0 }))
	add("overestimated, misplaced and slower than under the Oracle, %", paper.slowed, share(func(p placed) bool { return p.queues > 0 && p.longer > 1 }))
	add("errors above 0, mean, %", paper.meanOver, func(jobs []placed) float64 { return meanOf(errorsOf(jobs, over)) })
	add("errors above 0, P50, %", paper.p50Over, func(jobs []placed) float64 { return percentile(errorsOf(jobs, over), 0.5) })
	under := func(p placed) bool { return p.off < 0 }
	add("underestimated, %", paper.under, share(under))
	add("underestimated and misplaced, %", paper.high, share(func(p placed) bool { return p.queues < 0 }))
	add("underestimated, misplaced and faster than under the Oracle, %", paper.sped, share(func(p placed) bool { return p.queues < 0 && p.longer < 1 }))
	add("errors below 0, mean, %", paper.meanUnder, func(jobs []placed) float64 { return meanOf(errorsOf(jobs, under)) })
	add("errors below 0, P50, %", paper.p50Under, func(jobs []placed) float64 { return percentile(errorsOf(jobs, under), 0.5) })
}

// placed returns what an outcome says of the wide jobs. Those that history knows nothing of,
// if there are any, are left out.
func (d *round) placed(o outcome) (jobs []placed, err error) {
	levels, err := queue.NewMultilevel[struct{}](queue.MultilevelConfig{First: 1000}) // as GS has them
	if err != nil {
		return nil, err
	}
	times := make(map[policy.JobID]float64)
	for _, j := range d.byOracle.Jobs {
		times[j.ID] = j.JCT().Seconds()
	}
	for i, j := range d.execution {
		e := o.records[j.ID]
		if j.Tasks() < wide || !e.Estimated {
			continue
		}
		said, _ := levels.Level(e.Estimate)
		is, _ := levels.Level(j.Work())
		jobs = append(jobs, placed{
			off:    100 * (e.Estimate - j.Work()) / j.Work(),
			queues: said - is,
			longer: o.Jobs[i].JCT().Seconds() / times[j.ID],
		})
	}
	return jobs, nil
}

// rightQueue returns how many percent of the wide jobs were put into the queue of their true
// work.
func (d *round) rightQueue(o outcome) (percent float64, err error) {
	jobs, err := d.placed(o)
	return shareOf(jobs, inRightQueue), err
}

func inRightQueue(p placed) bool { return p.queues == 0 }

// errorsOf returns the errors of the jobs of a kind.
func errorsOf(jobs []placed, kind func(placed) bool) (off []float64) {
	for _, p := range jobs {
		if kind(p) {
			off = append(off, p.off)
		}
	}
	return off
}

package main

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"example.com/augur/policy"
	"example.com/augur/policy/slearn"
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

// slearnQueues is Tables 7 and 10: how many wide jobs are put into the queue of their true
// work, and what became of the others. Shares are of all wide jobs.
func slearnQueues(_ context.Context, r *report, t *slearnTrace, rounds []*round) error {
	type table10 struct{ over, low, slowed, meanOver, p50Over, under, high, sped, meanUnder, p50Under float64 }
	u := unpublished
	var right [2][]float64 // Table 7, by seed
	var rightPublished [2]float64
	for i, who := range []struct {
		name    string
		right   map[string]float64 // Table 7
		paper   table10            // for 2strace
		outcome func(d *round) outcome
	}{
		{
			"SLearn", map[string]float64{"2strace": 89.09, "gtrace11": 86.45, "gtrace19": 73.96},
			table10{43.75, 3.54, 2.85, 30.65, 18.19, 55.45, 7.37, 3.64, -26.79, -20.69},
			func(d *round) outcome { return d.bySLearn },
		},
		{
			"3Sigma", map[string]float64{"2strace": 73.84, "gtrace11": 76.20, "gtrace19": 58.07},
			table10{59.78, 17.50, 12.19, 898.5, 48.00, 40.22, 8.65, 6.88, -37.0, -28.57},
			func(d *round) outcome { return d.by3Sigma },
		},
	} {
		all := make([][]placed, len(rounds))
		for i, d := range rounds {
			var err error
			if all[i], err = d.placed(who.outcome(d)); err != nil {
				return err
			}
		}
		add := func(item, metric string, published float64, of func(jobs []placed) float64) {
			r.add(item, t.name, who.name+", "+metric, published, each(all, of))
		}
		share := func(kind func(p placed) bool) func(jobs []placed) float64 {
			return func(jobs []placed) float64 { return shareOf(jobs, kind) }
		}
		right[i], rightPublished[i] = each(all, share(inRightQueue)), who.right[t.name]
		r.add("Table 7", t.name, who.name+", wide jobs in the right queue, %", rightPublished[i], right[i])
		paper := who.paper
		if t.name != "2strace" {
			paper = table10{u, u, u, u, u, u, u, u, u, u}
		}
		over := func(p placed) bool { return p.off > 0 }
		add("Table 10", "overestimated, %", paper.over, share(over))
		add("Table 10", "overestimated and misplaced, %", paper.low, share(func(p placed) bool { return p.queues > 0 }))
		add("Table 10", "overestimated, misplaced and slower than under the Oracle, %", paper.slowed, share(func(p placed) bool { return p.queues > 0 && p.longer > 1 }))
		add("Table 10", "errors above 0, mean, %", paper.meanOver, func(jobs []placed) float64 { return stat.Mean(errorsOf(jobs, over), nil) })
		add("Table 10", "errors above 0, P50, %", paper.p50Over, func(jobs []placed) float64 { return percentile(errorsOf(jobs, over), 0.5) })
		under := func(p placed) bool { return p.off < 0 }
		add("Table 10", "underestimated, %", paper.under, share(under))
		add("Table 10", "underestimated and misplaced, %", paper.high, share(func(p placed) bool { return p.queues < 0 }))
		add("Table 10", "underestimated, misplaced and faster than under the Oracle, %", paper.sped, share(func(p placed) bool { return p.queues < 0 && p.longer < 1 }))
		add("Table 10", "errors below 0, mean, %", paper.meanUnder, func(jobs []placed) float64 { return stat.Mean(errorsOf(jobs, under), nil) })
		add("Table 10", "errors below 0, P50, %", paper.p50Under, func(jobs []placed) float64 { return percentile(errorsOf(jobs, under), 0.5) })
	}
	floats.Sub(right[0], right[1])
	r.add("Table 7", t.name, slearnMoreRight, rightPublished[0]-rightPublished[1], right[0])
	return nil
}

// placed returns what an outcome says of the wide jobs. Those that history knows nothing of,
// if there are any, are left out.
func (d *round) placed(o outcome) (jobs []placed, err error) {
	levels, err := queue.NewMultilevel[struct{}](slearn.DefaultGS(slearn.LAS{}).Queues)
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

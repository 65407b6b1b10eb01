package main

import (
	"math"

	"example.com/augur/policy/lines"
)

// ofJobs is the sum of the completion times of some jobs, which are the same in all trials of a bed.
func ofJobs(some func(run *hopperRun, job int) bool) func(hopperRun) float64 {
	return func(run hopperRun) (sum float64) {
		for job, took := range run.times {
			if some(&run, job) {
				sum += took
			}
		}
		return sum
	}
}

var ofAll = ofJobs(func(*hopperRun, int) bool { return true })

// tellBelow tells by how many percent the mean completion time is below that of rivals. What says of which
// Hopper, if not of the usual.
func tellBelow(r *report, item, what string, published float64, us *trial[hopperRun], rivals ...*trial[hopperRun]) {
	for _, t := range rivals {
		r.add(item, t.bed, what+"below "+t.system+", %", published, us.below(t, ofAll))
	}
}

// hopperBins are by how many tasks a job has, all its stages together. What is published of small
// jobs is 29 to 40 %, over two workloads and two prototypes.
var hopperBins = []struct {
	name        string
	least, most int
	published   float64
}{
	{"1 to 50 tasks", 1, 50, 34.5},
	{"51 to 150 tasks", 51, 150, unpublished},
	{"151 to 500 tasks", 151, 500, unpublished},
	{"more than 500 tasks", 501, math.MaxInt, 80},
}

// hopperGains is Fig. 6.1: by how much mean completion times are below SRPT's, of all jobs and by
// their size, and below those of SRPT that runs no copies.
func hopperGains(f form, b *hopperBed) item {
	return func(l *lab) func(r *report) {
		us, srpt, none := b.ask(l, byHopper), b.ask(l, rival(bySRPT, inTurn)), b.ask(l, withoutCopies(bySRPT))
		lines := each(f.with, func(line lines.Line) *trial[hopperRun] { return b.ask(l, ofLine(line)) })
		return func(r *report) {
			tellBelow(r, "Fig. 6.1", "", 50, us, srpt)
			for _, bin := range hopperBins {
				gains := us.below(srpt, ofJobs(func(run *hopperRun, job int) bool { return bin.least <= run.tasks[job] && run.tasks[job] <= bin.most }))
				if len(gains) > 0 {
					r.add("Fig. 6.1", b.name, "below "+srpt.system+", %, "+bin.name, bin.published, gains)
				}
			}
			tellBelow(r, "Fig. 6.1", "", unpublished, us, append([]*trial[hopperRun]{none}, lines...)...)
			for _, t := range append([]*trial[hopperRun]{us, srpt, none}, lines...) {
				hopperMean.tell(r, "Fig. 6.1", nil, t)
				hopperBusy.tell(r, "Fig. 6.1", nil, t)
			}
		}
	}
}

// own returns by how many percent each job is done sooner than in another trial, by seed.
func own(us, other *trial[hopperRun]) [][]float64 {
	gains := make([][]float64, len(us.runs))
	for i := range gains {
		for job, took := range us.runs[i].times {
			gains[i] = append(gains[i], 100*(1-took/other.runs[i].times[job]))
		}
	}
	return gains
}

// hopperDistribution is Fig. 6.2a: percentiles of what each job gains. Published are 14 % for Hadoop
// and 22 % for Spark at the tenth, a median just above the mean, and more than 70 % at "higher
// percentiles".
func hopperDistribution(b *hopperBed) item {
	return func(l *lab) func(r *report) {
		us, srpt := b.ask(l, byHopper), b.ask(l, rival(bySRPT, inTurn))
		return func(r *report) {
			gains := own(us, srpt)
			for _, p := range []struct {
				name      string
				share     float64
				published float64
			}{{"P10", 0.1, 14}, {"P50", 0.5, 50}, {"P90", 0.9, 70}} {
				r.add("Fig. 6.2a", b.name, "jobs' own gains over "+srpt.system+", %, "+p.name, p.published,
					each(gains, func(x []float64) float64 { return percentile(x, p.share) }))
			}
		}
	}
}

// hopperRules is Fig. 6.3: gains over SRPT when both run copies by another rule. They are published as similar, in a figure.
func hopperRules(b *hopperBed) item {
	return func(l *lab) func(r *report) {
		type pair struct {
			rule       string
			ours, base *trial[hopperRun]
		}
		srpt := rival(bySRPT, inTurn)
		pairs := each([]hopperRule{late, mantri}, func(rule hopperRule) pair {
			return pair{rule.name, b.ask(l, byHopper.under(rule)), b.ask(l, srpt.under(rule))}
		})
		return func(r *report) {
			for _, p := range pairs {
				r.add("Fig. 6.3", b.name, p.rule+": below "+srpt.name+", %", unpublished, p.ours.below(p.base, ofAll))
			}
		}
	}
}

// hopperRefuted is what comes out of the readings of best effort that the example of section 2 contradicts.
func hopperRefuted(b *hopperBed) item {
	return func(l *lab) func(r *report) {
		us := b.ask(l, byHopper)
		ask := func(a allocator) []*trial[hopperRun] {
			return each(copyReadings[1:], func(reading copyReading) *trial[hopperRun] { return b.ask(l, rival(a, reading)) })
		}
		srpt, fair := ask(bySRPT), ask(byFair)
		return func(r *report) {
			tellBelow(r, "Fig. 6.1", "", 50, us, srpt...)
			tellBelow(r, "Fig. 6.5a", "", 70, us, fair...)
		}
	}
}

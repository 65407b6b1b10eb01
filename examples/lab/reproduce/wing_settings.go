package main

import (
	"example.com/augur/examples/lab/paper"
)

// wingSettings runs the policies at 20 % on other lakes: what the paper does not tell of its own may be
// what its results hang on.
//
// The loads are those at which Wing-Agg, or PRIO, loses as much as published at 40 %: see wingLoad. With downloads
// anywhere less of a job's value is that of what reads from it than Fig. 6 has. Four times as large is a fifth of Cosmos.
func wingSettings(f form) []item {
	return []item{
		wingElsewhere(f, "load 0.37", func(l *paper.Lake) { l.Load *= 0.37 / wingLoad }),
		wingElsewhere(f, "load 0.42", func(l *paper.Lake) { l.Load *= 0.42 / wingLoad }),
		wingElsewhere(f, "downloads anywhere in chains", func(l *paper.Lake) { l.DepthBias = 0 }),
		wingElsewhere(f, "four times as large", func(l *paper.Lake) {
			l.JobsPerDay, l.Cores, l.Organisations, l.Users = 4*l.JobsPerDay, 4*l.Cores, 2*l.Organisations, 4*l.Users
		}),
	}
}

// wingElsewhere tells of one other lake.
func wingElsewhere(f form, name string, change func(l *paper.Lake)) item {
	b := wingLakes("lake, "+name, f, change)
	return func(l *lab) func(r *report) {
		var tells []func(r *report)
		for _, one := range []bool{false, true} {
			ask := func(s wingSystem) *trial[float64] { return wingRun{s, 20, one}.ask(l, b) }
			where := wingRun{one: one}.workload() + ", " + name
			for _, p := range wingPairs[:3] {
				ours, theirs := ask(p[0]), ask(p[1])
				tells = append(tells, func(r *report) {
					r.add(wingRun{system: p[0], one: one}.figure(), where, wingGain(p[0].name, p[1].name, 20), unpublished, ours.less(theirs, itself))
				})
			}
		}
		return func(r *report) {
			for _, tell := range tells {
				tell(r)
			}
		}
	}
}

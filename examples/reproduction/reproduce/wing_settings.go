package main

import (
	"fmt"

	"example.com/augur/policy/workload/paper"
)

// wingSettings runs the policies at 20 % on other lakes: what the paper does not tell of its own may be
// what its results hang on. None of them is made like Cosmos.
func wingSettings(f form) []item {
	return []item{
		wingElsewhere(f, "downloads anywhere in chains", func(l *paper.Lake) { l.Deep = 0 }),
		wingElsewhere(f, "load two thirds", func(l *paper.Lake) { l.Load *= 2. / 3 }),
		wingElsewhere(f, "load four thirds", func(l *paper.Lake) { l.Load *= 4. / 3 }),
		wingElsewhere(f, "four times as large", func(l *paper.Lake) {
			l.JobsPerDay, l.Cores, l.Organisations, l.Users = 4*l.JobsPerDay, 4*l.Cores, 2*l.Organisations, 4*l.Users
		}),
	}
}

// wingElsewhere tells of one other lake.
func wingElsewhere(f form, name string, change func(l *paper.Lake)) item {
	b := wingLakes("lake, "+name, f, change)
	var runs []wingRun
	for _, one := range []bool{false, true} {
		for _, s := range []wingSystem{prio, wingDirect, wingAgg, oracleDirect, oracleAgg} {
			runs = append(runs, wingRun{system: s, capacity: 20, one: one})
		}
	}
	return func(l *lab) func(r *report) {
		trials := each(runs, func(w wingRun) *trial[wingOutcome] { return w.ask(l, b) })
		return func(r *report) {
			for i, w := range runs {
				where := w.workload() + ", " + name
				r.add(w.figure(), where, fmt.Sprintf("value under %s at 20 %% capacity, %%", w.system.name), unpublished, each(trials[i].runs, value))
				r.add(w.figure(), where, "jobs that fail under "+w.system.name+" at 20 % capacity, %", unpublished, each(trials[i].runs, failed))
			}
		}
	}
}

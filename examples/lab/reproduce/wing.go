package main

import (
	"example.com/augur/examples/lab/paper"
)

// wingItems repeat what Wing was evaluated with: sections 3.2, 4.5.3, 7.2 and 7.3.
//
// # The bed
//
// The logs of Cosmos are not public. The jobs are those of [paper.DefaultLake], a twentieth of Cosmos, made by the published
// numbers of sections 1, 2.2, 2.3, 3.2, 4.2, 4.5.3, 6.1, 6.3, 7.1 and 7.3 before any policy was run on it: two weeks of history,
// from which everything is learnt, and a week of experiment. The load is higher than that type's default: see [wingLoad]. The
// queues of organisations are those of the lake. Nothing sets the value of PRIO there: it is a control. Policies learn from the
// reads, writes and downloads of the log. Only the oracles see those of the experiment, and so know when it ends, and
// that later downloads are worth nothing.
//
// Iteration 0 of Fig. 6, and the numbers of dependents, templates and jobs of section 3.2, were used to make the lake. That they
// agree is no result.
//
// A few templates have most of the value of a lake, so that lakes differ. Differences between policies
// on the same lakes say more.
//
// # Readings
//
// In two weeks of history, a template recurs if it was submitted in each of two weeks in a row, and three
// times; so a weekly template does not. Section 3.2 has logs of 67 days. There two months of 30 days in a row count, and as in
// the paper the whole log tells what recurs, also the part that is to be predicted. Iterations 1, 2, 3, 4 of the multi-hop
// analysis are paths of at most 1, 2, 4, 8 dependencies; Algorithm 1 could also be read as 2, 4, 8, 16.
// A job fails if it is submitted before its input is there and does not wait for it; so do the jobs that read from it.
//
// Wing-Direct orders jobs by their own value per compute time, and most jobs are never downloaded. The text does not say
// which of these goes first. Here they go by submission, as equal priorities in YARN (section 6.2). That Wing-Direct
// completes "a similar amount of jobs as Wing-Agg" (section 7.2) suggests ties by compute time, which are reported too.
//
// Some published numbers are bounds: "up to" for the 18 % between the oracles and for the
// dependents that a week finds, "at most" for those that a month finds and for the loss by a factor of 5.
func wingItems(f form) ([]item, error) {
	long := wingLakes("lake of 67 days", f, func(l *paper.Lake) { l.HistoryDays = int(wingLast / wingDay) })
	long.seeds = f.seeds
	lakes := wingLakes("lake", f)
	items := []item{
		wingPredictions(long), // sections 3.2 and 4.5.3, with Figs. 2, 6 and 9
		wingValues(lakes),     // Figs. 10 to 12
	}
	if f.full {
		items = append(items, wingSettings(f)...)
	}
	return items, nil
}

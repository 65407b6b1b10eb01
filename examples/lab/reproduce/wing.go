package main

import (
	"example.com/augur/examples/lab/paper"
)

// wingItems repeat what Wing was evaluated with: sections 3.2, 4.5.3, 7.2 and 7.3.
//
// # The bed
//
// The logs of Cosmos are not public. The jobs are those of [paper.DefaultLake], a twentieth of
// Cosmos, which was made like it by what sections 1, 2.2, 2.3, 3.2, 4.2, 4.5.3, 6.1, 6.3, 7.1 and
// 7.3 publish of its jobs, before any policy was run on it: two weeks of history, from which
// everything is learnt, and a week of experiment. They take more of the cores than those of that type: see [wingLoad]. The
// queues of organisations are those of the lake, and what PRIO attains there was set by nothing: it is a control. What is learnt comes from the reads, writes and
// downloads of the log; the oracles alone see those of the experiment, and so know too when it
// ends, and that what would come after is worth nothing.
//
// Iteration 0 of Fig. 6, and how many dependents, templates and jobs section 3.2 counts, are among what
// the lake was made by: that they come out is no result.
//
// A few templates have most of the value of a lake, so that lakes differ. Differences between policies
// are of the same lakes, and tell more.
//
// # Readings
//
// In two weeks of history, what recurs is what was submitted in each of two weeks in a row, and three
// times; so what comes once a week does not recur. For section 3.2 there are logs of 67 days; there
// two months of 30 days in a row count, and as in the paper the whole log tells what recurs, also
// that part of it which is to be foreseen. Iterations 1, 2, 3, 4 of the multi-hop analysis are paths
// of 1, 2, 4, 8 dependencies at most; Algorithm 1 could also be counted so that they are 2, 4, 8, 16.
// A job fails that is submitted before its input is there and does not wait for it, and so do in turn those
// that read from it.
//
// Wing-Direct orders jobs by their own value per compute time, and most jobs are never downloaded. The text does not say
// which of these goes first. As priorities that are equal go by submission in YARN (section 6.2), they do so here; that
// it completes "a similar amount of jobs as Wing-Agg" (section 7.2) speaks for ties by compute time, which are told of too.
//
// Some of what is published are bounds: "up to" is said of the 18 % between the oracles and of the
// dependents that a week finds, "at most" of those that a month finds and of the loss by a factor of 5.
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

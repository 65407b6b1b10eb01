package main

import (
	"fmt"
	"slices"
)

// slearnClaims are the gains of pilots over history. The error of history by the winner among its estimates, as in Fig. 2, is a
// control; its error by 1/t^2, which section 4.2 has for 3Sigma, is among the levels.
var slearnClaims = slices.Concat(
	each(slearnNames, func(trace string) claim {
		const row = "mean JCT of 3Sigma over SLearn's"
		c := claim{
			says: "mean completion time of 3Sigma over SLearn's", row: name{"Fig. 6", trace, row}, nothing: ratio,
			controls: slearnControls(trace),
			beside:   []beside{{"the same, 3Sigma's estimate by the winner", name{"Fig. 6", trace, "mean JCT of 3Sigma (winner) over SLearn's"}}},
			readings: []name{{"Fig. 6", trace + ", as in Table 4", row}},
		}
		for _, other := range []string{"3Sigma of total runtimes", "without work conservation", "queues share cores in use", "queues share cores in use and the next", "pilots apart"} {
			c.readings = append(c.readings, name{"Fig. 6", trace, row + ", " + other})
		}
		if trace == "gtrace11" {
			c.beside = append(c.beside, onGoogle("Fig. 6", row)...)
		}
		return c
	}),
	each(slearnNames, func(trace string) claim {
		c := claim{
			says: "wide jobs in the right queue, SLearn less 3Sigma, % of all", row: name{"Table 7", trace, slearnMoreRight},
			controls: slearnControls(trace),
			readings: []name{
				{"Table 7", trace, "wide jobs in the right queue under SLearn less those under 3Sigma (winner), % of all"},
				{"Table 7", trace + ", as in Table 4", slearnMoreRight},
			},
		}
		if trace == "gtrace11" {
			c.beside = onGoogle("Table 7", slearnMoreRight)
		}
		return c
	}),
	[]claim{{
		says: "mean completion time of 3Sigma-DAG over SLearn-DAG's", row: name{"Fig. 9", "gtrace19-dag", "mean JCT of 3Sigma-DAG over SLearn-DAG's"}, nothing: ratio,
		controls: []control{
			{row: name{"6", "gtrace19-dag", "SLearn-DAG error P50, %"}},
			{row: name{"6", "gtrace19-dag", "3Sigma-DAG error P50, %"}},
		},
		beside: []beside{{"the same, 3Sigma's estimate by the winner", name{"Fig. 9", "gtrace19-dag", "mean JCT of 3Sigma-DAG (winner) over SLearn-DAG's"}}},
	}},
)

var slearnNames = []string{"2strace", "gtrace11", "gtrace19"}

// slearnControls are what is published of a trace, and of systems without estimates on it.
func slearnControls(trace string) (list []control) {
	for _, who := range []string{"SLearn 3 %", "3Sigma (winner)"} {
		for _, of := range []string{"P50", "P90"} {
			list = append(list, control{row: name{"4.3", trace, who + " error " + of + ", %"}})
		}
	}
	for _, of := range []string{"mean", "P50", "P90"} {
		list = append(list, control{row: name{"Table 5", trace, "load of 1000 s, " + of}})
	}
	if trace != "2strace" {
		return list
	}
	for i, bin := range binNames {
		for _, of := range []string{"jobs", "work"} {
			list = append(list, control{row: name{"Table 9", trace, fmt.Sprintf("bin %d, %s: %s, %%", i+1, bin, of)}})
		}
	}
	for _, who := range []string{"LAS", "Oracle"} {
		list = append(list, control{name{"Fig. 6", trace, "mean JCT of " + who + " over FIFO's"}, ratio})
	}
	return list
}

var slearnLevels = append(slices.Concat(each(slearnNames, func(trace string) []name {
	return []name{
		{"Fig. 6", trace, "mean JCT of LAS over SLearn's"},
		{"Fig. 6", trace, "mean JCT of PointEst over SLearn's"},
		{"Table 6", trace, "SLearn's error with an adaptive share of pilots, P50, %"},
		{"4.3", trace, "3Sigma (1/t^2) error P50, %"},
		{"4.3", trace, "3Sigma (1/t^2) error P90, %"},
		{"Table 7", trace, "SLearn, wide jobs in the right queue, %"},
		{"Table 7", trace, "3Sigma, wide jobs in the right queue, %"},
		{"Table 10", trace, "SLearn, overestimated, %"},
		{"Table 10", trace, "3Sigma, overestimated, %"},
	}
})...),
	name{"Fig. 6", "2strace", "mean JCT of FIFO over SLearn's"},
	name{"Fig. 6", "2strace", "mean JCT of Oracle over SLearn's"},
	name{"Fig. 9", "gtrace19-dag", "mean JCT of LAS-DAG over SLearn-DAG's"},
	name{"Fig. 9", "gtrace19-dag", "mean JCT of PointEst-DAG over SLearn-DAG's"},
)

var slearnNotes = []string{
	"The beds were chosen on seeds 101 to 110, among the following, by the number of controls met, then by the sum of the squared distances from the published numbers. gtrace11: 1 to 3 bursts in 60 to 100 epochs, of 30 to 50 % of the jobs (14 of 27 meet all controls). gtrace19: 1 to 3 bursts of 78 to 86 %, and runs of a name that vary by a sigma of 1.2 to 1.55 (9 of 17). gtrace19-dag: stages that correlate by 0.4 to 0.8, and runs that vary by 0.6 to 1 (7 of 11). 2strace: bursts of 0 to 15 % of the jobs, all of them large, and sizes of the large jobs (7 of 29).",
	"2strace as chosen met all controls on those seeds, two of them narrowly, and misses these two here: the median load and the Oracle over FIFO.",
	"The text has 3Sigma's estimate by 1/t^2 (section 4.2). Read as a generalised mean it leans to short runtimes: at P90 it errs by about 100 % here, while Fig. 2 has 295 to 1928 %. So it contradicts Fig. 2 and Table 10. The estimate of the expert that erred least (winner) fits both, but schedules better, so SLearn gains less.",
	"PointEst is nowhere as published: it is the median of history, which errs less than the rest.",
	"The paper does not say whether google2011's failed and killed jobs count. The table of claims has both.",
}

// slearnSummary is what became of the paper.
const slearnSummary = `The paper says that a few tasks of a job, run first, predict its runtime better than 3Sigma's history, so that jobs complete sooner. We ran the scheduler GS
with either estimate on three generated traces that are fitted to the published loads and errors, on one of DAGs, and on jobs that Google ran in 2011. On generated traces as many more
jobs get into the right queue as published, and on real ones over twice as many. Completion times gain by an unclear amount on gtrace11, by more than published on gtrace19, by half of it on DAGs, and by a third or all of it on real jobs; on 2strace there
is no gain. The gain of pilots depends on how much jobs wait, and on how 3Sigma takes one number from a distribution: by 1/t^2, as in the text, errors differ from its Fig. 2; by the estimate that fits Fig. 2, the gain
is smaller. The waits of the jobs of the paper's traces, and 3Sigma's estimates there, would settle it.`

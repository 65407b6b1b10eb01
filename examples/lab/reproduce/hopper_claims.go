package main

// hopperClaims are what Hopper gains. Rivals run copies in turn, since no other reading gives the example of section 2.
var hopperClaims = []claim{
	hopperGain("mean completion time below SRPT's with best-effort copies, by %", "Fig. 6.1", "below SRPT"),
	hopperGain("mean completion time below Fair's with best-effort copies, by %", "Fig. 6.5a", "below Fair"),
	{
		says: "mean completion time with a tail for each group of jobs, below one tail for all, by %", row: name{"Fig. 6.7", "facebook", "tails by group: below one tail of 1.2, %"},
	},
}

func hopperGain(says, item, below string) claim {
	c := claim{
		says: says, row: name{item, "facebook", below + ", copies in turn, %"},
		refuted: []name{{item, "facebook", below + ", copies after own, %"}, {item, "facebook", below + ", copies after all, %"}},
	}
	for _, other := range []string{
		"load 0.6", "load 0.9", "load 1.1", "load 1.5", "200 nodes", "up to 5000 tasks", "chains of 1 to 8",
		"copies up to 10 times as long", "copies up to 1000 times as long", "reports every 1s", "reports every 10s", "t_new known",
	} {
		c.readings = append(c.readings, name{item, "facebook, fewer jobs, " + other, below + ", copies in turn, %"})
	}
	c.readings = append(c.readings, name{item, "facebook, fewer jobs", "Hopper, slots kept: " + below + ", copies in turn, %"})
	return c
}

var hopperLevels = append(hopperTable(), []name{
	{"Fig. 6.1", "facebook", "below SRPT, no copies, %"},
	{"Fig. 6.5a", "facebook", "below Fair, no copies, %"},
}...)

// hopperTable has the completion times of Table 2.1, which say in what order copies go.
func hopperTable() (list []name) {
	for _, item := range []string{"example SRPT best effort, copies in turn", "example Fair best effort, copies in turn", "example SRPT budgeted", "example Fair budgeted", "example Hopper"} {
		for _, job := range []string{"A", "B"} {
			list = append(list, name{item, "Table 2.1", "completion of job " + job})
		}
	}
	return list
}

var hopperNotes = []string{
	"At time 3 of the example (Table 2.1) the freed slot goes to A's copy although tasks of B wait. Of three readings of best effort, only copies in turn give the example's completion times: 5 and 8 under SRPT, and 6 and 8 under Fair. Copies after the tasks of their own job give 5 and 6, and 6 and 6; copies after all tasks give 7 and 6 under both. So these two contradict the thesis.",
	"Fig. 6.7: any tail from 1.05 to 3 for all jobs does as well as 1.2: with ε = 10 %, nine tenths of the slots are shared equally whatever the tails. With two groups, of tails 1.1 and 1.9, 400 jobs and seeds 101 to 110, exact tails gain -0.3 ± 0.4 % over one of 1.2 with ε = 10 %, and -10 ± 6 % without that bound (ε = 1). Jobs of the heavier tail then go before smaller ones, which helps throughput and not completion times.",
	"The thesis publishes nothing to check the jobs or the cluster by. 20 nodes serve the jobs, so that jobs share them; 200, as in the thesis, are a reading. In the example Hopper keeps the slots of a share that its job cannot use yet, and ε is 1. The rows have the thesis' ε of 10 % and lend such slots, which is better for Hopper here.",
}

// hopperSummary is what became of the paper.
const hopperSummary = `The thesis says that a cluster with room for each job's speculative copies completes jobs in half the time of SRPT with best-effort copies, and in a
third of the time of Fair. We ran Hopper, SRPT and Fair with GRASS copies on jobs like Facebook's, at five loads and with nine other changes of the cluster, the jobs and the rules. The rivals' copies have the
only order that gives the completion times of the thesis' example. Hopper gains less than a tenth of the published effect over either rival; with slots kept for copies, as in that example, it is a fifth behind both. We think that
a rival's copy seldom waits for a slot, so room for copies is worth little: Hopper gains as much as published only over rivals that run no copies at all. The rules by which the
thesis' rivals started their copies, or its trace, would settle it.`

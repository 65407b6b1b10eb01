package main

// wingReasons are why numbers of the paper do not come out, as far as it is known.
var wingReasons = []reason{
	{"3.2", "", "a month finds", steadyChurn},
	{"Fig. 3", "", "", byTheClock},
	{"Fig. 2", "", "", thresholds},
	{"Fig. 6", "", "", inAWeek},
	{"Fig. 9", "", "by themselves", fewDownloads},
	{"Fig. 10", "", "Wing-Agg less that under PRIO", ownValue},
	{"Fig. 10", "", "less that", endsOfChains},
	{"Fig. 11", "", "", endsOfChains},
	{"Fig. 12", "", "40 %", shape},
	{"Fig. 12", "", "Wing-Agg less that under Wing-Direct", behind},
	{"Fig. 12", "", "", shape},
	{"7.2", "", "iterations", endsOfChains},
	{"7.2", "", "fail", shape},
	{"7.3", "", "", shape},
	{"7.1", "", "", shape},
}

const (
	// Of seed 1, with a Churn of 0.05, as here, and of 0.12, 0.2 and 0.3.
	steadyChurn = "templates of the lake live for ever, and what they read changes at a constant rate; at any a month finds 88 % or more, where a week finds 93 to 97 %"
	byTheClock  = "most templates of the lake are submitted by the clock, so most times are told to minutes; the few that are not err by hours"
	thresholds  = "the product of precision and recall changes little from tr 10 to 50 %: from 0.80 to 0.83"
	inAWeek     = "the lake has 17 % over all its time; here what follows within a week counts"

	fewDownloads = "a job of the lake has four downloads in the mean, and so small a number varies by more than 20 % by chance: " +
		"even the true mean of each template over its median compute time is within 20 % for 18 to 21 % of the jobs"
	endsOfChains = "the lake has its downloads at ends of chains, so that a job's own downloads tell much; with downloads anywhere, and in a lake four times as large, aggregates gain twice as much over them"
	ownValue     = "in these queues value by itself gains 24 % over the users' priorities and not 7, since downloads are at ends of chains; aggregates add the rest"
	behind       = "jobs that are never downloaded tie and go first come, first served, so that as many fail under Wing-Direct as under PRIO; with ties by compute time the difference is 11 %"
	shape        = "the lake is as busy in the mean as one queue at 40 % says, but at 20 % more jobs fail under every policy than is published: the load of Cosmos must have other peaks, and no figure tells them"
)

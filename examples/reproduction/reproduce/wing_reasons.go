package main

// wingReasons are why numbers of the paper do not come out, as far as it is known.
var wingReasons = []reason{
	{"3.2", "", "a month finds", steadyChurn},
	{"Fig. 3", "", "", byTheClock},
	{"Fig. 2", "", "", thresholds},
	{"Fig. 6", "", "", inAWeek},
	{"Fig. 9", "", "by themselves", fewDownloads},
	{"Fig. 10", "", "less that", endsOfChains},
	{"Fig. 10", "", "", bounds},
	{"Fig. 11", "", "", endsOfChains},
	{"Fig. 12", "", "at 40 %", roomy},
	{"Fig. 12", "", "", offered},
	{"7.2", "", "iterations", endsOfChains},
	{"7.2", "", "fail", bounds},
	{"7.3", "", "", offered},
	{"7.1", "", "", bounds},
}

const (
	// Of seed 1, with a Churn of 0.05, as here, and of 0.12, 0.2 and 0.3.
	steadyChurn = "templates of the lake live for ever, and what they read changes at a constant rate; at any a month finds 88 % or more, where a week finds 93 to 97 %"
	byTheClock  = "most templates of the lake are submitted by the clock, so most times are told to minutes; the few that are not err by hours"
	thresholds  = "the product of precision and recall changes little from tr 10 to 50 %: from 0.80 to 0.83"
	inAWeek     = "the lake has 17 % over all its time; here what follows within a week counts"

	fewDownloads = "a job of the lake has four downloads in the mean, and so small a number varies by more than 20 % by chance: " +
		"even the true mean of each template over its median compute time is within 20 % for 18 to 21 % of the jobs"
	endsOfChains = "the lake has its downloads at ends of chains, so that a job's own downloads tell much; with downloads anywhere (-full) aggregates gain more"
	bounds       = "how much queues with hard boundaries lose hangs on the sizes of queues and jobs, which are not published"
	roomy        = "the jobs of the lake ask for more than 40 % of the cores in 3 to 10 % of the time, so that they hardly ever wait"
	offered      = "the lake takes 30 % of its cluster in the mean; that of Cosmos is published as a peak only, and all here hangs on it: see a load of two thirds and four thirds (-full)"
)

package main

// slearnReasons are why numbers of the paper do not come out, as far as it is known.
var slearnReasons = []reason{
	{"4.3", "", "SLearn", smallSpread},
	{"4.3", "gtrace11", "3Sigma (1/t^2) error P50", smallDrift},
	{"4.3", "", "3Sigma", leansShort},
	{"Table 6", "", "error", smallSpread},
	{"Table 6", "2strace", "", longTasks},
	{"Table 6", "2strace-fig2", "", longTasks},
	{"Table 6", "gtrace11", "", smallDrift},
	{"Table 6", "gtrace11-fig2", "", smallDrift},
	{"Table 6", "gtrace19", "", leansShort},
	{"Fig. 6", "2strace", "", longTasks},
	{"Fig. 6", "gtrace11", "3Sigma", smallDrift},
	{"Fig. 6", "gtrace11", "PointEst", smallDrift},
	{"Fig. 6", "gtrace11", "", bursty},
	{"Fig. 6", "gtrace19", "PointEst", nearMedian},
	{"Fig. 6", "gtrace19", "LAS", bursty},
	{"Fig. 6", "gtrace19", "", leansShort},
	{"Table 7", "", "SLearn", smallSpread},
	{"Table 7", "gtrace11", "3Sigma", smallDrift},
	{"Table 7", "", "3Sigma", leansShort},
	{"Table 8", "2strace", "", longTasks},
	{"Table 8", "gtrace11", "", smallDrift},
	{"Table 8", "gtrace19", "", bypassPays},
	{"Table 10", "", "SLearn", smallSpread},
	{"Table 10", "", "3Sigma", leansShort},
	{"Fig. 8", "", "bin 1", leansShort},
	{"Fig. 8", "", "", longTasks},
	{"Fig. 11", "", "", bursty},
	{"6", "", "", independentStages},
	{"Fig. 9", "", "", independentStages},
}

const (
	smallSpread       = "tasks vary as in Table 4, which leaves less to err by; see -fig2"
	smallDrift        = "jobs vary across time as in Table 4, so history errs less than there"
	leansShort        = "the estimate for 1/t^2 leans to the shortest runs, and is too long but rarely"
	nearMedian        = "runs of a job name are independent, and their median errs less than 3Sigma's estimate, not more"
	bypassPays        = "most jobs come in two bursts and wait, but those that bypass do not"
	longTasks         = "jobs run rather than wait: most of the mean JCT is what they take on idle cores, in whatever order"
	bursty            = "most jobs come in two bursts, to reach Table 5, so that more of them wait"
	independentStages = "the stages of a job vary independently: its first one tells nothing of the others; compare those that vary together"
)

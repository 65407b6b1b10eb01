package main

// slearnReasons are why numbers of the paper do not come out on the workloads that are made after
// its traces, as far as it is known.
var slearnReasons = []reason{
	{"Table 4", "", "", errorsInstead},
	{"Table 5", "", "P50", apartBursts},
	{"4.3", "", "SLearn", smallSpread},
	{"4.3", "", "3Sigma (1/t^2)", leansShort},
	{"4.3", "", "3Sigma (winner)", otherVariation},
	{"Table 6", "", "over SLearn's", leansShort},
	{"Fig. 6", "", "PointEst", nearMedian},
	{"Fig. 6", "", "LAS", bursty},
	{"Fig. 6", "", "FIFO", bursty},
	{"Fig. 6", "", "3Sigma", leansShort},
	{"Table 7", "", "", leansShort},
	{"Table 8", "", "", leansShort},
	{"Table 10", "", "3Sigma", leansShort},
	{"6", "gtrace19-dag, stages independent", "", independentStages},
	{"6", "", "", sameStages},
	{"Fig. 9", "gtrace19-dag, stages independent", "", independentStages},
	{"Fig. 9", "", "PointEst", nearMedian},
	{"Fig. 9", "", "LAS", sameStages},
}

const (
	// The errors of Fig. 2 and the variations of Table 4 cannot both be met: of four tasks that vary as Table 4
	// says, one tells the mean within 4 %.
	errorsInstead  = "the workload has the errors of Fig. 2, which Table 4 excludes; cf. those as in Table 4"
	smallSpread    = "pilots err less than there (Table 4); not so on the workload with the errors of Fig. 2"
	otherVariation = "runs of a job name vary as Table 4 says; not so on the workload with the errors of Fig. 2"
	// Of lognormal runtimes, those that expect the utility 1/t^2 are near the shortest. The
	// paper's are too long more often than not (Table 10), and at the P90 by 295 to 1928 % (Fig. 2).
	leansShort = "what 1/t^2 makes of history is seldom too long, as it is there (Fig. 2, Table 10); cf. the winner's estimate"
	nearMedian = "the median of history errs less than what 1/t^2 makes of it"
	// Jobs are drawn independently of one another. In the paper's windows there is work in most, although FIFO is slow.
	apartBursts       = "bursts that make jobs wait as FIFO and LAS show leave other windows without large jobs"
	bursty            = "how arrivals vary is published of windows alone, and bursts are made up"
	independentStages = "stages vary independently, so that the first tells nothing of the others"
	sameStages        = "the means of all stages are alike, and those of the paper's are not known"
)

package main

// sigmaReasons are why numbers of the paper do not come out, as far as it is known.
var sigmaReasons = []reason{
	{"2.1", "", "", drawnAnew},
	{"Fig. 5", "", "missed under 3Sigma, %", tightSlack},
	{"Fig. 5", "", "missed under PointRealEst", tooLongPoints},
	{"Fig. 5", "", "goodput under PointRealEst", fewLarge},
	{"Fig. 8", "", "over those", tightAnyhow},
}

// Shares of what is missed stand beside each, as lines.
const (
	// The share of the trace is that of predict.Config.Unscored.
	drawnAnew = "jobs of E2E are drawn anew, by class and program, and with that their order and all else that tells of runtimes is lost: of the trace's own jobs the same predictor gets 89.5 %"
	// Cycles go on only while something waits: the first job after a pause does not wait for one.
	tightSlack    = "with the true runtimes nearly as many are missed: jobs with less slack than the 10 s from cycle to cycle come between two; cf. cycles of 4 s"
	tooLongPoints = "a job is given up if its estimate is longer than the time to its deadline. With estimates as exact as published (2.1) a fifth of the excess goes away; with such jobs tried as best effort, three fourths: see section 6.1"
	tightAnyhow   = "nearly as many are missed with the true runtimes, for want of a cycle in time: beyond those, distributions miss hardly any"
	fewLarge      = "few jobs have most of the work, and what is given up are mostly others"
)

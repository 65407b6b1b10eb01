package main

// sigmaItems repeat what 3Sigma was evaluated with, in sections 5 and 6.
//
// # The bed
//
// A cluster of 256 nodes in four partitions, and the jobs of [paper.E2ETwoHours], half of them
// with deadlines. The paper publishes neither its classes nor which jobs of the
// trace they describe, except that these are no wider than 256 nodes. It publishes controls: 600 jobs are two
// hours and 1500 five, at a load of 1.4 on 256 nodes, so a job is 1.19 machine-hours. All jobs that ended in
// any way and ran for at most two hours, as long as the experiment, come nearest. Jobs that finished are a
// quarter of that, and are a reading. Runtimes are drawn by program (paper.E2E.ByProgram):
// by class alone, as in the paper, our jobs are harder to predict than the trace's, which is a reading
// too. Predictors have seen 3000 jobs drawn in the same way.
//
// # Readings
//
// PointRealEst misses 18 % of the deadlines, "or 4.0X higher than 3Sigma", and Prio 12 %, "2.3x more":
// if that is 5.0 and 3.3 times as many, both say that 3Sigma misses 3.6 %; if 4.0 and 2.3 times, they
// contradict each other. All other numbers of section 6 are in figures without values, so most
// lines have none. Table 3 compares a simulator with a real cluster, which we have not.
//
// A deadline is missed if the job is not done by then, late or given up. A job that no start can save
// is given up, as in the paper, where such jobs are never tried. All runs go on until all jobs have
// ended, long after the last submission, when nearly all work is done under any policy. So the goodput counts
// the core-time until the last submission of jobs that finished, then or later, including the extra time on nodes
// that they do not prefer. All best-effort jobs count in their mean response time.
//
// The paper does not say how often its scheduler decides, nor how far it plans. Here all systems have the
// defaults of threesigma.Config; cycles of 4 s and a window of 40 min are readings.
//
// Prio plans like the others, without runtimes. Beside it are two that do not plan; see [sigmaGreedy].
func sigmaItems(f form) ([]item, error) {
	b := sigmaE2E(f, 600)
	items := []item{
		sigmaControls(b),
		sigmaPredicted(b),              // section 2.1
		sigmaFour(b, sigmaGreedies...), // Fig. 5
		sigmaSlacks(f),                 // Fig. 7
		sigmaGoodputs(f),               // Fig. 5, of more draws
		sigmaShifts(b),                 // Fig. 8
	}
	for _, b := range sigmaReadings(f) {
		items = append(items, sigmaControls(b), sigmaPredicted(b), sigmaFour(b))
	}
	if !f.full {
		return items, nil
	}
	real, err := sigmaReal(f)
	return append(items, real...), err
}

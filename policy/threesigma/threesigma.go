// Package threesigma schedules jobs whose runtimes are known only as distributions, many of which may have
// deadlines: 3σSched, the scheduler of 3Sigma, and the pieces it is made of, each of which works alone.
//
//   - [Utility] says what a job is worth by when it completes: with a deadline ([NewStep]), or any
//     curve of straight pieces ([NewUtility]). [Utility.Expected] is its expectation if the job starts
//     at some time.
//   - [After] is the distribution of the runtime of a job that has already run for some time, and
//     [AppendProfile] the share of its nodes that a job is expected to hold, slot by slot.
//   - [Increments] says when a job will end that has run longer than any before it.
//   - [Overestimate] tells the jobs whose deadline says that they are shorter than their history
//     does, and gives those a utility for being late.
//   - [Draft] makes an option of each place and slot of time that a job may start in, worth its expected
//     utility, with the profile of what it takes; package plan, below this one, chooses.
//   - [Scheduler] does all that again and again, behind the contract of package policy. It asks a
//     [central.Forecast] for runtimes: [forecast.History], which is 3σPredict, or another. [System] has the
//     configurations that the paper compares.
//
// A host of its own drives Draft and a plan.Solver; the [Scheduler] is for hosts that speak the contract.
//
// To schedule as the paper does, with a predict.Predictor p that learns as jobs end:
//
//	config, err := threesigma.ThreeSigma.Configure(threesigma.Config{}, p, nil)
//	...
//	scheduler, err := threesigma.NewScheduler(config)
//
// Errors name what is outside its range, and what is allowed; nothing has changed then.
//
// # Distributions
//
// Whatever has CDF and Quantile is a [Distribution] of runtimes, in seconds: a histogram, such as that of
// a prediction of package predict, a Sample of package estimate, what is fitted there, or a
// distribution of gonum. A point estimate is one as well: [forecast.Known]. What a distribution has below 0
// counts as a runtime of 0.
//
// # Formulae
//
// With the distribution function F of the runtime T, 1 - F is how likely the job still runs. A curve U
// that is constant from its last point on is worth, started at s,
//
//	E[U(s+T)] = U(∞) - ∫ F(x-s) dU(x) = U(∞) - Σ jump·F(x-s) - Σ slope·∫ F(x-s) dx
//
// over all jumps at x ≥ s and all straight pieces from s on: integrated by parts there is no density, and
// so atoms (many jobs of the same runtime) need no care. With d for the deadline a step is worth
// F(d-s) times its value. Given that the job has run for e already,
//
//	1 - F(t | e) = (1 - F(max(t, e))) / (1 - F(e))
//
// # When not to use it
//
// If runtimes are known well, or all that counts is their mean, order jobs by that (package baseline).
// Without deadlines the expectation of a linear utility depends on the mean of the runtime alone, as
// long as all of it is before the horizon, and a distribution tells nothing more. The
// expectations here are of one job at a time: they take for granted that it starts when
// the plan says, though that depends on how long those before it really take.
//
// # Cost
//
// A cycle of the [Scheduler], every ten seconds by default, takes some microseconds for each
// unit that runs, 0.2 µs for each slot and site of each job that waits, and the time of the
// solver, which Iterations or a Context bound. A distribution of [forecast.History] takes some 7 kB a
// job. [Utility.Expected] takes a call of CDF for each jump and one of SurvivalIntegral for
// each slope: 0.1 to 0.2 µs with a table of 80 bins.
//
// # Source
//
// 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma:
// distribution-based cluster scheduling for runtime uncertainty", EuroSys 2018 (CMU-PDL-17-107),
// sections 3 to 6. Sections named in this package are those of the report.
package threesigma

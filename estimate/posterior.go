package estimate

import "math"

// A Normal is a normal distribution.
type Normal struct{ Mean, StdDev float64 }

// Posterior returns the distribution of the mean of a job's task runtimes, given the mean of n samples of them. prior is
// the distribution of that mean between jobs, where a StdDev of +Inf says that nothing is known of it. The tasks of a job
// differ by the standard deviation within. So the posterior has
//
//	precision  P = n/within² + 1/prior.StdDev²
//	Mean       (n·mean/within² + prior.Mean/prior.StdDev²) / P
//	StdDev     1/√P
//
// Without samples it is the prior. Samples weigh more than the prior exactly if prior.StdDev² > within²/n. If within is 0,
// the samples are exact, and even an exact prior does not count. Another task has the variance within² + 1/P.
//
// # Source
//
// SLearn, section 4.1.2.
func Posterior(prior Normal, within, mean float64, n int) Normal {
	samples := Normal{mean, within / math.Sqrt(float64(n))}
	switch {
	case n == 0 || within > 0 && prior.StdDev == 0:
		return prior
	case within == 0 || math.IsInf(prior.StdDev, 1):
		return samples
	}
	surer, other := samples, prior
	if prior.StdDev < samples.StdDev {
		surer, other = prior, samples
	}
	part := surer.StdDev / other.StdDev // squares of standard deviations could overflow
	part *= part
	weight := part / (1 + part) // of the other
	return Normal{surer.Mean*(1-weight) + other.Mean*weight, surer.StdDev / math.Sqrt(1+part)}
}

package paper

import "math"

// normalQuantile returns the u-quantile of the standard normal distribution, 0 < u < 1.
func normalQuantile(u float64) float64 { return math.Sqrt2 * math.Erfinv(2*u-1) }

// spreadTasks turns standard normal values into lognormal ones whose sample mean is 1 and whose
// sample coefficient of variation is cov. For n values the coefficient is at most 0.99 sqrt(n-1);
// with sqrt(n-1) all values but one would be 0.
//
// The values are exp(sigma z) over their mean. Their variation c grows with sigma, and
// sqrt(log(1 + c*c)) nearly in proportion to it, as it is for the distribution: so Newton's
// method finds sigma in a few steps, and bisection stands by.
func spreadTasks(z []float64, cov float64) {
	top := math.Inf(-1)
	for _, z := range z {
		top = max(top, z)
	}
	cov = min(cov, 0.99*math.Sqrt(float64(len(z)-1)))
	sigma := 0.0
	if cov > 0 {
		sigma = spreadSigma(z, top, math.Sqrt(math.Log1p(cov*cov)))
	}
	sum := 0.0
	for i := range z {
		z[i] = math.Exp(sigma * (z[i] - top))
		sum += z[i]
	}
	for i := range z {
		z[i] *= float64(len(z)) / sum
	}
}

// spreadSigma returns the sigma with sqrt(log(1 + c*c)) = want, which must be above 0. The values
// are at most top.
func spreadSigma(z []float64, top, want float64) float64 {
	low, high, sigma := 0.0, math.Inf(1), want
	for range 100 {
		// Sums of x = exp(sigma z) and of its square, both with and without weight z.
		var one, two, weighted, weighted2 float64
		for _, z := range z {
			x := math.Exp(sigma * (z - top))
			one += x
			two += x * x
			weighted += x * z
			weighted2 += x * x * z
		}
		got := math.Sqrt(math.Log(max(1, float64(len(z))*two/(one*one))))
		switch {
		case math.Abs(got-want) < 1e-7*want:
			return sigma
		case got < want:
			low = sigma
		default:
			high = sigma
		}
		// The derivative of got is (weighted2/two - weighted/one) / got.
		sigma += (want - got) * got / (weighted2/two - weighted/one)
		switch {
		case low < sigma && sigma < high:
		case math.IsInf(high, 1):
			sigma = 2 * low
		default:
			sigma = (low + high) / 2
		}
	}
	return sigma
}

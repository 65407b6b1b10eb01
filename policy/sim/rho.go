package sim

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/policy"
)

// unfair returns the largest finish-time fairness of the jobs that are done, and the fraction of them with more than
// 1.
func (r *Result) unfair() (largest, share float64) {
	jobs := slices.Concat(r.Jobs, r.Cut)
	present := crowds(jobs)
	cores := r.Available / r.End.Sub(r.Begin).Seconds()
	n, above := 0, 0
	largest = math.NaN()
	for i := range r.Jobs {
		j := &r.Jobs[i]
		if !j.Done() || j.Ideal <= 0 {
			continue
		}
		work := j.Service - j.Wasted
		rho := j.JCT().Seconds() / max(j.Ideal.Seconds(), float64(present[i]*work)/cores)
		if n++; rho > 1+1e-9 { // a job that was alone may differ from 1 by rounding
			above++
		}
		if math.IsNaN(largest) || rho > largest {
			largest = rho
		}
	}
	return largest, float64(above) / float64(n)
}

// crowds returns for each job the number of jobs present, itself included, averaged over its life; NaN if its life
// has no length. No product is fused.
func crowds(jobs []JobRecord) []float64 {
	type change struct {
		at  policy.Time
		job int // -1 - i: job i ends
	}
	changes := make([]change, 0, 2*len(jobs))
	for i := range jobs {
		changes = append(changes, change{jobs[i].Submitted, i}, change{jobs[i].Ended, -1 - i})
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	mean := make([]float64, len(jobs)) // until a job ends, the integral below up to its submission
	integral, there := 0.0, 0          // of the number of jobs over time, in seconds
	for k, c := range changes {
		if k > 0 {
			integral += float64(float64(there) * c.at.Sub(changes[k-1].at).Seconds())
		}
		if c.job >= 0 {
			mean[c.job] = integral
			there++
		} else {
			i := -1 - c.job
			mean[i] = (integral - mean[i]) / jobs[i].JCT().Seconds()
			there--
		}
	}
	return mean
}

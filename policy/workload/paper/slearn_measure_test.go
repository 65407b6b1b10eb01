package paper_test

import (
	"math"
	"math/rand/v2"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// What section 4.2 and Tables 4, 5 and 9 of the paper measure, each as plainly as it is
// defined there.

// taskSeconds returns the runtimes of the tasks of a job of one stage.
func taskSeconds(j *workload.Job) []float64 {
	var x []float64
	for _, d := range j.Runtimes[0] {
		x = append(x, d.Seconds())
	}
	return x
}

// spread returns the mean and the coefficient of variation of values: of all there are,
// so that it divides by n.
func spread(values []float64) (mean, cov float64) {
	for _, x := range values {
		mean += x / float64(len(values))
	}
	square := 0.0
	for _, x := range values {
		square += (x - mean) * (x - mean) / float64(len(values))
	}
	return mean, math.Sqrt(square) / mean
}

// percentileOf returns the value below which a share p of values lies.
func percentileOf(values []float64, p float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(p*float64(len(sorted)))]
}

// acrossSpace returns the variation across space of the jobs of several tasks.
func acrossSpace(jobs []*workload.Job) []float64 {
	var covs []float64
	for _, j := range jobs {
		if n := float64(j.Tasks()); n > 1 {
			_, cov := spread(taskSeconds(j))
			covs = append(covs, cov/math.Sqrt(0.03*n))
		}
	}
	return covs
}

// pilotErrors returns how far, relative to it, the mean of 3 % of the tasks of a wide job,
// but of one at least, is from the mean of all.
func pilotErrors(jobs []*workload.Job) []float64 {
	rng := rand.New(rand.NewPCG(5, 6))
	var errors []float64
	for _, j := range jobs {
		if j.Tasks() < 3 {
			continue
		}
		x := taskSeconds(j)
		mean, _ := spread(x)
		rng.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
		sampled, _ := spread(x[:max(1, int(0.03*float64(len(x))+0.5))])
		errors = append(errors, math.Abs(sampled-mean)/mean)
	}
	return errors
}

// acrossTime returns, for every step-th of the jobs from number first on, the least
// coefficient of variation of the mean task runtimes of the jobs of the days before it that
// share a feature with it, if there are two. Day and hour count as two features.
func acrossTime(jobs []*workload.Job, first, step int, days float64) []float64 {
	// A number for each value of a feature, since numbers are compared faster.
	numbers, values := make(map[policy.Attr]int), make([][]int, len(jobs))
	means, at := make([]float64, len(jobs)), make([]float64, len(jobs))
	for i, j := range jobs {
		means[i], _ = spread(taskSeconds(j))
		at[i] = j.Submitted.Seconds() / 86400
		for _, attr := range j.Attrs {
			if _, ok := numbers[attr]; !ok {
				numbers[attr] = len(numbers)
			}
			values[i] = append(values[i], numbers[attr])
		}
	}
	var covs []float64
	for i := first; i < len(jobs); i += step {
		least := math.Inf(1)
		for feature, value := range values[i] {
			var similar []float64
			for back := i - 1; back >= 0 && at[i]-at[back] <= days; back-- {
				if values[back][feature] == value {
					similar = append(similar, means[back])
				}
			}
			if len(similar) > 1 {
				_, cov := spread(similar)
				least = min(least, cov)
			}
		}
		covs = append(covs, least)
	}
	return covs
}

// windowLoads returns the load of each window of 1,000 s, one every 100 s from the first arrival to
// the last: the work of the jobs that arrive in it over what 150 cores can do.
func windowLoads(jobs []*workload.Job) []float64 {
	at, work := make([]float64, len(jobs)), make([]float64, len(jobs))
	for i, j := range jobs {
		at[i], work[i] = j.Submitted.Seconds(), j.Work()
	}
	var all []float64
	first := 0
	for from := at[0]; from+1000 <= at[len(at)-1]; from += 100 {
		for at[first] < from {
			first++
		}
		sum := 0.0
		for i := first; i < len(at) && at[i] < from+1000; i++ {
			sum += work[i]
		}
		all = append(all, sum/(150*1000))
	}
	return all
}

// A sizeBin is a share of the jobs and of their work.
type sizeBin struct{ jobs, work float64 }

// sizeBins divides jobs as Table 9 does, into thin and small, wide and small, thin and large,
// and wide and large ones.
func sizeBins(jobs []*workload.Job) [4]sizeBin {
	var bins [4]sizeBin
	work := 0.0
	for _, j := range jobs {
		work += j.Work()
	}
	for _, j := range jobs {
		i := 0
		if j.Tasks() >= 3 {
			i++
		}
		if j.Work() >= 1000 {
			i += 2
		}
		bins[i].jobs += 1 / float64(len(jobs))
		bins[i].work += j.Work() / work
	}
	return bins
}

// widthShare returns the share of jobs with a width from least to most.
func widthShare(jobs []*workload.Job, least, most int) float64 {
	n := 0.0
	for _, j := range jobs {
		if least <= j.Tasks() && j.Tasks() <= most {
			n++
		}
	}
	return n / float64(len(jobs))
}

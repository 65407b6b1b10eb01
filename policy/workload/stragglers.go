package workload

import (
	"math"
	"slices"

	"example.com/augur/policy"
)

// Stragglers lets the copies of a task differ in luck: each copy of each task runs for the
// mean runtime of its stage times a number that is drawn for it from a Pareto distribution
// with mean 1, or for the median of its stage times a number drawn from a list. Then a
// second copy may overtake the first, which policies that speculate live by; without it all
// copies of a task run for the same time.
//
// What is drawn for a copy depends on the seed and the copy alone, so that two policies are
// compared on the same luck. [Stragglers.Source] refuses values outside their range.
//
// # Source
//
// Hopper, section 3.3: in traces of Facebook and Bing, runtimes have Pareto tails, mostly
// with an index below 2; 1.2 fits all tasks together (section 6.4.2).
type Stragglers struct {
	Seed uint64
	// Tail is the index of the Pareto distribution, finite, above 1: the smaller, the
	// longer stragglers are. 0: Ratios are drawn instead.
	Tail float64
	// Bound is how many times the shortest copy the longest may take, finite, above 1; 0:
	// any number of times. An index near 1 needs one: a mean over as many copies as a run
	// has is far from 1 without. The mean stays 1.
	Bound float64
	// Ratios are equally likely, 1 to 4096, each finite and ≥ 0: see [Ratios].
	Ratios []float64
	// Observed: first copies keep the runtimes that the jobs have, as those of a trace
	// already have their stragglers, and only further copies are drawn.
	Observed bool
}

// Source returns the jobs of another source with copies that differ, one by one and in its
// order. They are new jobs, which share with the old ones what does not change. The error
// names the field that is outside its range; the source ends at a job that is not valid.
func (s Stragglers) Source(jobs Source) (Source, error) {
	s.Ratios = slices.Clone(s.Ratios)
	if err := s.luck(nil).validate("workload: Stragglers", 0); err != nil {
		return nil, err
	}
	return changed(jobs, s.straggle), nil
}

// luck returns the luck of a job of stages with the given bases.
func (s *Stragglers) luck(base []policy.Duration) *Luck {
	return &Luck{Seed: s.Seed, Tail: s.Tail, Bound: s.Bound, Ratios: s.Ratios, Base: base}
}

func (s *Stragglers) straggle(old *Job) (*Job, error) {
	base := make([]policy.Duration, len(old.Runtimes))
	for i, tasks := range old.Runtimes {
		if s.Tail > 0 {
			base[i] = mean(tasks)
		} else {
			base[i] = median(tasks)
		}
	}
	j := *old
	j.Luck = s.luck(base)
	if !s.Observed {
		j.Runtimes = j.Luck.Runtimes(&j.Job)
	}
	return &j, nil
}

func mean(tasks []policy.Duration) policy.Duration {
	sum := 0.0
	for _, d := range tasks {
		sum += float64(d)
	}
	return policy.Duration(math.Round(sum / float64(len(tasks))))
}

// median of an even number is the mean of the middle two.
func median(tasks []policy.Duration) policy.Duration {
	sorted := slices.Sorted(slices.Values(tasks))
	n := len(sorted)
	return sorted[(n-1)/2] + (sorted[n/2]-sorted[(n-1)/2])/2
}

// Ratios returns how long tasks run as multiples of the median of their stage, in
// increasing order, for [Stragglers]: at most n of them, from the stages that have at least
// so many tasks (fewer than about ten tell little of their own median) and a median above 0.
// If there are more, they are cut into n slices as even as can be, and each stands for the
// mean of one, so that they have nearly the mean of all. Of no such stages, or n below 1, it
// is empty. It panics if a job is nil.
func Ratios(jobs []*Job, least, n int) []float64 {
	var ratios []float64
	for _, j := range jobs {
		for _, tasks := range j.Runtimes {
			if len(tasks) < max(1, least) {
				continue
			}
			if m := median(tasks); m > 0 {
				for _, d := range tasks {
					ratios = append(ratios, float64(d)/float64(m))
				}
			}
		}
	}
	slices.Sort(ratios)
	if len(ratios) <= n {
		return ratios
	}
	thinned := make([]float64, max(0, n))
	for i := range thinned {
		slice := ratios[int(int64(i)*int64(len(ratios))/int64(n)):int(int64(i+1)*int64(len(ratios))/int64(n))]
		sum := 0.0
		for _, x := range slice {
			sum += x
		}
		thinned[i] = sum / float64(len(slice))
	}
	return thinned
}

package main

import (
	"slices"

	"example.com/augur/policy/workload"
)

// ownRatios returns ratios for workload.Stragglers, in increasing order: the runtimes of tasks divided by the median of their
// stage, of the stages with at least least tasks and a median above 0. If there are more than most, it divides them into most
// slices of nearly equal size and returns the mean of each, which nearly preserves the mean.
func ownRatios(jobs []*workload.Job, least, most int) (ratios []float64) {
	for _, j := range jobs {
		for _, tasks := range j.Runtimes {
			if len(tasks) < least {
				continue
			}
			sorted := slices.Sorted(slices.Values(tasks))
			lower, upper := sorted[(len(tasks)-1)/2], sorted[len(tasks)/2]
			if median := lower + (upper-lower)/2; median > 0 {
				for _, d := range tasks {
					ratios = append(ratios, float64(d)/float64(median))
				}
			}
		}
	}
	slices.Sort(ratios)
	if len(ratios) <= most {
		return ratios
	}
	thinned := make([]float64, most)
	for i := range thinned {
		slice := ratios[int(int64(i)*int64(len(ratios))/int64(most)):int(int64(i+1)*int64(len(ratios))/int64(most))]
		for _, x := range slice {
			thinned[i] += x
		}
		thinned[i] /= float64(len(slice))
	}
	return thinned
}

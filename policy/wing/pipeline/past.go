package pipeline

import (
	"cmp"
	"slices"

	"example.com/augur/dag/provenance"
)

// byTemplate returns the jobs of each template that were submitted before the end of the log, in
// order of submission.
func (r *Result) byTemplate() [][]uint32 {
	all := make([][]uint32, r.Log.Templates.Len())
	for i := range r.Log.Jobs {
		if j := &r.Log.Jobs[i]; j.Submitted < r.Config.End {
			all[j.Template] = append(all[j.Template], uint32(i))
		}
	}
	for _, jobs := range all {
		slices.SortStableFunc(jobs, func(a, b uint32) int {
			return cmp.Compare(r.Log.Jobs[a].Submitted, r.Log.Jobs[b].Submitted)
		})
	}
	return all
}

// recurs reports whether the jobs of a template recur.
func (r *Result) recurs(template uint32) bool {
	return r.Classes.Templates[template].Has(provenance.Recurring)
}

// most returns what most of some jobs have, of those that equally many have the one that came last.
func (r *Result) most(jobs []uint32, of func(j *provenance.Job) string) string {
	count, best := make(map[string]int), 0
	for _, i := range jobs {
		name := of(&r.Log.Jobs[i])
		count[name]++
		best = max(best, count[name])
	}
	for _, i := range slices.Backward(jobs) {
		if name := of(&r.Log.Jobs[i]); count[name] == best {
			return name
		}
	}
	return ""
}

// priorities returns the median priority of each template, 0 if it has no jobs. Where it is between
// -Inf and +Inf, it is the lower one.
func (r *Result) priorities() []float64 {
	medians := make([]float64, len(r.jobs))
	var list []float64
	for t, jobs := range r.jobs {
		list = list[:0]
		for _, i := range jobs {
			list = append(list, r.Log.Jobs[i].Priority)
		}
		if n := len(list); n > 0 {
			slices.Sort(list)
			medians[t] = middle(list[(n-1)/2], list[n/2])
		}
	}
	return medians
}

// middle returns the mean of two numbers, lo ≤ hi, and lo if there is none.
func middle(lo, hi float64) float64 {
	if mean := float64(lo/2) + float64(hi/2); lo != hi && mean >= lo {
		return mean
	}
	return lo
}

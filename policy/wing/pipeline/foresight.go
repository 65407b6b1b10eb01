package pipeline

import (
	"cmp"
	"slices"

	"example.com/augur/dag"
	"example.com/augur/dag/provenance"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
)

// Foresight returns a function for wing.NewRaise over wing.ByPriority: which jobs are expected to read a job's
// output, in which queue, with which priority and when (T1, T2 of section 3). The function does not change, and many
// goroutines may call it at once.
//
// The priority of a dependent is the greatest of its own template's and of those that depend on that template in turn
// in the same queue, so that a whole chain is raised for its last link. The priority of a template is the median over
// its logged jobs. Its queue is the organisation of most of its jobs; ties go to that of the last job. Foresight
// takes O(n log n) time for n jobs and predictions.
func (r *Result) Foresight() func(j *policy.Job) []wing.Dependent {
	own, queues := r.priorities(), make([]string, len(r.jobs))
	for t, jobs := range r.jobs {
		queues[t] = r.mode(jobs, r.organisation)
	}
	var predicted []provenance.Dependent
	var edges []dag.Edge
	for t := range own {
		predicted = r.Predictor.Predict(predicted[:0], uint32(t), provenance.BestThreshold)
		for _, p := range predicted {
			if queues[p.Template] == queues[t] {
				edges = append(edges, dag.Edge{From: uint32(t), To: p.Template})
			}
		}
	}
	priorities, err := wing.Inherit(nil, own, edges)
	if err != nil {
		panic(err) // priorities are numbers, or Classify would have said so
	}
	dependents := make(map[string][]wing.Dependent) // by the name of the template
	for t := range own {
		predicted = r.Predictor.Predict(predicted[:0], uint32(t), provenance.BestThreshold)
		var list []wing.Dependent
		for _, p := range predicted {
			list = append(list, wing.Dependent{Queue: queues[p.Template], Priority: priorities[p.Template], After: policy.Duration(p.TimeToDependency)})
		}
		if list != nil {
			dependents[r.Log.Templates.Name(uint32(t))] = list
		}
	}
	template := r.Config.Template
	return func(j *policy.Job) []wing.Dependent { return dependents[template(j)] }
}

// organisation returns the queue of a job.
func (r *Result) organisation(j *provenance.Job) string { return r.Log.Orgs.Name(j.Org) }

// byTemplate returns the jobs of each template that were submitted before the end of the log, in order of submission.
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

// mode returns the most common value over some jobs; ties go to the value that came last.
func (r *Result) mode(jobs []uint32, of func(j *provenance.Job) string) string {
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

// priorities returns the median priority of each template, 0 if it has no jobs. If the two middle ones are -Inf and
// +Inf it takes the lower.
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

// middle returns the mean of two numbers, lo ≤ hi, and lo if there is no mean.
func middle(lo, hi float64) float64 {
	if mean := lo/2 + hi/2; lo != hi && mean >= lo {
		return mean
	}
	return lo
}

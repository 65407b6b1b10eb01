package pipeline

import (
	"example.com/augur/dag"
	"example.com/augur/dag/provenance"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
)

// Foresight returns a function that says which jobs are expected to read a job's output, in which queue,
// with which priority and when (T1, T2 of section 3): for wing.NewRaise over wing.ByPriority. What it
// tells does not change, and many may ask at once.
//
// The priority of a dependent is the greatest of its own template's and of those that depend on
// that in turn in the same queue, so that a whole chain is raised for its last link. That of a template
// is the median of those in the log, and its queue that of the organisation of most of its jobs, of equal
// ones that of the last job. It takes O(n log n) time for n jobs and predictions.
func (r *Result) Foresight() func(j *policy.Job) []wing.Dependent {
	own, queues := r.priorities(), make([]string, len(r.jobs))
	for t, jobs := range r.jobs {
		queues[t] = r.most(jobs, r.organisation)
	}
	var predicted []provenance.Prediction
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
			list = append(list, wing.Dependent{Queue: queues[p.Template], Priority: priorities[p.Template], After: policy.Duration(p.After)})
		}
		if list != nil {
			dependents[r.Log.Templates.Name(uint32(t))] = list
		}
	}
	template := r.Config.Template
	return func(j *policy.Job) []wing.Dependent { return dependents[template(j)] }
}

// organisation is the queue of a job.
func (r *Result) organisation(j *provenance.Job) string { return r.Log.Orgs.Name(j.Org) }

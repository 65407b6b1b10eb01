package pipeline

import (
	"cmp"
	"fmt"
	"math"

	"example.com/augur/dag"
	"example.com/augur/dag/provenance"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
)

// A Foresight says which jobs are expected to read a job's output, in which queue, with which
// priority and when (T1, T2 of section 3). It is a wing.Foresight, does not change and is safe for
// concurrent use. A nil *Foresight foresees nothing; it is replaced, and not saved, as [Forecasts] are.
//
// The priority of a dependent is the greatest of its own template's and of those that depend on
// that in turn in the same queue, so that a whole chain is raised for its last link. The queue of a
// template is the one in which most of its jobs were, of equal ones that of the last job.
type Foresight struct {
	template   func(*policy.Job) string
	dependents map[string][]wing.Dependent
}

// ForesightConfig says what is foreseen. The zero ForesightConfig is fine.
type ForesightConfig struct {
	// Threshold is that of predictions, above 0 to 1; 0 means provenance.BestThreshold.
	Threshold float64
	// Priority returns that of the jobs of a template, by its number in the log, on the scale of the
	// wing.Ranker that is to be raised; not NaN. Nil means the median of those in the log, for
	// wing.ByPriority. To raise jobs that go by the Store, return the Efficiency of its Priority, or
	// Direct, for the name that the template has in Result.Log.
	Priority func(template uint32) float64
	// Queue returns where a job of the log waited; nil means in the queue of its organisation.
	Queue func(j *provenance.Job) string
	// Template returns the template of a job, named as in the log. Nil means the attribute "template".
	// See [TemplateOf].
	Template func(j *policy.Job) string
}

// Foresight returns who is expected to read what. The error names the option that is out of range,
// or the template whose priority is not a number. It takes O(n log n) time for n jobs and predictions.
func (r *Result) Foresight(c ForesightConfig) (*Foresight, error) {
	c.Threshold = cmp.Or(c.Threshold, provenance.BestThreshold)
	if !(c.Threshold > 0 && c.Threshold <= 1) {
		return nil, fmt.Errorf("pipeline: ForesightConfig.Threshold is %v, want above 0 to 1", c.Threshold)
	}
	if c.Template == nil {
		c.Template = wing.Attribute("template")
	}
	if c.Priority == nil {
		medians := r.priorities()
		c.Priority = func(t uint32) float64 { return medians[t] }
	}
	if c.Queue == nil {
		c.Queue = r.organisation
	}
	own, queues := make([]float64, len(r.jobs)), make([]string, len(r.jobs))
	for t, jobs := range r.jobs {
		queues[t] = r.most(jobs, c.Queue)
		if own[t] = c.Priority(uint32(t)); math.IsNaN(own[t]) {
			return nil, fmt.Errorf("pipeline: ForesightConfig.Priority of template %d, %q, is NaN, want a number", t, r.Log.Templates.Name(uint32(t)))
		}
	}
	var predicted []provenance.Prediction
	var edges []dag.Edge
	for t := range own {
		predicted = r.Predictor.Predict(predicted[:0], uint32(t), c.Threshold)
		for _, p := range predicted {
			if queues[p.Template] == queues[t] {
				edges = append(edges, dag.Edge{From: uint32(t), To: p.Template})
			}
		}
	}
	priorities, err := wing.Inherit(nil, own, edges)
	if err != nil {
		return nil, err
	}
	f := &Foresight{c.Template, make(map[string][]wing.Dependent)}
	for t := range own {
		predicted = r.Predictor.Predict(predicted[:0], uint32(t), c.Threshold)
		var list []wing.Dependent
		for _, p := range predicted {
			list = append(list, wing.Dependent{Queue: queues[p.Template], Priority: priorities[p.Template], After: policy.Duration(p.After)})
		}
		if list != nil {
			f.dependents[r.Log.Templates.Name(uint32(t))] = list
		}
	}
	return f, nil
}

// Dependents implements wing.Foresight.
func (f *Foresight) Dependents(j *policy.Job) []wing.Dependent {
	if f == nil {
		return nil
	}
	return f.dependents[f.template(j)]
}

// organisation is the queue of a job, if nothing else is said.
func (r *Result) organisation(j *provenance.Job) string { return r.Log.Orgs.Name(j.Org) }

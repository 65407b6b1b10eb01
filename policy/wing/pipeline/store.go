package pipeline

import (
	"fmt"

	"example.com/augur/dag"
	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
)

// store builds the store from the jobs that completed. A failed job was worth nothing, but the next one may not be,
// so it would make its template look worthless. A template that recurs without any completed job is stored as
// unknown: its user's ad-hoc jobs say nothing about it.
func (r *Result) store() error {
	records := make([]value.Record, 0, len(r.Log.Jobs))
	r.Aggregates = make([]value.Worth, len(r.Log.Jobs))
	var hops []float64
	if all := dag.Depth(r.graph); r.Config.Hops > 0 && (r.Config.Hops < all || r.Config.Least > 0) {
		hops = make([]float64, min(r.Config.Hops, all)+1)
	}
	done := make([]bool, len(r.jobs)) // templates
	for i := range r.Log.Jobs {
		if j := &r.Log.Jobs[i]; j.State == provenance.Complete {
			done[j.Template] = true
		}
	}
	for i := range r.Log.Jobs {
		j := &r.Log.Jobs[i]
		if j.State != provenance.Complete && (done[j.Template] || !r.recurs(j.Template) || j.Submitted >= r.Config.End) {
			continue
		}
		rec, err := r.Windowed.Record(uint32(i))
		if err != nil {
			return err
		}
		rec.Template, rec.User = r.Log.Templates.Name(j.Template), r.Log.Users.Name(j.User)
		if rec.Recurring = r.recurs(j.Template); rec.Recurring && rec.Template == "" {
			return fmt.Errorf("pipeline: %s is of a template that recurs, and has no name", r.name(i))
		}
		rec.Valid = rec.Valid && j.State == provenance.Complete
		r.Aggregates[i] = rec.Aggregate
		if hops != nil && rec.Valid {
			rec.Aggregate = r.within(uint32(i), hops)
		}
		records = append(records, rec)
	}
	var err error
	r.Store, err = value.Build(records)
	return err
}

// within returns what comes back to a job by paths that are shorter than buf.
func (r *Result) within(job uint32, buf []float64) value.Worth {
	sum := func(q int) (sum float64) {
		r.Windowed.ByHops(buf, job, q)
		for _, x := range buf {
			sum += x
		}
		return sum
	}
	return value.Worth{Value: sum(0), Compute: sum(1)}
}

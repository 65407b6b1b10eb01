package main

import (
	"cmp"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/examples/internal/cli"
)

// pairRow is two templates, of which jobs of one, Down, read what jobs of the other wrote.
type pairRow struct {
	Up           string  `json:"upstream"`
	Down         string  `json:"downstream"`
	Dependencies int     `json:"dependencies"`
	Read         float64 `json:"read"`      // the share of jobs of Up that are read
	Recurring    float64 `json:"recurring"` // shares of the dependencies
	Hard         float64 `json:"hard"`
}

// pairs returns all pairs, those with the most dependencies first, and how many templates read from
// each template.
func (a *analysis) pairs() (rows []pairRow, readers []int) {
	type key struct{ up, down uint32 }
	type count struct {
		dependencies, recurring, hard, read int
		last                                uint32 // job
	}
	counts := make(map[key]*count)
	for i, d := range a.result.Found.Dependencies { // by From
		k := key{a.log.Jobs[d.From].Template, a.log.Jobs[d.To].Template}
		c := counts[k]
		if c == nil {
			c = new(count)
			counts[k] = c
		}
		if c.dependencies == 0 || c.last != d.From {
			c.last = d.From
			c.read++
		}
		c.dependencies++
		traits := a.result.Classes.Dependencies[i]
		if traits.Has(provenance.Recurring) {
			c.recurring++
		}
		if traits.Has(provenance.Hard) {
			c.hard++
		}
	}
	jobs := make([]int, a.log.Templates.Len())
	for i := range a.log.Jobs {
		jobs[a.log.Jobs[i].Template]++
	}
	readers = make([]int, len(jobs))
	for k, c := range counts {
		readers[k.up]++
		n := float64(c.dependencies)
		rows = append(rows, pairRow{a.log.Templates.Name(k.up), a.log.Templates.Name(k.down), c.dependencies,
			float64(c.read) / float64(jobs[k.up]), float64(c.recurring) / n, float64(c.hard) / n})
	}
	slices.SortFunc(rows, func(p, q pairRow) int {
		return cmp.Or(cmp.Compare(q.Dependencies, p.Dependencies), cmp.Compare(p.Up, q.Up), cmp.Compare(p.Down, q.Down))
	})
	return rows, readers
}

// valueRow is what the jobs of a template, or the ad-hoc jobs of a user, have been worth: medians.
// What is not known is null.
type valueRow struct {
	Template  string   `json:"template,omitempty"`
	User      string   `json:"user,omitempty"`
	Jobs      int      `json:"jobs"`
	Own       *float64 `json:"own"`
	Aggregate *float64 `json:"aggregate"`
	// Compute is that of a job and of what comes back to it, in core-seconds, and Efficiency the
	// aggregate value for each of these.
	Compute    *float64 `json:"compute"`
	Efficiency *float64 `json:"efficiency"`
	Downstream *float64 `json:"downstream"` // jobs that depend on it, directly or not
	Readers    int      `json:"readers"`    // templates
	Read       *float64 `json:"read"`       // the share of jobs that are read
	First      *float64 `json:"first_reader_s"`
}

// values returns what is in the store, the greatest aggregate value first.
func (a *analysis) values(readers []int) (rows []valueRow) {
	row := func(p value.Profile) valueRow {
		r := valueRow{Jobs: p.Jobs}
		if p.Valid > 0 {
			r.Own, r.Aggregate = &p.Own.Value, &p.Aggregate.Value
			r.Compute, r.Efficiency = &p.Aggregate.Compute, cli.Some(p.Aggregate.Efficiency)
			r.Read, r.Downstream = new(float64(p.WithDependents)/float64(p.Valid)), &p.Spread.Downstream[5]
		}
		if p.WithDependents > 0 {
			r.First = new(p.TimeToDependency.Seconds())
		}
		return r
	}
	for name, p := range a.result.Store.Templates() {
		r := row(p)
		r.Template = name
		if i, ok := a.log.Templates.Find(name); ok {
			r.Readers = readers[i]
		}
		rows = append(rows, r)
	}
	for name, p := range a.result.Store.Users() {
		r := row(p)
		r.User = name
		rows = append(rows, r)
	}
	most := func(r *valueRow) float64 {
		if r.Aggregate == nil {
			return -1
		}
		return *r.Aggregate
	}
	slices.SortStableFunc(rows, func(p, q valueRow) int { return cmp.Compare(most(&q), most(&p)) })
	return rows
}

// predictionRow is who will read the output of a template's next job.
type predictionRow struct {
	Up    string  `json:"upstream"`
	Down  string  `json:"downstream"`
	Share float64 `json:"probability"`
	After float64 `json:"after_s"`
	Jobs  uint32  `json:"jobs"` // that it is learnt from
}

// predictions returns those of all templates, what is expected most often first.
func (a *analysis) predictions() (rows []predictionRow) {
	var list []provenance.Dependent
	for t := range uint32(a.log.Templates.Len()) {
		list = a.result.Predictor.Predict(list[:0], t, a.o.threshold)
		for _, p := range list {
			rows = append(rows, predictionRow{a.log.Templates.Name(t), a.log.Templates.Name(p.Template), p.Share, p.TimeToDependency.Seconds(), p.Jobs})
		}
	}
	slices.SortFunc(rows, func(p, q predictionRow) int {
		return cmp.Or(cmp.Compare(q.Share*float64(q.Jobs), p.Share*float64(p.Jobs)), cmp.Compare(p.Up, q.Up), cmp.Compare(p.Down, q.Down))
	})
	return rows
}

// writeDependencies writes all dependencies as CSV.
func (a *analysis) writeDependencies(w io.Writer) error {
	rows := csv.NewWriter(w)
	rows.Write([]string{"upstream", "downstream", "upstream_template", "downstream_template", "upstream_organisation", "downstream_organisation",
		"files", "reads", "first", "recurring", "polling", "hard"})
	for i, d := range a.result.Found.Dependencies {
		up, down := &a.log.Jobs[d.From], &a.log.Jobs[d.To]
		row := []string{a.log.IDs.Name(d.From), a.log.IDs.Name(d.To), a.log.Templates.Name(up.Template), a.log.Templates.Name(down.Template),
			a.log.Orgs.Name(up.Org), a.log.Orgs.Name(down.Org), strconv.FormatUint(uint64(d.Files), 10), strconv.FormatUint(uint64(d.Reads), 10), instant(d.First)}
		for _, trait := range []provenance.Traits{provenance.Recurring, provenance.Polling, provenance.Hard} {
			row = append(row, strconv.FormatBool(a.result.Classes.Dependencies[i].Has(trait)))
		}
		rows.Write(row)
	}
	rows.Flush()
	return rows.Error()
}

// instant writes an instant as calendar time.
func instant(t provenance.Time) string { return time.Unix(0, int64(t)).UTC().Format(time.RFC3339Nano) }

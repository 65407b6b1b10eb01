package provenance

import (
	"cmp"
	"math"
	"slices"
)

// priorities is observation 2.
func (o *observer) priorities() (p Priorities) {
	jobs := o.log.Jobs
	inverted := make([]bool, len(jobs))
	pairs := make(map[pair]Share)
	for i, d := range o.found.Dependencies {
		up, down := &jobs[d.From], &jobs[d.To]
		if up.Org != down.Org {
			continue
		}
		is := up.Priority < down.Priority
		inverted[d.To] = inverted[d.To] || is
		if o.classes.Dependencies[i].Has(Recurring) {
			s := pairs[pair{up.Template, down.Template}]
			s.add(is)
			pairs[pair{up.Template, down.Template}] = s
		}
	}
	for _, is := range inverted {
		p.Inverted.add(is)
	}
	systematic := make([]bool, o.log.Templates.Len())
	for pair, s := range pairs {
		if s.N > s.Of-s.N {
			systematic[pair.up] = true
		}
		if s.N > 0 {
			p.Worst = append(p.Worst, Inversion{pair.up, pair.down, s})
		}
	}
	p.Worst = worst(o, p.Worst, func(a, b Inversion) int {
		return cmp.Or(cmp.Compare(b.Inverted.N, a.Inverted.N), pair{a.Up, a.Down}.compare(pair{b.Up, b.Down}))
	})

	// The mean is that of the sums of the recurring jobs, in order of jobs.
	sum, n := make([]float64, o.log.Orgs.Len()), make([]float64, o.log.Orgs.Len())
	for i, j := range jobs {
		if o.recurring(uint32(i)) {
			sum[j.Org] += j.Priority
			n[j.Org]++
		}
	}
	for i, is := range systematic {
		if o.classes.Templates[i].Has(Recurring) {
			p.Templates.add(is)
		}
	}
	for i, j := range jobs {
		if !o.recurring(uint32(i)) {
			p.AdHoc.add(n[j.Org] > 0 && j.Priority > sum[j.Org]/n[j.Org])
		}
	}
	return p
}

// uncoordinated is observation 3.
func (o *observer) uncoordinated() (u Uncoordinated) {
	jobs := o.log.Jobs
	risks := make([]Risk, o.log.Templates.Len())
	blind := make([]bool, len(risks))
	for i := range risks {
		risks[i] = Risk{Template: uint32(i), Slack: math.MaxInt64}
	}
	for i, d := range o.found.Dependencies {
		up, down := &jobs[d.From], &jobs[d.To]
		if !o.classes.Dependencies[i].Has(Recurring|Hard) || o.classes.Templates[down.Template].Has(Polling) {
			continue
		}
		blind[down.Template] = true
		if up.State != Running {
			r := &risks[down.Template]
			r.Slack = min(r.Slack, down.Submitted.Sub(up.Completed))
		}
	}
	for i, j := range jobs {
		if !o.recurring(uint32(i)) {
			continue
		}
		u.Jobs.add(blind[j.Template])
		risks[j.Template].Jobs++
		if j.State == NoInput {
			risks[j.Template].Missed++
		}
	}
	risks = slices.DeleteFunc(risks, func(r Risk) bool { return !blind[r.Template] })
	u.Worst = worst(o, risks, func(a, b Risk) int {
		return cmp.Or(cmp.Compare(b.Missed, a.Missed), cmp.Compare(a.Slack, b.Slack), cmp.Compare(a.Template, b.Template))
	})
	return u
}

// shifts is observation 6.
func (o *observer) shifts() (shifts []Shift, unread Share) {
	jobs := o.log.Jobs
	first := make([]Time, len(jobs))
	for i := range first {
		first[i] = math.MaxInt64
	}
	for _, d := range o.found.Dependencies {
		first[d.From] = min(first[d.From], d.First)
	}
	for _, d := range o.found.Downloads {
		first[d.Job] = min(first[d.Job], d.Time)
	}
	candidate := func(i int) bool { return o.recurring(uint32(i)) && jobs[i].State == Complete }
	for i := range jobs {
		if candidate(i) {
			unread.add(first[i] == math.MaxInt64)
		}
	}
	templates := make([]Postponable, o.log.Templates.Len())
	for _, by := range o.config.Shifts {
		clear(templates)
		s := Shift{By: by}
		for i, j := range jobs {
			is := candidate(i) && first[i] != math.MaxInt64 && first[i].Sub(j.Completed) > by && j.Completed.Sub(j.Submitted) < by
			s.Jobs.add(is)
			if is {
				t := &templates[j.Template]
				t.Jobs++
				t.Compute += j.Compute
			}
		}
		for i, t := range templates {
			if t.Jobs > 0 {
				t.Template = uint32(i)
				s.Worst = append(s.Worst, t)
			}
		}
		s.Worst = worst(o, s.Worst, func(a, b Postponable) int {
			return cmp.Or(cmp.Compare(b.Compute, a.Compute), cmp.Compare(b.Jobs, a.Jobs), cmp.Compare(a.Template, b.Template))
		})
		shifts = append(shifts, s)
	}
	return shifts, unread
}

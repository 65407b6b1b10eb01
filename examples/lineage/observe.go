package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"example.com/augur/dag"
	"example.com/augur/dag/provenance"
	"example.com/augur/policy/wing/pipeline"
)

// An observation is one of the statistics of the paper's section 2.3: N of Of jobs, dependencies or templates. The paper
// defines them in words; the comments here say what we count.
type observation struct {
	What     string   `json:"what"`
	N        int      `json:"n"`
	Of       int      `json:"of"`
	Title    string   `json:"-"` // What in the text
	Paper    string   `json:"-"` // percentage that the paper found in Cosmos; "" if it does not say
	Examples []string `json:"-"` // the worst ones
}

// add counts one more, in N too if is is true.
func (o *observation) add(is bool) {
	o.Of++
	if is {
		o.N++
	}
}

// share returns the observation in words.
func (o *observation) share() string {
	return fmt.Sprintf("%d of %d (%.0f %%)", o.N, o.Of, 100*float64(o.N)/float64(max(1, o.Of)))
}

// pair is two templates, or two organisations: jobs of down depend on jobs of up.
type pair struct{ up, down uint32 }

func (p pair) compare(q pair) int {
	return cmp.Or(cmp.Compare(p.up, q.up), cmp.Compare(p.down, q.down))
}

// shifts are the delays that the paper considers, and its results.
var shifts = []struct {
	by    time.Duration
	paper string
}{{time.Hour, "31"}, {3 * time.Hour, "27"}, {6 * time.Hour, "22"}, {12 * time.Hour, "14"}}

// observe makes all observations, with that many examples of each kind.
func observe(r *pipeline.Result, examples int) ([]observation, error) {
	o := &observer{log: r.Log, found: r.Found, classes: r.Classes, examples: examples}
	o.recurrence()
	o.priorities()
	o.uncoordinated()
	o.crossing()
	if err := o.connected(); err != nil {
		return nil, err
	}
	o.postponable()
	return o.list, nil
}

type observer struct {
	log      *provenance.Log
	found    *provenance.Lineage
	classes  *provenance.Classes
	examples int
	list     []observation
}

func (o *observer) put(what, title, paper string, x observation) {
	x.What, x.Title, x.Paper = what, title, paper
	o.list = append(o.list, x)
}

func (o *observer) recurring(job int) bool {
	return o.classes.Templates[o.log.Jobs[job].Template].Has(provenance.Recurring)
}

// count counts the jobs for which of holds, and those for which is holds too. A nil of holds for all jobs.
func (o *observer) count(of func(job int) bool, is func(job int) bool) (x observation) {
	for i := range o.log.Jobs {
		if of == nil || of(i) {
			x.add(is(i))
		}
	}
	return x
}

// worst sorts examples and writes the worst of them.
func worst[E any](o *observer, examples []E, compare func(a, b E) int, text func(e E) string) (texts []string) {
	slices.SortFunc(examples, compare)
	for _, e := range examples[:min(len(examples), o.examples)] {
		texts = append(texts, text(e))
	}
	return texts
}

// recurrence is observation 1: most jobs and dependencies recur, and most jobs depend on another.
func (o *observer) recurrence() {
	dependent := make([]bool, len(o.log.Jobs))
	var dependencies observation
	for i, d := range o.found.Dependencies {
		dependencies.add(o.classes.Dependencies[i].Has(provenance.Recurring))
		dependent[d.To] = true
	}
	o.put("recurring_jobs", "1. recurring jobs", "68", o.count(nil, o.recurring))
	o.put("recurring_dependencies", "   recurring dependencies", "79", dependencies)
	o.put("dependent_jobs", "   jobs that depend on another", "80", o.count(nil, func(i int) bool { return dependent[i] }))
}

// priorities is observation 2, priority inversion, within one organisation only, since each has its own queue. It counts jobs
// that depend on a job of lower priority; recurring templates of which more than half of the dependencies of one recurring
// template are inverted; and ad-hoc jobs with a higher priority than the mean of the recurring jobs of their organisation.
func (o *observer) priorities() {
	jobs := o.log.Jobs
	inverted := make([]bool, len(jobs))
	pairs := make(map[pair]observation) // recurring dependencies of a pair of templates
	for i, d := range o.found.Dependencies {
		up, down := &jobs[d.From], &jobs[d.To]
		if up.Org != down.Org {
			continue
		}
		is := up.Priority < down.Priority
		inverted[d.To] = inverted[d.To] || is
		if o.classes.Dependencies[i].Has(provenance.Recurring) {
			x := pairs[pair{up.Template, down.Template}]
			x.add(is)
			pairs[pair{up.Template, down.Template}] = x
		}
	}
	systematic := make([]bool, o.log.Templates.Len())
	var inversions []pair
	for p, x := range pairs {
		systematic[p.up] = systematic[p.up] || x.N > x.Of-x.N
		if x.N > 0 {
			inversions = append(inversions, p)
		}
	}
	var templates observation
	for i, is := range systematic {
		if o.classes.Templates[i].Has(provenance.Recurring) {
			templates.add(is)
		}
	}
	templates.Examples = worst(o, inversions, func(a, b pair) int {
		return cmp.Or(cmp.Compare(pairs[b].N, pairs[a].N), a.compare(b))
	}, func(p pair) string {
		x := pairs[p]
		return fmt.Sprintf("%s has lower priority than %s: %s", o.log.Templates.Name(p.up), o.log.Templates.Name(p.down), x.share())
	})

	sum, n := make([]float64, o.log.Orgs.Len()), make([]float64, o.log.Orgs.Len())
	for i, j := range jobs {
		if o.recurring(i) {
			sum[j.Org] += j.Priority
			n[j.Org]++
		}
	}
	o.put("inverted_jobs", "2. jobs that depend on one of lower priority", "13", o.count(nil, func(i int) bool { return inverted[i] }))
	o.put("inverted_templates", "   recurring templates for which that is the rule", "21", templates)
	o.put("ad_hoc_above_recurring", "   ad-hoc jobs of more priority than recurring ones", "33",
		o.count(func(i int) bool { return !o.recurring(i) }, func(i int) bool {
			org := jobs[i].Org
			return n[org] > 0 && jobs[i].Priority > sum[org]/n[org]
		}))
}

// A risk is a template that is not coordinated with its upstream templates.
type risk struct {
	template     uint32
	blind        bool
	jobs, missed int // missed: failed because of a missing input
	// slack is the least time from the end of an upstream job to the submission of the job; negative if the job was
	// submitted first; the longest Duration if no upstream job has ended.
	slack time.Duration
}

// uncoordinated is observation 3: the recurring jobs whose template does not poll and has a hard recurring dependency. They
// fail if an input is late.
func (o *observer) uncoordinated() {
	jobs := o.log.Jobs
	risks := make([]risk, o.log.Templates.Len())
	for i := range risks {
		risks[i] = risk{template: uint32(i), slack: math.MaxInt64}
	}
	for i, d := range o.found.Dependencies {
		up, down := &jobs[d.From], &jobs[d.To]
		if !o.classes.Dependencies[i].Has(provenance.Recurring|provenance.Hard) || o.classes.Templates[down.Template].Has(provenance.Polling) {
			continue
		}
		r := &risks[down.Template]
		r.blind = true
		if up.State != provenance.Running {
			r.slack = min(r.slack, down.Submitted.Sub(up.Completed))
		}
	}
	x := o.count(o.recurring, func(i int) bool {
		r := &risks[jobs[i].Template]
		r.jobs++
		if jobs[i].State == provenance.NoInput {
			r.missed++
		}
		return r.blind
	})
	risks = slices.DeleteFunc(risks, func(r risk) bool { return !r.blind })
	x.Examples = worst(o, risks, func(a, b risk) int {
		return cmp.Or(cmp.Compare(b.missed, a.missed), cmp.Compare(a.slack, b.slack), cmp.Compare(a.template, b.template))
	}, func(r risk) string {
		slack := "never known"
		if r.slack < math.MaxInt64 {
			slack = r.slack.Round(time.Second).String()
		}
		return fmt.Sprintf("%s: %d of %d jobs missed an input, least slack %s", o.log.Templates.Name(r.template), r.missed, r.jobs, slack)
	})
	o.put("uncoordinated_jobs", "3. recurring jobs that do not wait for what they need", "34", x)
}

// crossing is observation 4, dependencies between organisations: of all dependencies; of the pairs of templates with recurring
// dependencies, if one of these crosses; of the jobs that have one upstream or downstream, of the recurring ones, and of those
// that have one upstream; and of the organisations that have jobs.
func (o *observer) crossing() {
	jobs := o.log.Jobs
	involved, dependent := make([]bool, len(jobs)), make([]bool, len(jobs))
	orgs, used := make([]bool, o.log.Orgs.Len()), make([]bool, o.log.Orgs.Len())
	templates, pairs := make(map[pair]bool), make(map[pair]int)
	var dependencies, between, organisations observation
	for i, d := range o.found.Dependencies {
		up, down := &jobs[d.From], &jobs[d.To]
		cross := up.Org != down.Org
		dependencies.add(cross)
		if cross {
			involved[d.From], involved[d.To], dependent[d.To] = true, true, true
			orgs[up.Org], orgs[down.Org] = true, true
			pairs[pair{up.Org, down.Org}]++
		}
		if p := (pair{up.Template, down.Template}); o.classes.Dependencies[i].Has(provenance.Recurring) {
			templates[p] = templates[p] || cross
		}
	}
	for _, cross := range templates {
		between.add(cross)
	}
	for _, j := range jobs {
		used[j.Org] = true
	}
	for i, is := range orgs {
		if used[i] {
			organisations.add(is)
		}
	}
	var examples []pair
	for p := range pairs {
		examples = append(examples, p)
	}
	organisations.Examples = worst(o, examples, func(a, b pair) int {
		return cmp.Or(cmp.Compare(pairs[b], pairs[a]), a.compare(b))
	}, func(p pair) string {
		return fmt.Sprintf("%s on %s: %d", o.log.Orgs.Name(p.down), o.log.Orgs.Name(p.up), pairs[p])
	})
	touches := func(i int) bool { return involved[i] }
	o.put("cross_organisation_dependencies", "4. dependencies between organisations", "33", dependencies)
	o.put("cross_organisation_templates", "   between templates", "17", between)
	o.put("cross_organisation_jobs", "   jobs that have such", "28", o.count(nil, touches))
	o.put("cross_organisation_recurring_jobs", "   recurring jobs that have such", "23", o.count(o.recurring, touches))
	o.put("jobs_that_depend_on_another_organisation", "   jobs that depend on another organisation", "20",
		o.count(nil, func(i int) bool { return dependent[i] }))
	o.put("organisations_that_cross", "   organisations that have such", "95", organisations)
}

// connected is observation 5: jobs in the largest weakly connected component of the dependencies, and in those of at least ten.
func (o *observer) connected() error {
	g, err := o.found.Graph(len(o.log.Jobs))
	if err != nil {
		return err
	}
	of, sizes := dag.ConnectedComponents(g)
	largest := observation{Of: len(of)}
	var some []int
	for i, size := range sizes {
		largest.N = max(largest.N, int(size))
		if size > 1 {
			some = append(some, i)
		}
	}
	ten := o.count(nil, func(i int) bool { return sizes[of[i]] >= 10 })
	// Components are numbered by their first jobs, so the lesser number has the lesser job.
	ten.Examples = worst(o, some, func(a, b int) int { return cmp.Or(cmp.Compare(sizes[b], sizes[a]), cmp.Compare(a, b)) }, func(i int) string {
		return fmt.Sprintf("%d jobs with %s", sizes[i], o.log.IDs.Name(uint32(slices.Index(of, uint32(i)))))
	})
	o.put("jobs_in_largest_component", "5. jobs in the largest component", "50", largest)
	o.put("jobs_in_components_of_ten", "   jobs in components of 10 and more", "80", ten)
	return nil
}

// A postponed describes the jobs of a template that could run later.
type postponed struct {
	template uint32
	jobs     int
	compute  float64 // of these, resource-seconds
}

// postponable is observation 6: the jobs that could be delayed by a given time. They are recurring and complete, took less than
// that time from submission to completion, and their output was first read or downloaded more than that time later.
func (o *observer) postponable() {
	jobs := o.log.Jobs
	first := slices.Repeat([]provenance.Time{math.MaxInt64}, len(jobs))
	for _, d := range o.found.Dependencies {
		first[d.From] = min(first[d.From], d.First)
	}
	for _, d := range o.found.Downloads {
		first[d.Job] = min(first[d.Job], d.Time)
	}
	candidate := func(i int) bool { return o.recurring(i) && jobs[i].State == provenance.Complete }
	for i, shift := range shifts {
		templates := make([]postponed, o.log.Templates.Len())
		x := o.count(nil, func(i int) bool {
			j := &jobs[i]
			if !candidate(i) || first[i] == math.MaxInt64 || first[i].Sub(j.Completed) <= shift.by || j.Completed.Sub(j.Submitted) >= shift.by {
				return false
			}
			t := &templates[j.Template]
			t.template, t.jobs, t.compute = j.Template, t.jobs+1, t.compute+j.Compute
			return true
		})
		templates = slices.DeleteFunc(templates, func(t postponed) bool { return t.jobs == 0 })
		x.Examples = worst(o, templates, func(a, b postponed) int {
			return cmp.Or(cmp.Compare(b.compute, a.compute), cmp.Compare(b.jobs, a.jobs), cmp.Compare(a.template, b.template))
		}, func(t postponed) string {
			return fmt.Sprintf("%s: %d jobs, %.3g resource-seconds", o.log.Templates.Name(t.template), t.jobs, t.compute)
		})
		title := "   "
		if i == 0 {
			title = "6. "
		}
		o.put("jobs_that_can_wait_"+days(shift.by), title+"jobs that might be put off by "+shift.by.String(), shift.paper, x)
	}
	o.put("unread_recurring_jobs", "   recurring jobs whose output nobody has read", "",
		o.count(candidate, func(i int) bool { return first[i] == math.MaxInt64 }))
}

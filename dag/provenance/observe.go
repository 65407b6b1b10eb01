package provenance

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// A Share is N out of Of.
type Share struct{ N, Of int }

// fraction returns N/Of, or 0 if Of is 0.
func (s Share) fraction() float64 {
	if s.Of == 0 {
		return 0
	}
	return float64(s.N) / float64(s.Of)
}

// String returns the share in words.
func (s Share) String() string { return fmt.Sprintf("%d of %d (%.0f %%)", s.N, s.Of, 100*s.fraction()) }

// add counts one more, in N too if is is true.
func (s *Share) add(is bool) {
	s.Of++
	if is {
		s.N++
	}
}

// ObserveConfig configures a [Report].
type ObserveConfig struct {
	// Worst is the most examples of each kind in [Report.Text], ≥ 1; 0 means 5.
	Worst int
	// Shifts are the delays to consider for jobs that could run later, each > 0; none means 1, 3, 6 and 12 hours, as in
	// the paper.
	Shifts []time.Duration
}

// A Report has the statistics of the paper's six observations. [Report.Text] also gives examples.
type Report struct {
	// 1: most jobs and dependencies are recurring, and most jobs depend on another.
	RecurringJobs, RecurringDependencies, DependentJobs Share

	// 2: priority inversion, within one organisation only, since each has its own queue. InvertedJobs counts
	// jobs that depend on a job of lower priority. InvertedTemplates counts, of the recurring templates,
	// those with a recurring dependent template such that more than half of the dependencies between the
	// two are inverted.
	InvertedJobs, InvertedTemplates Share
	// AdHocAbove counts, of all ad-hoc jobs, those with a higher priority than the mean of the
	// recurring jobs of their organisation.
	AdHocAbove Share

	// 3: of the recurring jobs, those whose template does not poll (look for its input again and again) and has a hard
	// recurring dependency. They fail if an input is late.
	Uncoordinated Share

	// 4: dependencies between organisations. CrossTemplates counts pairs of templates with recurring
	// dependencies, if at least one of these crosses organisations. CrossJobs counts the jobs, and
	// CrossRecurring the recurring jobs, that have a crossing dependency upstream or downstream.
	// CrossDependents counts jobs that depend on a job of another organisation, and CrossOrgs the
	// organisations with such jobs, of those that have jobs.
	CrossDependencies, CrossTemplates, CrossJobs, CrossRecurring, CrossDependents, CrossOrgs Share

	// 5: jobs in the largest weakly connected component of the graph of dependencies, and in those of at
	// least ten jobs.
	InLargest, InTen Share

	// 6: jobs that could run later, for each of the configured delays.
	Shifts []Shift
	// Of the complete recurring jobs, those whose output nobody has read. They are in no Shift.
	Unread Share

	worst worstOf
}

// A Shift counts the jobs that could be delayed by a given time. These jobs are recurring and complete,
// took less than that time from submission to completion, and their output was first read or downloaded
// more than that time later.
type Shift struct {
	By   time.Duration
	Jobs Share
}

// worstOf holds the examples of a report. Each list is ordered by the criterion given, greatest first, then by number.
type worstOf struct {
	inversions  []inversion   // by inverted.N
	risks       []risk        // by missed, then the least slack
	crossing    []orgPair     // by dependencies
	components  []component   // of several jobs, by jobs
	postponable [][]postponed // by shift, and then by compute, then jobs
}

// An inversion describes the recurring dependencies between two templates in one organisation.
type inversion struct {
	up, down uint32 // templates
	inverted Share  // dependencies on a job of lower priority
}

// A risk is a template that is not coordinated with its upstream templates.
type risk struct {
	template uint32
	jobs     int
	missed   int // of these, failed because of a missing input
	// slack is the least time from the end of an upstream job, over hard recurring dependencies, to the
	// submission of the job; negative if the job was submitted first. Upstream jobs that have not ended do
	// not count; if none has ended, slack is the longest Duration.
	slack time.Duration
}

// An orgPair is two organisations: jobs of to depend on jobs of from.
type orgPair struct {
	from, to     uint32
	dependencies int
}

// A component is a set of jobs that dependencies connect.
type component struct {
	first uint32 // its job with the least number
	jobs  int
}

// A postponed describes jobs that could run later.
type postponed struct {
	number  uint32
	jobs    int
	compute float64 // of these, resource-seconds
}

// Observe computes the [Report] of a log. classes are those of the dependencies in found. It takes
// O(n log n) time for n jobs, dependencies and downloads. The error is like that of [Train].
//
// # Source
//
// Wing, section 2.3. The paper defines the statistics in words; where these leave a choice, the fields
// of the [Report] define ours.
func Observe(l *Log, found *Lineage, classes *Classes, c ObserveConfig) (*Report, error) {
	if c.Worst < 0 {
		return nil, fmt.Errorf("provenance: Worst is %d, want at least 1, or 0 for 5", c.Worst)
	}
	c.Worst = cmp.Or(c.Worst, 5)
	if len(c.Shifts) == 0 {
		c.Shifts = []time.Duration{time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour}
	}
	for i, by := range c.Shifts {
		if by <= 0 {
			return nil, fmt.Errorf("provenance: Shifts[%d] is %v, want above 0", i, by)
		}
	}
	if found == nil {
		return nil, errors.New("provenance: the Lineage is nil, want that of Log.Find")
	}
	if err := l.checkClasses(found.Dependencies, classes); err != nil {
		return nil, err
	}
	for i, j := range l.Jobs {
		if int64(j.Org) >= int64(l.Orgs.Len()) {
			return nil, fmt.Errorf("provenance: job %d has organisation %d, want below %d", i, j.Org, l.Orgs.Len())
		}
	}
	for i, d := range found.Downloads {
		if int64(d.Job) >= int64(len(l.Jobs)) {
			return nil, fmt.Errorf("provenance: download %d is of job %d, want below %d", i, d.Job, len(l.Jobs))
		}
	}
	o := &observer{l, found, classes, c}
	r := new(Report)
	dependent := make([]bool, len(l.Jobs))
	for i, d := range found.Dependencies {
		r.RecurringDependencies.add(classes.Dependencies[i].Has(Recurring))
		dependent[d.To] = true
	}
	for i := range l.Jobs {
		r.RecurringJobs.add(o.recurring(uint32(i)))
		r.DependentJobs.add(dependent[i])
	}
	o.priorities(r)
	o.uncoordinated(r)
	o.crossOrg(r)
	o.shifts(r)
	if err := o.connected(r); err != nil {
		return nil, err
	}
	return r, nil
}

// An observer holds the arguments of Observe.
type observer struct {
	log     *Log
	found   *Lineage
	classes *Classes
	config  ObserveConfig
}

func (o *observer) recurring(job uint32) bool {
	return o.classes.Templates[o.log.Jobs[job].Template].Has(Recurring)
}

// worst sorts examples and returns the worst ones.
func worst[E any](o *observer, examples []E, compare func(a, b E) int) []E {
	slices.SortFunc(examples, compare)
	return slices.Clip(examples[:min(len(examples), o.config.Worst)])
}

// Text formats the report for people. l must be the log of the report; it provides the names. After
// a share, in brackets, comes the value that the paper found in Cosmos.
func (r *Report) Text(l *Log) string {
	var b strings.Builder
	line := func(what string, s Share, paper string) {
		fmt.Fprintf(&b, "%-58s %s", what, s)
		if paper != "" {
			fmt.Fprintf(&b, " [%s %%]", paper)
		}
		b.WriteByte('\n')
	}
	example := func(format string, args ...any) { fmt.Fprintf(&b, "    "+format+"\n", args...) }
	template, org := l.Templates.Name, l.Orgs.Name

	line("1. recurring jobs", r.RecurringJobs, "68")
	line("   recurring dependencies", r.RecurringDependencies, "79")
	line("   jobs that depend on another", r.DependentJobs, "80")
	line("2. jobs that depend on one of lower priority", r.InvertedJobs, "13")
	line("   recurring templates for which that is the rule", r.InvertedTemplates, "21")
	for _, w := range r.worst.inversions {
		example("%s has lower priority than %s: %v", template(w.up), template(w.down), w.inverted)
	}
	line("   ad-hoc jobs of more priority than recurring ones", r.AdHocAbove, "33")
	line("3. recurring jobs that do not wait for what they need", r.Uncoordinated, "34")
	for _, w := range r.worst.risks {
		slack := "never known"
		if w.slack < math.MaxInt64 {
			slack = w.slack.Round(time.Second).String()
		}
		example("%s: %d of %d jobs missed an input, least slack %s", template(w.template), w.missed, w.jobs, slack)
	}
	line("4. dependencies between organisations", r.CrossDependencies, "33")
	line("   between templates", r.CrossTemplates, "17")
	line("   jobs that have such", r.CrossJobs, "28")
	line("   recurring jobs that have such", r.CrossRecurring, "23")
	line("   jobs that depend on another organisation", r.CrossDependents, "20")
	line("   organisations that have such", r.CrossOrgs, "95")
	for _, w := range r.worst.crossing {
		example("%s on %s: %d", org(w.to), org(w.from), w.dependencies)
	}
	line("5. jobs in the largest component", r.InLargest, "50")
	line("   jobs in components of 10 and more", r.InTen, "80")
	for _, w := range r.worst.components {
		example("%d jobs with %s", w.jobs, l.IDs.Name(w.first))
	}
	for i, s := range r.Shifts {
		what := "   "
		if i == 0 {
			what = "6. "
		}
		paper := map[float64]string{1: "31", 3: "27", 6: "22", 12: "14"}[s.By.Hours()]
		line(what+"jobs that might be put off by "+s.By.String(), s.Jobs, paper)
		if i < len(r.worst.postponable) { // a report from JSON has no examples
			for _, w := range r.worst.postponable[i] {
				example("%s: %d jobs, %.3g resource-seconds", template(w.number), w.jobs, w.compute)
			}
		}
	}
	line("   recurring jobs whose output nobody has read", r.Unread, "")
	return b.String()
}

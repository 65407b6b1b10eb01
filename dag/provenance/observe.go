package provenance

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// A Share is so many out of so many.
type Share struct{ N, Of int }

// Fraction returns the share as a fraction, 0 if it is of none.
func (s Share) Fraction() float64 {
	if s.Of == 0 {
		return 0
	}
	return float64(s.N) / float64(s.Of)
}

// String returns the share in words.
func (s Share) String() string { return fmt.Sprintf("%d of %d (%.0f %%)", s.N, s.Of, 100*s.Fraction()) }

// add counts one.
func (s *Share) add(is bool) {
	s.Of++
	if is {
		s.N++
	}
}

// ObserveConfig says what a [Report] holds.
type ObserveConfig struct {
	// Worst is how many examples of each kind there are at most, ≥ 1; 0 means 5.
	Worst int
	// Shifts are the spans by which jobs might be put off, each > 0; none means 1, 3, 6 and 12 hours.
	Shifts []time.Duration
}

// A Report is what can be seen in the dependencies of a log, as in the paper's six observations.
// Examples are in order of what is said to be the most, and then of numbers.
type Report struct {
	// 1: most jobs and dependencies are recurring.
	RecurringJobs, RecurringDependencies Share
	// Jobs that depend on another.
	DependentJobs Share

	Priorities    Priorities
	Uncoordinated Uncoordinated
	CrossOrg      CrossOrg
	Connected     Connected
	Shifts        []Shift // by the spans of the configuration
	// Of recurring jobs that are complete, those whose output nobody has read: they are in no Shift.
	Unread Share
}

// Priorities is observation 2: priorities that do not fit. They are compared within one
// organisation only, since others' are in other queues.
type Priorities struct {
	// Inverted jobs depend on a job of lower priority, and so do Templates of which it is the rule:
	// those that have a template depend on them recurringly in such a way that more than half of the
	// dependencies between the two are inverted. Of the recurring templates.
	Inverted  Share
	Templates Share
	// AdHoc jobs have a higher priority than the mean of the recurring jobs of their organisation. Of all
	// ad-hoc jobs.
	AdHoc Share
	Worst []Inversion // by Inverted.N
}

// An Inversion is about the recurring dependencies between two templates in one organisation.
type Inversion struct {
	Up, Down uint32 // templates
	Inverted Share  // dependencies on a job of lower priority
}

// Uncoordinated is observation 3: templates that recur, do not poll, and have a dependency
// that recurs and is hard. Their jobs fail if an input is late.
type Uncoordinated struct {
	Jobs  Share  // of recurring jobs
	Worst []Risk // by Missed, then the least Slack
}

// A Risk is a template that is not coordinated with those that it depends on.
type Risk struct {
	Template uint32
	Jobs     int
	Missed   int // of these, failed for a missing input
	// Slack is the least time from the end of an upstream job, by a hard recurring dependency, to the
	// submission of the job; negative if it was submitted first. Jobs that have not ended do not count;
	// if none has, it is the longest time there is.
	Slack time.Duration
}

// CrossOrg is observation 4: what crosses the borders of organisations.
type CrossOrg struct {
	Dependencies Share
	Templates    Share // pairs of templates with recurring dependencies, of which one crosses
	Jobs         Share // with a dependency that crosses, upstream or downstream
	Recurring    Share // of recurring jobs
	Dependent    Share // jobs that depend on a job of another organisation
	Orgs         Share // of organisations that have jobs
	Worst        []OrgPair
}

// An OrgPair is two organisations of which jobs of one, To, depend on jobs of the other.
type OrgPair struct {
	From, To     uint32
	Dependencies int
}

// Connected is observation 5: the weakly connected components of the graph of dependencies.
type Connected struct {
	Components int
	Largest    Share       // jobs in the largest one
	Ten        Share       // jobs in those of at least 10 jobs
	Worst      []Component // of several jobs, by Jobs
}

// A Component is a set of jobs that dependencies connect.
type Component struct {
	First uint32 // its job with the least number
	Jobs  int
}

// A Shift is observation 6: jobs that could be done later. They are recurring and complete, took less
// than the span from submission to completion, and more than the span passed from there until
// their output was first read or downloaded.
type Shift struct {
	By    time.Duration
	Jobs  Share         // of all jobs
	Worst []Postponable // by Compute, then Jobs
}

// A Postponable is a template with jobs that could be done later.
type Postponable struct {
	Template uint32
	Jobs     int
	Compute  float64 // of these, resource-seconds
}

// Observe looks for what schedulers and owners of jobs should know. Classes are those of the
// dependencies found. It takes O(n log n) time for n jobs, dependencies and downloads. The
// error is as that of [Train].
//
// # Source
//
// Wing, section 2.3. It says in words what is counted; where these leave a choice, the fields of
// the [Report] say ours.
func Observe(l *Log, found *Found, classes *Classes, c ObserveConfig) (*Report, error) {
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
	var (
		r   = new(Report)
		err error
	)
	dependent := make([]bool, len(l.Jobs))
	for i, d := range found.Dependencies {
		r.RecurringDependencies.add(classes.Dependencies[i].Has(Recurring))
		dependent[d.To] = true
	}
	for i := range l.Jobs {
		r.RecurringJobs.add(o.recurring(uint32(i)))
		r.DependentJobs.add(dependent[i])
	}
	r.Priorities = o.priorities()
	r.Uncoordinated = o.uncoordinated()
	r.CrossOrg = o.crossOrg()
	if r.Connected, err = o.connected(); err != nil {
		return nil, err
	}
	r.Shifts, r.Unread = o.shifts()
	return r, nil
}

// An observer holds what it was given.
type observer struct {
	log     *Log
	found   *Found
	classes *Classes
	config  ObserveConfig
}

func (o *observer) recurring(job uint32) bool {
	return o.classes.Templates[o.log.Jobs[job].Template].Has(Recurring)
}

// worst sorts examples and returns the first of them.
func worst[E any](o *observer, examples []E, compare func(a, b E) int) []E {
	slices.SortFunc(examples, compare)
	return slices.Clip(examples[:min(len(examples), o.config.Worst)])
}

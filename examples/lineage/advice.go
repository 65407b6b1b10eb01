package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// A template describes the recurring jobs of one program, as a log shows them.
type template struct {
	name  string
	owner string // the organisation, which is also the queue where its jobs wait; priorities are comparable there only

	jobs     int     // in the log
	priority float64 // the median of those with which they were submitted
	value    float64 // of the complete jobs and of everything that depends on them
	work     float64 // compute time of the same, above 0, in core-seconds
	own      float64 // compute time of the jobs alone

	noInput int           // jobs that failed because an input was missing: they were submitted too early and did not wait
	late    time.Duration // how much later these should have been submitted; 0 if unknown

	periodic bool
	runtime  time.Duration // of the longest of the jobs, from submission to completion
	gap      time.Duration // the least time from a job's completion until its output is first read or downloaded; 0 if unknown
}

// A link says that jobs of template down read the output of jobs of template up, which may be the same.
type link struct {
	up, down uint32
	jobs     int // of down, that read the output of some job of up
}

// A findingKind is a way in which a template is set up badly.
type findingKind uint8

const (
	tooLow findingKind = iota
	tooHigh
	inverted
	blind
	unagreed
	shiftable
)

// String returns the kind in words.
func (k findingKind) String() string {
	return [...]string{"priority too low", "priority too high", "priority inverted", "submitted too early", "read unawares", "can be shifted"}[k]
}

// A finding is one problem of one template.
type finding struct {
	kind     findingKind
	template uint32
	harm     float64 // the value at stake, by which findings are sorted; sums of harms mean nothing
	// standing is the share of the other jobs of the queue whose priority is lower, and worth the share whose value
	// efficiency is lower; equal ones count half. Set for tooLow and tooHigh.
	standing, worth float64
	// suggested is a priority that would solve the problem if nothing else changed. Set for tooLow, tooHigh and inverted.
	suggested float64
	// others are the other templates concerned, most important first: those that read its output (inverted, unagreed), or
	// those whose output it reads (blind).
	others []uint32
	delay  time.Duration // how much later its jobs could run: of shiftable
	text   string        // for the owner: what is wrong, and what to change
}

// minGap is the least difference between standing and worth for tooLow and tooHigh. The paper reports a job that is off by 0.5.
const minGap = 0.25

// advise returns the templates that are set up badly, by these rules:
//
//	A1 tooLow     worth - standing ≥ minGap. Harm: the difference times its value. Suggested: the
//	              priority at quantile worth among the jobs of the others; if it has that already,
//	              halfway to the next higher priority, or 1 more if there is none.
//	A2 tooHigh    standing - worth ≥ minGap. Harm: the difference, times the value of all others in
//	              the queue, times its share of all own compute time there: an estimate of their loss.
//	              Suggested: as in A1, but halfway to the next lower priority, or 1 less.
//	A3 inverted   Templates of the same queue with a greater priority read its output. Harm: their
//	              value, times the share of their jobs that read it. Suggested: the greatest priority of
//	              all that depend on it in this queue, directly or not.
//	A4 blind      noInput > 0. Harm: noInput times the mean value of a job that did not fail so.
//	A5 unagreed   Templates of other owners read its output. Harm: as in A3, of those.
//	A6 shiftable  It is periodic, and for one of the shifts its gap is longer and its runtime shorter,
//	              the greatest such. Harm: none; those that take most compute time first.
//
// Findings come by harm, greatest first, and then by kind; each template has at most one of a kind. Links must come by up, then
// by down. With an owner, only the findings about its templates are returned; the others still count in comparisons. It takes
// O(n log n + m log m) time for n templates and m links.
//
// # Source
//
// Wing, section 2.3 (observations 2, 3, 4 and 6), the comparison of ranks in section 4.3 and the advisory tool of
// section 7.3. The measure of harm is ours.
func advise(templates []template, links []link, owner string) []finding {
	a := &advisor{owner: owner, templates: templates, links: links}
	a.misplaced()
	a.linked()
	a.shiftable()
	slices.SortFunc(a.findings, func(f, g finding) int {
		return cmp.Or(cmp.Compare(g.harm, f.harm), cmp.Compare(f.kind, g.kind),
			cmp.Compare(templates[g.template].own, templates[f.template].own), cmp.Compare(f.template, g.template))
	})
	for i := range a.findings {
		f := &a.findings[i]
		t := &templates[f.template]
		f.text = fmt.Sprintf("%s (%s, queue %[2]s): %v. %s", t.name, t.owner, f.kind, a.reason(f, t))
	}
	return a.findings
}

// advisor applies the rules.
type advisor struct {
	owner     string
	templates []template
	links     []link
	findings  []finding

	standing, worth []float64 // of the templates
}

func (a *advisor) find(f finding) {
	if a.owner == "" || a.templates[f.template].owner == a.owner {
		a.findings = append(a.findings, f)
	}
}

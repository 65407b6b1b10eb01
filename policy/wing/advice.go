package wing

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// A Template describes the recurring jobs of one program, as a log shows them.
type Template struct {
	Name  string
	Owner string // the organisation
	Queue string // where its jobs wait; priorities are comparable there only

	Jobs     int     // in the log, ≥ 1
	Priority float64 // with which they were submitted, the median if it varied, finite
	// Value is the total value of the jobs and of everything that depends on them, 0 to 1e100. Jobs that failed were
	// worth nothing and count 0.
	Value float64
	// Work is the compute time of the jobs and of their dependents in core-seconds, above 0 to 1e100; Own is that of
	// the jobs alone, 0 to 1e100.
	Work, Own float64

	// NoInput is how many of the jobs failed because an input was missing: they were submitted too early and did not
	// wait. Late is how much later they should have been submitted, ≥ 0; 0 if unknown.
	NoInput int
	Late    time.Duration

	Periodic bool
	Runtime  time.Duration // of the longest of the jobs, from start to completion, ≥ 0
	// Gap is the least time, over all jobs, from a job's completion until its output is first read or downloaded, ≥
	// 0; 0 if unknown.
	Gap time.Duration
}

// A Link says that jobs of template Down read the output of jobs of template Up. The two may be the same template.
type Link struct {
	Up, Down uint32 // templates; Down reads
	Jobs     int    // of Down, that read the output of some job of Up, 1 to all
	Agreed   bool   // the owner of Up knows of it
}

// A FindingKind is a way in which a template is set up badly.
type FindingKind uint8

// The kinds of findings.
const (
	// TooLow: the template's priority ranks lower among the jobs of its queue than its value per compute time does.
	TooLow FindingKind = iota
	// TooHigh: the template's priority ranks higher than its value per compute time does.
	TooHigh
	// Inverted: its priority is below that of jobs in the same queue that read its output.
	Inverted
	// Blind: its jobs fail because they are submitted before their inputs exist.
	Blind
	// Unagreed: jobs of other organisations read its output without its owner knowing.
	Unagreed
	// Shiftable: its jobs could run later, when the cluster is less busy. This is no fault.
	Shiftable
)

// String returns the kind in words.
func (k FindingKind) String() string {
	names := [...]string{"priority too low", "priority too high", "priority inverted", "submitted too early", "read unawares", "can be shifted"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// A Finding is one problem of one template.
type Finding struct {
	Kind     FindingKind
	Template uint32
	// Harm is the value at stake, in the unit of Template.Value: see the rules of [Advise]. It serves to sort
	// findings. Values of templates include those of their dependents, so sums of harms mean nothing.
	Harm float64
	// Standing is the share of the other jobs of the queue whose priority is lower, and Worth the share whose value
	// efficiency is lower; equal ones count half. Set for TooLow and TooHigh.
	Standing, Worth float64
	// Suggested is a priority that would solve the problem if nothing else changed. Set for TooLow, TooHigh and
	// Inverted.
	Suggested float64
	// Others are the other templates concerned, most important first: those that read its output (Inverted,
	// Unagreed), or those whose output it reads (Blind).
	Others []uint32
	Delay  time.Duration // how much later its jobs could run: of Shiftable
	// Text explains the finding to the owner in a few sentences: what is wrong, and what to change.
	Text string
}

// AdviceConfig says what is worth advice. The zero AdviceConfig is ready to use.
type AdviceConfig struct {
	// Owner restricts the findings to the templates of one organisation; "" does not restrict them. The others
	// still count in comparisons.
	Owner string
	// MinGap is the least difference between Standing and Worth for TooLow and TooHigh, > 0 to 1; 0 means 0.25. The
	// paper reports a job that is off by 0.5.
	MinGap float64
	// Delays are what Shiftable tries, each > 0; nil means 1, 3, 6 and 12 hours.
	Delays []time.Duration
}

// Advise returns the templates that are set up badly, by these rules:
//
//	A1 TooLow     Worth - Standing ≥ MinGap. Harm: the difference times its Value. Suggested: the
//	              priority at quantile Worth among the jobs of the others; if it has that already,
//	              halfway to the next higher priority, or 1 more if there is none.
//	A2 TooHigh    Standing - Worth ≥ MinGap. Harm: the difference, times the Value of all others in
//	              the queue, times its share of all Own compute time there: an estimate of their loss.
//	              Suggested: as in A1, but halfway to the next lower priority, or 1 less.
//	A3 Inverted   Templates of the same queue with a greater priority read its output. Harm: their
//	              Value, times the share of their jobs that read it. Suggested: the greatest priority of
//	              all that depend on it in this queue, directly or not.
//	A4 Blind      NoInput > 0. Harm: NoInput times the mean Value of a job that did not fail so.
//	A5 Unagreed   Templates of other owners read its output, and the Link is not Agreed. Harm: as
//	              in A3, of those.
//	A6 Shiftable  It is periodic, and for some delay its Gap is longer and its Runtime shorter, the
//	              greatest such delay. Harm: none; those that take most compute time first.
//
// Findings come by harm, greatest first, and then by kind; each template has at most one of a kind. Each suggestion
// assumes that nothing else changes: call Advise again after following some. Advise returns an error that names the
// template or link that is out of range, and never changes the slices. It takes O(n log n + m log m) time for n
// templates and m links.
//
// # Source
//
// Wing, section 2.3 (observations 2, 3, 4 and 6), the comparison of ranks in section 4.3 and the advisory tool of
// section 7.3. The measure of harm is ours.
func Advise(templates []Template, links []Link, c AdviceConfig) ([]Finding, error) {
	if c.MinGap == 0 {
		c.MinGap = 0.25
	}
	if !(c.MinGap > 0 && c.MinGap <= 1) {
		return nil, fmt.Errorf("wing: AdviceConfig.MinGap is %v, want above 0 to 1, or 0 for 0.25", c.MinGap)
	}
	if c.Delays == nil {
		c.Delays = []time.Duration{time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour}
	}
	for i, d := range c.Delays {
		if d <= 0 {
			return nil, fmt.Errorf("wing: AdviceConfig.Delays[%d] is %v, want above 0", i, d)
		}
	}
	for i := range templates {
		if err := templates[i].check(); err != nil {
			return nil, fmt.Errorf("wing: template %d, %q: %w", i, templates[i].Name, err)
		}
	}
	for i, l := range links {
		n := uint64(len(templates))
		if uint64(l.Up) >= n || uint64(l.Down) >= n {
			return nil, fmt.Errorf("wing: link %d is from %d to %d, want templates below %d", i, l.Up, l.Down, n)
		}
		if l.Jobs < 1 || l.Jobs > templates[l.Down].Jobs {
			return nil, fmt.Errorf("wing: link %d: Jobs is %d, want 1 to %d, all of its Down", i, l.Jobs, templates[l.Down].Jobs)
		}
	}
	links = slices.SortedFunc(slices.Values(links), func(l, m Link) int {
		return cmp.Or(cmp.Compare(l.Up, m.Up), cmp.Compare(l.Down, m.Down))
	})
	for i := 1; i < len(links); i++ {
		if l := links[i]; l.Up == links[i-1].Up && l.Down == links[i-1].Down {
			return nil, fmt.Errorf("wing: there are two links from %d to %d, want one", l.Up, l.Down)
		}
	}
	a := &advisor{config: c, templates: templates, links: links}
	a.misplaced()
	a.linked()
	a.shiftable()
	slices.SortFunc(a.findings, func(f, g Finding) int {
		return cmp.Or(cmp.Compare(g.Harm, f.Harm), cmp.Compare(f.Kind, g.Kind),
			cmp.Compare(templates[g.Template].Own, templates[f.Template].Own), cmp.Compare(f.Template, g.Template))
	})
	for i := range a.findings {
		a.findings[i].Text = a.text(&a.findings[i])
	}
	return a.findings, nil
}

const maxAmount = 1e100 // so that no sum overflows

// check returns an error that names the field of a template that is out of range.
func (t *Template) check() error {
	amount := func(x float64) bool { return x >= 0 && x <= maxAmount }
	switch {
	case t.Jobs < 1:
		return fmt.Errorf("field Jobs is %d, want at least 1", t.Jobs)
	case !(math.Abs(t.Priority) <= math.MaxFloat64):
		return fmt.Errorf("field Priority is %v, want a finite number", t.Priority)
	case !amount(t.Value):
		return fmt.Errorf("field Value is %v, want 0 to %v", t.Value, maxAmount)
	case !amount(t.Work) || t.Work == 0:
		return fmt.Errorf("field Work is %v, want above 0 to %v", t.Work, maxAmount)
	case !amount(t.Own):
		return fmt.Errorf("field Own is %v, want 0 to %v", t.Own, maxAmount)
	case t.NoInput < 0 || t.NoInput > t.Jobs:
		return fmt.Errorf("field NoInput is %d, want 0 to Jobs = %d", t.NoInput, t.Jobs)
	case t.Late < 0 || t.Runtime < 0 || t.Gap < 0:
		return fmt.Errorf("fields Late, Runtime and Gap are %v, %v and %v, want at least 0", t.Late, t.Runtime, t.Gap)
	}
	return nil
}

// advisor applies the rules.
type advisor struct {
	config    AdviceConfig
	templates []Template
	links     []Link
	findings  []Finding

	standing, worth []float64 // of the templates
}

func (a *advisor) find(f Finding) {
	if owner := a.config.Owner; owner == "" || a.templates[f.Template].Owner == owner {
		a.findings = append(a.findings, f)
	}
}

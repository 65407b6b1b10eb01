package provenance

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/augur/estimate"
)

// Traits classify a template and its jobs, or a dependency.
type Traits uint8

const (
	// Recurring templates are submitted again and again. A dependency is recurring if both of its
	// jobs are. Other templates and dependencies are ad hoc.
	Recurring Traits = 1 << iota
	// Periodic templates are recurring and submitted by the clock.
	Periodic
	// Polling templates are recurring and submitted when their inputs become available. Their
	// dependencies on inputs are polling.
	Polling
	// Hard dependencies fail the downstream job if the upstream job is not done.
	Hard
)

// Has reports whether t has all of the given traits.
func (t Traits) Has(all Traits) bool { return t&all == all }

// String lists the traits.
func (t Traits) String() string {
	text := "ad hoc"
	if t.Has(Recurring) {
		text = "recurring"
	}
	for i, name := range []string{"periodic", "polling", "hard"} {
		if t.Has(Periodic << i) {
			text += " " + name
		}
	}
	return text
}

// ClassConfig has the thresholds of [Classify]. Start and End are required. The defaults are those of
// the paper, except MaxCV, which the paper calls small, and the length of a month.
type ClassConfig struct {
	// The log covers [Start, End). Jobs submitted outside do not count. It must cover at least Months.
	Start, End Time
	// Month is the length of a month, > 0; 0 means 30 days.
	Month time.Duration
	// Months is the number of consecutive months in which a recurring template is submitted, ≥ 1; 0
	// means 3. The first month begins at Start; a month that End cuts does not count.
	Months int
	// Submissions is the least number of submissions in these months, ≥ 1; 0 means 3.
	Submissions int
	// MaxCV is the largest coefficient of variation of the times between the submissions of a periodic
	// template, ≥ 0; 0 means 0.1.
	MaxCV float64
	// Poll is the longest time from the end of the upstream jobs to the submission of a polling job, > 0;
	// 0 means 15 minutes.
	Poll time.Duration
	// HardShare is a share of the downstream jobs, in (0, 1); 0 means 0.95. A dependency is hard if more
	// than this share read the output of exactly one upstream job.
	HardShare float64
}

func (c *ClassConfig) check() error {
	c.Month = cmp.Or(c.Month, 30*24*time.Hour)
	c.Months = cmp.Or(c.Months, 3)
	c.Submissions = cmp.Or(c.Submissions, 3)
	c.MaxCV = cmp.Or(c.MaxCV, 0.1)
	c.Poll = cmp.Or(c.Poll, 15*time.Minute)
	c.HardShare = cmp.Or(c.HardShare, 0.95)
	switch {
	case c.End < c.Start:
		return fmt.Errorf("provenance: End is %d, want at least Start, %d", c.End, c.Start)
	case c.Month < 0:
		return fmt.Errorf("provenance: Month is %v, want above 0, or 0 for 30 days", c.Month)
	case c.Months < 0:
		return fmt.Errorf("provenance: Months is %d, want at least 1, or 0 for 3", c.Months)
	case c.Submissions < 0:
		return fmt.Errorf("provenance: Submissions is %d, want at least 1, or 0 for 3", c.Submissions)
	case !(c.MaxCV >= 0):
		return fmt.Errorf("provenance: MaxCV is %v, want at least 0", c.MaxCV)
	case c.Poll < 0:
		return fmt.Errorf("provenance: Poll is %v, want above 0, or 0 for 15 minutes", c.Poll)
	case !(c.HardShare > 0 && c.HardShare < 1):
		return fmt.Errorf("provenance: HardShare is %v, want in (0, 1), or 0 for 0.95", c.HardShare)
	}
	if months := since(c.End, c.Start) / uint64(c.Month); months < uint64(c.Months) {
		return fmt.Errorf("provenance: from Start to End are %d months of %v, want at least %d to tell what recurs, or other Month and Months", months, c.Month, c.Months)
	}
	return nil
}

// Classes are the traits of the templates of a log and of its dependencies.
type Classes struct {
	Templates    []Traits // by template
	Dependencies []Traits // as the dependencies that were given
}

// Classify finds recurring, periodic and polling templates and dependencies, and hard dependencies, by these rules:
//
//	C1  A template is recurring if it was submitted in each of Months consecutive months, and at
//	    least Submissions times in all of them together.
//	C2  It is periodic if it is recurring and the times between its submissions have a coefficient
//	    of variation of at most MaxCV.
//	C3  It is polling if it is recurring and not periodic, none of its jobs failed because of a
//	    missing input, and each was submitted at the end of its last upstream job or at most Poll
//	    later.
//	C4  A dependency is recurring if both templates are. It is polling if the downstream one is.
//	C5  It is hard if it is not recurring; or if more than HardShare of the downstream template's
//	    jobs read the output of exactly one job of the upstream template; or if all of them read
//	    the output of the same number of its jobs.
//
// C5 ignores jobs that failed because of a missing input and jobs that still run: they may not have
// read all their inputs. A job without upstream jobs in the log breaks C3, and its upstream jobs may
// precede the log: let Start be somewhat after the beginning of the log. A template that polls the
// output of a periodic template is submitted about as regularly. It is periodic by C2 unless MaxCV is
// less than the scatter of the upstream runtimes; for daily jobs 0.1 is a deviation of 2.4 hours.
//
// The error names a field that is not allowed, or an inconsistency of the log: a job whose template
// has no name, or a dependency on a job that does not exist or was not submitted earlier. Classify
// takes O(n log n) time for n jobs and dependencies.
//
// # Source
//
// Wing, Table 1; the notes above settle what it leaves open. For C3 the paper asks only that a job
// is not periodic. We ask that it recurs, since one submission shows no habit. The paper also
// compares source code, which a template function may do.
func Classify(l *Log, deps []Dependency, c ClassConfig) (*Classes, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := l.check(deps); err != nil {
		return nil, err
	}
	byTemplate := l.byTemplate(c.Start, c.End)
	classes := &Classes{make([]Traits, l.Templates.Len()), make([]Traits, len(deps))}
	for i, jobs := range byTemplate {
		if !c.recurs(l, jobs) {
			continue
		}
		classes.Templates[i] = Recurring
		if c.periodic(l, jobs) {
			classes.Templates[i] |= Periodic
		}
	}
	c.polling(l, deps, byTemplate, classes)
	for i, d := range deps {
		up, down := classes.Templates[l.Jobs[d.From].Template], classes.Templates[l.Jobs[d.To].Template]
		if classes.Dependencies[i] = up & down & Recurring; classes.Dependencies[i] == 0 {
			classes.Dependencies[i] = Hard
		}
		classes.Dependencies[i] |= down & Polling
	}
	c.hard(l, deps, byTemplate, classes)
	return classes, nil
}

// pair is two templates: jobs of down depend on jobs of up.
type pair struct{ up, down uint32 }

// recurs is rule C1.
func (c *ClassConfig) recurs(l *Log, jobs []uint32) bool {
	month := func(i int) uint64 { return since(l.Jobs[jobs[i]].Submitted, c.Start) / uint64(c.Month) }
	full := since(c.End, c.Start) / uint64(c.Month)
	// The months from first on have submissions each; those of the last Months are jobs[from:i+1].
	first, from := 0, 0
	for i := range jobs {
		m := month(i)
		if m >= full {
			break
		}
		if i > 0 && m > month(i-1)+1 {
			first, from = i, i
		}
		for m-month(from) >= uint64(c.Months) {
			from++
		}
		if m-month(first)+1 >= uint64(c.Months) && i+1-from >= c.Submissions {
			return true
		}
	}
	return false
}

// periodic is rule C2 for a recurring template. With fewer than two gaps a template is not periodic.
func (c *ClassConfig) periodic(l *Log, jobs []uint32) bool {
	if len(jobs) < 3 {
		return false
	}
	var gaps estimate.Moments
	for i := 1; i < len(jobs); i++ {
		if gaps.Add(float64(since(l.Jobs[jobs[i]].Submitted, l.Jobs[jobs[i-1]].Submitted))) != nil {
			return false
		}
	}
	cv, ok := gaps.CoV()
	return ok && cv <= c.MaxCV
}

// polling is rule C3.
func (c *ClassConfig) polling(l *Log, deps []Dependency, byTemplate [][]uint32, classes *Classes) {
	// A job waits until its last upstream job ends. If one never ends, the job did not wait for it.
	type wait struct {
		until      Time
		upstream   bool
		unfinished bool
	}
	waits := make([]wait, len(l.Jobs))
	for _, d := range deps {
		up, w := &l.Jobs[d.From], &waits[d.To]
		switch {
		case up.State == Running:
			w.unfinished = true
		case !w.upstream || up.Completed > w.until:
			w.until = up.Completed
		}
		w.upstream = true
	}
	for i, jobs := range byTemplate {
		traits := classes.Templates[i]
		if !traits.Has(Recurring) || traits.Has(Periodic) {
			continue
		}
		if !slices.ContainsFunc(jobs, func(job uint32) bool {
			j, w := &l.Jobs[job], waits[job]
			return j.State == NoInput || !w.upstream || w.unfinished ||
				j.Submitted < w.until || since(j.Submitted, w.until) > uint64(c.Poll)
		}) {
			classes.Templates[i] |= Polling
		}
	}
}

// hard is rule C5 for dependencies that recur.
func (c *ClassConfig) hard(l *Log, deps []Dependency, byTemplate [][]uint32, classes *Classes) {
	counts := func(job uint32) bool {
		j := &l.Jobs[job]
		return c.Start <= j.Submitted && j.Submitted < c.End && j.State != NoInput && j.State != Running
	}
	pairOf := func(d Dependency) pair { return pair{l.Jobs[d.From].Template, l.Jobs[d.To].Template} }
	type reader struct {
		pair pair
		job  uint32
	}
	upstream := make(map[reader]int) // jobs of the upstream template that a job depends on
	for i, d := range deps {
		if classes.Dependencies[i].Has(Recurring) && counts(d.To) {
			upstream[reader{pairOf(d), d.To}]++
		}
	}
	type readers struct{ one, all, least, most int }
	pairs := make(map[pair]readers)
	for r, n := range upstream {
		p, known := pairs[r.pair]
		if !known {
			p.least = n
		}
		p.least, p.most = min(p.least, n), max(p.most, n)
		if p.all++; n == 1 {
			p.one++
		}
		pairs[r.pair] = p
	}
	counted := make([]int, len(byTemplate)) // jobs of each template
	for template, jobs := range byTemplate {
		for _, job := range jobs {
			if counts(job) {
				counted[template]++
			}
		}
	}
	for i, d := range deps {
		if !classes.Dependencies[i].Has(Recurring) {
			continue
		}
		p := pairOf(d)
		r, all := pairs[p], counted[p.down]
		if float64(r.one) > c.HardShare*float64(all) || r.all > 0 && r.all == all && r.least == r.most {
			classes.Dependencies[i] |= Hard
		}
	}
}

// byTemplate returns the jobs of each template that were submitted in [start, end), in order of submission.
func (l *Log) byTemplate(start, end Time) [][]uint32 {
	jobs := make([][]uint32, l.Templates.Len())
	for i, j := range l.Jobs {
		if start <= j.Submitted && j.Submitted < end {
			jobs[j.Template] = append(jobs[j.Template], uint32(i))
		}
	}
	for _, some := range jobs {
		slices.SortStableFunc(some, func(a, b uint32) int { return cmp.Compare(l.Jobs[a].Submitted, l.Jobs[b].Submitted) })
	}
	return jobs
}

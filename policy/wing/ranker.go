package wing

import (
	"errors"
	"math"

	"example.com/augur/policy"
)

// Never is the instant until which a priority holds that does not change.
const Never = policy.Never

// A Ranker says how urgent a job is. Among the jobs of a queue, the greatest priority goes first.
type Ranker interface {
	// Rank returns the priority of a job that was submitted by now, and the instant, after now,
	// at which to ask again; Never if there is none. Priorities may be infinite. If one is not a
	// number it counts as -Inf, and if the instant is not after now, it counts as Never.
	//
	// A [Scheduler] asks when the job is submitted and then only when the instant has come; it
	// asks later, or not at all, about jobs of which nothing waits. Equal questions get equal
	// answers: a scheduler that restarts asks again.
	Rank(j *policy.Job, now policy.Time) (priority float64, until policy.Time)
}

// Fixed is a Ranker whose priorities do not change. With the true value per core-second of each
// job it is the Oracle that the predictions of a lookup are compared with.
type Fixed func(j *policy.Job) float64

// Rank implements [Ranker].
func (f Fixed) Rank(j *policy.Job, _ policy.Time) (priority float64, until policy.Time) {
	return f(j), Never
}

// ByPriority returns the Ranker that believes the user: [policy.Job.Priority].
//
// # Source
//
// Wing, section 6.2: PRIO.
func ByPriority() Ranker {
	return Fixed(func(j *policy.Job) float64 { return j.Priority })
}

// LookupConfig describes a lookup, see [NewLookup]. Efficiency is required.
type LookupConfig struct {
	// Efficiency tells value per core-second: what the median job of a recurring template was worth, over
	// what it took, or else the median ad-hoc job of the same user. False means that neither is known, and
	// an answer that is not a number is none. Whether values and compute times are those of the jobs alone
	// or those of all that depends on them too, it says; both are to be of one kind. The Live of
	// dag/value has both: Direct and Aggregate.
	Efficiency func(template, user string) (efficiency float64, ok bool)
	// Template and User return the template and the user of a job, "" if there is none. Nil means
	// the attributes "template" and "user". A template has the name that it has where efficiencies come
	// from, without the date or the number of this run; of a name that is not known there, or "", the job
	// counts as an ad-hoc one of its user, and no error tells. See TemplateOf of package pipeline.
	Template, User func(j *policy.Job) string
}

// NewLookup returns a Ranker that ranks a job once, when it is submitted, by the value efficiency that is
// known of its template and user. A job of which nothing is known has priority 0 and goes last, among
// those that are worth nothing. The error names the field that is missing.
//
// Nothing is computed but one look-up. What Efficiency knows may be exchanged by something newer; jobs
// that wait already keep their priority.
//
// # Source
//
// Wing, section 5, where it is Wing-Agg, if efficiencies are of aggregate values; section 7.2,
// where it is Wing-Direct, if they are of local ones. The paper does not say what becomes of a
// user's first ad-hoc job.
func NewLookup(c LookupConfig) (Fixed, error) {
	if c.Efficiency == nil {
		return nil, errors.New("wing: LookupConfig.Efficiency is nil, want a function that tells value efficiencies")
	}
	if c.Template == nil {
		c.Template = attribute("template")
	}
	if c.User == nil {
		c.User = attribute("user")
	}
	return func(j *policy.Job) float64 {
		if e, ok := c.Efficiency(c.Template(j), c.User(j)); ok && !math.IsNaN(e) {
			return e
		}
		return 0
	}, nil
}

// attribute returns a function that returns the attribute of a job that has the name, "" if there is
// none.
func attribute(name string) func(j *policy.Job) string {
	return func(j *policy.Job) string {
		value, _ := j.Attr(name)
		return value
	}
}

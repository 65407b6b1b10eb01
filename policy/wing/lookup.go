package wing

import (
	"errors"
	"fmt"
	"math"

	"example.com/augur/policy"
)

// A Store tells value efficiencies, in value per core-second: what the median job of a recurring
// template was worth, over what it took, or else the median ad-hoc job of the same user. False means
// that neither is known.
//
// Whether values and compute times are those of the jobs alone or those of all that depends on them
// too is the store's to say; both are to be of one kind. Of a Store of dag/value, Priority and Direct
// are these two kinds, which Aggregate and Direct of package pipeline make a Store of this package.
type Store interface {
	Efficiency(template, user string) (efficiency float64, ok bool)
}

// LookupConfig describes a [Lookup]. Store is required.
type LookupConfig struct {
	Store Store
	// Template and User return the template and the user of a job, "" if there is none. Nil means
	// the attributes "template" and "user". A template has the name that it has in the Store, without
	// the date or the number of this run; of a name that the Store has not heard of, or "", the job
	// counts as an ad-hoc one of its user, and no error tells. See TemplateOf of package pipeline.
	Template, User func(j *policy.Job) string
	// Unknown is the priority of a job of which the store knows nothing, not NaN. At 0, the
	// default, it goes last, among those that are worth nothing.
	Unknown float64
}

// Lookup ranks a job once, when it is submitted, by the value efficiency that a [Store] tells of
// its template and user, or else as Unknown.
//
// Nothing is computed but one look-up. The store may be exchanged by a newer one inside what
// implements Store; jobs that wait already keep their priority.
//
// # Source
//
// Wing, section 5, where it is Wing-Agg, if efficiencies are of aggregate values; section 7.2,
// where it is Wing-Direct, if they are of local ones. The paper does not say what becomes of a
// user's first ad-hoc job.
type Lookup struct{ config LookupConfig }

// NewLookup returns a Lookup. The error names the field that is outside its range.
func NewLookup(c LookupConfig) (*Lookup, error) {
	if c.Store == nil {
		return nil, errors.New("wing: LookupConfig.Store is nil, want something that tells value efficiencies")
	}
	if math.IsNaN(c.Unknown) {
		return nil, fmt.Errorf("wing: LookupConfig.Unknown is %v, want a number", c.Unknown)
	}
	if c.Template == nil {
		c.Template = Attribute("template")
	}
	if c.User == nil {
		c.User = Attribute("user")
	}
	return &Lookup{c}, nil
}

// Attribute returns what a [LookupConfig] may have for its Template or User: a function that returns
// the attribute of a job that has the name, "" if there is none.
func Attribute(name string) func(j *policy.Job) string {
	return func(j *policy.Job) string {
		value, _ := j.Attr(name)
		return value
	}
}

// Rank implements [Ranker].
func (l *Lookup) Rank(j *policy.Job, _ policy.Time) (priority float64, until policy.Time) {
	priority, _ = l.Efficiency(j)
	return priority, Never
}

// Efficiency returns the value efficiency by which a job is ranked, in value per core-second, and
// false if it is Unknown. An answer of the store that is not a number is no answer.
func (l *Lookup) Efficiency(j *policy.Job) (efficiency float64, known bool) {
	e, ok := l.config.Store.Efficiency(l.config.Template(j), l.config.User(j))
	if !ok || math.IsNaN(e) {
		return l.config.Unknown, false
	}
	return e, true
}

package wing

import (
	"errors"
	"math"

	"example.com/augur/policy"
)

// LookupConfig describes a lookup, see [NewLookup]. Efficiency is required.
type LookupConfig struct {
	// Efficiency returns value per core-second: the median value of the past jobs of a recurring template divided by
	// their median compute time and, if the template does not recur, the same of the user's ad-hoc jobs. It returns false if that is
	// unknown; NaN counts as unknown. Value and compute time must be of one kind: of the jobs alone, or with all that depends on
	// them. The Live of dag/value has both kinds: Direct and Priority.
	Efficiency func(template, user string) (efficiency float64, ok bool)
	// Template and User return the template and the user of a job, "" if there is none. Nil means the attributes "template"
	// and "user". Name a template as the source of the efficiencies does, without the date or number of the run. A job whose
	// template is "" or unknown there silently counts as an ad-hoc job of its user. See TemplateOf of package pipeline.
	Template, User func(j *policy.Job) string
}

// NewLookup returns a Ranker that ranks a job once, at its submission, by the known value efficiency of its template
// or user. An unknown job has priority 0 and goes last, with those that are worth nothing. NewLookup returns an error
// if Efficiency is missing.
//
// A rank takes one look-up. The host may replace what Efficiency knows by something newer; waiting jobs keep their priority.
//
// # Source
//
// Wing, section 5, where it is Wing-Agg, if efficiencies are of aggregate values; section 7.2, where it is
// Wing-Direct, if they are of local ones. The paper does not say how a user's first ad-hoc job is ranked.
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

// attribute returns a function that returns the attribute of a job with this name, "" if there is none.
func attribute(name string) func(j *policy.Job) string {
	return func(j *policy.Job) string {
		value, _ := j.Attr(name)
		return value
	}
}

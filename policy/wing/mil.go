package wing

import (
	"errors"
	"math"

	"example.com/augur/dag/value"
	"example.com/augur/policy"
)

// A Valuation is what it is worth to complete a job, and what that takes, see [NewMIL].
type Valuation struct {
	Value value.Function // what it is worth to complete the job at an instant
	// Origin is the instant at which the time of Value is 0: the job's submission for functions that are learnt from
	// other jobs of its template, and 0 for functions of the host's time.
	Origin policy.Time
	// Runtime is how long the job takes from its first start to its completion, ≥ 0.
	Runtime policy.Duration
	// Work is the divisor of the value in core-seconds, ≥ 1e-100: the job's compute time. If Value counts what dependents
	// are worth, as in Wing-Agg, Work must count their compute time too.
	Work float64
}

// MILConfig describes MIL, see [NewMIL]. Value is required.
type MILConfig struct {
	// Value returns the valuation of a submitted job, and false if nothing is known of it. Equal questions must get
	// equal answers, and it should not allocate.
	Value func(j *policy.Job) (v Valuation, ok bool)
	// Unknown ranks jobs that have no Valuation, or one that is out of range. Nil means priority 0. Its priorities are
	// compared with values per core-second: those of a lookup (see [NewLookup]) are on that scale, but users' are not.
	Unknown Ranker
}

// NewMIL returns the ranker Millennium: a job's priority is the value that it would have if it started now,
//
//	V(now + Runtime) / Work
//
// with V, Runtime and Work of the job's [Valuation], so it changes while the job waits, at instants that are known
// beforehand. If Value is what the job itself is worth, the ranker is MIL. If Value also counts the jobs that will read
// its output, and falls as they come and do not find it, the ranker is Wing-MIL.
//
// A job whose value is gone goes last, although other jobs may still wait for it: the paper finds that Wing-MIL gives
// up too early because of this. NewMIL returns an error if a field is missing.
//
// MIL does not use the scheduler's central.Forecast: the Forecast knows only the job itself, and Work may have to
// include its dependents. Better runtimes gain nothing if values fall over days and jobs run for minutes.
//
// # Source
//
// Wing, section 6.2; B. Chun and D. Culler, "User-centric performance analysis of market-based cluster
// batch schedulers", CCGRID 2002.
func NewMIL(c MILConfig) (Ranker, error) {
	if c.Value == nil {
		return nil, errors.New("wing: MILConfig.Value is nil, want a function that predicts value functions")
	}
	if c.Unknown == nil {
		c.Unknown = Fixed(func(*policy.Job) float64 { return 0 })
	}
	return &mil{c}, nil
}

type mil struct{ config MILConfig }

// Rank implements [Ranker].
func (m *mil) Rank(j *policy.Job, now policy.Time) (priority float64, until policy.Time) {
	v, ok := m.config.Value(j)
	if !ok || !v.good() {
		return m.config.Unknown.Rank(j, now)
	}
	shift := plus(int64(v.Runtime), -int64(v.Origin)) // from now to the function's own instant of completion
	at := plus(int64(now), shift)
	priority = v.Value.At(at) / v.Work
	until = policy.Never
	if last, ok := v.Value.Until(at); ok && last >= at {
		until = policy.Time(plus(plus(last, 1), -shift))
	}
	return priority, until
}

// good reports whether a valuation is in range.
func (v *Valuation) good() bool {
	return v.Runtime >= 0 && v.Origin > math.MinInt64 && v.Work >= 1e-100 && v.Work <= math.MaxFloat64
}

// plus returns a + b, saturated.
func plus(a, b int64) int64 {
	sum := a + b
	switch {
	case a > 0 && b > 0 && sum < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && sum >= 0:
		return math.MinInt64 + 1 // its negative is a number too
	}
	return sum
}

package lakelab

import (
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
	"example.com/augur/queue"
)

// template returns the template of a job of the lake, as the history names it.
var template = pipeline.TemplateOf("jobname")

// Agg is Wing-Agg, and Direct Wing-Direct, by the history.
func (l *Lab) Agg() (wing.Ranker, error) { return l.lookup(l.live.Priority) }

// Direct is Wing-Direct.
func (l *Lab) Direct() (wing.Ranker, error) { return l.lookup(l.live.Direct) }

// DirectByCompute is Wing-Direct, but that of jobs worth nothing the one with the smaller median compute time goes first, and
// not the one that came first.
func (l *Lab) DirectByCompute() (wing.Ranker, error) {
	return wing.Fixed(func(j *policy.Job) float64 {
		user, _ := j.Attr("user")
		own, known := l.History.Store.Direct(template(j), user)
		switch {
		case !known:
			return math.Inf(-1)
		case own.Efficiency == 0:
			return -own.Compute
		}
		return own.Efficiency
	}), nil
}

func (l *Lab) lookup(efficiency func(template, user string) (float64, bool)) (wing.Ranker, error) {
	return wing.NewLookup(wing.LookupConfig{Efficiency: efficiency, Template: template})
}

// MIL is MIL, or Wing-MIL if the configuration counts dependents.
func (l *Lab) MIL(c pipeline.ValuationConfig) (wing.Ranker, error) {
	v, err := l.valuations(c)
	if err != nil {
		return nil, err
	}
	return wing.NewMIL(wing.MILConfig{Value: v})
}

func (l *Lab) valuations(c pipeline.ValuationConfig) (func(j *policy.Job) (wing.Valuation, bool), error) {
	history := *l.History
	history.Windowed = history.Windowed.Clone() // which one goroutine may use at a time
	return history.Valuations(c)
}

// Worth ranks jobs by the value that MIL divides by the work, for policies that divide it by the work themselves, such as
// those of gittins.Config.Worth. It is never 0: jobs without a value go last, and of these the shortest goes first.
func (l *Lab) Worth(c pipeline.ValuationConfig) (wing.Ranker, error) {
	v, err := l.valuations(c)
	if err != nil {
		return nil, err
	}
	r, err := wing.NewMIL(wing.MILConfig{Value: func(j *policy.Job) (wing.Valuation, bool) {
		known, ok := v(j)
		known.Work = 1
		return known, ok
	}})
	return worth{r}, err
}

// worth raises priorities to leastWorth.
type worth struct{ wing.Ranker }

// leastWorth is that of a job that is downloaded once in a million runs.
const leastWorth = 1e-6

// Rank implements [wing.Ranker].
func (w worth) Rank(j *policy.Job, now policy.Time) (priority float64, until policy.Time) {
	priority, until = w.Ranker.Rank(j, now)
	return max(priority, leastWorth), until
}

// Raise is what the users say, but that jobs are raised for those that are expected to read
// from them.
func (l *Lab) Raise() (wing.Ranker, error) {
	return wing.NewRaise(wing.RaiseConfig{Ranker: wing.ByPriority(), Dependents: l.History.Foresight()})
}

// Oracle is Wing-Agg, or Wing-Direct, by what is true. If multiplier is not nil, the efficiency of
// each job is multiplied by a number that it returns.
func (l *Lake) Oracle(aggregate bool, multiplier func() float64) (wing.Ranker, error) {
	o, err := l.oracle()
	if err != nil {
		return nil, err
	}
	if multiplier == nil {
		return wing.Fixed(func(j *policy.Job) float64 { return o.efficiency(j, aggregate) }), nil
	}
	// All are drawn beforehand, so that a job has the same one however often it is asked for.
	multipliers := make([]float64, len(o.log.Jobs))
	for i := range multipliers {
		multipliers[i] = multiplier()
	}
	return wing.Fixed(func(j *policy.Job) float64 { return o.efficiency(j, aggregate) * multipliers[j.ID-1] }), nil
}

// OracleMIL is MIL, or Wing-MIL, by what is true.
func (l *Lake) OracleMIL(dependents bool) (wing.Ranker, error) {
	o, err := l.oracle()
	if err != nil {
		return nil, err
	}
	return wing.NewMIL(wing.MILConfig{Value: course{o, dependents}.valuation})
}

// Queues returns those of the organisations. Hard ones never get more than their share; others
// use what is left by others too.
func (l *Lake) Queues(hard bool) []wing.Queue {
	var queues []wing.Queue
	for name, guaranteed := range l.Log.Queues() {
		share := queue.Share{Guaranteed: guaranteed}
		if hard {
			share.Maximum = guaranteed
		}
		queues = append(queues, wing.Queue{Name: name, Share: share})
	}
	return queues
}

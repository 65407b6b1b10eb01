package forecast_test

import (
	"fmt"
	"math"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
)

func TestHostileNumbers(t *testing.T) {
	known := forecast.Known(4)
	isNaN := hostile.Gives(math.NaN())
	notNaN := hostile.Rule(hostile.Any).Or(math.IsNaN, isNaN)
	probability := func(p float64) bool { return p >= 0 && p <= 1 }
	between := func(least, most float64) func(results []any) error {
		return func(results []any) error {
			if x := results[0].(float64); !(x >= least && x <= most) && !math.IsNaN(x) {
				return fmt.Errorf("it is %v, want %v to %v", x, least, most)
			}
			return nil
		}
	}

	job := &policy.Job{
		ID: 1, Attrs: []policy.Attr{{Name: "name", Value: "a"}},
		Stages: []policy.Stage{{Tasks: 2, Cores: 1}, {Tasks: 2, Cores: 1, Gang: true}},
	}
	jobs := hostile.Rules{"ID": hostile.Any, "Submitted": hostile.Any, "Priority": hostile.Any, "Requested": hostile.Any}
	for _, place := range []string{"Tasks", "Cores", "Memory", "Elsewhere"} {
		jobs["Stages[]."+place] = hostile.Any
	}
	instant := hostile.Arg{Name: "now", Value: policy.Time(1e9), Rules: hostile.Rules{"": hostile.Any}}
	var history *forecast.History
	var submitted *central.Job
	of := func(method func(h *forecast.History) any) func() (any, func() string) {
		return func() (any, func() string) {
			h, _ := byName(t, false)
			b := bound(t, h)
			h.Learn(job, 10, 0)
			submitted, _ = b.submit(job)
			history = h
			return method(h), func() string { return hostile.Dump(h) }
		}
	}
	knows := func([]any) error {
		d, ok := history.Predict(job, 0)
		if !ok {
			return fmt.Errorf("nothing is known any more")
		}
		if q := d.Quantile(0.5); !(q >= 0 && q <= math.MaxFloat64) {
			return fmt.Errorf("the median is %v", q)
		}
		return nil
	}

	hostile.Test(t,
		hostile.Call{Name: "Known.CDF", New: hostile.Func(known.CDF), Sane: between(0, 1), Args: []hostile.Arg{hostile.Number("x", 3.0, notNaN)}},
		hostile.Call{Name: "Known.Quantile", New: hostile.Func(known.Quantile), Args: []hostile.Arg{
			hostile.Number("p", 0.5, hostile.Where(probability, isNaN).Or(probability, hostile.Gives(4.0))),
		}},
		hostile.Call{Name: "Known.SurvivalIntegral", New: hostile.Func(known.SurvivalIntegral), Args: []hostile.Arg{
			hostile.Number("a", 1.0, notNaN), hostile.Number("b", 6.0, notNaN),
		}},
		hostile.Call{Name: "History.Predict", New: of(func(h *forecast.History) any { return h.Predict }), Sane: knows, Args: []hostile.Arg{
			{Name: "j", Value: job, Rules: jobs}, instant,
		}},
		hostile.Call{Name: "History.Learn", New: of(func(h *forecast.History) any { return h.Learn }), Sane: knows, Args: []hostile.Arg{
			{Name: "j", Value: job, Rules: jobs}, {Name: "runtime", Value: 20.0, Rules: hostile.Rules{"": hostile.Where(func(x float64) bool { return x >= 0 }, hostile.Ignores)}}, instant,
		}},
		hostile.Call{Name: "History.Runtime", New: of(func(h *forecast.History) any {
			return func(stage uint32) (central.Distribution, bool) { return h.Runtime(submitted, stage) }
		}), Sane: knows, Args: []hostile.Arg{
			hostile.Number("stage", uint32(0), hostile.Only(hostile.Gives(nil, false), 0, 1)),
		}},
	)
}

package threesigma_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"example.com/augur/histogram"
	"example.com/augur/internal/hostile"
	"example.com/augur/internal/hostile/trial"
	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/threesigma/plan"
	"example.com/augur/predict"
)

func TestHostileNumbersOfDistributions(t *testing.T) {
	known := forecast.Known(4)
	seconds := hostile.Rules{"": hostile.NotNegative}
	distribution := hostile.Arg{Name: "d", Value: threesigma.Distribution(known)}
	var empty histogram.Histogram
	// left says whether what is left of a runtime is a distribution.
	left := func(results []any) error {
		d, ok := results[0].(threesigma.Distribution)
		if !ok {
			return nil // nothing is
		}
		for _, x := range []float64{0, 1, 4, 1e18, math.MaxFloat64} {
			if p := d.CDF(x); !(p >= 0 && p <= 1) {
				return fmt.Errorf("CDF(%v) is %v", x, p)
			}
		}
		if q := d.Quantile(1); !(q >= 0) {
			return fmt.Errorf("Quantile(1) is %v", q)
		}
		return nil
	}
	longer := func(x float64) bool { return x >= 4 }
	var increments *threesigma.Increments
	distribution.Rules = hostile.Rules{"": hostile.Any} // values below 0 count as 0, and of NaN nothing is left
	after := distribution
	after.Rules = hostile.Rules{"": hostile.Rule(hostile.Any).Or(math.IsNaN, hostile.Gives(nil, false)).
		Or(func(x float64) bool { return x <= 2 }, hostile.Gives(nil, false))}
	withValues := distribution
	withValues.Rules = hostile.Rules{"": hostile.Rule(hostile.Any).Or(math.IsNaN, hostile.Refuses)}
	hostile.Test(t,
		hostile.Call{
			Name: "After", New: is(threesigma.After), Sane: left,
			Args: []hostile.Arg{after, {Name: "elapsed", Value: 2.0, Rules: hostile.Rules{"": hostile.Where(func(x float64) bool { return !longer(x) }, hostile.Gives(nil, false))}}},
			Cases: []hostile.Case{
				{Name: "no values", Args: []any{&empty, 0.0}, Want: hostile.Gives(nil, false)},
				{Name: "infinite", Args: []any{forecast.Known(math.Inf(1)), 1e18}, Want: hostile.Takes},
			},
		},
		hostile.Call{
			Name: "Increments.After", New: func() (any, func() string) {
				increments = new(threesigma.Increments)
				if _, err := increments.After(known, 5, 1); err != nil {
					t.Fatal(err)
				}
				return increments.After, func() string { return hostile.Dump(increments) }
			}, Sane: func(results []any) error {
				if err := left(results); err != nil {
					return err
				}
				next, err := increments.After(known, 1e6, 1)
				if err != nil {
					return err
				}
				return left([]any{next})
			},
			Args: []hostile.Arg{
				withValues, {Name: "elapsed", Value: 6.0, Rules: seconds},
				{Name: "cycle", Value: 1.0, Rules: hostile.Rules{"": hostile.Positive}},
			},
			Cases: []hostile.Case{{Name: "no values", Args: []any{&empty, 6.0, 1.0}, Want: hostile.Refuses}},
		},
		hostile.Call{
			Name: "AppendProfile", New: is(threesigma.AppendProfile), Sane: func(results []any) error {
				last := 1.0
				for _, x := range results[0].([]float64) {
					if !(x >= 0 && x <= last) {
						return fmt.Errorf("the profile is %v", results[0])
					}
					last = x
				}
				return nil
			},
			Args: []hostile.Arg{
				{Name: "dst", Value: []float64(nil)}, withValues, {Name: "from", Value: 1.0, Rules: seconds},
				{Name: "slots of", Value: 0.5, Rules: hostile.Rules{"": hostile.Positive}}, // so many s
				{Name: "slots", Value: 10, Rules: hostile.Rules{"": hostile.Between(0, 1<<20)}},
			},
			Cases: []hostile.Case{{Name: "no values", Args: []any{nil, &empty, 0.0, 1.0, 3}, Want: hostile.Refuses}},
		},
	)
}

func TestHostileNumbersOfDraft(t *testing.T) {
	var draft *threesigma.Draft
	begun := func(method func(d *threesigma.Draft) any) func() (any, func() string) {
		return func() (any, func() string) {
			draft = must(t, threesigma.NewDraft, threesigma.Window{Width: 2, Slots: 3})
			if err := draft.Begin(10, []float64{5, 4}); err != nil {
				t.Fatal(err)
			}
			return method(draft), func() string { return hostile.Dump(draft) }
		}
	}
	// sane says whether the problem is one that a solver takes, with a job more.
	sane := func([]any) error {
		if err := draft.Problem().Validate(); err != nil {
			return err
		}
		if len(draft.Problem().Capacity) == 0 {
			return draft.Begin(10, []float64{5})
		}
		if _, err := draft.Hold(1, nil, nil, 0); err != nil {
			return err
		}
		return draft.Problem().Validate()
	}
	step := must2(t, threesigma.NewStep, 10.0, 100.0)
	most := must2(t, threesigma.NewStep, plan.MaxUtility, 100.0)
	place := func() plan.Place { return plan.Place{{Pool: 0, Nodes: 3}} }
	places := hostile.Arg{Name: "place", Value: place(), Rules: hostile.Rules{"[].Pool": hostile.Only(hostile.Refuses, 0), "[].Nodes": hostile.Between(0, plan.MaxNodes)}}
	runtime := hostile.Arg{Name: "distribution", Value: threesigma.Distribution(forecast.Known(4)), Rules: hostile.Rules{
		"": hostile.Rule(hostile.Any).Or(math.IsNaN, hostile.Refuses),
	}}
	elapsed := hostile.Arg{Name: "from", Value: 1.0, Rules: hostile.Rules{"": hostile.NotNegative}}
	site := func() []threesigma.Site {
		return []threesigma.Site{{Place: place(), Worth: 0.5, Runtime: forecast.Known(4)}, {Place: place()}}
	}
	wrong := hostile.Where(func(x float64) bool { return x >= 0 && x <= 1e12 }, hostile.Refuses)
	window := hostile.Rules{"Width": hostile.Positive, "Slots": hostile.Between(1, 1<<20)}
	hostile.Test(t,
		hostile.Call{Name: "NewDraft", New: is(threesigma.NewDraft), Args: []hostile.Arg{{Name: "w", Value: threesigma.Window{Width: 2, Slots: 3}, Rules: window}}},
		hostile.Call{
			Name: "Draft.Begin", New: begun(func(d *threesigma.Draft) any { return d.Begin }), Sane: sane, Args: []hostile.Arg{
				{Name: "now", Value: 12.0, Rules: hostile.Rules{"": hostile.Finite}},
				{Name: "nodes", Value: []float64{4, 7}, Rules: hostile.Rules{"[]": hostile.Between(0, plan.MaxNodes)}},
			},
			Cases: []hostile.Case{{Name: "no pools", Args: []any{12.0, nil}, Want: hostile.Refuses}},
		},
		hostile.Call{
			Name: "Draft.Occupy", New: begun(func(d *threesigma.Draft) any { return d.Occupy }), Sane: sane, Args: []hostile.Arg{places, runtime, elapsed},
			Cases: []hostile.Case{
				{Name: "nothing known, for NaN", Args: []any{place(), nil, math.NaN()}, Want: hostile.Refuses},
				{Name: "nothing known", Args: []any{place(), nil, 3.0}, Want: hostile.Takes},
			},
		},
		hostile.Call{
			Name: "Draft.Hold", New: begun(func(d *threesigma.Draft) any { return d.Hold }), Sane: sane,
			Args: []hostile.Arg{{Name: "value", Value: 3.0, Rules: hostile.Rules{"": hostile.Between(-plan.MaxUtility, plan.MaxUtility)}}, places, runtime, elapsed},
			Cases: []hostile.Case{
				{Name: "nothing known, for NaN", Args: []any{1.0, place(), nil, math.NaN()}, Want: hostile.Refuses},
				{Name: "pools that fall", Args: []any{1.0, plan.Place{{Pool: 1, Nodes: 1}, {Pool: 0, Nodes: 1}}, nil, 0.0}, Want: hostile.Refuses},
			},
		},
		hostile.Call{
			Name: "Draft.Offer", New: begun(func(d *threesigma.Draft) any { return d.Offer }), Sane: sane,
			Args: []hostile.Arg{{Name: "u", Value: step}, {Name: "sites", Value: site(), Rules: hostile.Rules{
				"[].Place[].Pool": places.Rules["[].Pool"], "[].Place[].Nodes": hostile.Between(0, plan.MaxNodes), "[].Worth": wrong,
			}}},
			Cases: []hostile.Case{
				{Name: "no sites", Args: []any{step, nil}, Want: hostile.Takes},
				{Name: "NaN at the second site", Args: []any{step, []threesigma.Site{site()[0], {Place: place(), Runtime: forecast.Known(math.NaN())}}}, Want: hostile.Refuses},
				{Name: "the greatest value, where it is worth half", Args: []any{most, site()[:1]}, Want: hostile.Takes},
				{Name: "the greatest value, and nothing known", Args: []any{most, []threesigma.Site{{Place: place()}}}, Want: hostile.Takes},
				{Name: "the greatest value, worth more, and nothing known", Args: []any{most, []threesigma.Site{{Place: place(), Worth: 3}}}, Want: hostile.Refuses},
				{Name: "the greatest value, worth more at once", Args: []any{most, []threesigma.Site{{Place: place(), Runtime: forecast.Known(4)}}}, Want: hostile.Refuses},
				{Name: "more at the second site", Args: []any{most, []threesigma.Site{site()[0], {Place: place(), Worth: 1e300, Runtime: forecast.Known(4)}}}, Want: hostile.Refuses},
			},
		},
	)
}

func TestDraftThatHasNotBegun(t *testing.T) {
	d := must(t, threesigma.NewDraft, threesigma.Window{Width: 2, Slots: 3})
	before := hostile.Dump(d)
	_, held := d.Hold(1, nil, nil, 0)
	_, offered := d.Offer(threesigma.Utility{}, []threesigma.Site{{}})
	for i, err := range []error{d.Occupy(nil, nil, 0), held, offered} {
		if err == nil || !strings.Contains(err.Error(), "Begin") {
			t.Errorf("call %d before Begin: error %v, want one that names it", i, err)
		}
	}
	if after := hostile.Dump(d); after != before {
		t.Errorf("the draft has become %s, from %s", after, before)
	}
}

func TestHostileNumbersOfScheduler(t *testing.T) {
	predictor := func() *predict.Predictor {
		p, err := predict.New(predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	orZero := func(r hostile.Rule) hostile.Rule {
		return r.Or(func(x float64) bool { return x == 0 }, hostile.Takes)
	}
	rules := hostile.Rules{
		"Interval": hostile.Between(0, 876_000*3600e9), "Window.Width": hostile.NotNegative, "Window.Slots": hostile.Between(0, 1<<20),
		"Overestimate.Handling": hostile.Only(hostile.Refuses, 0, 1, 2), "Overestimate.Threshold": hostile.Between(0, 1), "Overestimate.Tail": hostile.NotNegative,
		"BestEffort.Value": hostile.Between(0, 1e6), "BestEffort.Horizon": orZero(hostile.AtLeast(1e6)),
		"Candidates": hostile.NotNegative, "Iterations": hostile.NotNegative, "Seed": hostile.Any,
	}
	anything := hostile.Rules{}
	for place := range rules {
		anything[place] = hostile.Any // it is looked at by NewScheduler
	}
	config := threesigma.Config{Interval: 5 * time.Second, Iterations: 100}
	scheduler := must(t, threesigma.NewScheduler, config)
	hostile.Test(t,
		hostile.Call{
			Name: "NewScheduler", New: is(threesigma.NewScheduler), Args: []hostile.Arg{{Name: "c", Value: config, Rules: rules}},
			Sane: func(results []any) error { return trial.Run(results[0].(*threesigma.Scheduler)) },
		},
		hostile.Call{Name: "System.Configure", New: func() (any, func() string) {
			p := predictor()
			return func(s threesigma.System, c threesigma.Config) (threesigma.Config, error) {
				return s.Configure(c, p, nil)
			}, nil
		}, Args: []hostile.Arg{
			{Name: "system", Value: threesigma.ThreeSigma, Rules: hostile.Rules{"": hostile.Only(hostile.Refuses, 0)}}, {Name: "c", Value: config, Rules: anything},
		}},
		hostile.Call{Name: "Scheduler.Explain", New: is(scheduler.Explain), Args: []hostile.Arg{
			{Name: "id", Value: policy.JobID(1), Rules: hostile.Rules{"": hostile.Always(hostile.Gives(threesigma.Explanation{}, false))}},
		}},
		hostile.Call{Name: "Scheduler.Planned", New: is(scheduler.Planned), Args: []hostile.Arg{
			{Name: "id", Value: policy.JobID(1), Rules: hostile.Rules{"": hostile.Always(hostile.Gives(policy.Time(0), false))}},
		}},
	)
}

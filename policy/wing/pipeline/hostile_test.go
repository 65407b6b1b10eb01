package pipeline_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/internal/hostile"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
)

func TestHostileNumbers(t *testing.T) {
	const day = 24 * time.Hour
	daily := dailyLog(t, 4)
	config := pipeline.Config{
		End: 4 * days, Window: day, Join: day, Hops: 5, Least: 0.5,
		Classes: provenance.ClassConfig{End: 4 * days, Month: day, Months: 3, Submissions: 3, MaxCV: 0.1, Poll: time.Hour, HardShare: 0.9},
		Train:   provenance.TrainConfig{To: 4 * days, Young: day},
	}
	// Instants are before 4 days, the end of all: what begins begins before it, and what ends does by then.
	begins := hostile.Where(func(x float64) bool { return x <= 0 }, hostile.Refuses)
	ends := hostile.Only(hostile.Refuses, 0) // at 0, as the beginning is, it is that of the log
	// asks a Result for all that it tells.
	asks := func(results []any) error {
		r := results[0].(*pipeline.Result)
		valuation, err := r.Valuations(pipeline.ValuationConfig{Dependents: true, Hard: true})
		if err != nil {
			return err
		}
		j := &policy.Job{ID: 1, Attrs: []policy.Attr{{Name: "template", Value: "feed-#"}}}
		if f, ok := valuation(j); ok && (!(f.Work > 0 && f.Work <= math.MaxFloat64) || f.Runtime < 0) {
			return fmt.Errorf("the valuation is %+v", f)
		}
		r.Foresight()(j)
		templates, links := r.Advice()
		_, err = wing.Advise(templates, links, wing.AdviceConfig{})
		return err
	}
	hostile.Test(t,
		hostile.Call{
			Name: "Run", New: func() (any, func() string) {
				return func(c pipeline.Config) (*pipeline.Result, error) { return pipeline.Run(daily, c) },
					func() string { return hostile.Dump(daily) }
			}, Sane: asks,
			Args: []hostile.Arg{{Name: "c", Value: config, Rules: hostile.Rules{
				"Start": begins, "End": hostile.Where(func(x float64) bool { return x > 4*float64(day) }, hostile.Refuses),
				"Join": hostile.NotNegative, "Classes.Start": begins, "Classes.End": ends, "Classes.Month": hostile.Always(hostile.Refuses), // 3 of them are too many
				"Classes.Months": hostile.Only(hostile.Refuses, 0), "Classes.Submissions": hostile.NotNegative, "Classes.MaxCV": hostile.NotNegative.Or(func(x float64) bool { return math.IsInf(x, 1) }, hostile.Takes),
				"Classes.Poll": hostile.NotNegative, "Classes.HardShare": hostile.Where(func(x float64) bool { return x >= 0 && x < 1 }, hostile.Refuses),
				"Train.From": begins, "Train.To": ends, "Train.Young": hostile.NotNegative,
				"Window": hostile.NotNegative, "Least": hostile.Between(0, 1), "Hops": hostile.Between(0, math.MaxUint16),
			}}},
			Cases: []hostile.Case{
				{Name: "zero", Args: []any{pipeline.Config{}}, Want: hostile.Refuses},
				{Name: "all of time", Args: []any{pipeline.Config{Start: math.MinInt64, End: math.MaxInt64}}, Want: hostile.Takes},
			},
		},
		hostile.Call{Name: "Result.Valuations", New: func() (any, func() string) {
			r := dailyResult(t, 4)
			return func(c pipeline.ValuationConfig) error {
				valuation, err := r.Valuations(c)
				if err == nil {
					valuation(&policy.Job{ID: 1, Attrs: []policy.Attr{{Name: "template", Value: "report-#"}}})
				}
				return err
			}, nil
		}, Args: []hostile.Arg{{Name: "c", Value: pipeline.ValuationConfig{Dependents: true, Steps: 3}, Rules: hostile.Rules{"Steps": hostile.NotNegative}}}},
	)
}

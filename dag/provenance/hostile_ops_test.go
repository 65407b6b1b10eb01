package provenance_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/internal/hostile"
)

func TestHostileJoin(t *testing.T) {
	l, found, _ := hostileLog(t)
	times := []provenance.Time{0, 10, 20}
	submitted := provenance.SubmittedAt(times)
	var j *provenance.Join
	of := func(method func() any) func() (any, func() string) {
		return func() (any, func() string) {
			var err error
			if j, err = provenance.NewJoin(provenance.JoinConfig{Window: time.Hour, Submitted: submitted}); err != nil {
				t.Fatal(err)
			}
			for _, op := range []provenance.Op{{Time: 30, Job: 0, Kind: provenance.Write}, {Time: 40, Job: 1}} {
				if _, err := j.Add(nil, op); err != nil {
					t.Fatal(err)
				}
			}
			return method(), func() string { return hostile.Dump(j) }
		}
	}
	// All that was read is told in the end, once, and counted.
	sane := func(results []any) error {
		uses := j.Flush(results[0].([]provenance.Use))
		c := j.Counts()
		if n := int64(len(uses)); n < 1 || n != c.Depend+c.Credited || c.Reads != c.Depend+c.Own+c.Backward+c.Foreign || len(j.Flush(nil)) > 0 {
			return fmt.Errorf("it finds %+v and counts %+v", uses, c)
		}
		return nil
	}
	op := provenance.Op{Time: 50, Job: 1, Kind: provenance.Read}
	rules := hostile.Rules{
		"Time": from(40), "Job": hostile.Only(hostile.Refuses, 0, 1, 2, math.MaxUint32), "File": hostile.Any, "Kind": hostile.Between(0, 1),
	}
	unordered := []provenance.Op{{Time: 30}, {Time: 20}, {Time: 20, File: 1}, {Time: 40}}
	inOrder := func(results []any) error {
		ops := results[0].([]provenance.Op)
		if len(ops) != len(unordered) || !slices.IsSortedFunc(ops, func(a, b provenance.Op) int { return int(a.Time.Sub(b.Time)) }) {
			return fmt.Errorf("it yields %v", ops)
		}
		return nil
	}
	window := hostile.Number("window", time.Hour, hostile.NotNegative)
	anyOp := hostile.Rules{"[].Time": hostile.Any, "[].Job": hostile.Any, "[].File": hostile.Any, "[].Kind": hostile.Any}
	hostile.Test(t,
		hostile.Call{Name: "NewJoin", New: hostile.Func(provenance.NewJoin), Args: []hostile.Arg{
			{Name: "c", Value: provenance.JoinConfig{Window: time.Hour, Submitted: submitted}, Rules: hostile.Rules{"Window": hostile.NotNegative}},
		}, Cases: []hostile.Case{{Name: "no times", Args: []any{provenance.JoinConfig{}}, Want: hostile.Refuses}}},
		hostile.Call{Name: "Join.Add", New: of(func() any { return j.Add }), Sane: sane, Args: []hostile.Arg{
			{Name: "uses", Value: []provenance.Use(nil)}, {Name: "op", Value: op, Rules: rules},
		}, Cases: []hostile.Case{
			{Name: "before the last", Args: []any{nil, provenance.Op{Time: 39}}, Want: hostile.Refuses},
			{Name: "duplicate", Args: []any{nil, provenance.Op{Time: 40, Job: 1}}, Want: hostile.Takes},
		}},
		hostile.Call{Name: "Join.Flush", New: of(func() any {
			return func(uses []provenance.Use) []provenance.Use { return j.Flush(uses) }
		}), Args: []hostile.Arg{{Name: "uses", Value: []provenance.Use{{From: 1, To: 2}}, Rules: hostile.Rules{
			"[].From": hostile.Any, "[].To": hostile.Any, "[].File": hostile.Any, "[].Read": hostile.Any,
		}}}, Sane: func(results []any) error {
			if uses := results[0].([]provenance.Use); len(uses) != 2 || uses[1].To != 1 {
				return fmt.Errorf("it finds %+v", uses)
			}
			return nil
		}},
		hostile.Call{Name: "Find", New: hostile.Func(func(c provenance.JoinConfig) (*provenance.Found, error) {
			return provenance.Find(provenance.Of(l.Ops), c)
		}), Args: []hostile.Arg{{Name: "c", Value: provenance.JoinConfig{Window: time.Hour, Submitted: func(job uint32) (provenance.Time, bool) {
			return provenance.Time(job), true
		}}, Rules: hostile.Rules{"Window": hostile.NotNegative}}}},
		hostile.Call{Name: "Log.Find", New: func() (any, func() string) {
			return l.Find, func() string { return hostile.Dump(l) }
		}, Args: []hostile.Arg{window}, Sane: func(results []any) error {
			_, err := results[0].(*provenance.Found).Graph(len(l.Jobs))
			return err
		}},
		hostile.Call{Name: "InOrder", New: hostile.Func(func(ops []provenance.Op, lateness time.Duration) ([]provenance.Op, error) {
			return collect(provenance.InOrder(provenance.Of(ops), lateness))
		}), Args: []hostile.Arg{
			{Name: "ops", Value: unordered[3:], Rules: anyOp}, hostile.Number("lateness", 10*time.Nanosecond, hostile.NotNegative),
		}, Cases: []hostile.Case{
			{Name: "late by as much as may be", Args: []any{unordered, 10 * time.Nanosecond}, Want: hostile.Takes},
			{Name: "too late", Args: []any{unordered, 9 * time.Nanosecond}, Want: hostile.Refuses},
			{Name: "from the end of time to its beginning", Args: []any{[]provenance.Op{{Time: math.MaxInt64}, {Time: math.MinInt64}}, time.Duration(math.MaxInt64)}, Want: hostile.Refuses},
			{Name: "half of that", Args: []any{[]provenance.Op{{Time: math.MaxInt64}, {Time: 0}}, time.Duration(math.MaxInt64)}, Want: hostile.Takes},
		}},
		hostile.Call{Name: "Of", New: hostile.Func(func(ops []provenance.Op) ([]provenance.Op, error) {
			return collect(provenance.Of(ops))
		}), Args: []hostile.Arg{{Name: "ops", Value: unordered, Rules: anyOp}}, Sane: func(results []any) error {
			if n := len(results[0].([]provenance.Op)); n != len(unordered) {
				return fmt.Errorf("it yields %d operations", n)
			}
			return nil
		}},
		hostile.Call{Name: "SubmittedAt", New: hostile.Func(submitted), Args: []hostile.Arg{
			hostile.Number("job", uint32(1), hostile.Only(hostile.Gives(provenance.Time(0), false), 0, 1, 2)),
		}},
		hostile.Call{Name: "Found.Graph", New: hostile.Func(found.Graph), Args: []hostile.Arg{
			hostile.Number("jobs", 8, hostile.Between(7, 1<<28)),
		}},
		hostile.Call{Name: "Found.Of", New: hostile.Func(found.Of), Args: []hostile.Arg{
			hostile.Number("job", uint32(5), hostile.Only(hostile.Gives([]provenance.Download{}), 5)),
		}},
	)
	mixed, err := collect(provenance.InOrder(provenance.Of(unordered), time.Second))
	if err != nil || inOrder([]any{mixed}) != nil {
		t.Errorf("in order they are %v, %v", mixed, err)
	}
}

func TestHostilePredictions(t *testing.T) {
	l, found, classes := hostileLog(t)
	end := 4 * provenance.Time(month)
	p, err := provenance.Train(l, found.Dependencies, classes, provenance.TrainConfig{To: end})
	if err != nil {
		t.Fatal(err)
	}
	e, err := provenance.Evaluate(p, l, found.Dependencies, classes, provenance.EvaluateConfig{To: end, End: end})
	if err != nil {
		t.Fatal(err)
	}
	nothing := hostile.Gives([]provenance.Prediction(nil))
	some := func(results []any) error {
		if n := len(results[0].([]provenance.Prediction)); n > 1 {
			return fmt.Errorf("it makes %d predictions", n)
		}
		return nil
	}
	score := func(results []any) error {
		s := results[0].(provenance.Score)
		for _, x := range []float64{s.Precision, s.Recall, s.Within20, s.Twice} {
			if !(x >= 0 && x <= 1) {
				return fmt.Errorf("the score is %+v", s)
			}
		}
		if s.RMSE < 0 || s.MedianError < 0 || s.True+s.Missed != 3 {
			return fmt.Errorf("the score is %+v", s)
		}
		return nil
	}
	known := hostile.Only(nothing, 0, 1)
	// Above 1 and at NaN nothing is predicted.
	threshold := hostile.Number("threshold", 0.5, hostile.Always(nothing).Or(func(x float64) bool { return x <= 1 }, hostile.Takes))
	scores := hostile.Number("threshold", 0.5, hostile.Any)
	hostile.Test(t,
		hostile.Call{Name: "Predictor.All", New: hostile.Func(p.All), Args: []hostile.Arg{hostile.Number("template", uint32(0), known)}, Sane: some},
		hostile.Call{Name: "Predictor.Predict", New: hostile.Func(func(template uint32, threshold float64) []provenance.Prediction {
			return p.Predict(nil, template, threshold)
		}), Args: []hostile.Arg{hostile.Number("template", uint32(0), known), threshold}, Sane: some},
		hostile.Call{Name: "Evaluation.At", New: hostile.Func(e.At), Args: []hostile.Arg{scores}, Sane: score},
		hostile.Call{Name: "Evaluation.Best", New: hostile.Func(e.Best), Args: []hostile.Arg{
			{Name: "thresholds", Value: []float64{0.2, 0.3}, Rules: hostile.Rules{"[]": hostile.Any}},
		}, Sane: func(results []any) error {
			if s := results[0].(provenance.Score); math.IsNaN(s.Threshold) || results[1] != true {
				return fmt.Errorf("the best is %+v, %v", s, results[1])
			}
			return score(results)
		}, Cases: []hostile.Case{
			{Name: "none", Args: []any{nil}, Want: hostile.Gives(provenance.Score{}, false)},
			{Name: "none that is a number", Args: []any{[]float64{math.NaN(), math.NaN()}}, Want: hostile.Gives(provenance.Score{}, false)},
		}},
	)
}

func TestHostileLog(t *testing.T) {
	l, _, _ := hostileLog(t)
	var names provenance.Names
	names.Number("a")
	var pairs *provenance.Pairs
	tables := func(write func(l *provenance.Log, b *bytes.Buffer) error) func(l *provenance.Log) error {
		return func(l *provenance.Log) error { return write(l, new(bytes.Buffer)) }
	}
	jobs := ruled(l, hostile.Any).Rules
	ops := hostile.Rules{}
	for place := range jobs {
		ops[place] = hostile.Any
	}
	jobs["Jobs[].Template"], jobs["Jobs[].Priority"] = hostile.Any, hostile.Finite // a name is not needed
	ops["Ops[].Job"], ops["Ops[].File"] = hostile.Only(hostile.Refuses, 0, math.MaxUint32), hostile.Only(hostile.Refuses, 0)
	ops["Ops[].Kind"] = hostile.Between(0, 1)
	hostile.Test(t,
		hostile.Call{Name: "Time.Sub", New: hostile.Func(provenance.Time.Sub), Args: []hostile.Arg{
			hostile.Number("t", provenance.Time(7), hostile.Any), hostile.Number("u", provenance.Time(4), hostile.Any),
		}, Cases: []hostile.Case{
			{Name: "as long as can be", Args: []any{provenance.Time(math.MaxInt64), provenance.Time(-1)}, Want: hostile.Gives(time.Duration(math.MaxInt64))},
			{Name: "as short as can be", Args: []any{provenance.Time(math.MinInt64), provenance.Time(1)}, Want: hostile.Gives(time.Duration(math.MinInt64))},
		}},
		hostile.Call{Name: "Names.Name", New: hostile.Func(names.Name), Args: []hostile.Arg{
			hostile.Number("i", uint32(0), hostile.Only(hostile.Gives(""), 0)),
		}},
		hostile.Call{Name: "Traits.Has", New: hostile.Func(provenance.Traits.Has), Args: []hostile.Arg{
			hostile.Number("t", provenance.Recurring, hostile.Any), hostile.Number("all", provenance.Periodic, hostile.Any),
		}},
		hostile.Call{Name: "Pairs.Add", New: func() (any, func() string) {
			pairs = new(provenance.Pairs)
			pairs.Add(provenance.Use{From: 1, To: 2})
			return pairs.Add, func() string { return hostile.Dump(pairs) }
		}, Args: []hostile.Arg{{Name: "u", Value: provenance.Use{From: 1, To: 2, File: 3, Read: 4}, Rules: hostile.Rules{
			"From": hostile.Any, "To": hostile.Rule(hostile.Any).Or(func(x float64) bool { return x == math.MaxUint32 }, hostile.Ignores),
			"File": hostile.Any, "Read": hostile.Any,
		}}}, Sane: func([]any) error {
			if !pairs.Add(provenance.Use{From: 7, To: 8}) || pairs.Add(provenance.Use{From: 1, To: 2, File: 9}) {
				return errors.New("it forgets pairs")
			}
			return nil
		}},
		hostile.Call{Name: "Log.Until", New: func() (any, func() string) {
			return l.Until, func() string { return hostile.Dump(l) }
		}, Args: []hostile.Arg{hostile.Number("end", provenance.Time(month), hostile.Any)}, Sane: func(results []any) error {
			if _, err := results[0].(*provenance.Log).Find(0); err != nil {
				return err
			}
			return nil
		}},
		hostile.Call{Name: "Log.WriteJobsCSV", New: hostile.Func(tables(func(l *provenance.Log, b *bytes.Buffer) error {
			if err := l.WriteJobsCSV(b); err != nil {
				return err
			}
			r, err := provenance.NewReader(provenance.ReaderConfig{Unit: time.Nanosecond})
			if err == nil && r.JobsCSV("jobs", b) != nil {
				t.Errorf("what is written of %+v is not read: %v", l.Jobs, r.JobsCSV("jobs", b))
			}
			return err
		})), Args: []hostile.Arg{{Name: "job", Value: l, Rules: jobs}}},
		hostile.Call{Name: "Log.WriteOpsCSV", New: hostile.Func(tables(func(l *provenance.Log, b *bytes.Buffer) error { return l.WriteOpsCSV(b) })),
			Args: []hostile.Arg{{Name: "operation", Value: l, Rules: ops}}},
		hostile.Call{Name: "NewReader", New: hostile.Func(provenance.NewReader), Args: []hostile.Arg{
			{Name: "c", Value: provenance.ReaderConfig{Lateness: time.Hour, Unit: time.Millisecond}, Rules: hostile.Rules{
				"Lateness": hostile.NotNegative, "Unit": hostile.Only(hostile.Refuses, 0, 1, 1e3, 1e6, 1e9),
			}},
		}},
	)
}

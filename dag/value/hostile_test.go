package value_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"example.com/augur/dag"
	"example.com/augur/dag/value"
	"example.com/augur/internal/hostile"
)

// chain is 0 → 1 → 2, of jobs worth 1, 2 and 4.
func chain(t *testing.T) *dag.Graph {
	t.Helper()
	g, err := dag.New(3, []dag.Edge{{From: 0, To: 1}, {From: 1, To: 2}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

var amount = hostile.Between(0, value.MaxSum)

func within(what string, x, least, most float64) error {
	if !(x >= least && x <= most) {
		return fmt.Errorf("%s is %v, want something from %v to %v", what, x, least, most)
	}
	return nil
}

func TestHostileAggregates(t *testing.T) {
	g := chain(t)
	dst := []float64{7}
	own := hostile.Arg{Name: "own", Value: []float64{1, 2, 4}, Rules: hostile.Rules{"[]": amount}}
	// The source has all that is its own and all others'.
	sane := func(results []any) error {
		got := results[0].([]float64)
		if len(got) != 4 || got[0] != 7 {
			return fmt.Errorf("it returns %v", got)
		}
		for _, x := range got[1:] {
			if err := within("an aggregate", x, 0, 2*value.MaxSum); err != nil {
				return err
			}
		}
		return nil
	}
	wrong := func(more ...any) (cases []hostile.Case) {
		for name, own := range map[string][]float64{
			"too few": {1, 2}, "too many": {1, 2, 3, 4}, "none": nil, "the last is wrong": {1, 2, math.NaN()}, "together too much": {value.MaxSum, value.MaxSum, 0},
		} {
			cases = append(cases, hostile.Case{Name: name, Args: append([]any{own}, more...), Want: hostile.Refuses})
		}
		return append(cases, hostile.Case{Name: "as much as may be", Args: append([]any{[]float64{0, 0, value.MaxSum}}, more...), Want: hostile.Takes})
	}
	hostile.Test(t,
		hostile.Call{Name: "Aggregate", New: hostile.Func(func(own []float64) ([]float64, error) {
			return value.Aggregate(dst, g, own)
		}), Args: []hostile.Arg{own}, Cases: wrong(), Sane: sane},
		hostile.Call{Name: "Within", New: hostile.Func(func(own []float64, hops int) ([]float64, error) {
			return value.Within(dst, g, own, hops)
		}), Args: []hostile.Arg{own, hostile.Number("hops", 1, hostile.NotNegative)}, Cases: wrong(1), Sane: sane},
	)
	for name, f := range map[string]func() ([]float64, error){
		"Aggregate": func() ([]float64, error) { return value.Aggregate(dst, nil, nil) },
		"Within":    func() ([]float64, error) { return value.Within(dst, nil, nil, 1) },
	} {
		if got, err := f(); err == nil || len(got) != 1 || got[0] != 7 {
			t.Errorf("%s of no graph is %v, %v", name, got, err)
		}
	}
}

func TestHostileFunctions(t *testing.T) {
	drops := []value.Drop{{At: 10, Value: 2}, {At: 5, Value: 3}}
	f, err := value.NewFunction(1, drops)
	if err != nil {
		t.Fatal(err)
	}
	// It never rises, in all of time.
	falls := func(f value.Function) error {
		last := 2 * value.MaxSum
		for _, at := range []int64{math.MinInt64, -1, 0, 5, 6, 10, 11, 1e18, math.MaxInt64} {
			x := f.At(at)
			if err := within(fmt.Sprintf("the value at %d", at), x, 0, last); err != nil {
				return err
			}
			until, ok := f.Until(at)
			if ok && (until < at || f.At(until) != x || until < math.MaxInt64 && f.At(until+1) >= x) {
				return fmt.Errorf("%v at %d until %d, where it is %v", x, at, until, f.At(until))
			}
			last = x
		}
		return nil
	}
	g := chain(t)
	hard := func(d uint32) bool { return d == 2 }
	agg, submitted := []float64{7, 6, 4}, []int64{0, 10, 20}
	hostile.Test(t,
		hostile.Call{Name: "NewFunction", New: hostile.Func(value.NewFunction), Args: []hostile.Arg{
			hostile.Number("rest", 1.0, amount),
			{Name: "drop", Value: drops, Rules: hostile.Rules{"[].At": hostile.Any, "[].Value": amount}},
		}, Sane: func(results []any) error { return falls(results[0].(value.Function)) }, Cases: []hostile.Case{
			{Name: "no drops", Args: []any{1.0, nil}, Want: hostile.Takes}, {Name: "duplicate", Args: []any{1.0, append(drops, drops...)}, Want: hostile.Takes},
			{Name: "together too much", Args: []any{value.MaxSum, drops}, Want: hostile.Takes}, // by as little as is lost in rounding
			{Name: "far too much", Args: []any{value.MaxSum, []value.Drop{{Value: value.MaxSum}}}, Want: hostile.Refuses},
			{Name: "in the end nothing", Args: []any{0.0, []value.Drop{{At: math.MaxInt64, Value: 1}, {At: math.MinInt64, Value: 1}}}, Want: hostile.Takes},
		}},
		hostile.Call{Name: "Function.At", New: hostile.Func(f.At), Args: []hostile.Arg{hostile.Number("t", int64(7), hostile.Any)}, Cases: []hostile.Case{
			{Name: "before all", Args: []any{int64(math.MinInt64)}, Want: hostile.Gives(6.0)}, {Name: "after all", Args: []any{int64(math.MaxInt64)}, Want: hostile.Gives(1.0)},
		}},
		hostile.Call{Name: "Function.Until", New: hostile.Func(f.Until), Args: []hostile.Arg{hostile.Number("t", int64(7), hostile.Any)}, Cases: []hostile.Case{
			{Name: "before all", Args: []any{int64(math.MinInt64)}, Want: hostile.Gives(int64(5), true)}, {Name: "after all", Args: []any{int64(math.MaxInt64)}, Want: hostile.Gives(int64(0), false)},
		}},
		// What values agg has NewFunction says.
		hostile.Call{Name: "Dependents", New: hostile.Func(func(rest float64, j uint32, submitted []int64, agg []float64) ([]value.Drop, float64, error) {
			return value.Dependents(drops[:1:1], rest, g, j, submitted, agg, hard)
		}), Args: []hostile.Arg{
			hostile.Number("rest", 1.0, hostile.Any), hostile.Number("job", uint32(1), hostile.Only(hostile.Refuses, 0, 1, 2)),
			{Name: "submitted", Value: submitted, Rules: hostile.Rules{"[]": hostile.Any}}, {Name: "agg", Value: agg, Rules: hostile.Rules{"[]": hostile.Any}},
		}, Cases: []hostile.Case{
			{Name: "too few submissions", Args: []any{1.0, uint32(1), submitted[:2], agg}, Want: hostile.Refuses},
			{Name: "too few aggregates", Args: []any{1.0, uint32(1), submitted, agg[:2]}, Want: hostile.Refuses},
			{Name: "none", Args: []any{1.0, uint32(1), nil, nil}, Want: hostile.Refuses},
			{Name: "all right", Args: []any{1.0, uint32(1), submitted, agg}, Want: hostile.Gives([]value.Drop{drops[0], {At: 20, Value: 4}}, 1.0, nil)},
		}},
	)
	if got, rest, err := value.Dependents(drops, 1, nil, 0, nil, nil, nil); err == nil || rest != 1 || !slices.Equal(got, drops) {
		t.Errorf("of no graph there are %v, %v, %v", got, rest, err)
	}
}

func TestHostileRecords(t *testing.T) {
	worth := value.Worth{Value: 3, Compute: 4}
	record := value.Record{Template: "a", User: "u", Recurring: true, Known: true, Own: worth, Aggregate: worth, First: time.Second}
	rules := hostile.Rules{"[].First": hostile.NotNegative}
	for _, place := range []string{"[].Own.Value", "[].Own.Compute", "[].Aggregate.Value", "[].Aggregate.Compute"} {
		rules[place] = amount
	}
	adhoc, unknown := record, value.Record{Template: "a", Recurring: true, Own: value.Worth{Value: math.NaN()}, First: -1}
	adhoc.Recurring = false
	nameless := record
	nameless.Template = ""
	for _, c := range []value.Config{{}, {MedianOfRatios: true}} {
		hostile.Test(t, hostile.Call{Name: "Build", New: hostile.Func(func(records []value.Record) (*value.Store, error) {
			return value.Build(records, c)
		}), Args: []hostile.Arg{{Name: "records", Value: []value.Record{record, adhoc, record}, Rules: rules}}, Sane: func(results []any) error {
			s := results[0].(*value.Store)
			for _, p := range s.Templates() {
				if err := cmp.Or(within("value", p.Own.Value, 0, value.MaxSum), within("compute time", p.Aggregate.Compute, 0, value.MaxSum),
					within("efficiency", p.Aggregate.Efficiency, 0, math.Inf(1))); err != nil || p.First < 0 {
					return fmt.Errorf("%+v: %w", p, err)
				}
			}
			var b, again bytes.Buffer
			if err := s.Save(&b); err != nil {
				return err
			}
			other, err := value.Load(bytes.NewReader(b.Bytes()))
			if err != nil {
				return err
			}
			if err := other.Save(&again); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
				return fmt.Errorf("what was saved and loaded is another store: %w", err)
			}
			return nil
		}, Cases: []hostile.Case{
			{Name: "none", Args: []any{nil}, Want: hostile.Takes}, {Name: "no worth known", Args: []any{[]value.Record{unknown}}, Want: hostile.Takes},
			{Name: "a recurring job without Template", Args: []any{[]value.Record{nameless}}, Want: hostile.Refuses},
		}})
	}
}

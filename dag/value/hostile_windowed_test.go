package value_test

import (
	"fmt"
	"math"
	"testing"

	"example.com/augur/dag"
	"example.com/augur/dag/value"
	"example.com/augur/internal/hostile"
)

// windowed is of four jobs, of which only 2 reads another, 1.
func windowed(t *testing.T) (g *dag.Graph, submitted, completed []int64) {
	t.Helper()
	g, err := dag.New(4, []dag.Edge{{From: 1, To: 2}})
	if err != nil {
		t.Fatal(err)
	}
	return g, []int64{10, 10, 15, 10}, []int64{12, 12, 20, 12}
}

// sane says what is wrong with the answers of w, of all jobs and some that there are not.
func sane(w *value.Windowed) error {
	for _, j := range []uint32{0, 1, 2, 3, 4, math.MaxUint32} {
		credits, ok := w.Aggregate(nil, j)
		if ok != w.Valid(j) || ok && j > 3 {
			return fmt.Errorf("job %d has %v, %v", j, credits, ok)
		}
		for _, c := range credits {
			if within("sum", c.Sum, 0, 2*value.MaxSum) != nil || within("what is missed", c.Missed, 0, 2*value.MaxSum) != nil {
				return fmt.Errorf("job %d has %v", j, credits)
			}
		}
		r, err := w.Record(j)
		if (err == nil) != (j < 4) || r.First < 0 || r.Known != ok {
			return fmt.Errorf("the record of job %d is %+v, %v", j, r, err)
		}
		sums := []float64{-1, -1}
		if w.ByHops(sums, j, 0) != ok || ok == (sums[0] == -1) {
			return fmt.Errorf("the sums of job %d by hops are %v", j, sums)
		}
		for d, weight := range w.Reach(j) {
			if err := within("weight", weight, 0, 1); err != nil || d > 3 {
				return fmt.Errorf("job %d reaches %d with %v", j, d, weight)
			}
		}
	}
	return nil
}

func TestHostileWindowed(t *testing.T) {
	g, submitted, completed := windowed(t)
	width := value.Window{Width: 5, End: 100, Least: 0.5}
	quantity := [][]float64{{1, 2, 4, 8}, {1, 1, 1, 1}}
	upTo, from := func(x float64) bool { return x <= 12 }, func(x float64) bool { return x >= 10 }
	with := func(submitted, completed []int64, own ...[]float64) []any {
		return []any{g, submitted, completed, width, own}
	}
	hostile.Test(t,
		hostile.Call{Name: "NewWindowed", New: hostile.Func(value.NewWindowed), Args: []hostile.Arg{
			{Name: "g", Value: g},
			{Name: "job", Value: submitted, Rules: hostile.Rules{"[]": hostile.Where(upTo, hostile.Refuses)}},
			{Name: "job", Value: completed, Rules: hostile.Rules{"[]": hostile.Where(from, hostile.Refuses)}},
			{Name: "w", Value: width, Rules: hostile.Rules{"Width": hostile.NotNegative, "End": hostile.Any, "Least": hostile.Between(0, 1)}},
			{Name: "own", Value: quantity, Rules: hostile.Rules{"[][]": amount}},
		}, Sane: func(results []any) error { return sane(results[0].(*value.Windowed)) }, Cases: []hostile.Case{
			{Name: "no graph", Args: []any{nil, submitted, completed, width, quantity}, Want: hostile.Refuses},
			{Name: "no quantity", Args: with(submitted, completed), Want: hostile.Refuses},
			{Name: "too few submissions", Args: with(submitted[:3], completed, quantity...), Want: hostile.Refuses},
			{Name: "too few completions", Args: with(submitted, completed[:3], quantity...), Want: hostile.Refuses},
			{Name: "too few amounts", Args: with(submitted, completed, quantity[0][:3]), Want: hostile.Refuses},
			{Name: "read before it is submitted", Args: with([]int64{10, 16, 15, 10}, []int64{20, 20, 20, 20}, quantity...), Want: hostile.Refuses},
			{Name: "all of time", Args: with([]int64{math.MinInt64, math.MinInt64, math.MaxInt64, 0},
				[]int64{math.MinInt64, math.MinInt64, math.MaxInt64, math.MaxInt64}, quantity...), Want: hostile.Takes},
			{Name: "as much as may be", Args: with(submitted, completed, []float64{0, value.MaxSum / 2, value.MaxSum / 2, 0}, quantity[0]), Want: hostile.Takes},
		}},
	)
}

func TestHostileJobs(t *testing.T) {
	g, submitted, completed := windowed(t)
	var w *value.Windowed
	of := func(method func() any) func() (any, func() string) {
		return func() (any, func() string) {
			var err error
			if w, err = value.NewWindowed(g, submitted, completed, value.Window{Width: 5, End: 100}, []float64{1, 2, 4, 8}, []float64{1, 1, 1, 1}); err != nil {
				t.Fatal(err)
			}
			return method(), func() string { return "" } // what it keeps while it works does not matter
		}
	}
	job := func(otherwise hostile.Answer) hostile.Arg {
		return hostile.Number("job", uint32(1), hostile.Only(otherwise, 0, 1, 2, 3))
	}
	dst, sums := []value.Credit{{Sum: 7}}, []float64{7, 7}
	none := hostile.Gives(dst, false)
	holds := func([]any) error { return sane(w) }
	hostile.Test(t,
		hostile.Call{Name: "Windowed.Valid", New: of(func() any { return w.Valid }), Args: []hostile.Arg{job(hostile.Gives(false))}, Sane: holds},
		hostile.Call{Name: "Windowed.Record", New: of(func() any { return w.Record }), Args: []hostile.Arg{job(hostile.Refuses)}, Sane: holds},
		hostile.Call{Name: "Windowed.Aggregate", New: of(func() any {
			return func(j uint32) ([]value.Credit, bool) { return w.Aggregate(dst, j) }
		}), Args: []hostile.Arg{job(none)}, Sane: holds},
		hostile.Call{Name: "Windowed.Through", New: of(func() any {
			return func(j, d uint32) ([]value.Credit, bool) { return w.Through(dst, j, d) }
		}), Args: []hostile.Arg{hostile.Number("j", uint32(1), hostile.Only(none, 1)), hostile.Number("d", uint32(2), hostile.Only(none, 2))}, Sane: holds},
		hostile.Call{Name: "Windowed.Reach", New: of(func() any {
			return func(j uint32) (found int) {
				for range w.Reach(j) {
					found++
				}
				return found
			}
		}), Args: []hostile.Arg{job(hostile.Gives(0))}, Sane: holds},
		hostile.Call{Name: "Windowed.ByHops", New: func() (any, func() string) {
			_, _ = of(func() any { return nil })()
			own := append([]float64(nil), sums...)
			return func(j uint32, q int) bool { return w.ByHops(own, j, q) }, func() string { return hostile.Dump(own) }
		}, Args: []hostile.Arg{job(hostile.Gives(false)), hostile.Number("q", 1, hostile.Only(hostile.Gives(false), 0, 1))}, Sane: holds},
	)
	if !w.ByHops(nil, 0, 0) {
		t.Error("no sums are too few")
	}
}

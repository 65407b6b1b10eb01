package dag_test

import (
	"fmt"
	"math"
	"testing"

	"example.com/augur/dag"
	"example.com/augur/internal/hostile"
)

// rhombus is 0 → 1, 2 → 3, and 4 by itself.
var rhombus = []dag.Edge{{From: 0, To: 1}, {From: 0, To: 2}, {From: 1, To: 3}, {From: 2, To: 3}}

func graph(t *testing.T) *dag.Graph {
	t.Helper()
	g, err := dag.New(5, rhombus)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// nodes takes what is a node of the rhombus.
func nodes(otherwise hostile.Answer) hostile.Rule {
	return hostile.Where(func(v float64) bool { return v < 5 }, otherwise)
}

func TestHostileGraph(t *testing.T) {
	g := graph(t)
	under := func(what string, got []uint32) error {
		for _, v := range got {
			if v >= 5 {
				return fmt.Errorf("%s has node %d", what, v)
			}
		}
		return nil
	}
	found := func(results []any) error { return under("it", results[0].([]uint32)) }
	node := hostile.Number("v", uint32(3), nodes(hostile.Panics))
	empty := []uint32{}
	r := dag.NewReach(g)
	reach := hostile.Number("v", uint32(3), nodes(hostile.Gives(empty)))
	hostile.Test(t,
		hostile.Call{Name: "New", New: hostile.Func(dag.New), Args: []hostile.Arg{
			hostile.Number("n", 5, hostile.Between(4, 1<<28)), // the edges need four
			{Name: "edges", Value: rhombus, Rules: hostile.Rules{"[].From": hostile.Between(0, 2), "[].To": hostile.Only(hostile.Refuses)}},
		}, Cases: []hostile.Case{
			{Name: "nothing", Args: []any{0, nil}, Want: hostile.Takes}, {Name: "no edges", Args: []any{3, []dag.Edge{}}, Want: hostile.Takes},
			{Name: "an edge of nothing", Args: []any{0, []dag.Edge{{}}}, Want: hostile.Refuses},
			{Name: "duplicate", Args: []any{4, append(rhombus[:4:4], rhombus...)}, Want: hostile.Takes},
			{Name: "a cycle of one", Args: []any{2, []dag.Edge{{From: 1, To: 1}}}, Want: hostile.Refuses},
			{Name: "too many nodes", Args: []any{1<<28 + 1, nil}, Want: hostile.Refuses},
		}},
		hostile.Call{Name: "Graph.Out", New: hostile.Func(g.Out), Args: []hostile.Arg{node}, Sane: found},
		hostile.Call{Name: "Graph.In", New: hostile.Func(g.In), Args: []hostile.Arg{node}, Sane: found},
		hostile.Call{Name: "Reach.Below", New: hostile.Func(r.Below), Args: []hostile.Arg{{Name: "dst", Value: empty}, reach}, Sane: found},
		hostile.Call{Name: "Reach.Above", New: hostile.Func(r.Above), Args: []hostile.Arg{{Name: "dst", Value: empty}, reach}, Sane: found},
		hostile.Call{Name: "Reach.Path", New: hostile.Func(r.Path), Args: []hostile.Arg{
			hostile.Number("from", uint32(0), nodes(hostile.Gives(false))), hostile.Number("to", uint32(3), nodes(hostile.Gives(false))),
		}},
		hostile.Call{Name: "Shares", New: hostile.Func(dag.Shares(g)), Args: []hostile.Arg{
			{Name: "e", Value: dag.Edge{From: 1, To: 3}, Rules: hostile.Rules{"From": hostile.Any, "To": nodes(hostile.Panics)}},
		}},
	)
	// Nothing is in it, and so nothing is found.
	var zero dag.Graph
	if zero.Len() != 0 || zero.Edges() != 0 || len(zero.Order()) != 0 || dag.Depth(&zero) != 0 {
		t.Errorf("the zero Graph is %+v", zero)
	}
}

func TestHostileWeights(t *testing.T) {
	g := graph(t)
	t.Run("floats", func(t *testing.T) { testHostileWeights(t, g, []float64{1, 2, 3, 4, 5}, math.NaN()) })
	t.Run("whole numbers", func(t *testing.T) { testHostileWeights(t, g, []int64{1, 2, 3, 4, 5}, 0) })
}

// testHostileWeights passes weights, of which any may be: sums wrap, and of NaN there is no sensible
// answer. But there is one for each node, and what dst had is as it was.
func testHostileWeights[W dag.Weight](t *testing.T, g *dag.Graph, weights []W, spoilt W) {
	weight := []hostile.Arg{{Name: "weights", Value: weights, Rules: hostile.Rules{"[]": hostile.Any}}}
	cases := []hostile.Case{
		{Name: "too few", Args: []any{weights[:4]}, Want: hostile.Panics}, {Name: "none", Args: []any{nil}, Want: hostile.Panics},
		{Name: "too many", Args: []any{append(weights[:5:5], 1)}, Want: hostile.Panics},
		{Name: "all spoilt", Args: []any{[]W{spoilt, spoilt, spoilt, spoilt, spoilt}}, Want: hostile.Takes},
	}
	of := func(method func(dst []W, g *dag.Graph, weights []W) []W) func() (any, func() string) {
		return hostile.Func(func(weights []W) []W { return method([]W{7, 8}, g, weights) })
	}
	appended := func(results []any) error {
		if got := results[0].([]W); len(got) != 2+g.Len() || got[0] != 7 || got[1] != 8 {
			return fmt.Errorf("it returns %v", got)
		}
		return nil
	}
	hostile.Test(t,
		hostile.Call{Name: "TopLevels", New: of(dag.TopLevels[W]), Args: weight, Cases: cases, Sane: appended},
		hostile.Call{Name: "BottomLevels", New: of(dag.BottomLevels[W]), Args: weight, Cases: cases, Sane: appended},
		hostile.Call{Name: "WorkBelow", New: of(dag.WorkBelow[W]), Args: weight, Cases: cases, Sane: appended},
		hostile.Call{Name: "CriticalPath", New: hostile.Func(func(bottom []W) []uint32 {
			return dag.CriticalPath(nil, g, bottom)
		}), Args: weight, Cases: cases, Sane: func(results []any) error {
			path := results[0].([]uint32)
			for i, v := range path {
				if v >= 5 || i > 0 && !dag.NewReach(g).Path(path[i-1], v) {
					return fmt.Errorf("the path is %v", path)
				}
			}
			if len(path) != 1 && len(path) != 3 { // node 4, or one through the rhombus
				return fmt.Errorf("the path is %v", path)
			}
			return nil
		}},
	)
}

func TestHostileWalk(t *testing.T) {
	g := graph(t)
	walk := func(hops int) dag.Walk[float64] {
		return dag.Walk[float64]{Algebra: dag.SumProduct[float64](), Weight: dag.Shares(g), Hops: hops}
	}
	var w *dag.Walker[float64]
	of := func(hops int) func() (any, func() string) {
		return func() (any, func() string) {
			var err error
			if w, err = dag.NewWalker(g, walk(hops)); err != nil {
				t.Fatal(err)
			}
			w.From(0)
			return w.From, nil
		}
	}
	// All of the rhombus is found from its source, after whatever was asked before.
	sane := func(hops int) func([]any) error {
		return func([]any) error {
			nodes, weights := w.From(0)
			if want := map[int]int{0: 3, 1: 2}[hops]; len(nodes) != want || len(weights) != want || weights[0] != 1 {
				return fmt.Errorf("from 0 it finds %v with %v", nodes, weights)
			}
			return nil
		}
	}
	source := []hostile.Arg{hostile.Number("source", uint32(0), nodes(hostile.Gives([]uint32(nil), []float64(nil))))}
	noWeight, noAlong, noAcross := walk(0), walk(0), walk(0)
	noWeight.Weight, noAlong.Algebra.Along, noAcross.Algebra.Across = nil, nil, nil
	hostile.Test(t,
		hostile.Call{Name: "NewWalker", New: hostile.Func(dag.NewWalker[float64]), Args: []hostile.Arg{
			{Name: "g", Value: g}, {Name: "walk", Value: walk(1), Rules: hostile.Rules{"Hops": hostile.NotNegative}},
		}, Sane: func(results []any) error {
			w = results[0].(*dag.Walker[float64])
			if nodes, weights := w.From(0); len(nodes) < 2 || len(nodes) != len(weights) {
				return fmt.Errorf("from 0 it finds %v with %v", nodes, weights)
			}
			return nil
		}, Cases: []hostile.Case{
			{Name: "no graph", Args: []any{nil, walk(0)}, Want: hostile.Refuses}, {Name: "no weight", Args: []any{g, noWeight}, Want: hostile.Refuses},
			{Name: "no Along", Args: []any{g, noAlong}, Want: hostile.Refuses}, {Name: "no Across", Args: []any{g, noAcross}, Want: hostile.Refuses},
		}},
		hostile.Call{Name: "Walker.From", New: of(0), Args: source, Sane: sane(0)},
		hostile.Call{Name: "Walker.From", New: of(1), Args: source, Sane: sane(1)},
	)
}

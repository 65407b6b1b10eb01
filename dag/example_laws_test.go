package dag_test

import (
	"fmt"

	"example.com/augur/dag"
)

// An algebra of one's own: how likely is it that something comes through on the best path, and how
// many paths are as good? If nothing can come through an edge, all paths over it are equally bad, and
// their count depends on how they were put together. So they get none.
func ExampleAlgebra_Laws() {
	type way struct {
		chance float64
		paths  int
	}
	better := func(a, b way) way {
		switch {
		case a.chance > b.chance:
			return a
		case a.chance < b.chance:
			return b
		}
		return way{a.chance, a.paths + b.paths}
	}
	naive := dag.Algebra[way]{
		Along:  func(a, b way) way { return way{a.chance * b.chance, a.paths * b.paths} },
		Across: better,
	}
	mended := naive
	mended.Along = func(a, b way) way {
		w := naive.Along(a, b)
		if w.chance == 0 {
			w.paths = 0
		}
		return w
	}
	// Powers of two, so that there is no rounding.
	weights := []way{{0, 0}, {0.25, 1}, {0.5, 1}, {0.5, 2}, {1, 1}}
	same := func(a, b way) bool { return a == b }
	fmt.Println(naive.Laws(append(weights, way{0, 1}), same))
	fmt.Println(mended.Laws(weights, same))

	g, err := dag.New(4, []dag.Edge{{From: 0, To: 1}, {From: 0, To: 2}, {From: 1, To: 3}, {From: 2, To: 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	half := dag.Weigh(nil, g, func(dag.Edge) way { return way{0.5, 1} })
	ways, err := dag.Paths(g, half, mended, dag.AllPaths)
	if err != nil {
		fmt.Println(err)
		return
	}
	to, best := ways.From(0)
	fmt.Println(to, best)
	// Output:
	// dag: Along does not distribute: (x + y) z and x z + y z, of x = {0.25 1}, y = {0.5 1}, z = {0 1}, are {0 1} and {0 2}
	// <nil>
	// [1 2 3] [{0.5 1} {0.5 1} {0.25 2}]
}

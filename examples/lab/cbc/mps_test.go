package cbc

import (
	"strings"
	"testing"

	"example.com/augur/policy/threesigma/plan"
)

// An option without utility has no column, a pool and slot that nothing takes of no row, and a right side of 0 is left out.
func TestMPS(t *testing.T) {
	p := &plan.Problem{
		Capacity: [][]float64{{4, 4}, {2, 0}},
		Jobs: []plan.Job{{
			Profiles: [][]float64{{1, 0.25}},
			Places:   []plan.Place{{{Pool: 0, Nodes: 3}, {Pool: 1, Nodes: 1}}},
			Options:  []plan.Option{{Utility: 5}, {Utility: 2.5, Start: 1}, {Utility: -1}},
		}},
	}
	var out strings.Builder
	if err := writeMPS(p, &out); err != nil {
		t.Fatal(err)
	}
	const want = `NAME augur
ROWS
 N utility
 L j0
 L c0_0
 L c0_1
 L c1_0
 L c1_1
COLUMNS
 x0_0 utility -5
 x0_0 j0 1
 x0_0 c0_0 3
 x0_0 c0_1 0.75
 x0_0 c1_0 1
 x0_0 c1_1 0.25
 x0_1 utility -2.5
 x0_1 j0 1
 x0_1 c0_1 3
 x0_1 c1_1 1
RHS
 RHS j0 1
 RHS c0_0 4
 RHS c0_1 4
 RHS c1_0 2
BOUNDS
 BV BOUND x0_0
 BV BOUND x0_1
ENDATA
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

package plan

import (
	"slices"
	"testing"
)

// What is cut at the last slot is not cheaper for it: job 0 would else start last, and leave the
// rest idle.
func TestGreedyCountsWholeProfiles(t *testing.T) {
	p := &Problem{Capacity: [][]float64{{1, 1}}, Jobs: []Job{
		{Profiles: [][]float64{{1, 1}}, Places: []Place{at(1, 0)}, Options: []Option{{Utility: 5}, {Utility: 4, Start: 1}}},
	}}
	f := flatten(p)
	items := f.items(p)
	slices.SortFunc(items, byDensity)
	if got := f.firstFit(items); got[0] != 0 {
		t.Errorf("option %d, want that which starts first", got[0])
	}
}

// One order is better here, and the other there.
func TestGreedyOrders(t *testing.T) {
	small := Job{Profiles: [][]float64{{1}}, Places: []Place{at(1, 0)}, Options: []Option{{Utility: 2}}}
	large := Job{Profiles: [][]float64{{1}}, Places: []Place{at(2, 0)}, Options: []Option{{Utility: 3}}}
	for _, c := range []struct {
		name string
		jobs []Job
		want float64
	}{
		{"two small ones are worth more", []Job{large, small, small}, 4},
		{"one large one is worth more", []Job{large, small}, 3},
	} {
		p := &Problem{Capacity: [][]float64{{2}}, Jobs: c.jobs}
		if s, err := (Greedy{}).Solve(t.Context(), p, SolveConfig{}); err != nil || s.Objective != c.want {
			t.Errorf("%s: %v, %v, want %v", c.name, s.Objective, err, c.want)
		}
	}
}

package plan

import (
	"strings"
	"testing"
)

// What plans and solvers promise.
func TestPromises(t *testing.T) {
	t.Run("Value adds up the utilities of a choice that fits, and refuses any other", valueOfChoices)
	t.Run("solvers that prove find the best plan, and Greedy finds a plan and a bound", solversAgainstBruteForce)
	t.Run("a search that is stopped early has a plan, and its bound holds", stopped)
	t.Run("a problem that is not as it must be is refused by every solver, and nothing is chosen", refusesProblems)
	t.Run("Search finds the same on every processor", searchGolden)
}

func valueOfChoices(t *testing.T) {
	p := &Problem{
		Capacity: [][]float64{{4, 3}, {0, 2}},
		Jobs: []Job{
			{Profiles: [][]float64{{1, 0.5}}, Places: []Place{at(4, 0), at(2, 1)}, Options: []Option{{Utility: 5}, {Utility: 3, Place: 1, Start: 1}}},
			{Profiles: [][]float64{{1, 1, 1}}, Places: []Place{at(1, 0), at(2, 0), at(1e-9, 1), {{0, 3}, {1, 2}}}, Options: []Option{
				{Utility: 2, Start: 1}, {Utility: -1, Place: 1, Start: 1}, {Utility: 7, Place: 2}, {Utility: 1, Place: 3, Start: 1},
			}},
		},
	}
	for _, c := range []struct {
		name   string
		choice []int
		want   float64
		err    string
	}{
		{"nothing", []int{None, None}, 0, ""},
		{"one", []int{0, None}, 5, ""},
		{"just fits", []int{0, 0}, 7, ""},
		{"a negative utility counts", []int{1, 1}, 2, ""},
		{"too few", []int{0}, 0, "1 choices for 2 jobs"},
		{"too many", []int{0, 0, 0}, 0, "3 choices for 2 jobs"},
		{"of two pools", []int{None, 3}, 1, ""},
		{"no such option", []int{0, 4}, 0, "choice 4 of job 1"},
		{"negative, and not None", []int{-2, 0}, 0, "choice -2 of job 0"},
		{"over capacity", []int{0, 1}, 0, "pool 0 has 3 nodes in slot 1, and the choice takes 4: 1 too many"},
		{"over the capacity of one of two pools", []int{1, 3}, 0, "pool 1 has 2 nodes in slot 1, and the choice takes 4"},
		{"a capacity of 0 has no tolerance", []int{None, 2}, 0, "pool 1 has 0 nodes in slot 0"},
	} {
		got, err := p.Value(c.choice)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, %v, want %v, %q", c.name, got, err, c.want, c.err)
		}
	}
	p.Jobs[0].Places[0][0].Nodes = 4 * (1 + 0.9e-9)
	if _, err := p.Value([]int{0, None}); err != nil {
		t.Errorf("within the tolerance: %v", err)
	}
	p.Jobs[0].Places[0][0].Nodes = 4 * (1 + 1.1e-9)
	if _, err := p.Value([]int{0, None}); err == nil {
		t.Errorf("beyond the tolerance: no error")
	}
	p.Jobs[1].Options[0].Profile = 9
	if _, err := p.Value([]int{None, None}); err == nil || !strings.Contains(err.Error(), "profile 9") {
		t.Errorf("the problem is invalid: %v", err)
	}
}

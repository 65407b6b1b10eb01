package plan

import (
	"math"
	"testing"
)

// alone runs the tree and nothing else, from a plan that chooses nothing, after so many looks at
// the prices.
func alone(t *testing.T, p *Problem, passes, nodes int) (value float64, done bool, steps int) {
	r := newRun(t.Context(), p, SolveConfig{})
	if len(r.f.live) == 0 {
		return 0, true, 0
	}
	r.moves = newMoves(r.f, 0)
	for range 1 + passes {
		r.dual.pass(r.all, 0)
	}
	tree := newTree(r)
	for steps < nodes && !done {
		done = tree.branch(r.moves)
		steps++
	}
	return r.moves.bestValue, done, steps
}

func TestTreeAgainstBruteForce(t *testing.T) {
	n := uint64(900)
	if testing.Short() {
		n = 225
	}
	deep := 0
	for seed := range n {
		p := small(seed, n, 10)
		want := milp(p)
		got, done, steps := alone(t, p, int(seed%30), 100000)
		if !done || math.Abs(got-want) > 1e-8 {
			t.Fatalf("seed %d: %v, done %v, want %v", seed, got, done, want)
		}
		if steps > 5 {
			deep++
		}
	}
	if deep < int(n)/100 {
		t.Errorf("only %d trees have more than five nodes", deep)
	}
}

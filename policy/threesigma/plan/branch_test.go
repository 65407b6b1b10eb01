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

// Progress never falls, from 0 to 1.
func TestProgress(t *testing.T) {
	p := instance(shapes[0].shape, 3)
	r := newRun(t.Context(), p, SolveConfig{})
	for range 50 {
		r.dual.pass(r.all, 0)
	}
	tree := newTree(r)
	last, steps := tree.progress(), 0
	if last != 0 {
		t.Errorf("it begins with %v", last)
	}
	for ; steps < 100000 && !tree.branch(r.moves); steps++ {
		now := tree.progress()
		if tree.depth == 0 {
			break
		}
		if now < last-1e-12 || now > 1+1e-12 {
			t.Fatalf("after %d nodes: from %v to %v", steps, last, now)
		}
		last = now
	}
	// The end comes early: ways that are closed by a better plan are not counted one by one.
	if tree.depth > 0 || steps < 100 || last < enough {
		t.Errorf("%d nodes are left on the path after %d, at %v", tree.depth, steps, last)
	}
}

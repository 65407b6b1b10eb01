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
	const n = 900
	deep := 0
	for seed := range uint64(n) {
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
	if deep < n/100 {
		t.Errorf("only %d trees have more than five nodes", deep)
	}
}

// The tree alone proves a plan in as many nodes as ever. A change that lets it look less well ahead takes more, or fewer
// that miss the best plan.
func TestTreeGolden(t *testing.T) {
	for _, c := range []struct {
		jobs  int
		sets  bool
		nodes int
	}{{20, false, 7467}, {12, true, 233}} {
		if _, done, nodes := alone(t, plain(1, c.jobs, c.sets), 200, 20000); !done || nodes != c.nodes {
			t.Errorf("%d jobs, sets %v: done %v after %d nodes, want %d", c.jobs, c.sets, done, nodes, c.nodes)
		}
	}
}

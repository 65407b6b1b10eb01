package plan

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"
)

// alone runs the tree and nothing else, from a plan that chooses nothing, after so many looks at
// the prices.
func alone(t *testing.T, p *Problem, passes, nodes int) (value float64, done bool, steps int) {
	r := newRun(t.Context(), p, SolveConfig{}, Search{})
	if len(r.f.live) == 0 {
		return 0, true, 0
	}
	r.moves = newMoves(r.f, len(p.Jobs), 0)
	for range 1 + passes {
		r.dual.pass(t.Context(), r.all, 0)
	}
	tree := newTree(r)
	for steps < nodes && !done {
		done = tree.branch(t.Context(), r.moves)
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
		want := brute(p)
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
	r := newRun(t.Context(), p, SolveConfig{}, Search{})
	for range 50 {
		r.dual.pass(t.Context(), r.all, 0)
	}
	tree := newTree(r)
	last, steps := tree.progress(), 0
	if last != 0 {
		t.Errorf("it begins with %v", last)
	}
	for ; steps < 100000 && !tree.branch(t.Context(), r.moves); steps++ {
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

// Problems of 20 jobs are solved to proof, and neither the best plan of cbc nor its bound, which it
// has after a while, says otherwise.
func TestProofAgainstCBC(t *testing.T) {
	t.Parallel()
	cbc := cbcOrSkip(t)
	for seed := range uint64(2) {
		p := instance(shapes[0].shape, seed)
		s, err := Search{}.Solve(t.Context(), p, SolveConfig{})
		if err != nil || !s.Proved || judge(p, s) != nil {
			t.Fatalf("seed %d: %v, %v, proved %v", seed, err, judge(p, s), s.Proved)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		other, err := cbc.Solve(ctx, p, SolveConfig{})
		cancel()
		if err != nil {
			t.Fatalf("seed %d: cbc: %v", seed, err)
		}
		// cbc's own tolerance is one part in 10^6 or so.
		if s.Objective < other.Objective*(1-1e-5) || s.Objective > other.Bound*(1+1e-5) {
			t.Errorf("seed %d: %v, and cbc has %v, and %v as its bound", seed, s.Objective, other.Objective, other.Bound)
		}
	}
}

// Neither solver has a plan that is better than the bound of the other, if gangs are spread over
// sets of partitions and neither may have come to its end.
func TestSetsAgainstCBC(t *testing.T) {
	t.Parallel()
	cbc := cbcOrSkip(t)
	for seed := range uint64(2) {
		p := instance(shapes[6].shape, seed)
		s, err := Search{}.Solve(t.Context(), p, SolveConfig{Iterations: 5000, Seed: seed})
		if err != nil || judge(p, s) != nil {
			t.Fatalf("seed %d: %v, %v", seed, err, judge(p, s))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		other, err := cbc.Solve(ctx, p, SolveConfig{Start: s.Choice})
		cancel()
		if err != nil || judge(p, other) != nil {
			t.Fatalf("seed %d: cbc: %v, %v", seed, err, judge(p, other))
		}
		if s.Objective > other.Bound*(1+1e-5) || other.Objective > s.Bound*(1+1e-5) {
			t.Errorf("seed %d: %v to %v, and cbc has %v to %v", seed, s.Objective, s.Bound, other.Objective, other.Bound)
		}
		t.Logf("seed %d: %.6g to %.6g, cbc %.6g to %.6g", seed, s.Objective, s.Bound, other.Objective, other.Bound)
	}
}

// What is proposed need not be good, but what is then kept fits.
func TestPropose(t *testing.T) {
	p := instance(shapes[1].shape, 4)
	f := flatten(t.Context(), p, nil)
	m := newMoves(f, len(p.Jobs), 0)
	m.begin(slices.Repeat([]int{None}, len(p.Jobs)))
	first, plan := m.bestValue, slices.Clone(m.choice)
	m.propose(nil)
	if m.bestValue < first || m.bestValue == first && !slices.Equal(m.choice, plan) {
		t.Errorf("from %v to %v, or another plan is kept that is no better", first, m.bestValue)
	}
	for range 300 {
		m.step(math.Inf(1))
	}
	better := slices.DeleteFunc(slices.Clone(m.best), func(o int32) bool { return o == none })
	again := newMoves(f, len(p.Jobs), 1)
	again.propose(better)
	if again.bestValue < m.bestValue*(1-1e-12) {
		t.Errorf("a plan worth %v is proposed, and %v kept", m.bestValue, again.bestValue)
	}
}

func BenchmarkTree(b *testing.B) {
	p := instance(shapes[0].shape, 1)
	b.ReportAllocs()
	for b.Loop() {
		s, err := Search{}.Solve(b.Context(), p, SolveConfig{})
		if err != nil || !s.Proved {
			b.Fatal(err, s.Proved)
		}
	}
}

package plan

import (
	"math"
	"slices"
	"testing"
)

// What a probe says of an option is no less than the best plan that has it, and no more than what
// is said without it; what it leaves out is in no better plan than the best that is known.
func TestProbeAgainstBruteForce(t *testing.T) {
	const n = 450
	looked, lower, out := 0, 0, 0
	for seed := range uint64(n) {
		p := small(seed, n, 16)
		r := newRun(t.Context(), p, SolveConfig{})
		if len(r.f.live) == 0 {
			continue
		}
		for range 1 + seed%30 {
			r.dual.pass(r.all, 0)
		}
		tree := newTree(r)
		l := &tree.path[0]
		for _, best := range []float64{0, milp(p) * 0.9} {
			prepare(tree, l, r.dual)
			for i, j := range l.region.jobs {
				without := r.dual.bound - r.dual.left[i]
				ways := slices.Clone(tree.probe.ways(l, nominee{place: i, left: r.dual.left[i]}, best))
				for o := int32(none); o < int32(len(r.f.opts)); o++ {
					if o != none && r.f.opts[o].job != j {
						continue
					}
					most, bound := with(p, r.f, j, o), without
					if o != none {
						bound += tree.probe.left[o]
					}
					looked++
					k := slices.IndexFunc(ways, func(a alternative) bool { return a.opt == o })
					switch {
					case k < 0 && most > best+1e-8:
						t.Fatalf("seed %d: option %d of job %d is left out, with it a plan has %v, and the best %v", seed, o, j, most, best)
					case k < 0:
						out++
					case ways[k].bound < most-1e-8 || ways[k].bound > bound+1e-8:
						t.Fatalf("seed %d: option %d of job %d has bound %v, want %v to %v", seed, o, j, ways[k].bound, most, bound)
					case ways[k].bound < bound-1e-6:
						lower++
					}
				}
			}
		}
	}
	t.Logf("%d looks, %d bounds are lower, %d ways are left out", looked, lower, out)
	if lower < 200 || out < 200 {
		t.Errorf("of %d bounds %d are lower, and %d ways are left out, want more", looked, lower, out)
	}
}

// prepare notes all options of a node at the best prices of d, as decide does.
func prepare(t *tree, l *level, d *dual) {
	t.probe.begin(l, d.bound)
	for i := range l.region.jobs {
		for _, o := range l.region.list[i] {
			t.probe.note(i, o, t.f.opts[o].utility-t.f.opts[o].cost(d.best, math.Inf(1)))
		}
	}
}

// with returns the most that a plan has in which a job has an option, or none.
func with(p *Problem, f *flat, job, o int32) float64 {
	forced := &Problem{Capacity: p.Capacity, Jobs: slices.Clone(p.Jobs)}
	forced.Jobs[job].Options = nil
	if o == none {
		return milp(forced)
	}
	// A utility that no plan can do without.
	const much = 1e4
	opt := p.Jobs[job].Options[f.opts[o].index]
	opt.Utility += much
	forced.Jobs[job].Options = []Option{opt}
	return milp(forced) - much
}

// Few ways come first, then much that is left, then what came first.
func TestNominate(t *testing.T) {
	var p probe
	for _, n := range []nominee{{0, 3, 1}, {1, 2, 1}, {2, 3, 2}, {3, 2, 1}, {4, 9, 9}, {5, 2, 0.5}, {6, 1, 0}} {
		p.nominate(n)
	}
	want := []nominee{{6, 1, 0}, {1, 2, 1}, {3, 2, 1}}
	if !slices.Equal(p.nominees, want) {
		t.Errorf("%v, want %v", p.nominees, want)
	}
}

package plan

import (
	"context"
	"math"
)

// Search is the solver to take by default. It finds a good answer quickly, a better one the longer it may search, and
// a bound that says how good the answer is. The zero Search is ready to use. It keeps nothing between calls;
// goroutines may share it.
//
// It alternates between three methods:
//
//   - It seeks prices for nodes that lower the bound of the Lagrangian dual. The prices of the last Solution are a
//     good start if the problem has changed little.
//   - It changes a plan a little at a time. It takes out a few jobs that compete for nodes and puts them back in
//     another order, first fit, options that leave most at the prices first; or it forces in an option, and moves
//     jobs of little worth that are in its way. It keeps a plan that is somewhat worse; how much worse falls to 0,
//     first in short cycles, then in longer ones.
//   - If there are few jobs, it runs branch and bound on the same dual, until it is proved that no plan is better.
//
// An iteration, for SolveConfig.Iterations, is one step of any of them: one pass over the prices, one change, one
// branch. A pass takes O(options × shares × slots) time, and the others mostly far less. With Iterations and a ctx
// that does not end, the answer depends only on the Problem, the SolveConfig and the Search, to the last bit, on any
// processor. Without Iterations Solve ends with ctx, or with a proof: if the problem is too large for that, pass a
// ctx that ends.
//
// The bound is that of a relaxation. On large problems it stays 1 to 5 % above the best plan however long the search:
// a gap of that size says little about the plan. Twenty jobs that compete are proved in seconds, forty hardly ever.
// Solution.State is [Prices]. Memory is O(options × shares + pools × slots), for the shares of a place, and less than
// 100 times that with a tree.
//
// # Source
//
// The problem is that of 3Sigma, section 4.3, which passes it to an external solver; this method is ours. It builds
// on others: the bound and the prices come from B. T. Polyak, "Minimization of
// unsmooth functionals", USSR Computational Mathematics and Mathematical Physics 9(3), 1969, and M.
// Held, P. Wolfe and H. P. Crowder, "Validation of subgradient optimization", Mathematical
// Programming 6, 1974; taking out jobs that are near one another and putting them back with options
// left out at random, from J. Christiaens and G. Vanden Berghe, "Slack induction by string removals
// for vehicle routing problems", Transportation Science 54(2), 2020; a threshold instead of
// annealing from G. Dueck and T. Scheuer, "Threshold accepting", Journal of Computational Physics
// 90(1), 1990.
type Search struct{}

var _ Solver = Search{}

const (
	worse       = 0.03 // share of the best by which a plan that is kept may be worse, at the start of a cycle
	maxTreeJobs = 100  // up to how many jobs there is branch and bound
)

// Solve implements [Solver].
func (Search) Solve(ctx context.Context, p *Problem, o SolveConfig) (Solution, error) {
	if err := p.validate(o); err != nil {
		return Solution{}, err
	}
	r := newRun(ctx, p, o)
	r.run()
	return r.solution(p), nil
}

// A run is one call of Solve.
type run struct {
	ctx    context.Context
	f      *flat
	all    *region
	dual   *dual
	moves  *moves
	tree   *tree // nil: none
	budget int   // of iterations; 0: none
	count  int   // iterations done
	proved bool
}

func newRun(ctx context.Context, p *Problem, o SolveConfig) *run {
	f := flatten(p)
	r := &run{ctx: ctx, f: f, all: whole(f), dual: newDual(f), budget: o.Iterations}
	r.dual.begin(warm(o.Warm, len(p.Capacity), p.slotCount()), len(f.live))
	r.moves = newMoves(f, o.Seed)
	r.moves.begin(o.Start)
	return r
}

// over reports whether the run must end: nothing is left to find, or time is up.
func (r *run) over() bool {
	return r.proved || r.budget > 0 && r.count >= r.budget || r.ctx.Err() != nil
}

// Shares of the work, measured in products, which stand for time. The three methods take turns by their shares, so a
// run that is stopped at any time has had some of each.
const (
	firstPasses = 8 // looks at the prices before the first change: they steer the changes
	passShare   = 2 // until they are found, the prices have one part of so many of the work
	thinTree    = 5 // then the tree has, if there is one,
	thickTree   = 2 // or this, when enough is done that it may come to its end
	enough      = 1e-3
)

// work returns the work of all methods so far.
func (r *run) work() int64 {
	w := r.dual.work + r.moves.work
	if r.tree != nil {
		w += r.tree.dual.work
	}
	return w
}

func (r *run) run() {
	if len(r.f.live) == 0 {
		r.proved = true
		return
	}
	passes := 0
	for !r.over() {
		switch work := r.work(); {
		case !r.dual.done() && (passes < firstPasses || r.dual.work < work/passShare):
			r.dual.pass(r.all, r.moves.bestValue)
			if passes++; passes&(passes-1) == 0 && passes >= firstPasses || r.dual.done() {
				r.moves.follow(r.dual.best)
			}
			r.proved = closed(r.dual.bound, r.moves.bestValue)
		case r.tree != nil && r.tree.dual.work < work/r.tree.share:
			r.proved = r.tree.branch(r.moves)
		case r.tree == nil && r.dual.done() && len(r.f.live) <= maxTreeJobs:
			r.tree = newTree(r)
			continue
		default:
			r.moves.step(r.threshold())
		}
		r.count++
	}
}

// margin is the share of the best value by which a bound may be larger and still count as equal: both are rounded,
// and the bound is for capacities with their slack.
const margin = tolerance

// closed reports whether the bound proves that no plan is better than the best, which has this value.
func closed(bound, value float64) bool { return bound <= value+margin*math.Abs(value) }

// Cycles of the threshold. Without a budget the remaining time is unknown, so each cycle is longer than the one
// before: whenever the run ends, a good part of it was a completed cycle.
const (
	firstCycle = 2000 // changes
	growth     = 2
)

// threshold returns how much less than the best a plan may be worth to be kept.
func (r *run) threshold() float64 {
	at, length := r.count, r.budget
	if r.budget == 0 {
		at, length = r.moves.count, firstCycle
		for at >= length {
			at -= length
			length *= growth
		}
	}
	// A power falls much as an exponential would, which is not the same on all processors.
	left := 1 - float64(at)/float64(length)
	cube := left * left * left
	return worse * r.moves.bestValue * cube * cube
}

func (r *run) solution(p *Problem) Solution {
	s := r.f.solution(r.moves.best)
	s.Bound, s.Proved = max(r.dual.bound, s.Objective), r.proved
	if r.proved {
		s.Bound = s.Objective
	}
	s.State = newPrices(r.dual.best, len(p.Capacity), p.slotCount())
	return s
}

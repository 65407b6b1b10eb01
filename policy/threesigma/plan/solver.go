package plan

import "context"

// A Solver solves problems. The error is about a problem or a config that are not as they must be, or of
// what the solver is made of. It is no error if ctx or the budget ends: the Solution is then the
// best that was found, choosing nothing at the least. Solvers read no clock but that of ctx, and keep
// nothing of the problem.
type Solver interface {
	Solve(ctx context.Context, p *Problem, o SolveConfig) (Solution, error)
}

// A SolveConfig says how long to look, and where to begin.
type SolveConfig struct {
	// Iterations bounds the work, so that runs repeat; what one is, the solver says. 0: until ctx ends
	// or it is proved that there is nothing better.
	Iterations int
	// Start is a choice to begin with, as Solution.Choice has it; what of it does not fit is left out. Nil: none.
	Start []int
	// Warm is the State of the last Solution, of a problem like this one; a solver that does not know it
	// does without. Nil: none.
	Warm any
	// Seed is that of whatever is drawn at random.
	Seed uint64
}

// A Solution is an answer.
type Solution struct {
	Choice    []int   // by job: an index of its options, or None
	Objective float64 // the sum of the utilities chosen
	Bound     float64 // no choice has a greater one; +Inf if that is not known
	Proved    bool    // no choice has a greater one than this: up to rounding, Bound is Objective
	State     any     // for SolveConfig.Warm
}

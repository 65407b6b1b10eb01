// Package plan decides which jobs start where and when, if each may start in several ways. It has the optimisation
// problem of 3Sigma's scheduler as plain data, and solvers for it. Make a [Problem], and let [Search] solve it:
//
//	solution, err := plan.Search{}.Solve(ctx, &problem, plan.SolveConfig{Iterations: 1000})
//	...
//	option := solution.Choice[job] // plan.None: the job waits
//
// At most one [Option] of each job is chosen. It has a utility, and a [Place] that says how many nodes it takes of which
// pools, from a slot of time on, fewer and fewer as it becomes likely that the job has ended. What is taken must not
// exceed what a pool has in any slot, and the sum of utilities is to be as great as possible: a multiple-choice
// multi-dimensional knapsack problem with weights that are not negative.
//
// # The MILP
//
// Let I(j,o) be 1 if option o of job j is chosen, and else 0, U the utilities, k the nodes that the option takes of
// pool p, R its profile and C what is free:
//
//	greatest  Σ U(j,o)·I(j,o)                           over all jobs j and options o
//	so that   Σ I(j,o) ≤ 1                              over the options of each job
//	          Σ k(j,o,p)·R(j,o,t-start)·I(j,o) ≤ C(p,t) in each pool p and slot t
//
// where t - start is how many slots ago the option began, and an option that has not begun takes nothing.
// [Problem.Value] is this as a plain function.
//
// # Where to begin to read
//
// milp.go is the problem: what a choice must keep to, and what it is worth. greedy.go solves it in a hundred lines. Search
// (search.go) alternates between three methods, each in a file: changes of a plan (search_moves.go, search_step.go), prices of
// nodes (lagrangian.go) and, of small problems, branch and bound (branch.go). flat.go is the problem in the form that all of
// them read.
//
// # When not to use it
//
// If jobs only need to start in some order as soon as there is room, a queue does that without a plan. Finding the
// best choice is NP-hard: [Search] comes near it, says how near, and proves small problems optimal; an external
// solver may prove more (examples/lab/cbc runs one). Slots are indivisible, and nodes of a pool are counted, not
// distinguished.
//
// # Cost
//
// A Problem takes 24 bytes an option and 8 for each slot of each profile, which options share. [Greedy] sorts the
// options in two ways, and tries each once in both orders. [Search] takes as long as its budget says, of Iterations or
// of ctx.
//
// # Source
//
// 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma:
// distribution-based cluster scheduling for runtime uncertainty", technical report
// CMU-PDL-17-107, 2017, section 4.3.
package plan

import (
	"context"
	"fmt"
)

// None is the choice of no option.
const None = -1

// A Solver solves problems. It returns an error if the problem or the config is invalid, or if the solver itself
// fails. It returns no error if ctx or the budget ends: the Solution is then the best that was found, at least the
// choice of nothing. Solvers read no clock except that of ctx, and keep nothing of the problem.
type Solver interface {
	Solve(ctx context.Context, p *Problem, o SolveConfig) (Solution, error)
}

// A SolveConfig says how long to search, and where to begin.
type SolveConfig struct {
	// Iterations bounds the work, so that runs repeat, ≥ 0; each solver defines its iterations. 0: until ctx ends or
	// the best is proved.
	Iterations int
	// Start is a choice to begin with, like Solution.Choice; what does not fit is left out. Nil: none.
	Start []int
	// Warm is the State of the last Solution of a similar problem; a solver that does not know it ignores it. Nil:
	// none.
	Warm any
	// Seed seeds all random choices.
	Seed uint64
}

// A Solution is a choice and its value.
type Solution struct {
	Choice    []int   // by job: an index of its options, or None
	Objective float64 // the sum of the utilities chosen
	Bound     float64 // no choice has a greater one; +Inf if that is not known
	Proved    bool    // no choice has a greater Objective: up to rounding, Bound is Objective
	State     any     // for SolveConfig.Warm
}

// validate checks the arguments of all solvers.
func (p *Problem) validate(o SolveConfig) error {
	if o.Iterations < 0 {
		return fmt.Errorf("plan: %d Iterations, want at least 0", o.Iterations)
	}
	return p.Validate()
}

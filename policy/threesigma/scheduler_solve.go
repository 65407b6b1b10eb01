package threesigma

import (
	"context"
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy/threesigma/plan"
)

// solve asks the solver, and checks its answer. If that is wrong, or no better than the last plan although more
// may be possible, the greedy solver is asked too, which takes little: else a solver that has no time would let
// jobs wait for ever.
func (s *Scheduler) solve(p *plan.Problem, same bool) []int {
	o := plan.SolveConfig{Iterations: s.config.Iterations, Seed: s.config.Seed + s.last.N, Start: s.before(p)}
	if same && s.prices != nil {
		shift := math.Round(s.now.Sub(s.planned).Seconds() / s.config.Window.Width)
		o.Warm = s.prices.Shift(int(min(shift, float64(s.config.Window.Slots))))
	}
	ctx, cancel := context.Background(), func() {}
	if s.config.Context != nil {
		ctx, cancel = s.config.Context()
	}
	defer cancel()
	solution, err := s.config.Solver.Solve(ctx, p, o)
	if err == nil {
		solution.Objective, err = p.Value(solution.Choice)
	}
	if err != nil {
		s.fail(fmt.Errorf("threesigma: solver: %w", err))
		solution = plan.Solution{Bound: math.Inf(1)}
	}
	if err != nil || !solution.Proved && slices.Equal(solution.Choice, o.Start) {
		greedy, err := plan.Greedy{}.Solve(context.Background(), p, plan.SolveConfig{Start: o.Start})
		s.fail(err)
		if solution.Choice == nil || greedy.Objective > solution.Objective {
			solution.Choice, solution.Objective = greedy.Choice, greedy.Objective
			solution.Bound = min(solution.Bound, greedy.Bound)
		}
	}
	s.prices, _ = solution.State.(plan.Prices)
	s.planned = s.now
	s.last.note(p, &solution)
	return solution.Choice
}

// before returns the choice that the last cycle's plan is in this one: what runs goes on, and what waits starts
// when it was to, where it was to.
func (s *Scheduler) before(p *plan.Problem) []int {
	choice := make([]int, len(p.Jobs))
	for j := range choice {
		choice[j] = plan.None
		if len(p.Jobs[j].Options) == 1 {
			choice[j] = 0
		}
	}
	now := s.seconds(s.now)
	for i := range s.list {
		c := &s.list[i]
		in := &c.j.intent
		choice[c.index] = plan.None
		if !in.chosen || !c.j.Job.Stages[c.stage].Gang {
			continue
		}
		slot := int32(max(0, math.Ceil((in.start-now)/s.config.Window.Width-1e-9)))
		for o := range p.Jobs[c.index].Options {
			option := &p.Jobs[c.index].Options[o]
			if option.Start == slot && c.est.areas[option.Place].set == in.set {
				choice[c.index] = o
				break
			}
		}
	}
	return choice
}

// intend takes note of what is planned for each job: of a bag, when the first tasks are to start, and what all that
// are to start are worth together.
func (s *Scheduler) intend(p *plan.Problem, choice []int) {
	for i := range s.list {
		c := &s.list[i]
		in := &c.j.intent
		if in.cycle != s.last.N {
			*in = intent{cycle: s.last.N, inTime: math.NaN()}
		}
		options := p.Jobs[c.index].Options
		best := 0.0
		for o := range options {
			best = max(best, options[o].Utility)
		}
		in.best += best
		o := choice[c.index]
		if o == plan.None {
			continue
		}
		option := &options[o]
		in.utility += option.Utility
		if start := s.draft.start(option.Start); !in.chosen || start < in.start {
			in.chosen, in.start, in.set = true, start, c.est.areas[option.Place].set
			if site := &c.sites[option.Place]; site.Runtime != nil && c.j.Job.SLO != nil {
				in.inTime = inTime(site.Runtime, s.seconds(c.j.Job.SLO.Deadline)-start)
			}
		}
	}
}

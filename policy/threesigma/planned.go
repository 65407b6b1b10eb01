package threesigma

import (
	"context"
	"fmt"
	"math"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/threesigma/plan"
)

// intent is what the last cycle that considered a job has planned for it.
type intent struct {
	cycle  uint64 // 0: none
	chosen bool
	start  float64 // s
	set    int32
	able   bool // it has an option that is worth something
}

// solve asks the solver, and checks its answer. If the answer is invalid, or neither better than the last plan nor
// proved, it also asks the greedy solver, which takes little time. Otherwise a solver without time would let jobs
// wait forever.
func (s *Scheduler) solve(p *plan.Problem, same bool) []int {
	o := plan.SolveConfig{Iterations: s.config.Iterations, Seed: s.config.Seed + s.last.N, Start: s.before(p)}
	if same && s.prices != nil {
		o.Warm = s.draft.moved(s.prices, s.now.Sub(s.planned).Seconds())
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
		solution = plan.Solution{}
	}
	if err != nil || !solution.Proved && slices.Equal(solution.Choice, o.Start) {
		greedy, err := plan.Greedy{}.Solve(context.Background(), p, plan.SolveConfig{Start: o.Start})
		s.fail(err)
		if solution.Choice == nil || greedy.Objective > solution.Objective {
			solution.Choice = greedy.Choice
		}
	}
	s.prices, _ = solution.State.(plan.Prices)
	s.planned = s.now
	s.last.Jobs = len(p.Jobs)
	for j := range p.Jobs {
		s.last.Options += len(p.Jobs[j].Options)
	}
	return solution.Choice
}

// before returns the last cycle's plan as a choice in this problem: running jobs go on, and waiting jobs start when
// and where they were to.
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
		slot := int32(s.draft.slot(in.start - now))
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

// intend records the plan of each job. For a bag it records when the first tasks are to start.
func (s *Scheduler) intend(p *plan.Problem, choice []int) {
	for i := range s.list {
		c := &s.list[i]
		in := &c.j.intent
		if in.cycle != s.last.N {
			*in = intent{cycle: s.last.N}
		}
		options := p.Jobs[c.index].Options
		for o := range options {
			in.able = in.able || options[o].Utility > 0
		}
		o := choice[c.index]
		if o == plan.None {
			continue
		}
		option := &options[o]
		if start := s.draft.start(option.Start); !in.chosen || start < in.start {
			in.chosen, in.start, in.set = true, start, c.est.areas[option.Place].set
		}
	}
}

// A Cycle is what a [Scheduler] did in a cycle.
type Cycle struct {
	N       uint64      // from 1; 0: there was none yet
	Time    policy.Time // when it was
	Jobs    int         // of the problem, running ones that may be killed among them
	Options int
	// Err is the first error of the cycle: of a solver that failed, so that the greedy one took its place, or of a
	// distribution without values, which then counts as unknown.
	Err error
}

// Last returns what the last cycle did.
func (s *Scheduler) Last() Cycle { return s.last }

// Planned returns when a waiting job is to start by the last plan, and false if it is in none. An advise.Advisor uses
// it to tell a host when to come back.
func (s *Scheduler) Planned(id policy.JobID) (at policy.Time, ok bool) {
	j := s.jobs.Get(id)
	if j == nil || !s.considered(j) || !j.intent.chosen {
		return 0, false
	}
	return s.origin.Add(saturate.To[policy.Duration](math.Round(j.intent.start * 1e9))), true
}

// Waits reports whether a job waits because the last plan says so: it is to start later, or other jobs, which are
// worth more, have its nodes.
func (s *Scheduler) Waits(id policy.JobID) bool {
	j := s.jobs.Get(id)
	return j != nil && s.considered(j) && (j.intent.chosen || j.intent.able)
}

// considered reports whether the last cycle considered a waiting job. A job that was to start in it and found no room
// does not count.
func (s *Scheduler) considered(j *job) bool {
	in := &j.intent
	noRoom := in.chosen && in.start <= s.seconds(s.last.Time) && j.served < s.last.N
	return j.Waiting > 0 && in.cycle > 0 && in.cycle == s.last.N && !noRoom
}

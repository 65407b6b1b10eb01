package threesigma

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/augur/policy"
	"example.com/augur/policy/threesigma/plan"
)

// intent is what the last cycle that looked at a job has planned.
type intent struct {
	cycle   uint64 // 0: none
	chosen  bool
	start   float64 // s
	set     int32
	utility float64
	inTime  float64
	best    float64 // the greatest utility of its options
}

// solve asks the solver, and checks its answer. If that is wrong, or no better than the last plan and not proved,
// the greedy solver is asked too, which takes little time. Without it a solver that has no time would let jobs wait
// for ever.
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

// intend takes note of what is planned for each job. Of a bag it notes when the first tasks are to start, and what
// all tasks that are to start are worth together.
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

// A Cycle says what a [Scheduler] did in a cycle.
type Cycle struct {
	N       uint64      // from 1; 0: there was none yet
	Time    policy.Time // when it was
	Jobs    int         // of the problem, running ones that may be killed among them
	Options int
	// Objective is the sum of the utilities of the options chosen, and Bound what it could have been at most.
	Objective, Bound float64
	Proved           bool // there was no better choice
	// Err is the first of what went wrong: a solver that failed, whose place the greedy one has taken, or a distribution
	// of runtimes that has no values, of which nothing is known then.
	Err error
}

// note takes note of a problem and its solution.
func (c *Cycle) note(p *plan.Problem, solution *plan.Solution) {
	c.Jobs = len(p.Jobs)
	for j := range p.Jobs {
		c.Options += len(p.Jobs[j].Options)
	}
	c.Objective, c.Bound, c.Proved = solution.Objective, solution.Bound, solution.Proved
}

// Last returns what was done in the last cycle.
func (s *Scheduler) Last() Cycle { return s.last }

// planned is the Reason of what is in the last plan, for later.
const planned = "is planned"

// An Explanation says what a [Scheduler] makes of a job: of what waits, or else of what was started last.
type Explanation struct {
	// Reason is what it waits for, in words:
	//
	//	waits for input                       its host to say that a stage is ready
	//	runs                                  nothing: all of it that is ready runs, or has run
	//	waits to be looked at                 a cycle that does
	//	is planned                            its time, which the last plan says
	//	waits for jobs that are worth more    these were chosen
	//	waits for nodes                       there is nothing it could run on
	//	found no room                         to be tried again: it was to start in the last cycle
	Reason string
	// Start is when it is to start, by the plan that was last made, or when it was to; and Partitions are where. If
	// it is in no plan they are 0 and nil.
	Start      policy.Time
	Partitions []policy.PartitionID
	// Utility is what that is expected to be worth, and Best the greatest such number of its options: 0 if there
	// were none.
	Utility, Best float64
	// InTime is the probability that it then meets its deadline, NaN if it has none, is in no plan, or nothing is
	// known of its runtime.
	InTime float64
	Tail   bool // it is worth something also after its deadline: its history is not believed
	Late   bool // no start, now or later, can meet its deadline
}

// String says it in one line, as in
//
//	is planned: at 120 s in partitions 1 2 3, worth 0.93 of 0.97, in time with probability 0.93
func (e Explanation) String() string {
	var b strings.Builder
	b.WriteString(e.Reason)
	if e.Partitions != nil {
		fmt.Fprintf(&b, ": at %.4g s in partitions", e.Start.Seconds())
		for _, p := range e.Partitions {
			fmt.Fprintf(&b, " %d", p)
		}
		fmt.Fprintf(&b, ", worth %.3g of %.3g", e.Utility, e.Best)
	}
	if !math.IsNaN(e.InTime) {
		fmt.Fprintf(&b, ", in time with probability %.3g", e.InTime)
	}
	if e.Tail {
		b.WriteString("; its history is not believed")
	}
	if e.Late {
		b.WriteString("; it is too late for its deadline")
	}
	return b.String()
}

// Explain says why a job is where it is, and false if it is not there. It takes time in proportion to the
// partitions.
func (s *Scheduler) Explain(id policy.JobID) (Explanation, bool) {
	j := s.jobs.Get(id)
	if j == nil {
		return Explanation{}, false
	}
	e := Explanation{InTime: math.NaN(), Tail: j.tail, Late: j.late}
	in := j.intent
	switch {
	case j.Waiting == 0 && j.Cores == 0:
		e.Reason = "waits for input"
	case j.Waiting == 0:
		e.Reason = "runs"
	case in.cycle < s.last.N || in.cycle == 0:
		e.Reason = "waits to be looked at"
	case in.chosen && in.start <= s.seconds(s.last.Time) && j.served < s.last.N:
		e.Reason = "found no room"
	case in.chosen:
		e.Reason = planned
	case in.best == 0:
		e.Reason = "waits for nodes"
	default:
		e.Reason = "waits for jobs that are worth more"
	}
	if in.chosen {
		e.Start, e.Utility, e.InTime = s.origin.Add(policy.Duration(math.Round(in.start*1e9))), in.utility, in.inTime
		e.Partitions = s.cluster.partitions(s.pools.sets.list[in.set])
	}
	e.Best = in.best
	return e, true
}

// Planned returns when a job that waits is to start by the plan that was last made, and false if it
// is in none. It is what an advise.Advisor tells a host that asks when to come back.
func (s *Scheduler) Planned(id policy.JobID) (at policy.Time, ok bool) {
	e, ok := s.Explain(id)
	return e.Start, ok && e.Reason == planned
}

package hopper

import (
	"fmt"
	"math"
)

// GRASS copies tasks as resource-aware speculation, RAS, does while the job is far from its end, and
// as greedy speculation, GS, does near it. GS starts the copy that helps the job most at once, if
// t_new < t_rem. RAS starts a copy only if that saves time and slots too: with c copies of the task,
// if c t_rem > (c+1) t_new. The types gs and ras, below, are the two rules.
//
// A slot that a copy takes is not there for a task that waits. While there are many of
// those, a copy has to save as much as it takes. Near the end few are left, and what counts
// is that the last tasks end soon. With the slots that the job has, [Phase.Slots], the tasks
// that are not finished make
//
//	(tasks that run + tasks that wait) / slots
//
// waves; if what is finished by a deadline counts, it is the time left, divided by t_new. GRASS
// changes to GS at two waves, which is what the analysis in its paper advises.
//
// The two differ in what comes of a deadline, too. Of 9 tasks on two slots, at time 1, one is done.
// Task 1 has still to run for 5, a new copy of it for 2, and the 7 that wait for 1 each. GS starts
// one of these: by a deadline at 3 three tasks are done, one more than with RAS. RAS starts the
// copy, which saves 5 - 2*2 = 1: by a deadline at 6 eight tasks are done, one more than with GS.
//
// A task that is long by itself, as one of 10 hours among tasks of a second, would get another copy
// at each report, since each new one seems to end before those that run. So a task has at most
// 16 copies at once. By Hopper's model the first of c copies ends after cβ/(cβ-1)
// times the shortest runtime on average. With 16 copies that is at most 1/15 more than the shortest
// runtime, whatever the tail β, so further copies hardly help.
//
// Next takes O(n) time with n tasks that run, and does not allocate.
//
// # Source
//
// G. Ananthanarayanan, M. Hung, X. Ren, I. Stoica, A. Wierman and M. Yu, "GRASS: trimming stragglers
// in approximation analytics", NSDI 2014. Jobs that must finish all tasks are its exact jobs,
// whose error bound is zero; other error bounds are left out here, and so is learning when to
// change. The paper does not bound the copies of a task. The bound is ours, and so is that a waiting
// task goes before a copy that ends as soon.
type GRASS struct{ waves float64 }

// GRASSConfig describes a [GRASS] rule.
type GRASSConfig struct {
	// Waves is how many waves of tasks are left when the rule changes from RAS to GS, > 0; 0 means
	// 2. +Inf is always GS.
	Waves float64
}

// NewGRASS returns the rule. The error names the field that is outside its range.
func NewGRASS(c GRASSConfig) (*GRASS, error) {
	if c.Waves == 0 {
		c.Waves = 2
	}
	if !(c.Waves > 0) {
		return nil, fmt.Errorf("hopper: GRASSConfig.Waves is %v, want more than 0, or 0 for 2", c.Waves)
	}
	return &GRASS{c.Waves}, nil
}

// Next is that of GS or that of RAS.
func (g *GRASS) Next(p *Phase, r Room) (Move, bool) {
	if p.waves() <= g.waves {
		return gs{}.Next(p, r)
	}
	return ras{}.Next(p, r)
}

// waves returns how many waves of tasks are left, NaN if that is not known.
func (p *Phase) waves() float64 {
	if p.Left > 0 {
		return p.Left / p.New
	}
	return float64(len(p.Running)+p.Waiting) / float64(p.Slots)
}

// grassCopies is how many copies of a task run at once, at most.
const grassCopies = 16

// gs is greedy speculation: it starts the copy that helps the job most at once, if that
// ends before the copies that run, t_new < t_rem.
//
// If all tasks have to finish, that is the copy of the task with the longest t_rem, and it goes before
// waiting tasks. If what is
// finished by a deadline counts, it is the copy that ends soonest, of those that end in time; a waiting task that
// ends as soon goes first. Ties go to the lower task. Next takes O(n) time with n
// tasks that run, and does not allocate.
//
// # Source
//
// Ananthanarayanan et al. (see [GRASS]).
type gs struct{}

// Next returns the task whose copy helps most at once.
func (gs) Next(p *Phase, _ Room) (Move, bool) {
	best, most := -1, math.Inf(-1)
	if p.Left > 0 && p.Waiting > 0 {
		most = -p.New
		if math.IsNaN(most) {
			most = math.Inf(-1)
		}
	}
	for i := range p.Running {
		r := &p.Running[i]
		if !(r.New < r.Remaining) || r.Copies >= grassCopies || p.late(r) {
			continue
		}
		value := r.Remaining
		if p.Left > 0 {
			value = -r.New
		}
		if value > most {
			best, most = i, value
		}
	}
	return p.duplicate(best)
}

// ras is resource-aware speculation: it starts a copy only if that saves time and slots, all
// copies of a task being stopped when one ends,
//
//	c t_rem > (c+1) t_new
//
// for a task with c copies, and first the one that saves most. With one copy, t_rem has to
// be more than twice t_new. Ties go to the lower task. If what is finished by a deadline counts, a copy
// has to end in time. Next takes O(n) time with n tasks that run, and does not allocate.
//
// # Source
//
// Ananthanarayanan et al. (see [GRASS]).
type ras struct{}

// Next returns the task whose copy saves most.
func (ras) Next(p *Phase, _ Room) (Move, bool) {
	best, most := -1, 0.0
	for i := range p.Running {
		r := &p.Running[i]
		if saving := r.saving(); saving > most && r.Copies < grassCopies && !p.late(r) {
			best, most = i, saving
		}
	}
	return p.duplicate(best)
}

// late reports whether another copy of the task would end after the deadline.
func (p *Phase) late(r *Running) bool { return p.Left > 0 && r.New > p.Left }

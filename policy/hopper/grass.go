package hopper

import (
	"fmt"
	"math"
)

// GRASS uses resource-aware speculation (RAS) while the job is far from its end, and greedy speculation (GS) near it.
// t_rem is how much longer a running task will take, and t_new how long a new copy of it would take: see [Running].
// GS starts the copy that helps the job most at once, if t_new < t_rem: the one with the greatest t_rem. Under a
// deadline it starts what ends soonest, a copy or a waiting task. RAS starts a copy only if it saves both time and
// slots: if c t_rem > (c+1) t_new for a task with c copies.
//
// A copy takes a slot from a waiting task. While many tasks wait, a copy must save as much as it takes. Near the end
// few tasks wait, and what counts is that the last tasks end soon. With the job's slots, [Phase.Slots], the
// unfinished tasks make
//
//	(tasks that run + tasks that wait) / slots
//
// waves. If only tasks that finish by a deadline count, the number of waves is the time left divided by t_new. GRASS
// changes to GS at two waves, as the analysis in its paper advises.
//
// The two rules also differ under a deadline. Take 9 tasks on two slots; at time 1 one is done. Task 1 needs another
// 5, a new copy of it would need 2, and the 7 waiting tasks need 1 each. GS starts a waiting task: by a deadline at 3
// three tasks are done, one more than with RAS. RAS starts the copy, which saves 5 - 2*2 = 1: by a deadline at 6
// eight tasks are done, one more than with GS.
//
// A task that is long by nature, say 10 hours among tasks of a second, would get another copy at each report, because
// each new copy seems to end before those that run. So a task has at most 16 copies over its life. By Hopper's model the
// first of c copies ends after cβ/(cβ-1) times the shortest runtime on average. With 16 copies that is at most 1/15
// above the shortest runtime, whatever β is, so further copies hardly help.
//
// Next takes O(n) time with n running tasks, and does not allocate.
//
// # Source
//
// G. Ananthanarayanan, M. Hung, X. Ren, I. Stoica, A. Wierman and M. Yu, "GRASS: trimming stragglers in approximation
// analytics", NSDI 2014. Jobs that must finish all tasks are its exact jobs, whose error bound is zero. Other error
// bounds are not implemented, and neither is learning when to change. The bound on copies is ours. We also
// prefer a waiting task to a copy that would end at the same time.
type GRASS struct{ waves float64 }

// GRASSConfig describes a [GRASS] rule.
type GRASSConfig struct {
	// Waves is how many waves of tasks are left when the rule changes from RAS to GS, > 0; 0 means 2. +Inf is always
	// GS.
	Waves float64
}

// NewGRASS returns the rule GRASS. It returns an error if Waves is out of range.
func NewGRASS(c GRASSConfig) (*GRASS, error) {
	if c.Waves == 0 {
		c.Waves = 2
	}
	if !(c.Waves > 0) {
		return nil, fmt.Errorf("hopper: GRASSConfig.Waves is %v, want more than 0, or 0 for 2", c.Waves)
	}
	return &GRASS{c.Waves}, nil
}

// Next returns the move of GS or of RAS.
func (g *GRASS) Next(p *Phase, r Room) (Move, bool) {
	if p.waves() <= g.waves {
		return gs{}.Next(p, r)
	}
	return ras{}.Next(p, r)
}

// waves returns how many waves of tasks are left, NaN if that is unknown.
func (p *Phase) waves() float64 {
	if p.Left > 0 {
		return p.Left / p.New
	}
	return float64(len(p.Running)+p.Waiting) / float64(p.Slots)
}

// gs is greedy speculation: it starts the copy that helps the job most at once, if the copy ends before those that
// run, t_new < t_rem.
//
// If all tasks must finish, it copies the task with the longest t_rem, before any waiting task. If only tasks that
// finish by a deadline count, it starts the copy that ends soonest, among those that end in time; a waiting task that
// ends as soon goes first. Ties go to the lower task. Next takes O(n) time with n running tasks, and does not
// allocate.
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
		if !(r.New < r.Remaining) || r.spent() || p.late(r) {
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

// ras is resource-aware speculation: it starts a copy only if that saves time and slots, given that all copies of a
// task stop when one ends,
//
//	c t_rem > (c+1) t_new
//
// for a task with c copies. The task that saves most goes first. With one copy, t_rem must be more than twice t_new.
// Ties go to the lower task. If only tasks that finish by a deadline count, the copy must end in time. Next takes
// O(n) time with n running tasks, and does not allocate.
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
		if saving := r.saving(); saving > most && !r.spent() && !p.late(r) {
			best, most = i, saving
		}
	}
	return p.duplicate(best)
}

// late reports whether another copy of the task would end after the deadline.
func (p *Phase) late(r *Running) bool { return p.Left > 0 && r.New > p.Left }

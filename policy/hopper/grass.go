package hopper

import (
	"fmt"
	"math"
)

// GRASS uses resource-aware speculation (RAS) while the job is far from its end, and greedy speculation (GS) near it. t_rem
// is how much longer a running task will take, and t_new how long a new copy of it would take: see [Running].
//
// RAS starts a copy only if it saves both time and slots, c t_rem > (c+1) t_new for a task with c copies, since the copy
// takes a slot from a waiting task. GS starts the copy that helps the job most at once, if t_new < t_rem: the one with the
// greatest t_rem. Near the end few tasks wait, and what counts is that the last tasks end soon. GRASS changes to GS when
// two waves of tasks are left,
//
//	(tasks that run + tasks that wait) / slots
//
// with the job's slots, [Phase.Slots]. If only tasks that finish by a deadline count, waves are the time left divided by
// t_new, and GS starts what ends soonest, a copy or a waiting task.
//
// Without a bound, a task that is long by nature would get another copy at each report; so a task has at most 16. By
// Hopper's model the first of 16 copies ends at most 1/15 above the shortest runtime on average, so more hardly help.
//
// Next takes O(n) time with n running tasks.
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

const defaultWaves = 2

// NewGRASS returns the rule GRASS. It returns an error if Waves is out of range.
func NewGRASS(c GRASSConfig) (*GRASS, error) {
	if c.Waves == 0 {
		c.Waves = defaultWaves
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

// gs is greedy speculation. If all tasks must finish, it copies the task with the longest t_rem, before any waiting task.
// If only tasks that finish by a deadline count, it starts the copy that ends soonest, among those that end in time; a
// waiting task that ends as soon goes first. Ties go to the lower task.
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

// ras is resource-aware speculation: the task that saves most goes first, ties to the lower task. With one copy, t_rem must
// be more than twice t_new. If only tasks that finish by a deadline count, the copy must end in time.
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

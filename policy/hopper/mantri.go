package hopper

import (
	"fmt"
	"math"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// MantriConfig describes a [Mantri] rule.
type MantriConfig struct {
	// Period is how long a copy is watched before it is judged: the time between two progress reports, Δ, > 0; 0
	// means 10 s.
	Period policy.Duration
	// Chance is the probability with which another copy must save resources, δ, > 0 and below 1; 0 means 0.25.
	Chance float64
	// Restarts is how often a task may be killed and restarted, γ; 0 means 3, and a negative number means never.
	Restarts int
	// Copies is how many copies of a task keep running, the fastest ones, α, ≥ 1; 0 means 2.
	Copies int
	// Gain is by how many periods a copy must end earlier, on average, if no task waits, ρ, > 0; 0 means 1.
	Gain float64
}

// Mantri starts copies that save resources, and kills copies that are not worth keeping. With c copies of a task running
// for another t_rem, one more copy takes (c+1) slots for t_new instead of c slots for t_rem. The rules look at tasks whose
// youngest copy has run for Δ:
//
//  1. A task with more than α copies drops the copy that will be last.
//  2. If tasks wait, a task with one copy is restarted in its slot if t_rem > E[t_new] + Δ, at most γ times.
//  3. If tasks wait, a task is duplicated if P(t_rem > t_new (c+1)/c) > δ.
//  4. If none wait, a task is duplicated if E[t_rem - t_new] > ρ Δ.
//
// The first rule that applies to a task counts. Tasks to which rule 1 applies go first, then those of rule 2, and so
// on; among several, the one with the greatest t_rem - t_new, ties to the lower task. A task has at most α + 1 copies at
// once, and 16 over its life: after that only rule 1 applies.
//
// t_new is distributed as the runtimes of the finished tasks, scaled to the size of the task by [Running.New] /
// [Phase.New]. Rule 3 waits until a task has finished, and without t_new only rule 1 applies. Rules 1 and 2 need no free
// slot, so a host may ask once in Δ even if none is free, and ignore duplicates then. Next takes O(n) time with n
// running tasks.
//
// # Source
//
// G. Ananthanarayanan, S. Kandula, A. Greenberg, I. Stoica, Y. Lu, B. Saha and E. Harris, "Reining in the outliers in
// Map-Reduce clusters using Mantri", OSDI 2010, on resource-aware restart. There a task reports every 10 s, or ten times
// while it runs if that is more often: tasks that run for less than 100 s want a shorter Period. The defaults of α and ρ,
// the order among tasks, and the bound of 16 are ours. Placement on the network and copies of outputs are not part of
// this.
type Mantri struct {
	config MantriConfig
	period float64 // s
}

// NewMantri returns the rule Mantri. It returns an error that names the field that is out of range.
func NewMantri(c MantriConfig) (*Mantri, error) {
	if c.Period == 0 {
		c.Period = 10e9
	}
	if c.Chance == 0 {
		c.Chance = 0.25
	}
	if c.Restarts == 0 {
		c.Restarts = 3
	}
	if c.Copies == 0 {
		c.Copies = 2
	}
	if c.Gain == 0 {
		c.Gain = 1
	}
	switch {
	case c.Period < 0:
		return nil, fmt.Errorf("hopper: MantriConfig.Period is %v, want more than 0 s, or 0 for 10 s", c.Period)
	case !(c.Chance > 0 && c.Chance < 1):
		return nil, fmt.Errorf("hopper: MantriConfig.Chance is %v, want more than 0, below 1, or 0 for 0.25", c.Chance)
	case c.Copies < 1:
		return nil, fmt.Errorf("hopper: MantriConfig.Copies is %d, want at least 1, or 0 for 2", c.Copies)
	case !(c.Gain > 0) || math.IsInf(c.Gain, 1):
		return nil, fmt.Errorf("hopper: MantriConfig.Gain is %v, want finite and more than 0, or 0 for 1", c.Gain)
	}
	return &Mantri{config: c, period: c.Period.Seconds()}, nil
}

// Next returns the first move of the rules in their order.
func (m *Mantri) Next(p *Phase, _ Room) (Move, bool) {
	var best Move
	found, most := false, 0.0 // t_rem - t_new of best
	quick := m.quick(p)
	for i := range p.Running {
		r := &p.Running[i]
		move, ok := m.rule(p, r, quick)
		if !ok {
			continue
		}
		gain := r.Remaining - r.New
		if math.IsNaN(gain) {
			gain = math.Inf(-1)
		}
		if !found || before(move.Kind, best.Kind) || move.Kind == best.Kind && gain > most {
			best, found, most = move, true, gain
		}
	}
	return best, found
}

// before reports whether a goes before b: what gives a slot back, then what takes none.
func before(a, b MoveKind) bool { return a > b }

// rule returns the move of the first rule that applies to a task, and false if none does.
func (m *Mantri) rule(p *Phase, r *Running, quick float64) (Move, bool) {
	waits := p.Waiting > 0
	switch {
	case !(r.Youngest >= m.period):
		return Move{}, false
	case r.Copies > m.config.Copies:
		return Move{Kind: Drop, Task: r.Task, Copy: r.Last}, true
	case r.spent():
		return Move{}, false
	case waits && r.Copies == 1 && r.Restarts < m.config.Restarts && r.Remaining > r.New+m.period:
		return Move{Kind: Restart, Task: r.Task, Copy: r.Last}, true
	case waits && r.saves(p, quick),
		!waits && r.Remaining-r.New > m.config.Gain*m.period:
		return Move{Kind: Duplicate, Task: r.Task}, true
	}
	return Move{}, false
}

// quick returns the δ quantile of the finished runtimes: more than δ of them are at most that long. It is NaN if no
// task has finished.
func (m *Mantri) quick(p *Phase) float64 {
	at := saturate.To[int](m.config.Chance*float64(len(p.Finished)) + 1e-9) // 0.29 of 100 is 29
	if at >= len(p.Finished) {
		return math.NaN()
	}
	return p.Finished[at]
}

// saves reports whether one more copy is likely enough to save resources, P(t_rem > t_new (c+1)/c) > δ. That holds if
// it saves with the runtime quick.
func (r *Running) saves(p *Phase, quick float64) bool {
	// t_new is the runtime by r.New / p.New. This is false if one of them is not known.
	c := float64(r.Copies)
	if p.New == 0 { // all finished tasks took 0 s, and so does any other one, but for what r.New says
		return c*r.Remaining > (c+1)*r.New && quick >= 0
	}
	return c*r.Remaining*p.New > (c+1)*r.New*quick
}

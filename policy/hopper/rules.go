package hopper

import (
	"fmt"
	"math"
	"sort"

	"example.com/augur/policy"
)

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

// GRASSConfig describes a [GRASS] rule.
type GRASSConfig struct {
	// Waves is how many waves of tasks are left when the rule changes from RAS to GS, > 0; 0 means
	// 2. +Inf is always GS.
	Waves float64
}

// grassCopies is how many copies of a task run at once, at most.
const grassCopies = 16

// GRASS copies tasks as resource-aware speculation, RAS, does while the job is far from its end, and
// as greedy speculation, GS, does near it. GS starts the copy that helps the job most at once, if
// t_new < t_rem. RAS starts a copy only if that saves time and slots too: with c copies of the task,
// if c t_rem > (c+1) t_new.
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

// LATEConfig describes a [LATE] rule. The zero value has the values that its authors found best.
type LATEConfig struct {
	// Cap is the share of the cluster's slots, Room.Slots, from which on no further extra copy is
	// started, SpeculativeCap, > 0 and at most 1; 0 means 0.1. So one may run in 4 slots, none in 0.
	Cap float64
	// Slow is the quantile of progress rates below which a task is slow, SlowTaskThreshold, > 0
	// and at most 1; 0 means 0.25.
	Slow float64
	// Age is for how long a task has to have run before its rate is trusted, ≥ 0. Hadoop,
	// before LATE, waited for a minute.
	Age policy.Duration
}

// LATE copies the slow task that will end last: longest approximate time to end. Where machines
// differ, to copy whatever is behind the average, as Hadoop did, copies too much, and
// not what holds the job up.
//
// A task's progress rate is the share of its work that is done, divided by the time for which it
// has run, and its time to end is what is left, divided by that rate. When there is a slot,
//
//  1. no copy is started if extra copies run in Cap of the cluster's slots already;
//  2. of the tasks with one copy, those are candidates whose rate is below the Slow quantile
//     of the rates of all tasks of the phase;
//  3. the candidate with the longest time to end gets a copy; ties go to the lower task.
//
// So a task has at most two copies at once. LATE needs no t_new, and so works before a task of the phase has finished.
//
// The quantile is over tasks that run and tasks that are finished (whose rate is 1 / their
// runtime), and interpolates linearly between neighbours: otherwise the last task of a phase would
// never be slow. If all rates are equal none is. A task whose rate is not known is no candidate and
// not counted.
//
// Next takes O(n + log m) time with n tasks that run and m that are finished, as often as it looks at a task that ends
// last but is not slow. Tasks that end late are slow as a rule. It does not allocate.
//
// # Source
//
// M. Zaharia, A. Konwinski, A. Joseph, R. Katz and I. Stoica, "Improving MapReduce performance in
// heterogeneous environments", OSDI 2008, section 4. There no copy starts on a slow node either:
// a host that knows of those need not ask for their slots. That finished tasks count, and how the
// quantile is interpolated, are ours.
type LATE struct {
	config LATEConfig
	age    float64 // s
}

// NewLATE returns the rule. The error names the field that is outside its range.
func NewLATE(c LATEConfig) (*LATE, error) {
	if c.Cap == 0 {
		c.Cap = 0.1
	}
	if c.Slow == 0 {
		c.Slow = 0.25
	}
	switch {
	case !(c.Cap > 0 && c.Cap <= 1):
		return nil, fmt.Errorf("hopper: LATEConfig.Cap is %v, want more than 0, at most 1, or 0 for 0.1", c.Cap)
	case !(c.Slow > 0 && c.Slow <= 1):
		return nil, fmt.Errorf("hopper: LATEConfig.Slow is %v, want more than 0, at most 1, or 0 for 0.25", c.Slow)
	case c.Age < 0:
		return nil, fmt.Errorf("hopper: LATEConfig.Age is %v, want at least 0 s", c.Age)
	}
	return &LATE{config: c, age: c.Age.Seconds()}, nil
}

// Next returns the slow task that will end last.
func (l *LATE) Next(p *Phase, r Room) (Move, bool) {
	if room := l.config.Cap * float64(r.Slots); float64(r.Copies) >= room-1e-9 { // 0.07 of 100 is 7
		return Move{}, false
	}
	for fast := math.Inf(1); ; {
		best, longest := -1, math.Inf(-1)
		for i := range p.Running {
			r := &p.Running[i]
			if r.Copies == 1 && r.Elapsed >= l.age && r.Rate < fast && r.Remaining > longest {
				best, longest = i, r.Remaining
			}
		}
		if best < 0 || l.slow(p, p.Running[best].Rate) {
			return p.duplicate(best)
		}
		fast = p.Running[best].Rate // who is as fast is not slow either
	}
}

// slow reports whether the rate of a task is below the quantile.
//
// The quantile lies at q (n-1) in the order of all n rates, counted from 0. Between neighbours in
// that order there is no other rate, so that a rate is below the quantile if at most q (n-1),
// rounded up, are at most as large as it is.
func (l *LATE) slow(p *Phase, rate float64) bool {
	n := len(p.Finished)
	atMost := n - sort.Search(n, func(i int) bool { return !(1/p.Finished[i] > rate) })
	for i := range p.Running {
		if other := p.Running[i].Rate; !math.IsNaN(other) {
			n++
			if other <= rate {
				atMost++
			}
		}
	}
	return float64(atMost) <= math.Ceil(l.config.Slow*float64(n-1)-1e-9)
}

// MantriConfig describes a [Mantri] rule.
type MantriConfig struct {
	// Period is for how long a copy is watched before it is judged, the time between two
	// progress reports, Δ, > 0; 0 means 10 s.
	Period policy.Duration
	// Chance is how likely it has to be that another copy saves resources, δ, > 0 and below 1; 0
	// means 0.25.
	Chance float64
	// Restarts is how often a task may be killed to start it anew, γ; 0 means 3, and a
	// negative number never.
	Restarts int
	// Copies is how many copies of a task are left to run, the fastest ones, α, ≥ 1; 0 means 2.
	Copies int
	// Gain is by how many periods a copy has to end earlier, on average, when no task waits, ρ, > 0;
	// 0 means 1.
	Gain float64
}

// Mantri starts copies that save resources, and kills what is not worth keeping. While
// tasks wait, a slot that a copy takes is one that another task does without, so that
// the copy has to save more than it costs.
//
// With c copies of a task running for another t_rem, one more copy takes (c+1) slots for t_new
// instead of c slots for t_rem. So, of tasks whose youngest copy has run for Δ:
//
//  1. Of a task with more than α copies the one that will be last is dropped.
//  2. If tasks wait, a task with one copy is restarted, without taking a slot, if t_rem > E[t_new] + Δ, at
//     most γ times.
//  3. If tasks wait, a task is duplicated if P(t_rem > t_new (c+1)/c) > δ.
//  4. If none wait, a task is duplicated if E[t_rem - t_new] > ρ Δ.
//
// The first rule that applies to a task is the one; a rule goes before those after it. Among
// several tasks, the one with the greatest t_rem - t_new goes first, ties to the lower task. Each duplicate has
// to run for Δ before there is another one of the task, and a task never has more than α + 1
// copies.
//
// t_rem is what the reports say. t_new is distributed as the runtimes of the tasks that are finished,
// scaled to the size of the task by [Running.New] / [Phase.New]. Until a task has finished
// there is no rule 3, and without t_new none but the first.
//
// Rules 1 and 2 need no free slot. A host may ask once in Δ even if it has none, and
// leave duplicates aside then.
//
// Next takes O(n) time with n tasks that run, and does not allocate.
//
// # Source
//
// G. Ananthanarayanan, S. Kandula, A. Greenberg, I. Stoica, Y. Lu, B. Saha and E. Harris, "Reining in
// the outliers in Map-Reduce clusters using Mantri", OSDI 2010, on resource-aware restart. There a
// task reports every 10 s, or ten times while it runs if that is more often: tasks that run for less
// than 100 s want a shorter Period. The defaults of α and ρ, and the order among tasks, are ours. Its
// placement on the network and its copies of outputs are not part of this.
type Mantri struct {
	config MantriConfig
	period float64 // s
}

// NewMantri returns the rule. The error names the field that is outside its range.
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

// rule returns what the first rule that applies to a task says, and false if none does.
func (m *Mantri) rule(p *Phase, r *Running, quick float64) (Move, bool) {
	waits := p.Waiting > 0
	switch {
	case !(r.Youngest >= m.period):
		return Move{}, false
	case r.Copies > m.config.Copies:
		return Move{Kind: Drop, Task: r.Task, Copy: r.Last}, true
	case waits && r.Copies == 1 && r.Restarts < m.config.Restarts && r.Remaining > r.New+m.period:
		return Move{Kind: Restart, Task: r.Task, Copy: r.Last}, true
	case waits && r.saves(p, quick),
		!waits && r.Remaining-r.New > m.config.Gain*m.period:
		return Move{Kind: Duplicate, Task: r.Task}, true
	}
	return Move{}, false
}

// quick returns the runtime of which more than δ of the finished tasks had no longer one; NaN
// if none is finished.
func (m *Mantri) quick(p *Phase) float64 {
	at := int(m.config.Chance*float64(len(p.Finished)) + 1e-9) // 0.29 of 100 is 29
	if at >= len(p.Finished) {
		return math.NaN()
	}
	return p.Finished[at]
}

// saves reports whether one more copy is likely enough to save resources, P(t_rem > t_new (c+1)/c) > δ:
// that is so if it does with a runtime that is quick.
func (r *Running) saves(p *Phase, quick float64) bool {
	// t_new is the runtime by r.New / p.New. This is false if one of them is not known.
	c := float64(r.Copies)
	if p.New == 0 { // all finished tasks took 0 s, and so does any other one, but for what r.New says
		return c*r.Remaining > (c+1)*r.New && quick >= 0
	}
	return c*r.Remaining*p.New > (c+1)*r.New*quick
}

package main

import (
	"fmt"
	"time"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
)

// hopperSettings is what only the full form runs: what the gains may hang on that is not published, which is how busy
// the cluster is, how wide jobs are, how long tails are and how often copies report.
func hopperSettings(f form) []item {
	facebook := newHopperBed("facebook, fewer jobs", paper.Facebook(), f.seeds, f.of(600, 600))
	with := func(what string, change func(h *paper.Hopper)) item {
		return hopperElsewhere(facebook.with(what, func(b *hopperBed) { change(&b.params) }), 0)
	}
	var items []item
	for _, load := range []float64{0.6, 0.9, 1.1, 1.5} {
		items = append(items, with(fmt.Sprintf("load %v", load), func(h *paper.Hopper) { h.Load = load }))
	}
	return append(items,
		with("200 nodes", func(h *paper.Hopper) { h.Nodes = 200 }),
		with("up to 5000 tasks", func(h *paper.Hopper) { h.MaxTasks = 5000 }),
		with("chains of 1 to 8", func(h *paper.Hopper) { h.MaxStages = 8 }),
		with("copies up to 10 times as long", func(h *paper.Hopper) { h.Bound = 10 }),
		with("copies up to 1000 times as long", func(h *paper.Hopper) { h.Bound = 1000 }),
		hopperElsewhere(facebook, time.Second),
		hopperElsewhere(facebook, 10*time.Second),
		hopperExpected(facebook), hopperVariants(facebook))
}

// hopperElsewhere tells of the gains over SRPT and Fair on another bed, or where copies report at another period; 0 is as
// usual.
func hopperElsewhere(b *hopperBed, period policy.Duration) item {
	where := b.name
	change := func(s hopperSystem) hopperSystem { return s }
	if period > 0 {
		where += fmt.Sprintf(", reports every %v", period)
		change = func(s hopperSystem) hopperSystem {
			s.name += fmt.Sprintf(", reports every %v", period)
			s.change = func(c *hopper.Config) { c.Period = period }
			return s
		}
	}
	return func(l *lab) func(r *report) {
		us, srpt, fair := b.ask(l, change(byHopper)), b.ask(l, change(rival(bySRPT, inTurn))), b.ask(l, change(rival(byFair, inTurn)))
		return func(r *report) {
			r.add("Fig. 6.1", where, "below SRPT, copies in turn, %", 50, us.below(srpt, ofAll))
			r.add("Fig. 6.5a", where, "below Fair, copies in turn, %", 70, us.below(fair, ofAll))
		}
	}
}

// hopperExpected lets t_new be known, under Hopper and its rivals: the mean that copies of a task run
// for, from the first one on.
func hopperExpected(b *hopperBed) item {
	return func(l *lab) func(r *report) {
		known := func(p hopperSystem) *trial[hopperRun] {
			p.name += ", t_new known"
			p.known = true
			return b.ask(l, p)
		}
		us, srpt, fair := known(byHopper), known(rival(bySRPT, inTurn)), known(rival(byFair, inTurn))
		return func(r *report) {
			r.add("Fig. 6.1", b.name+", t_new known", "below SRPT, copies in turn, %", 50, us.below(srpt, ofAll))
			r.add("Fig. 6.5a", b.name+", t_new known", "below Fair, copies in turn, %", 70, us.below(fair, ofAll))
		}
	}
}

// hopperVariants changes Hopper where the thesis does not say how it is. It keeps the slots of a share
// for which its job has no use yet, as in the example of section 2; or it takes other tails for all jobs than 1.2.
func hopperVariants(b *hopperBed) item {
	return func(l *lab) func(r *report) {
		srpt, fair := b.ask(l, rival(bySRPT, inTurn)), b.ask(l, rival(byFair, inTurn))
		kept := b.ask(l, ours("slots kept", func(c *hopper.Config) { c.Keep = true }))
		homogeneous := b.ask(l, oneTail)
		tails := each([]float64{1.05, 1.9, 3}, func(tail float64) *trial[hopperRun] {
			return b.ask(l, ours(fmt.Sprintf("one tail of %v", tail), func(c *hopper.Config) { c.Group, c.Tail = "", tail }))
		})
		return func(r *report) {
			tellBelow(r, "Fig. 6.1", kept.system+": ", 50, kept, srpt)
			tellBelow(r, "Fig. 6.5a", kept.system+": ", 70, kept, fair)
			for _, us := range tails {
				r.add("Fig. 6.7", b.name, us.system+": below one tail of 1.2, %", unpublished, us.below(homogeneous, ofAll))
			}
		}
	}
}

// hopperPipes is section 6.2.1: chains whose stages overlap, where the weight α of a job is what is
// left to transfer by what is left to do, dampened. As what waits for its input holds cores, the
// cluster bears a small load only.
func hopperPipes(f form) item {
	b := newHopperBed("facebook, pipes in chains of 1 to 8", paper.Facebook(), f.seeds, f.of(150, 150))
	b.params.Pipe, b.params.MaxStages, b.params.Load = true, 8, 0.08
	return func(l *lab) func(r *report) {
		srpt := b.ask(l, rival(bySRPT, inTurn))
		dampenings := []float64{0, hopper.DampeningHadoop, hopper.DampeningSpark}
		trials := each(dampenings, func(d float64) *trial[hopperRun] {
			return b.ask(l, ours(fmt.Sprintf("dampening %v", d), func(c *hopper.Config) { c.Dampening = d }))
		})
		return func(r *report) {
			for i, d := range dampenings {
				published := unpublished
				if d > 0 {
					published = 50
				}
				tellBelow(r, "6.2.1", fmt.Sprintf("dampening %v: ", d), published, trials[i], srpt)
			}
		}
	}
}

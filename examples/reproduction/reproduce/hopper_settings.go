package main

import (
	"fmt"

	"example.com/augur/policy/central"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/workload/paper"
)

// hopperSettings is what only the full form runs: what the gains hang on that is not published.
// What is published of the facebook workload stands beside each.
func hopperSettings(f form) []item {
	facebook := newHopperBed("facebook, fewer jobs", paper.Facebook(), f.seeds, f.of(600, 600))
	items := []item{hopperExpected(facebook), hopperVariants(facebook)}
	for _, load := range []float64{0.6, 0.7, 0.9, 1.1} {
		items = append(items, hopperElsewhere(facebook.with(fmt.Sprintf("load %v", load), func(b *hopperBed) { b.params.Load = load })))
	}
	large := facebook.with("200 nodes", func(b *hopperBed) { b.params.Nodes = 200 })
	chains := facebook.with("chains of 1 to 8", func(b *hopperBed) { b.params.MostStages = 8 })
	return append(items, hopperElsewhere(large), hopperElsewhere(chains))
}

// hopperElsewhere tells of the gains over SRPT and Fair on another bed.
func hopperElsewhere(b *hopperBed) item {
	return func(l *lab) func(r *report) {
		us, srpt, fair := b.ask(l, byHopper), b.rivals(l, bySRPT), b.rivals(l, byFair)
		return func(r *report) {
			tellBelow(r, "Fig. 6.1", "", 50, us, srpt...)
			tellBelow(r, "Fig. 6.5a", "", 70, us, fair...)
		}
	}
}

// hopperExpected lets t_new be known, under Hopper and under SRPT: the mean that copies of a task run
// for, from the first one on.
func hopperExpected(b *hopperBed) item {
	return func(l *lab) func(r *report) {
		known := func(p hopperSystem) hopperSystem {
			p.name += ", t_new known"
			p.known = true
			return p
		}
		us := b.ask(l, known(byHopper))
		srpt := each(copyReadings, func(reading copyReading) *trial[hopperRun] { return b.ask(l, known(rival(bySRPT, reading))) })
		return func(r *report) {
			tellBelow(r, "Fig. 6.1", "", 50, us, srpt...)
		}
	}
}

// hopperVariants changes Hopper where the thesis does not say how it is. It keeps the slots of a share
// for which its job has no use yet, as in the example of section 2; its copies go after the
// job's own tasks that wait; or it takes other tails for all jobs than 1.2.
func hopperVariants(b *hopperBed) item {
	return func(l *lab) func(r *report) {
		srpt := b.rivals(l, bySRPT)
		variants := []*trial[hopperRun]{
			b.ask(l, ours("slots kept", func(c *hopper.Config) { c.Keep = true })),
			b.ask(l, ours("copies after own", func(c *hopper.Config) { c.Copies = central.AfterOwn })),
		}
		homogeneous := b.ask(l, oneTail)
		tails := each([]float64{1.05, 1.5, 1.9, 3}, func(tail float64) *trial[hopperRun] {
			return b.ask(l, ours(fmt.Sprintf("one tail of %v", tail), func(c *hopper.Config) { c.Group, c.Tail = "", tail }))
		})
		return func(r *report) {
			for _, us := range variants {
				tellBelow(r, "Fig. 6.1", us.system+": ", 50, us, srpt...)
			}
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
	b := newHopperBed("facebook, pipes in chains of 1 to 8", paper.Facebook(), f.seeds, f.of(150, 300))
	b.params.Pipe, b.params.MostStages, b.params.Load = true, 8, 0.08
	return func(l *lab) func(r *report) {
		srpt := b.rivals(l, bySRPT)
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
				tellBelow(r, "6.2.1", fmt.Sprintf("dampening %v: ", d), published, trials[i], srpt...)
			}
		}
	}
}

package main

import (
	"fmt"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy/hopper"
)

// hopperFair is Fig. 6.5a: gains over Fair, published as "over 70 %", and over Fair that runs no copies.
func hopperFair(b *hopperBed) item {
	return func(l *lab) func(r *report) {
		us, fair, none := b.ask(l, byHopper), b.ask(l, rival(byFair, inTurn)), b.ask(l, withoutCopies(byFair))
		return func(r *report) {
			tellBelow(r, "Fig. 6.5a", "", 70, us, fair)
			tellBelow(r, "Fig. 6.5a", "", unpublished, us, none)
		}
	}
}

// hopperDRF is Fig. 6.5b: gains over DRF, where tasks take memory as well as cores.
func hopperDRF(f form) item {
	b := newHopperBed("facebook, memory", paper.Facebook(), f.seeds, f.of(250, 600))
	b.params.NodeMemory = paper.HopperNodeMemory
	return func(l *lab) func(r *report) {
		us := b.ask(l, ours("with memory", func(c *hopper.Config) { c.Memory = true }))
		drf := b.ask(l, rival(byDRF, inTurn))
		return func(r *report) {
			tellBelow(r, "Fig. 6.5b", "", 70, us, drf)
		}
	}
}

// hopperLocality is Fig. 6.6: the share k of the jobs, the smallest, among which data decides who is
// next. Tasks of first stages take twice as long elsewhere.
func hopperLocality(f form) item {
	b := newHopperBed("facebook, twice as long elsewhere", paper.Facebook(), f.seeds, f.of(250, 600))
	b.params.Elsewhere = 2
	return func(l *lab) func(r *report) {
		srpt := b.ask(l, rival(bySRPT, inTurn))
		type point struct {
			k     float64
			trial *trial[hopperRun]
		}
		points := each([]float64{0, 3, 7}, func(k float64) point {
			p := byHopper
			if k != 3 {
				p = ours(fmt.Sprintf("k %v %%", k), func(c *hopper.Config) { c.Locality = k / 100 })
			}
			return point{k, b.ask(l, p)}
		})
		return func(r *report) {
			for _, p := range points {
				tellBelow(r, "Fig. 6.6", fmt.Sprintf("k %v %%: ", p.k), unpublished, p.trial, srpt)
				published := unpublished // but for a figure
				if p.k == 0 {
					published = 54
				}
				r.add("Fig. 6.6", b.name, fmt.Sprintf("k %v %%: local tasks, %%", p.k), published, each(p.trial.runs, localTasks.of))
			}
			r.add("Fig. 6.6", b.name, localTasks.under(srpt.system), 98, each(srpt.runs, localTasks.of))
		}
	}
}

// oneTail takes 1.2 for all jobs.
var oneTail = ours("one tail", func(c *hopper.Config) { c.Group = "" })

// hopperTails is Fig. 6.7: what it is worth to know the tail of each group of jobs, which is 1.1 to
// 1.9 here, instead of taking 1.2 for all.
func hopperTails(b *hopperBed) item {
	return func(l *lab) func(r *report) {
		groups := b.ask(l, byHopper)
		homogeneous := b.ask(l, oneTail)
		return func(r *report) {
			r.add("Fig. 6.7", b.name, "tails by group: below one tail of 1.2, %", 10, groups.below(homogeneous, ofAll))
		}
	}
}

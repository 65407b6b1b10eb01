package main

import (
	"fmt"

	"example.com/augur/policy/hopper"
	"example.com/augur/policy/workload/paper"
)

// hopperFair is Fig. 6.5a: gains over Fair. Published is "over 70 %".
func hopperFair(b *hopperBed) item {
	return func(l *lab) func(r *report) {
		us, fair := b.ask(l, byHopper), b.rivals(l, byFair)
		return func(r *report) {
			tellBelow(r, "Fig. 6.5a", "", 70, us, fair...)
		}
	}
}

// hopperDRF is Fig. 6.5b: gains over DRF, where tasks take memory as well as cores.
func hopperDRF(f form) item {
	b := newHopperBed("facebook, memory", paper.Facebook(), f.seeds, f.of(250, 1500))
	b.params.NodeMemory = paper.HopperNodeMemory
	return func(l *lab) func(r *report) {
		us := b.ask(l, ours("with memory", func(c *hopper.Config) { c.Memory = true }))
		drf := b.rivals(l, byDRF)
		return func(r *report) {
			tellBelow(r, "Fig. 6.5b", "", 70, us, drf...)
		}
	}
}

// hopperLocality is Fig. 6.6: the share k of the jobs, the smallest, among which data decides who is
// next. Tasks of first stages take twice as long elsewhere.
func hopperLocality(f form) item {
	b := newHopperBed("facebook, twice as long elsewhere", paper.Facebook(), f.seeds, f.of(250, 1500))
	b.params.Elsewhere = 2
	return func(l *lab) func(r *report) {
		srpt := b.rivals(l, bySRPT)
		type point struct {
			k     float64
			trial *trial[hopperRun]
		}
		points := each([]float64{0, 1, 3, 5, 7, 10, 20}, func(k float64) point {
			p := byHopper
			if k != 3 {
				p = ours(fmt.Sprintf("k %v %%", k), func(c *hopper.Config) { c.Locality = k / 100 })
			}
			return point{k, b.ask(l, p)}
		})
		return func(r *report) {
			for _, p := range points {
				tellBelow(r, "Fig. 6.6", fmt.Sprintf("k %v %%: ", p.k), unpublished, p.trial, srpt...)
				published := unpublished // but for a figure
				if p.k == 0 {
					published = 54
				}
				r.add("Fig. 6.6", b.name, fmt.Sprintf("k %v %%: local tasks, %%", p.k), published, each(p.trial.runs, localTasks.of))
			}
			for _, t := range srpt {
				r.add("Fig. 6.6", b.name, localTasks.under(t.system), 98, each(t.runs, localTasks.of))
			}
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

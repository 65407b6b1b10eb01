package main

import (
	"fmt"

	"example.com/augur/policy/hopper"
	"example.com/augur/policy/workload"
)

// hopperFair is Fig. 6.5a: gains over Fair. Published is "over 70 %".
func hopperFair(b *hopperBed) hopperItem {
	return func(l *lab) func(r *report) {
		us, fair := l.ask(b, byHopper), l.rivals(b, hopper.Fair)
		return func(r *report) {
			for _, t := range fair {
				r.add("Fig. 6.5a", b.name, "below "+t.policy.name+", %", 70, us.below(t, anyJob))
			}
		}
	}
}

// hopperDRF is Fig. 6.5b: gains over DRF, where tasks take memory as well as cores.
func hopperDRF(f form) hopperItem {
	b := newHopperBed("facebook, memory", workload.Facebook(), f.seeds, f.of(250, 1500))
	b.params.NodeMemory = workload.HopperNodeMemory
	return func(l *lab) func(r *report) {
		us := l.ask(b, ours("with memory", func(c *hopper.Config) { c.Memory = true }))
		drf := l.rivals(b, hopper.DRF)
		return func(r *report) {
			for _, t := range drf {
				r.add("Fig. 6.5b", b.name, "below "+t.policy.name+", %", 70, us.below(t, anyJob))
			}
		}
	}
}

// hopperLocality is Fig. 6.6: the share k of the jobs, the smallest, among which data decides who is
// next. Tasks of first stages take twice as long elsewhere.
func hopperLocality(f form) hopperItem {
	b := newHopperBed("facebook, twice as long elsewhere", workload.Facebook(), f.seeds, f.of(250, 1500))
	b.params.Elsewhere = 2
	return func(l *lab) func(r *report) {
		srpt := l.rivals(b, hopper.SRPT)
		type point struct {
			k     float64
			trial *trial
		}
		points := each([]float64{0, 1, 3, 5, 7, 10, 20}, func(k float64) point {
			p := byHopper
			if k != 3 {
				p = ours(fmt.Sprintf("k %v %%", k), func(c *hopper.Config) { c.Locality = k / 100 })
			}
			return point{k, l.ask(b, p)}
		})
		return func(r *report) {
			local := func(run hopperRun) float64 { return run.local }
			for _, p := range points {
				for _, t := range srpt {
					r.add("Fig. 6.6", b.name, fmt.Sprintf("k %v %%: below %s, %%", p.k, t.policy.name), unpublished, p.trial.below(t, anyJob))
				}
				published := unpublished // but for a figure
				if p.k == 0 {
					published = 54
				}
				r.add("Fig. 6.6", b.name, fmt.Sprintf("k %v %%: local tasks, %%", p.k), published, each(p.trial.runs, local))
			}
			for _, t := range srpt {
				r.add("Fig. 6.6", b.name, t.policy.name+": local tasks, %", 98, each(t.runs, local))
			}
		}
	}
}

// oneTail takes 1.2 for all jobs.
var oneTail = ours("one tail", func(c *hopper.Config) { c.Group = "" })

// hopperTails is Fig. 6.7: what it is worth to know the tail of each group of jobs, which is 1.1 to
// 1.9 here, instead of taking 1.2 for all. And what Algorithm 4 is worth, which lets jobs go first whose
// slots do most work.
func hopperTails(b *hopperBed) hopperItem {
	return func(l *lab) func(r *report) {
		groups := l.ask(b, byHopper)
		homogeneous := l.ask(b, oneTail)
		throughput := l.ask(b, ours("throughput", func(c *hopper.Config) { c.Throughput = true }))
		return func(r *report) {
			r.add("Fig. 6.7", b.name, "tails by group: below one tail of 1.2, %", 10, groups.below(homogeneous, anyJob))
			r.add("Fig. 6.7", b.name, "shares by Algorithm 4: below one tail of 1.2, %", unpublished, throughput.below(homogeneous, anyJob))
		}
	}
}

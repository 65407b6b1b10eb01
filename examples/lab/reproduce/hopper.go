package main

import (
	"fmt"
	"time"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
)

// hopperItems repeat what Hopper was evaluated with, in section 6, and its worked example in
// section 2.
//
// # The bed
//
// The traces are not public. The jobs are those of [paper.Hopper], on a bed that was chosen by
// that type's advice before any policy was run on it: 20 nodes of the
// published 200, so that many jobs share them, no stage of more than 501 tasks, and no pipes. A job
// has one stage or two, since the jobs of the thesis are a map phase and a reduce phase, with
// the transfer in the latter. Remote data costs nothing.
//
// # Readings
//
// The thesis compares Hopper with rivals that run copies by "best effort". The result depends on when such a copy gets a slot,
// and the words can be read in three ways: see [copyReadings]. Only copies in turn give the completion times of the
// example of section 2. So rivals run their
// copies in turn; the other two readings are measured for Figs. 6.1 and 6.5a, but they contradict the thesis.
func hopperItems(f form) ([]item, error) {
	facebook := newHopperBed("facebook", f.seeds, f.of(600, 3000))
	items := []item{
		hopperExample(),            // section 2
		hopperGains(facebook),      // Figs. 6.1 and 6.5a
		hopperGroupTails(facebook), // Fig. 6.7
	}
	if f.full {
		items = append(items, hopperSettings(newHopperBed("facebook, fewer jobs", f.seeds, f.of(600, 600)))...)
	}
	return items, nil
}

// hopperRivals are Hopper's rivals, and the published percentage by which its mean completion time is below theirs.
var hopperRivals = []struct {
	item      string
	allocator allocator
	published float64
}{{"Fig. 6.1", bySRPT, 50}, {"Fig. 6.5a", byFair, 70}}

// hopperGains is Figs. 6.1 and 6.5a: by how much mean completion times are below those of SRPT and of Fair, in each reading of
// their copies, and below those of rivals that run no copies.
func hopperGains(b *hopperBed) item {
	return func(l *lab) func(r *report) {
		us := b.ask(l, byHopper)
		var tells []func(r *report)
		for _, rival := range hopperRivals {
			tell := func(s hopperSystem, published float64) {
				them := b.ask(l, s)
				tells = append(tells, func(r *report) {
					r.add(rival.item, b.name, "below "+s.name+", %", published, us.below(them, hopperTimes))
				})
			}
			for _, reading := range copyReadings {
				tell(rivalOf(rival.allocator, reading), rival.published)
			}
			tell(withoutCopies(rival.allocator), unpublished)
		}
		return func(r *report) {
			for _, tell := range tells {
				tell(r)
			}
		}
	}
}

// hopperGroupTails is Fig. 6.7: what it is worth to know the tail of each group of jobs, which is 1.1 to
// 1.9 here, instead of taking 1.2 for all.
func hopperGroupTails(b *hopperBed) item {
	return func(l *lab) func(r *report) {
		groups := b.ask(l, byHopper)
		homogeneous := b.ask(l, ours("one tail", func(c *hopper.Config) { c.Group, c.Tail = "", 1.2 }))
		return func(r *report) {
			r.add("Fig. 6.7", b.name, "tails by group: below one tail of 1.2, %", 10, groups.below(homogeneous, hopperTimes))
		}
	}
}

// hopperSettings runs only in the full form: unpublished settings on which the gains may depend. They are the load,
// the width of jobs, the length of tails, the period of reports, a known t_new, and whether Hopper
// keeps the slots of a share that its job cannot use yet, as in the example of section 2.
func hopperSettings(b *hopperBed) []item {
	var items []item
	jobs := func(what string, change func(h *paper.Hopper)) {
		items = append(items, hopperSetting(b.with(what, change), "", "", nil, nil))
	}
	for _, load := range []float64{0.6, 0.9, 1.1, 1.5} {
		jobs(fmt.Sprintf("load %v", load), func(h *paper.Hopper) { h.Load = load })
	}
	jobs("200 nodes", func(h *paper.Hopper) { h.Nodes = 200 })
	jobs("up to 5000 tasks", func(h *paper.Hopper) { h.MaxTasks = 5000 })
	jobs("chains of 1 to 8", func(h *paper.Hopper) { h.MaxStages = 8 })
	for _, times := range []float64{10, 1000} {
		jobs(fmt.Sprintf("copies up to %v times as long", times), func(h *paper.Hopper) { h.Bound = times })
	}
	for _, period := range []policy.Duration{time.Second, 10 * time.Second} {
		report := func(s *hopperSystem) { s.change = func(c *hopper.Config) { c.Period = period } }
		items = append(items, hopperSetting(b, fmt.Sprintf(", reports every %v", period), "", report, report))
	}
	known := func(s *hopperSystem) { s.known = true }
	keep := func(s *hopperSystem) { s.change = func(c *hopper.Config) { c.Keep = true } }
	return append(items,
		hopperSetting(b, ", t_new known", "", known, known),
		hopperSetting(b, "", "Hopper, slots kept: ", keep, nil))
}

// hopperSetting is the gains over SRPT and Fair on another bed, or under a setting that changes Hopper and its rivals. The
// workload of its lines is the bed's name and where; their metric begins with what.
func hopperSetting(b *hopperBed, where, what string, hopper, rivals func(s *hopperSystem)) item {
	changed := func(s hopperSystem, change func(s *hopperSystem)) hopperSystem {
		if change != nil {
			s.name += where + what
			change(&s)
		}
		return s
	}
	return func(l *lab) func(r *report) {
		us := b.ask(l, changed(byHopper, hopper))
		var them []*trial[hopperRun]
		for _, rival := range hopperRivals {
			them = append(them, b.ask(l, changed(rivalOf(rival.allocator, inTurn), rivals)))
		}
		return func(r *report) {
			for i, rival := range hopperRivals {
				metric := what + "below " + rival.allocator.name + ", copies in turn, %"
				r.add(rival.item, b.name+where, metric, rival.published, us.below(them[i], hopperTimes))
			}
		}
	}
}

package main

import (
	"fmt"

	"example.com/augur/policy/central"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/workload/paper"
)

var hopperEpsilons = []float64{0, 5, 10, 15, 20, 30} // %

// fairTo is Hopper with an ε of so many percent.
func fairTo(percent float64) hopperSystem {
	if percent == 100*hopper.DefaultConfig().Epsilon {
		return byHopper
	}
	return ours(fmt.Sprintf("ε %v %%", percent), func(c *hopper.Config) { c.Epsilon = percent / 100 })
}

// hopperEpsilon is Fig. 6.4a: gains over SRPT by ε.
func hopperEpsilon(b *hopperBed) item {
	return func(l *lab) func(r *report) {
		srpt := b.rivals(l, bySRPT)
		trials := each(hopperEpsilons, func(e float64) *trial[hopperRun] { return b.ask(l, fairTo(e)) })
		return func(r *report) {
			for _, t := range srpt {
				for i, e := range hopperEpsilons {
					published := unpublished // but for a figure
					if e == 10 {
						published = 50
					}
					tellBelow(r, "Fig. 6.4a", fmt.Sprintf("ε %v %%: ", e), published, trials[i], t)
				}
			}
		}
	}
}

// slowedBy is by how many percent a job has to take longer to count as slowed.
const slowedBy = 1

// A slowing says how many percent of the jobs are slowed, and by how many percent, on average and at
// most.
type slowing struct{ jobs, mean, worst float64 }

// slowed compares how long jobs take, on average over their lucks, with how long they do under a
// reference: a trial for each luck.
func slowed(ours, reference []*trial[hopperRun]) (bySeed []slowing) {
	for i := range ours[0].runs {
		var s slowing
		count := 0
		for job := range ours[0].runs[i].times {
			took, should := 0.0, 0.0
			for luck := range ours {
				took += ours[luck].runs[i].times[job]
				should += reference[luck].runs[i].times[job]
			}
			if more := 100 * (took/should - 1); more > slowedBy {
				count++
				s.mean += more
				s.worst = max(s.worst, more)
			}
		}
		if count > 0 {
			s.mean /= float64(count)
		}
		s.jobs = 100 * float64(count) / float64(len(ours[0].runs[i].times))
		bySeed = append(bySeed, s)
	}
	return bySeed
}

// hopperLucks is over how many lucks a job's completion times are averaged.
const hopperLucks = 5

// hopperSlowed is Figs. 6.4b and c: how many jobs take longer than with a perfectly fair allocation,
// which is Hopper's with an ε of 0, and how much longer. Published is that fewer than 4 % do
// at 10 %, by at most 5 %. Fair is another reference.
//
// A job also takes longer by chance. That the copies of a task are as lucky under every policy does
// not help, as which of them start, and where, hangs on what came before. How many jobs chance
// slows is shown by the control: a reference against itself, with all jobs 10 ms later. So reports of
// progress, which come every 3 s, fall by 10 ms elsewhere, and nothing else changes. Where a job's
// time is its mean over five lucks, chance should count for less.
func hopperSlowed(f form) item {
	b := facebookBed(f)
	few := newHopperBed(fmt.Sprintf("facebook, %d lucks", hopperLucks), paper.Facebook(), f.seeds, f.of(150, 600))
	return func(l *lab) func(r *report) {
		reference := []hopperSystem{fairTo(0)}
		for _, reading := range copyReadings {
			if f.full || reading.turn == central.InTurn {
				reference = append(reference, rival(byFair, reading))
			}
		}
		var all []slowdown
		for _, ref := range reference {
			all = append(all, slowdowns(l, b, 1, ref, hopperEpsilons[1:])...)
		}
		for _, ref := range reference {
			all = append(all, slowdowns(l, few, hopperLucks, ref, hopperEpsilons[2:3])...)
		}
		return func(r *report) {
			for _, s := range all {
				s.tell(r)
			}
		}
	}
}

// A slowdown compares trials, one for each luck, with those of a reference.
type slowdown struct {
	bed, metric     string
	published       [2]float64 // % of the jobs that are slowed, and by how many % at most
	ours, reference []*trial[hopperRun]
}

// slowdowns asks for the trials of Hopper and of a reference, and for the control.
func slowdowns(l *lab, b *hopperBed, lucks int, ref hopperSystem, epsilons []float64) (all []slowdown) {
	over := func(p hopperSystem, change func(b *hopperBed) *hopperBed) (trials []*trial[hopperRun]) {
		for luck := range lucks {
			trials = append(trials, change(b.relucked(uint64(luck))).ask(l, p))
		}
		return trials
	}
	same := func(b *hopperBed) *hopperBed { return b }
	base := over(ref, same)
	for _, e := range epsilons {
		s := slowdown{b.name, fmt.Sprintf("ε %v %% against %s", e, ref.name), [2]float64{unpublished, unpublished}, over(fairTo(e), same), base}
		if e == 10 {
			s.published = [2]float64{4, 5}
		}
		all = append(all, s)
	}
	control := over(ref, func(b *hopperBed) *hopperBed {
		return b.with("10 ms later", func(b *hopperBed) { b.late = 10e6 })
	})
	return append(all, slowdown{b.name, "control: " + ref.name + " 10 ms later", [2]float64{unpublished, unpublished}, control, base})
}

func (s *slowdown) tell(r *report) {
	bySeed := slowed(s.ours, s.reference)
	r.add("Fig. 6.4b", s.bed, s.metric+": jobs slowed, %", s.published[0], each(bySeed, func(s slowing) float64 { return s.jobs }))
	r.add("Fig. 6.4c", s.bed, s.metric+": slowed by, %", unpublished, each(bySeed, func(s slowing) float64 { return s.mean }))
	r.add("Fig. 6.4c", s.bed, s.metric+": slowed by at most, %", s.published[1], each(bySeed, func(s slowing) float64 { return s.worst }))
}

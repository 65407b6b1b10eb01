package main

import (
	"fmt"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy/hopper"
)

var hopperEpsilons = []float64{0, 10, 30} // %

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
		srpt := b.ask(l, rival(bySRPT, inTurn))
		trials := each(hopperEpsilons, func(e float64) *trial[hopperRun] { return b.ask(l, fairTo(e)) })
		return func(r *report) {
			for i, e := range hopperEpsilons {
				published := unpublished // but for a figure
				if e == 10 {
					published = 50
				}
				tellBelow(r, "Fig. 6.4a", fmt.Sprintf("ε %v %%: ", e), published, trials[i], srpt)
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
// at 10 %, by at most 5 %. Fair is another reference, which section 1 names.
//
// A job also takes longer by chance. That the copies of a task are as lucky under every policy does
// not help, as which of them start, and where, hangs on what came before. How many jobs chance
// slows is shown by an ε of 0.1 %, which gives hardly any job another share of slots. Where a job's time is its mean
// over five lucks, chance should count for less.
func hopperSlowed(f form) item {
	b := facebookBed(f)
	few := newHopperBed(fmt.Sprintf("facebook, %d lucks", hopperLucks), paper.Facebook(), f.seeds, f.of(150, 600))
	return func(l *lab) func(r *report) {
		var all []slowdown
		for _, pair := range [][2]hopperSystem{
			{fairTo(10), fairTo(0)}, {fairTo(10), rival(byFair, inTurn)}, {fairTo(0.1), fairTo(0)},
		} {
			all = append(all, slowdownOf(l, b, 1, pair[0], pair[1]), slowdownOf(l, few, hopperLucks, pair[0], pair[1]))
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

// slowdownOf asks for the trials of Hopper with some ε and of a reference.
func slowdownOf(l *lab, b *hopperBed, lucks int, us, reference hopperSystem) slowdown {
	over := func(p hopperSystem) (trials []*trial[hopperRun]) {
		for luck := range lucks {
			trials = append(trials, b.relucked(uint64(luck)).ask(l, p))
		}
		return trials
	}
	s := slowdown{b.name, us.name + " against " + reference.name, [2]float64{unpublished, unpublished}, over(us), over(reference)}
	if us.name == byHopper.name {
		s.metric, s.published = "ε 10 % against "+reference.name, [2]float64{4, 5}
	}
	return s
}

func (s *slowdown) tell(r *report) {
	bySeed := slowed(s.ours, s.reference)
	r.add("Fig. 6.4b", s.bed, s.metric+": jobs slowed, %", s.published[0], each(bySeed, func(s slowing) float64 { return s.jobs }))
	r.add("Fig. 6.4c", s.bed, s.metric+": slowed by, %", unpublished, each(bySeed, func(s slowing) float64 { return s.mean }))
	r.add("Fig. 6.4c", s.bed, s.metric+": slowed by at most, %", s.published[1], each(bySeed, func(s slowing) float64 { return s.worst }))
}

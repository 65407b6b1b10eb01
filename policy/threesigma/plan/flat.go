package plan

import (
	"math"
	"slices"
)

// slack is the share of a capacity by which the sum of what is taken may exceed it, for the rounding of the sum. See
// tolerance, which is twice as much.
const slack = tolerance / 2

// A flat is a problem in the form that the solvers read: without options that nobody would choose or that do not fit,
// and with each option's consumption as a slice of its profile, laid over one row of all slots of all pools.
type flat struct {
	slots int
	limit []float64 // nodes by pool*slots + slot, with slack
	opts  []opt     // by job; those of a job by falling utility, then by rising index
	first []int32   // opts[first[j]:first[j+1]] are those of job j
	live  []int32   // jobs that have options
	also  []opt     // what opts have behind them
}

// An opt is an option with the first share of its place; further shares are opts behind it. Most options have one
// share, so most loops have one round, and read one cache line.
type opt struct {
	utility, nodes float64
	profile        []float64 // of the problem; without what is past the last slot, and zeros
	next           *opt      // of the same option: nodes of another pool, with the same profile
	base           int32     // where in a row of all slots it begins
	size           int32     // products that it takes to lay it there, those of next with it
	job, index     int32
}

// none is no opt.
const none = -1

// flatten leaves out the options of utility 0 or less and those that do not fit alone. The problem must be valid.
func flatten(p *Problem) *flat {
	f := &flat{slots: p.slotCount(), first: make([]int32, 1, len(p.Jobs)+1)}
	for _, slots := range p.Capacity {
		for _, c := range slots {
			f.limit = append(f.limit, c+c*slack)
		}
	}
	count, also := 0, 0
	for j := range p.Jobs {
		job := &p.Jobs[j]
		count += len(job.Options)
		for _, o := range job.Options {
			also += max(0, len(job.Places[o.Place])-1)
		}
	}
	f.opts = make([]opt, 0, count)
	f.also = make([]opt, 0, also) // so long that it never moves
	var ends []int
	var order []worth
	for j := range p.Jobs {
		job := &p.Jobs[j]
		ends = ends[:0]
		for _, profile := range job.Profiles {
			end := len(profile)
			for end > 0 && profile[end-1] == 0 {
				end--
			}
			ends = append(ends, end)
		}
		order = order[:0]
		for i, o := range job.Options {
			if o.Utility > 0 {
				order = append(order, worth{o.Utility, int32(i)})
			}
		}
		slices.SortFunc(order, worth.compare)
		begin := len(f.opts)
		for _, w := range order {
			f.add(job, j, w.index, ends)
		}
		if len(f.opts) > begin {
			f.live = append(f.live, int32(j))
		}
		f.first = append(f.first, int32(len(f.opts)))
	}
	return f
}

// A worth is the sort key of an option. Sorting takes most of the time of flatten, so the keys are together in
// memory.
type worth struct {
	value float64
	index int32
}

// compare puts what is worth most first.
func (a worth) compare(b worth) int {
	switch {
	case a.value > b.value:
		return -1
	case a.value < b.value:
		return 1
	}
	return int(a.index - b.index)
}

// add adds an option, if it fits alone. ends is where the profiles of the job reach 0.
func (f *flat) add(job *Job, j int, i int32, ends []int) {
	o := &job.Options[i]
	flat := opt{utility: o.Utility, job: int32(j), index: i}
	profile := job.Profiles[o.Profile][:min(ends[o.Profile], f.slots-int(o.Start))]
	behind := len(f.also)
	for k, s := range job.Places[o.Place] {
		base := s.Pool*int32(f.slots) + o.Start
		if k == 0 || flat.nodes == 0 {
			flat.nodes, flat.base = s.Nodes, base
		} else if s.Nodes > 0 {
			f.also = append(f.also, opt{nodes: s.Nodes, profile: profile, base: base})
		}
	}
	if flat.nodes > 0 {
		flat.profile = profile
	}
	also := f.also[behind:]
	last := &flat
	for k := range also {
		last.next = &also[k]
		last = last.next
	}
	flat.size = int32(len(flat.profile) * (1 + len(also)))
	if flat.within(f.limit) {
		f.opts = append(f.opts, flat)
	} else {
		f.also = f.also[:behind]
	}
}

// of returns where the options of a job begin and end.
func (f *flat) of(job int32) (begin, end int32) { return f.first[job], f.first[job+1] }

// nothing returns the choice of no option, by job.
func (f *flat) nothing() []int32 {
	choice := make([]int32, len(f.first)-1)
	for j := range choice {
		choice[j] = none
	}
	return choice
}

// keep returns the part of a start that fits, in the order of jobs, and what it takes. It leaves out options that
// were dropped. Start may have any length.
func (f *flat) keep(start []int) (choice []int32, use []float64) {
	choice, use = f.nothing(), make([]float64, len(f.limit))
	for _, j := range f.live {
		begin, end := f.of(j)
		for o := begin; o < end && int(j) < len(start); o++ {
			if opt := &f.opts[o]; int(opt.index) == start[j] && f.fits(use, opt) {
				opt.put(use)
				choice[j] = o
			}
		}
	}
	return choice, use
}

// solution returns a choice and its value, summed as in Value, without a bound.
func (f *flat) solution(choice []int32) Solution {
	s := Solution{Choice: make([]int, len(choice)), Bound: math.Inf(1)}
	for j, o := range choice {
		s.Choice[j] = None
		if o != none {
			s.Choice[j] = int(f.opts[o].index)
			s.Objective += f.opts[o].utility
		}
	}
	return s
}

// within reports whether o fits alone.
func (o *opt) within(limit []float64) bool {
	for ; o != nil; o = o.next {
		limit := limit[o.base:][:len(o.profile)]
		for t, x := range o.profile {
			if o.nodes*x > limit[t] {
				return false
			}
		}
	}
	return true
}

// fits reports whether o is within the limits beside what is used.
func (f *flat) fits(use []float64, o *opt) bool {
	for ; o != nil; o = o.next {
		u, limit := use[o.base:][:len(o.profile)], f.limit[o.base:][:len(o.profile)]
		for t, x := range o.profile {
			if u[t]+o.nodes*x > limit[t] {
				return false
			}
		}
	}
	return true
}

// put adds o to what is used, and take takes it away again.
func (o *opt) put(use []float64) {
	for ; o != nil; o = o.next {
		u := use[o.base:][:len(o.profile)]
		for t, x := range o.profile {
			u[t] += o.nodes * x
		}
	}
}

func (o *opt) take(use []float64) {
	for ; o != nil; o = o.next {
		u := use[o.base:][:len(o.profile)]
		for t, x := range o.profile {
			u[t] -= o.nodes * x
		}
	}
}

// most returns the nodes of the pool of which o takes most, as Place.nodes does.
func (o *opt) most() (nodes float64) {
	for ; o != nil; o = o.next {
		nodes = max(nodes, o.nodes)
	}
	return nodes
}

// at returns the nodes that o takes at a place of the row of all slots.
func (o *opt) at(i int) float64 {
	for ; o != nil; o = o.next {
		if t := i - int(o.base); t >= 0 && t < len(o.profile) {
			return o.nodes * o.profile[t]
		}
	}
	return 0
}

// meets reports whether o and b take nodes of the same pool in the same slot.
func (o *opt) meets(b *opt) bool {
	for ; o != nil; o = o.next {
		from, to := o.base, o.base+int32(len(o.profile))
		for c := b; c != nil; c = c.next {
			if c.base < to && from < c.base+int32(len(c.profile)) {
				return true
			}
		}
	}
	return false
}

// cost returns what o takes at the prices, or some number above most if it is more than most: the sum stops early.
func (o *opt) cost(prices []float64, most float64) float64 {
	if o.nodes == 0 {
		return 0
	}
	x, p := o.profile, prices[o.base:][:len(o.profile)]
	sum, end := 0.0, most/o.nodes
	for len(x) >= 8 && len(p) >= 8 {
		a := x[0]*p[0] + x[1]*p[1]
		b := x[2]*p[2] + x[3]*p[3]
		c := x[4]*p[4] + x[5]*p[5]
		d := x[6]*p[6] + x[7]*p[7]
		if sum += (a + b) + (c + d); sum > end {
			return sum * o.nodes
		}
		x, p = x[8:], p[8:]
	}
	for t := range x {
		sum += x[t] * p[t]
	}
	sum = sum * o.nodes
	if o.next == nil || sum > most {
		return sum
	}
	return sum + o.next.cost(prices, most-sum)
}

package plan

import (
	"context"
	"slices"
)

// A flat is a problem as the search reads it: without the options that nobody would choose or
// nothing could hold, and what a job takes as a slice of its profile, laid over one row of all
// slots of all pools.
type flat struct {
	slots int
	limit []float64 // nodes by pool*slots + slot, with slack
	opts  []opt     // by job; those of a job by falling utility, then by rising index
	first []int32   // opts[first[j]:first[j+1]] are those of job j
	live  []int32   // jobs that have options
	also  []share   // what has more than one share points into it
	whole bool      // all jobs are in it: ctx had not ended before
}

// An opt is an option. It has its first share itself, for most have no other: the one is read
// without a look elsewhere. Loops over all are
//
//	for base, nodes, next := o.shares(); ; base, nodes, next = o.after(next) {
//		...
//		if next == nil {
//			return
//		}
//	}
type opt struct {
	utility, nodes float64
	next           *share    // what it takes of other pools
	profile        []float64 // of the problem; without what is past the last slot, and zeros
	base           int32     // where in a row of all slots it begins
	size           int32     // products that it takes to lay it there, once for each share
	job, index     int32
}

// A share is what opts of one place take of a further pool.
type share struct {
	nodes float64
	next  *share
	shift int32 // from where they begin in the first pool
}

// shares returns the first share of o, and what follows.
func (o *opt) shares() (base int32, nodes float64, next *share) { return o.base, o.nodes, o.next }

// after returns share s, and what follows.
func (o *opt) after(s *share) (base int32, nodes float64, next *share) {
	return o.base + s.shift, s.nodes, s.next
}

// none is no opt.
const none = -1

// flatten leaves out the options of utility 0 or less and those that do not fit alone. If ctx ends
// meanwhile, of the jobs that are left only what start says is taken.
func flatten(ctx context.Context, p *Problem, start []int) *flat {
	f := &flat{slots: p.Slots(), limit: newUse(p).limit, first: make([]int32, 1, len(p.Jobs)+1), whole: true}
	var ends []int
	var heads []head
	var order []worth
	count, shares := 0, 0
	for j := range p.Jobs {
		count += len(p.Jobs[j].Options)
		for _, place := range p.Jobs[j].Places {
			shares += max(0, len(place)-1)
		}
	}
	f.opts = make([]opt, 0, count)
	f.also = make([]share, 0, shares) // all of them, so that it never moves
	for j := range p.Jobs {
		f.whole = f.whole && ctx.Err() == nil
		job := &p.Jobs[j]
		ends = ends[:0]
		for _, profile := range job.Profiles {
			end := len(profile)
			for end > 0 && profile[end-1] == 0 {
				end--
			}
			ends = append(ends, end)
		}
		heads = heads[:0]
		for _, place := range job.Places {
			heads = append(heads, f.head(place))
		}
		order = order[:0]
		for i := range job.Options {
			if o := &job.Options[i]; o.Utility > 0 && (f.whole || j < len(start) && start[j] == i) {
				order = append(order, worth{o.Utility, int32(i)})
			}
		}
		slices.SortFunc(order, worth.compare)
		begin := len(f.opts)
		for _, w := range order {
			f.add(job, j, w.index, ends, heads)
		}
		if len(f.opts) > begin {
			f.live = append(f.live, int32(j))
		}
		f.first = append(f.first, int32(len(f.opts)))
	}
	return f
}

// A worth is what options are sorted by, together in memory, for most of the time that it takes to
// make a flat is that of sorting.
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

// A head is the first share of a place, of those that take anything, with what follows.
type head struct {
	first int32 // where its pool begins
	nodes float64
	next  *share
	count int32 // of shares
}

// head returns that of a place, and adds the shares that follow to f.
func (f *flat) head(place Place) head {
	var h head
	begin := len(f.also)
	for _, s := range place {
		first := s.Pool * int32(f.slots)
		switch {
		case h.count == 0:
			h.first, h.nodes = first, s.Nodes
		case s.Nodes > 0:
			f.also = append(f.also, share{nodes: s.Nodes, shift: first - h.first})
		}
		if s.Nodes > 0 {
			h.count++
		}
	}
	also := f.also[begin:]
	for i := range also {
		if i+1 < len(also) {
			also[i].next = &also[i+1]
		}
	}
	if len(also) > 0 {
		h.next = &also[0]
	}
	return h
}

// add adds an option, if it fits alone. heads are those of the job's places, and ends are where its
// profiles have come to 0.
func (f *flat) add(job *Job, j int, i int32, ends []int, heads []head) {
	o := &job.Options[i]
	h := &heads[o.Place]
	flat := opt{utility: o.Utility, nodes: h.nodes, next: h.next, base: h.first + o.Start, job: int32(j), index: i}
	if h.count > 0 {
		flat.profile = job.Profiles[o.Profile][:min(ends[o.Profile], f.slots-int(o.Start))]
	}
	flat.size = int32(len(flat.profile)) * h.count
	if flat.within(f.limit) {
		f.opts = append(f.opts, flat)
	}
}

// within reports whether o fits alone.
func (o *opt) within(limit []float64) bool {
	for base, nodes, next := o.shares(); ; base, nodes, next = o.after(next) {
		limit := limit[base:][:len(o.profile)]
		for t, x := range o.profile {
			if float64(nodes*x) > limit[t] {
				return false
			}
		}
		if next == nil {
			return true
		}
	}
}

// of returns where the options of a job begin and end.
func (f *flat) of(job int32) (begin, end int32) { return f.first[job], f.first[job+1] }

// fits reports whether o is within the limits beside what is used.
func (f *flat) fits(use []float64, o *opt) bool {
	for base, nodes, next := o.shares(); ; base, nodes, next = o.after(next) {
		u, limit := use[base:][:len(o.profile)], f.limit[base:][:len(o.profile)]
		for t, x := range o.profile {
			if u[t]+float64(nodes*x) > limit[t] {
				return false
			}
		}
		if next == nil {
			return true
		}
	}
}

// put adds o to what is used, and take takes it away again.
func (o *opt) put(use []float64) {
	for base, nodes, next := o.shares(); ; base, nodes, next = o.after(next) {
		u := use[base:][:len(o.profile)]
		for t, x := range o.profile {
			u[t] += float64(nodes * x)
		}
		if next == nil {
			return
		}
	}
}

func (o *opt) take(use []float64) {
	for base, nodes, next := o.shares(); ; base, nodes, next = o.after(next) {
		u := use[base:][:len(o.profile)]
		for t, x := range o.profile {
			u[t] -= float64(nodes * x)
		}
		if next == nil {
			return
		}
	}
}

// at returns the nodes that o takes at a place of the row of all slots.
func (o *opt) at(i int) float64 {
	for base, nodes, next := o.shares(); ; base, nodes, next = o.after(next) {
		if t := i - int(base); t >= 0 && t < len(o.profile) {
			return float64(nodes * o.profile[t])
		}
		if next == nil {
			return 0
		}
	}
}

// meets reports whether o and b take nodes of the same pool in the same slot.
func (o *opt) meets(b *opt) bool {
	for base, _, next := o.shares(); ; base, _, next = o.after(next) {
		if b.covers(base, base+int32(len(o.profile))) {
			return true
		}
		if next == nil {
			return false
		}
	}
}

// covers reports whether o takes nodes between two places of the row of all slots.
func (o *opt) covers(from, to int32) bool {
	for base, _, next := o.shares(); ; base, _, next = o.after(next) {
		if base < to && from < base+int32(len(o.profile)) {
			return true
		}
		if next == nil {
			return false
		}
	}
}

// cost returns what o takes at the prices, or more than most if it is more than that: the sum stops
// early.
func (o *opt) cost(prices []float64, most float64) float64 {
	if o.nodes == 0 {
		return 0
	}
	total := 0.0
	for base, nodes, next := o.shares(); ; base, nodes, next = o.after(next) {
		x, p := o.profile, prices[base:][:len(o.profile)]
		sum, most := 0.0, (most-total)/nodes
		for len(x) >= 8 && len(p) >= 8 {
			a := float64(x[0]*p[0]) + float64(x[1]*p[1])
			b := float64(x[2]*p[2]) + float64(x[3]*p[3])
			c := float64(x[4]*p[4]) + float64(x[5]*p[5])
			d := float64(x[6]*p[6]) + float64(x[7]*p[7])
			if sum += (a + b) + (c + d); sum > most {
				return total + float64(sum*nodes)
			}
			x, p = x[8:], p[8:]
		}
		for t := range x {
			sum += float64(x[t] * p[t])
		}
		if total += float64(sum * nodes); next == nil {
			return total
		}
	}
}

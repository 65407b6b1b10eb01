package plan

import (
	"context"
	"slices"
)

// A flat is a problem as the search reads it: without the options that nobody would choose or
// nothing could hold, and what a job takes as a slice of its profile, laid over one row of all
// slots.
type flat struct {
	slots int
	limit []float64 // nodes by partition*slots + slot, with slack
	opts  []opt     // by job; those of a job by falling utility, then by rising index
	first []int32   // opts[first[j]:first[j+1]] are those of job j
	live  []int32   // jobs that have options
	whole bool      // all jobs are in it: ctx had not ended before
}

type opt struct {
	utility, nodes float64
	profile        []float64 // of the problem; without what is past the last slot, and zeros
	base           int32     // where in a row of all slots it begins
	job, index     int32
}

// none is no opt.
const none = -1

// flatten leaves out the options of utility 0 or less and those that do not fit alone. If ctx ends
// meanwhile, of the jobs that are left only what start says is taken.
func flatten(ctx context.Context, p *Problem, start []int) *flat {
	f := &flat{slots: p.Slots(), limit: newUse(p).limit, first: make([]int32, 1, len(p.Jobs)+1), whole: true}
	var ends []int
	var order []worth
	count := 0
	for j := range p.Jobs {
		count += len(p.Jobs[j].Options)
	}
	f.opts = make([]opt, 0, count)
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
		order = order[:0]
		for i := range job.Options {
			if o := &job.Options[i]; o.Utility > 0 && (f.whole || j < len(start) && start[j] == i) {
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

func (f *flat) add(job *Job, j int, i int32, ends []int) {
	o := &job.Options[i]
	flat := opt{utility: o.Utility, nodes: o.Nodes, job: int32(j), index: i}
	flat.base = o.Partition*int32(f.slots) + o.Start
	if o.Nodes > 0 {
		flat.profile = job.Profiles[o.Profile][:min(ends[o.Profile], f.slots-int(o.Start))]
	}
	limit := f.limit[flat.base:][:len(flat.profile)]
	for t, x := range flat.profile {
		if float64(flat.nodes*x) > limit[t] {
			return
		}
	}
	f.opts = append(f.opts, flat)
}

// of returns where the options of a job begin and end.
func (f *flat) of(job int32) (begin, end int32) { return f.first[job], f.first[job+1] }

// fits reports whether o is within the limits beside what is used.
func (f *flat) fits(use []float64, o *opt) bool {
	u, limit := use[o.base:][:len(o.profile)], f.limit[o.base:][:len(o.profile)]
	for t, x := range o.profile {
		if u[t]+float64(o.nodes*x) > limit[t] {
			return false
		}
	}
	return true
}

// put adds o to what is used, and take takes it away again.
func (o *opt) put(use []float64) {
	u := use[o.base:][:len(o.profile)]
	for t, x := range o.profile {
		u[t] += float64(o.nodes * x)
	}
}

func (o *opt) take(use []float64) {
	u := use[o.base:][:len(o.profile)]
	for t, x := range o.profile {
		u[t] -= float64(o.nodes * x)
	}
}

// cost returns what o takes at the prices, or more than most if it is more than that: the sum stops
// early.
func (o *opt) cost(prices []float64, most float64) float64 {
	if o.nodes == 0 {
		return 0
	}
	x, p := o.profile, prices[o.base:][:len(o.profile)]
	sum, most := 0.0, most/o.nodes
	for len(x) >= 8 && len(p) >= 8 {
		a := float64(x[0]*p[0]) + float64(x[1]*p[1])
		b := float64(x[2]*p[2]) + float64(x[3]*p[3])
		c := float64(x[4]*p[4]) + float64(x[5]*p[5])
		d := float64(x[6]*p[6]) + float64(x[7]*p[7])
		if sum += (a + b) + (c + d); sum > most {
			return float64(sum * o.nodes)
		}
		x, p = x[8:], p[8:]
	}
	for t := range x {
		sum += float64(x[t] * p[t])
	}
	return float64(sum * o.nodes)
}

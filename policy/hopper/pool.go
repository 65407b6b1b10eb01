package hopper

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"sort"

	"example.com/augur/policy"
)

// A pool shares slots among jobs by their virtual sizes, as [EpsilonFair] does, while jobs come, shrink and go. It also says
// whose turn the next slot is. Sizes and slots are whole numbers of grains, so their sums are exact.
//
// The jobs with tasks stand in a slice in the order of Algorithm 2, and shares are computed anew after a change. That takes
// time linear in the jobs that get their virtual size, or stand at the floor before those; they are fewer than the slots. When
// a job comes or ends, up to 24 bytes are moved for each other one.
type pool struct {
	slots   float64
	epsilon float64
	jobs    []pooled // in the order of their places
	wants   int      // jobs that want a slot

	// What follows is as of the last change, if known is set.
	known bool
	floor float64 // every job has at least that
	each  float64 // jobs before the edge have as much for each slot of their virtual size
	edge  int     // the job at the edge has what is left over, and those behind it have the floor
	over  float64
}

// A place is where a job stands among others: by virtual size, and of equal ones by ID. Its size is 0 if the job has no tasks.
type place struct {
	size float64
	id   policy.JobID
}

func (a place) compare(b place) int {
	return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.id, b.id))
}

type pooled struct {
	place
	used float64 // slots that it has; +Inf if it has no use for another one
}

// find returns where a place is or would be among the jobs.
func (p *pool) find(at place) int {
	return sort.Search(len(p.jobs), func(i int) bool { return p.jobs[i].compare(at) >= 0 })
}

// put puts a job in the place of what it was. One without tasks is not in the pool: it has no share and no use for a slot.
func (p *pool) put(was place, j pooled) {
	from, to := p.find(was), p.find(j.place)
	there, stays := was.size > 0, j.size > 0
	if there && p.jobs[from].used <= most {
		p.wants--
	}
	if stays && j.used <= most {
		p.wants++
	}
	p.known = p.known && was == j.place
	switch {
	case there && stays && to > from:
		to--
		copy(p.jobs[from:to], p.jobs[from+1:to+1])
		p.jobs[to] = j
	case there && stays:
		copy(p.jobs[to+1:from+1], p.jobs[to:from])
		p.jobs[to] = j
	case stays:
		p.jobs = slices.Insert(p.jobs, to, j)
	case there:
		p.jobs = slices.Delete(p.jobs, from, from+1)
	}
}

// setSlots changes the number of slots.
func (p *pool) setSlots(slots float64) { p.slots, p.known = slots, false }

// above returns the first job whose virtual size is above a size.
func (p *pool) above(size float64) int {
	return sort.Search(len(p.jobs), func(i int) bool { return p.jobs[i].size > size })
}

// solve computes the shares.
//
// # Source
//
// Hopper, section 3.5, Algorithm 2.
func (p *pool) solve() {
	if p.known {
		return
	}
	n := len(p.jobs)
	p.known, p.edge, p.each = true, n, 1
	p.floor = (1 - p.epsilon) * p.slots / float64(max(1, n))

	// Case 1: the least virtual size is served first, until no slots remain beyond the floors.
	m1 := p.above(p.floor)
	served := 0.0
	for i := m1; i < n; i++ {
		size := p.jobs[i].size
		left := p.slots - served - float64(p.floor*float64(m1+n-i))
		if size-p.floor >= left {
			p.edge, p.over = i, p.floor+max(0, left)
			return
		}
		served += size
	}

	// Case 2: slots are enough for all. They go in proportion to the virtual sizes of those jobs that get more than the floor so.
	sizes := served
	for i := range m1 {
		sizes += p.jobs[i].size
	}
	p.each = p.slots / sizes
	for m2 := 0; m2 < n-1 && float64(p.jobs[m2].size*p.each) < p.floor; {
		sizes -= p.jobs[m2].size
		m2++
		p.each = (p.slots - float64(p.floor*float64(m2))) / sizes
	}
}

// of returns the share of the i-th job.
func (p *pool) of(i int) float64 {
	switch {
	case i < p.edge:
		return max(p.floor, float64(p.each*p.jobs[i].size))
	case i == p.edge:
		return p.over
	}
	return p.floor
}

// share returns the slots of a job.
func (p *pool) share(at place) float64 {
	if at.size == 0 {
		return 0
	}
	p.solve()
	return p.of(p.find(at))
}

// anybody is how short a job is at most that has a use for a slot.
const anybody = -math.MaxFloat64

// waiting yields the jobs that want a slot and are short of so many, share - slots used ≥ short, the least virtual size first.
// p must not change meanwhile.
func (p *pool) waiting(short float64) iter.Seq[policy.JobID] {
	return func(yield func(policy.JobID) bool) {
		if p.wants == 0 {
			return
		}
		p.solve()
		for i := range p.jobs {
			if j := &p.jobs[i]; p.of(i)-j.used >= short && !yield(j.id) {
				return
			}
		}
	}
}

// next returns the first job that waits.
func (p *pool) next(short float64) (id policy.JobID, ok bool) {
	for id := range p.waiting(short) {
		return id, true
	}
	return 0, false
}

// grain is how many grains there are in a slot.
const grain = 1024

// grains returns a number of slots in grains, to the nearest one.
func grains(slots float64) float64 { return min(math.Round(max(0, slots)*grain), most) }

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
// The jobs stand in a slice in the order of Algorithm 2, and shares are computed anew after a change. That takes time linear
// in the jobs that get their virtual size or stand at the floor before them, which are fewer than the slots.
type pool struct {
	slots   float64
	epsilon float64
	jobs    []pooled // in the order of their places
	wants   int      // jobs that want a slot

	// What follows is as of the last change, if known is set.
	known bool
	floor float64 // every job with tasks has at least that
	each  float64 // jobs before the edge have as much for each slot of their virtual size
	edge  int     // the job at the edge has what is left over, and those behind it have the floor
	over  float64
}

// A place is where a job stands among others: by virtual size, and of equal ones by ID.
type place struct {
	size float64
	id   policy.JobID
}

func (a place) compare(b place) int {
	return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.id, b.id))
}

type pooled struct {
	place
	used  float64 // slots that it has
	wants bool    // it could use another one
}

// find returns where a place is or would be among the jobs.
func (p *pool) find(at place) int {
	return sort.Search(len(p.jobs), func(i int) bool { return p.jobs[i].compare(at) >= 0 })
}

// add adds a job without tasks, which has no slots and wants none.
func (p *pool) add(id policy.JobID) place {
	at := place{id: id}
	p.jobs = slices.Insert(p.jobs, p.find(at), pooled{place: at})
	p.known = false // it has no share, but those behind it have moved
	return at
}

// resize gives a job another virtual size, and returns its new place.
func (p *pool) resize(at place, size float64) place {
	if size == at.size {
		return at
	}
	from := p.find(at)
	j := p.jobs[from]
	j.size = size
	to := p.find(j.place)
	if to > from {
		to--
		copy(p.jobs[from:to], p.jobs[from+1:to+1])
	} else {
		copy(p.jobs[to+1:from+1], p.jobs[to:from])
	}
	p.jobs[to] = j
	p.known = false
	return j.place
}

// remove takes a job out.
func (p *pool) remove(at place) {
	p.use(at, 0, false)
	i := p.find(at)
	p.jobs = slices.Delete(p.jobs, i, i+1)
	p.known = false
}

// setSlots changes the number of slots.
func (p *pool) setSlots(slots float64) { p.slots, p.known = slots, false }

// use sets how many slots a job has, and whether it could use one more.
func (p *pool) use(at place, slots float64, wants bool) {
	j := &p.jobs[p.find(at)]
	if j.wants {
		p.wants--
	}
	if wants {
		p.wants++
	}
	j.used, j.wants = slots, wants
}

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
	n, first := len(p.jobs), p.above(0) // jobs before the first have no tasks
	p.known, p.edge, p.each, p.floor = true, n, 1, 0
	if first == n {
		return
	}
	p.floor = (1 - p.epsilon) * p.slots / float64(n-first)

	// Case 1: the least virtual size is served first, until no slots remain beyond the floors.
	m1 := max(first, p.above(p.floor))
	served := 0.0
	for i := m1; i < n; i++ {
		left := p.slots - served - float64(p.floor*float64(n-i+m1-first))
		if size := p.jobs[i].size; size-p.floor >= left {
			p.edge, p.over = i, p.floor+max(0, left)
			return
		}
		served += p.jobs[i].size
	}

	// Case 2: slots are enough for all. They go in proportion to the virtual sizes of jobs that get more than the floor so.
	sizes, left := served, p.slots
	for i := first; i < m1; i++ {
		sizes += p.jobs[i].size
	}
	m2 := first
	for p.each = left / sizes; m2 < n-1 && float64(p.jobs[m2].size*p.each) < p.floor; p.each = left / sizes {
		sizes -= p.jobs[m2].size
		m2++
		left = p.slots - float64(p.floor*float64(m2-first))
	}
}

// of returns the share of the i-th job.
func (p *pool) of(i int) float64 {
	switch size := p.jobs[i].size; {
	case size == 0:
		return 0
	case i < p.edge:
		return max(p.floor, float64(p.each*size))
	case i == p.edge:
		return p.over
	}
	return p.floor
}

// share returns the slots of a job.
func (p *pool) share(at place) float64 {
	p.solve()
	return p.of(p.find(at))
}

// waiting yields the jobs that want a slot and are short of so many, share - slots used ≥ short, the least virtual size first.
// With -Inf that is every job that wants a slot. p must not change meanwhile.
func (p *pool) waiting(short float64) iter.Seq[policy.JobID] {
	return func(yield func(policy.JobID) bool) {
		if p.wants == 0 {
			return
		}
		p.solve()
		for i := range p.jobs {
			if j := &p.jobs[i]; j.wants && p.of(i)-j.used >= short && !yield(j.id) {
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

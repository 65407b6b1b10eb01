package hopper

import (
	"iter"
	"math"
	"slices"
	"sort"

	"example.com/augur/policy"
)

// A pool shares slots among jobs by their virtual sizes, as [EpsilonFair] does, while jobs come, shrink and go. It also says
// whose turn the next slot is. Sizes and slots are whole numbers of grains, so their sums are exact.
//
// The jobs with tasks stand in the order of Algorithm 2, in blocks of at most mostInBlock. A block knows the sum of its jobs, so
// the loops of the algorithm pass over whole blocks. A change or a question takes time linear in the number of blocks and in
// the size of one.
type pool struct {
	slots   float64
	epsilon float64
	blocks  []block
	n       int // jobs in the blocks
	wants   int // jobs that want a slot

	// What follows is as of the last change, if known is set.
	known bool
	floor float64 // every job has at least that
	each  float64 // jobs before the edge have as much for each slot of their virtual size
	edge  place   // the job at the edge has what is left over, and those behind it have the floor
	over  float64
}

// A place is where a job stands among others: by virtual size, and of equal ones by ID. Its size is 0 if the job has no tasks.
type place struct {
	size float64
	id   policy.JobID
}

func (a place) before(b place) bool { return a.size < b.size || a.size == b.size && a.id < b.id }

type pooled struct {
	place
	used float64 // slots that it has; +Inf if it has no use for another one
}

// A block is some neighbours in the order of jobs, at least one.
type block struct {
	jobs        []pooled
	first, last place
	size        float64 // sum of theirs
	used        float64 // the least of theirs
}

const mostInBlock = 32

// count brings the rest of a block up to date with its jobs.
func (b *block) count() {
	b.first, b.last = b.jobs[0].place, b.jobs[len(b.jobs)-1].place
	b.size, b.used = 0, math.Inf(1)
	for i := range b.jobs {
		b.size += b.jobs[i].size
		b.used = min(b.used, b.jobs[i].used)
	}
}

// find returns in which block a place is or would be, and where in it. There is at least one block.
func (p *pool) find(at place) (k, i int) {
	k = sort.Search(len(p.blocks)-1, func(k int) bool { return at.before(p.blocks[k+1].first) })
	jobs := p.blocks[k].jobs
	return k, sort.Search(len(jobs), func(i int) bool { return !jobs[i].before(at) })
}

// put replaces what the pool knows of a job, which was at a place. A job without tasks is not in the pool: it has no share and
// no use for a slot.
func (p *pool) put(was place, j pooled) {
	switch {
	case was.size == 0 && j.size == 0:
		return
	case was == j.place:
		k, i := p.find(was)
		b := &p.blocks[k]
		p.tally(b.jobs[i], -1)
		p.tally(j, +1)
		b.jobs[i] = j
		b.count()
		return
	}
	// Behind the edge sizes do not matter.
	p.known = p.known && p.edge.before(was) && p.edge.before(j.place)
	if was.size > 0 {
		p.remove(was)
	}
	if j.size > 0 {
		p.insert(j)
	}
}

func (p *pool) remove(at place) {
	k, i := p.find(at)
	b := &p.blocks[k]
	p.tally(b.jobs[i], -1)
	b.jobs = slices.Delete(b.jobs, i, i+1)
	if len(b.jobs) == 0 {
		p.blocks = slices.Delete(p.blocks, k, k+1)
		return
	}
	b.count()
}

func (p *pool) insert(j pooled) {
	p.tally(j, +1)
	if len(p.blocks) == 0 {
		p.blocks = append(p.blocks, block{})
	}
	k, i := p.find(j.place)
	b := &p.blocks[k]
	b.jobs = slices.Insert(b.jobs, i, j)
	if len(b.jobs) > mostInBlock {
		half := block{jobs: slices.Clone(b.jobs[mostInBlock/2:])}
		half.count()
		b.jobs = b.jobs[:mostInBlock/2]
		p.blocks = slices.Insert(p.blocks, k+1, half)
	}
	p.blocks[k].count()
}

// tally counts a job that comes, by 1, or goes, by -1.
func (p *pool) tally(j pooled, by int) {
	p.n += by
	if j.used <= most {
		p.wants += by
	}
}

// setSlots changes the number of slots.
func (p *pool) setSlots(slots float64) { p.slots, p.known = slots, false }

// A cut parts the jobs: those before a job, and that job with those behind it.
type cut struct {
	job  place   // of infinite size if all jobs are before
	n    int     // how many are before
	size float64 // the sum of these
}

// cut returns the first cut of which something is true, if that is then true of all cuts behind it.
func (p *pool) cut(is func(c cut) bool) (c cut) {
	for k := range p.blocks {
		b := &p.blocks[k]
		if !is(cut{b.last, c.n + len(b.jobs) - 1, c.size + b.size - b.last.size}) {
			c.n, c.size = c.n+len(b.jobs), c.size+b.size
			continue
		}
		for i := range b.jobs {
			if c.job = b.jobs[i].place; is(c) {
				return c
			}
			c.n, c.size = c.n+1, c.size+c.job.size
		}
	}
	c.job = place{size: math.Inf(1)}
	return c
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
	p.known, p.each = true, 1
	p.floor = (1 - p.epsilon) * p.slots / float64(max(1, p.n))

	// Case 1: the least virtual size is served first, until no slots remain beyond the floors.
	small := p.cut(func(c cut) bool { return c.job.size > p.floor })
	left := func(c cut) float64 {
		return p.slots - (c.size - small.size) - p.floor*float64(small.n+p.n-c.n)
	}
	edge := p.cut(func(c cut) bool { return c.n >= small.n && c.job.size-p.floor >= left(c) })
	p.edge = edge.job
	if edge.n < p.n {
		p.over = p.floor + max(0, left(edge))
		return
	}

	// Case 2: slots are enough for all. They go in proportion to the virtual sizes of those jobs that get more than the floor so.
	each := func(c cut) float64 { return (p.slots - p.floor*float64(c.n)) / (edge.size - c.size) }
	p.each = each(p.cut(func(c cut) bool { return c.n == p.n-1 || c.job.size*each(c) >= p.floor }))
}

// of returns the share of a job.
func (p *pool) of(at place) float64 {
	switch {
	case at.before(p.edge):
		return max(p.floor, p.each*at.size)
	case at == p.edge:
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
	return p.of(at)
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
		for k := range p.blocks {
			b := &p.blocks[k]
			largest := p.floor
			if !p.edge.before(b.first) {
				largest = max(largest, p.each*b.last.size)
			}
			if largest-b.used < short {
				continue // nobody here is so short
			}
			for i := range b.jobs {
				if j := &b.jobs[i]; p.of(j.place)-j.used >= short && !yield(j.id) {
					return
				}
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

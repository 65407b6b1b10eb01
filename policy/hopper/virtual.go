package hopper

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// level returns the speculation level of a job whose runtimes have a Pareto tail of shape tail: the mean number of
// copies of each task beyond which another slot is worth more elsewhere,
//
//	2/β    if 1 < β ≤ 2
//	1      if β > 2
//
// It is NaN unless tail is greater than 1 and finite: for tail ≤ 1 runtimes have no mean.
//
// # Source
//
// Hopper, equation 3.4, where β < 2. We add the second line: less than one copy of a task
// does no work.
func level(tail float64) float64 {
	if !(tail > 1) || math.IsInf(tail, 1) {
		return math.NaN()
	}
	return max(2/tail, 1)
}

// VirtualSize returns the number of slots with which a job with this many remaining tasks speculates best,
//
//	V = max(2/β, 1) * T * sqrt(α)
//
// with T the tasks and α the weight of the job divided by the least weight of the jobs beside it; 1 for jobs of one
// phase. A common factor of all weights cancels when sizes are compared. It is NaN unless tasks and weight are finite
// and at least 0, and tail is finite and greater than 1.
//
// # Source
//
// Hopper, equation 3.5 and section 4.1.
func VirtualSize(tasks, tail, weight float64) float64 {
	if !known(0, tasks, tail) || !(weight >= 0) || math.IsInf(weight, 1) {
		return math.NaN()
	}
	return level(tail) * tasks * math.Sqrt(weight)
}

// Rate returns the service rate μ of a job with these slots and remaining tasks, if it runs the best number of
// copies: the number of slots in which a cluster without copies does as much work.
//
//	slope(β) * S                      if S ≤ V
//	β/(β-1) * T - T²/((β-1) * S)      if S > V
//
// with V the [VirtualSize] with weight 1, and slope(β) = β²/(4(β-1)), or 1 for β > 2. It increases with S and is
// concave in S; for many slots it tends to T·β/(β-1). It is 0 for no slots, and for no tasks.
// It is NaN unless slots and tasks are finite and at least 0, and tail is finite and greater than 1.
//
// # Source
//
// Hopper, equations 3.3 and 3.7. The text has T for S in the first case. For β > 2 we use one copy where it has 2/β.
func Rate(slots, tasks, tail float64) float64 {
	switch {
	case !known(slots, tasks, tail):
		return math.NaN()
	case slots <= level(tail)*tasks:
		return slope(tail) * slots
	}
	return tasks * ((tail - tasks/slots) / (tail - 1)) // tasks times tail may be more than there are numbers
}

// slope is the rate per slot up to the virtual size.
func slope(tail float64) float64 {
	if tail > 2 {
		return 1
	}
	return tail * tail / (4 * (tail - 1))
}

func known(slots, tasks, tail float64) bool {
	return slots >= 0 && !math.IsInf(slots, 1) && tasks >= 0 && !math.IsInf(tasks, 1) &&
		tail > 1 && !math.IsInf(tail, 1)
}

// VirtualSizesConfig describes a [VirtualSizes].
type VirtualSizesConfig struct {
	// Epsilon is the part of its fair share that a job may lose, 0 to 1: see [EpsilonFair].
	Epsilon float64
	// Keep reserves the slots of a share that its job cannot use yet, so that copies need not wait for a slot.
	// Otherwise other jobs borrow them.
	Keep bool
	// Locality is the fraction of jobs, smallest first, among which the job with the most local
	// tasks goes next, 0 to 1 (section 5.1).
	Locality float64
	// Tail is the tail β of the runtimes of all jobs' tasks, > 1 and at most 1e100; 0 means 1.2, as in section 6.4.2.
	// With Group it is the tail of a group until enough of its tasks have ended.
	Tail float64
	// Group names the job attribute whose value is the job's group; jobs without the attribute form one group. Each
	// group has its own tail, learnt from its last 1000 tasks except those that read through pipes. Empty: all jobs
	// have the same tail. A restart loses what was learnt, unless the policy's journal (package journal) restores it.
	Group string
	// Dampening is the exponent of the weights α of jobs with stages that others read through pipes, 0 to 1,
	//
	//	α = (remaining tasks that read / remaining tasks of these stages)^Dampening
	//
	// where a remainder below 1 counts as 1. With 0 all jobs have the weight 1.
	Dampening float64
	// Memory counts memory beside cores, on nodes with limited memory: a task counts as the mean of its shares of the
	// cluster's cores and of its memory (section 6.3, footnote 2).
	Memory bool
}

// VirtualSizes is Hopper's turn. The next slot goes to the job with the least virtual size among those that have less
// than their share, even by a part of a slot. If there is none, it goes to the job with the least virtual size among
// all that can use a slot, unless Keep forbids that.
//
// A job's virtual size is the [VirtualSize] of the remaining tasks of its Ready stages, including those that run.
// Shares are those of [EpsilonFair] by virtual size, to the nearest 1024th of a slot.
//
// Slots are whole, and shares are not. If there are more jobs than slots, each share is below one, so the smallest
// jobs get one slot each, and there are hardly any copies.
//
// It learns tails from the ended tasks that a [Speculation] in the same scheduler reports.
//
// # Cost
//
// With n jobs a step takes O(n) time. If tasks name the nodes that hold their input, each start looks at the fraction
// Locality of the jobs. When a group's tail changes, its jobs get the new one gradually: one job for each task that finishes. If
// memory counts, a node that changes the cluster's memory per core moves all jobs. A step allocates only when a job
// comes or a tail is fitted, and while tables grow.
//
// # Source
//
// Hopper, chapters 3 to 5. The paper does not say what happens to slots that a job cannot use. That they are lent is
// ours, and so is which job goes first among those that have less than their share. Algorithm 3 orders jobs by the
// larger of their running phase and the transfer after it; here only the running phase counts.
type VirtualSizes struct {
	config VirtualSizesConfig
	view   *central.View
	slots  func() int64
	jobs   policy.Table[policy.JobID, sized]
	pool   pool
	local  locality
	each   float64 // cores for each byte, if memory counts
	tails  tails
}

// sized is a VirtualSizes' record of a job.
type sized struct {
	*central.Job
	place   place // in the pool
	changed bool  // its virtual size is another one than the pool knows
	has     central.Claim
	wanted  wanted
	readers []int64 // of each stage; nil if there are none
	group   string
	tail    float64 // of its tasks, β
	placed  int     // its stages that say which nodes hold what tasks read
}

// NewVirtualSizes returns the turn. It returns an error that names the field that is out of range.
func NewVirtualSizes(c VirtualSizesConfig) (*VirtualSizes, error) {
	if c.Tail == 0 {
		c.Tail = homogeneousTail
	}
	switch {
	case !(c.Epsilon >= 0 && c.Epsilon <= 1):
		return nil, fmt.Errorf("hopper: VirtualSizesConfig.Epsilon is %v, must be 0 to 1", c.Epsilon)
	case !(c.Locality >= 0 && c.Locality <= 1):
		return nil, fmt.Errorf("hopper: VirtualSizesConfig.Locality is %v, must be 0 to 1", c.Locality)
	case !(c.Dampening >= 0 && c.Dampening <= 1):
		return nil, fmt.Errorf("hopper: VirtualSizesConfig.Dampening is %v, must be 0 to 1", c.Dampening)
	case !(c.Tail > 1 && c.Tail <= maxTail):
		return nil, fmt.Errorf("hopper: VirtualSizesConfig.Tail is %v, must be > 1, at most %v, or 0 for %v", c.Tail, maxTail, homogeneousTail)
	}
	return &VirtualSizes{config: c, pool: pool{epsilon: c.Epsilon}, tails: newTails(c.Tail)}, nil
}

// Bind implements [central.Turn].
func (v *VirtualSizes) Bind(b central.Books) error {
	if err := b.Enter(&v.view); err != nil {
		return err
	}
	v.local.open.view, v.slots = b.View, b.Slots
	return nil
}

// Note implements [central.Turn].
func (v *VirtualSizes) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Joined, policy.Left:
		v.resize()
	case policy.Submitted:
		own := &sized{Job: j, readers: readers(j.Job.Stages), place: place{id: j.Job.ID}, tail: v.config.Tail}
		v.jobs.Put(j.Job.ID, own)
		if v.config.Group != "" {
			own.group, _ = j.Job.Attr(v.config.Group)
			v.tails.enrol(own)
		}
	case policy.Ended:
		own := v.jobs.Get(j.Job.ID)
		v.jobs.Delete(j.Job.ID)
		v.pool.put(own.place, pooled{})
		v.tails.leave(own)
		v.local.placed -= own.placed
	case policy.Ready:
		own, stage := v.jobs.Get(j.Job.ID), &j.Job.Stages[ev.Copy.Stage]
		own.wanted.opened(stage, own.reads(ev.Copy.Stage))
		own.changed = true
		if len(stage.Holders) > 0 {
			own.placed++
			v.local.placed++
		}
	case policy.Finished:
		own, stage := v.jobs.Get(j.Job.ID), &j.Job.Stages[ev.Copy.Stage]
		if j.Stages[ev.Copy.Stage].Finished > stage.Units() {
			return nil // it cannot be
		}
		last := j.Stages[ev.Copy.Stage].Finished == stage.Units()
		own.wanted.finished(stage, own.reads(ev.Copy.Stage), last)
		own.changed, v.tails.finished = true, true
		if last && len(stage.Holders) > 0 {
			own.placed--
			v.local.placed--
		}
	}
	return nil
}

// resize updates the slots after the nodes have changed.
func (v *VirtualSizes) resize() {
	cores, memory := v.view.Capacity()
	v.pool.setSlots(grains(float64(v.slots())))
	if !v.config.Memory || memory <= 0 {
		return
	}
	if each := float64(cores) / memory; each != v.each {
		v.each = each
		for _, own := range v.jobs.All() {
			own.changed = true
			v.follow(own)
		}
	}
}

// Claim implements [central.Turn].
func (v *VirtualSizes) Claim(j *central.Job, c central.Claim) {
	own := v.jobs.Get(j.Job.ID)
	if own.changed || own.has != c {
		own.has = c
		v.follow(own)
	}
	if v.tails.finished {
		v.tails.finished = false
		if own := v.tails.next(); own != nil {
			own.changed = true
			v.follow(own)
		}
	}
}

// follow updates the pool with the virtual size of a job, its slots and whether it wants more.
func (v *VirtualSizes) follow(own *sized) {
	j := pooled{own.place, math.Inf(1)}
	if own.changed {
		tasks, weight := v.demand(own)
		j.size, own.changed = grains(VirtualSize(tasks, own.tail, weight)), false
	}
	if own.has.Wants {
		j.used = grains(float64(own.has.Cores))
	}
	v.pool.put(own.place, j)
	own.place = j.place
}

// Share returns the number of slots that a job should have, which may be more than it can use. It returns false if
// the job is not there.
func (v *VirtualSizes) Share(id policy.JobID) (slots float64, ok bool) {
	own := v.jobs.Get(id)
	if own == nil {
		return 0, false
	}
	return v.pool.share(own.place) / grain, true
}

// shortPart is the least part of a slot by which a job counts as short of its share: more than the rounding of
// shares.
const shortPart = 1e-9

// Next implements [central.Turn].
func (v *VirtualSizes) Next() *central.Job {
	if j := v.nextShort(shortPart * grain); j != nil || v.config.Keep {
		return j
	}
	return v.nextShort(anybody)
}

// nextShort returns the next job among those that are short by at least that many grains.
func (v *VirtualSizes) nextShort(short float64) *central.Job {
	first, ok := v.pool.next(short)
	if !ok {
		return nil
	}
	return v.view.Job(v.nearest(first, short))
}

// A pool shares slots among jobs by their virtual sizes, as [EpsilonFair] does, while jobs come, shrink and go. It also says
// whose turn the next slot is. Sizes and slots are whole numbers of grains, so their sums are exact.
//
// The jobs with tasks are in the order of Algorithm 2, in blocks of at most mostInBlock. A block knows the sum of its
// jobs, so the loops of the algorithm skip whole blocks. A change or a query takes time linear in the number of
// blocks and in the size of one.
type pool struct {
	slots   float64
	epsilon float64
	blocks  []block
	n       int      // jobs in the blocks
	wants   int      // jobs that want a slot
	spare   []pooled // of the block that was emptied last, for the first block

	// What follows is as of the last change, if known is set.
	known bool
	floor float64 // every job has at least that
	each  float64 // jobs before the edge have as much for each slot of their virtual size
	edge  place   // the job at the edge has what is left over, and those behind it have the floor
	over  float64
}

// A place is a job's sort key: its virtual size, then its ID. The size is 0 if the job has no tasks.
type place struct {
	size float64
	id   policy.JobID
}

func (a place) before(b place) bool { return a.size < b.size || a.size == b.size && a.id < b.id }

type pooled struct {
	place
	used float64 // slots that it has; +Inf if it has no use for another one
}

// A block is some neighbouring jobs in the order, at least one.
type block struct {
	jobs        []pooled
	first, last place
	size        float64 // sum of theirs
	used        float64 // the least of theirs
}

const mostInBlock = 32

// count updates the sums of a block.
func (b *block) count() {
	b.first, b.last = b.jobs[0].place, b.jobs[len(b.jobs)-1].place
	b.size, b.used = 0, math.Inf(1)
	for i := range b.jobs {
		b.size += b.jobs[i].size
		b.used = min(b.used, b.jobs[i].used)
	}
}

// find returns the block where a place is or would be, and the index in it. There must be at least one block.
func (p *pool) find(at place) (k, i int) {
	k = sort.Search(len(p.blocks)-1, func(k int) bool { return at.before(p.blocks[k+1].first) })
	jobs := p.blocks[k].jobs
	return k, sort.Search(len(jobs), func(i int) bool { return !jobs[i].before(at) })
}

// put replaces the pool's entry of a job, which was at a place. A job without tasks is not in the pool: it has no
// share and cannot use a slot.
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
		p.spare = b.jobs
		p.blocks = slices.Delete(p.blocks, k, k+1)
		return
	}
	b.count()
}

func (p *pool) insert(j pooled) {
	p.tally(j, +1)
	if len(p.blocks) == 0 {
		p.blocks = append(p.blocks, block{jobs: p.spare})
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
	if j.used <= maxAmount {
		p.wants += by
	}
}

// setSlots changes the number of slots.
func (p *pool) setSlots(slots float64) { p.slots, p.known = slots, false }

// A cut splits the jobs into those before a job, and that job with those after it.
type cut struct {
	job  place   // of infinite size if all jobs are before
	n    int     // how many are before
	size float64 // the sum of these
}

// cut returns the first cut for which is returns true; is must then be true for all later cuts.
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

// anybody is a shortage that every job that can use a slot has.
const anybody = -math.MaxFloat64

// waiting yields the jobs that want a slot and are short by at least that much (share - used slots ≥ short), least
// virtual size first. p must not change meanwhile.
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

// next returns the first job that waiting yields.
func (p *pool) next(short float64) (id policy.JobID, ok bool) {
	for id := range p.waiting(short) {
		return id, true
	}
	return 0, false
}

// grain is the number of grains in a slot.
const grain = 1024

// grains converts slots to grains, rounded to the nearest.
func grains(slots float64) float64 { return min(math.Round(max(0, slots)*grain), maxAmount) }

package hopper

import (
	"fmt"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// VirtualSizesConfig describes a [VirtualSizes].
type VirtualSizesConfig struct {
	// Epsilon is by what part of the fair share a job may have less, 0 to 1: see [EpsilonFair].
	Epsilon float64
	// Keep keeps free the slots of a share for which its job has no use yet, so that copies need not
	// wait for one; otherwise other jobs borrow them.
	Keep bool
	// Locality is the share of the jobs, the smallest, of which the one with the most local
	// tasks is next, 0 to 1: section 5.1.
	Locality float64
	// Tail is the tail β of the runtimes of all jobs' tasks, and of a group's until enough of them have ended, > 1 and
	// at most 1e100; 0 means 1.2, as in section 6.4.2.
	Tail float64
	// Group names the attribute of a job that says in which group it is; those without it make
	// another one. Each group has a tail of its own, learnt from its last 1000 tasks, but for those that
	// read through pipes. Empty: all jobs have the same tail. A restart loses what was learnt, unless the policy's journal
	// (package journal) brings it back.
	Group string
	// Dampening is the exponent of the weights α of jobs with stages that others read through pipes, 0 to 1,
	//
	//	α = (tasks left that read / tasks left of these stages)^Dampening
	//
	// where one below 1 counts as 1. With 0 all jobs have the weight 1.
	Dampening float64
	// Memory lets memory count beside cores, on nodes that say how much they have: a task counts for the
	// mean of its parts of the cluster's cores and of its memory (section 6.3, footnote 2).
	Memory bool
}

// VirtualSizes is the turn of Hopper. The next slot goes to the job with the least virtual size among those that
// have less than their share, even by a part of a slot. If there is none, it goes to the least virtual size among all
// jobs that have a use for a slot, unless Keep forbids that.
//
// A job's virtual size is [VirtualSize] of the tasks left in its stages that are Ready, those that run included. Shares are
// those of [EpsilonFair] by virtual size, to the nearest 1024th of a slot.
//
// Slots are whole, and shares are not. With more jobs than slots each has a share of less than one, so the
// smallest jobs have one each, and there are hardly any copies.
//
// Tails are learnt from what a [Speculation] in the same scheduler tells of tasks that have ended.
//
// # Cost
//
// A step takes time linear in the jobs or in the slots, whichever are fewer, and O(log n) for n jobs but for moving memory.
// Where tasks say which nodes hold what they read, each start looks at the share Locality of the jobs. When a group's
// tail changes, its jobs follow one by one, as one job is looked at for each task that finishes. If memory counts, a node
// that comes or goes and changes how much of it there is for each core takes O(n) time a job. It allocates only when
// a job comes or a tail is fitted, and while tables grow.
//
// # Source
//
// Hopper, chapters 3 to 5. That slots are lent is ours, and which job goes first among those that have less than
// their share: the paper does not say what becomes of slots that a job cannot use. Algorithm 3 orders jobs by
// the larger of their running phase and the transfer after it; here only the former counts.
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

// sized is what VirtualSizes keeps of a job.
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

// NewVirtualSizes returns the turn. The error names the field that is outside its range.
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
	case !(c.Tail > 1 && c.Tail <= light):
		return nil, fmt.Errorf("hopper: VirtualSizesConfig.Tail is %v, must be > 1, at most %v, or 0 for %v", c.Tail, light, homogeneousTail)
	}
	return &VirtualSizes{config: c, pool: pool{epsilon: c.Epsilon}, tails: newTails(c.Tail)}, nil
}

// Bind implements [central.Turn].
func (v *VirtualSizes) Bind(b central.Books) error {
	v.view, v.local.open.view, v.slots = b.View, b.View, b.Slots
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

// resize takes note that the nodes are others.
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

// follow tells the pool the virtual size of a job, what it has and whether it wants more.
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

// demand returns the tasks left of a job, T, and its weight, α.
func (v *VirtualSizes) demand(own *sized) (tasks, weight float64) {
	w := &own.wanted
	tasks = float64(w.slots)
	if v.config.Memory && v.each > 0 {
		tasks = (tasks + float64(w.memory*v.each)) / 2 // the mean of the two, in cores
	}
	return tasks, w.weight(v.config.Dampening)
}

// Share returns how many slots a job is to have, which may be more than it has a use for, and false if the job is
// not there.
func (v *VirtualSizes) Share(id policy.JobID) (slots float64, ok bool) {
	own := v.jobs.Get(id)
	if own == nil {
		return 0, false
	}
	return v.pool.share(own.place) / grain, true
}

// shortPart is how much of a slot a job is short of at least that has less than its share: more
// than what rounding makes of shares.
const shortPart = 1e-9

// Next implements [central.Turn].
func (v *VirtualSizes) Next() *central.Job {
	if j := v.nextShort(shortPart * grain); j != nil || v.config.Keep {
		return j
	}
	return v.nextShort(anybody)
}

// nextShort returns who is next of those that are short of so many grains.
func (v *VirtualSizes) nextShort(short float64) *central.Job {
	first, ok := v.pool.next(short)
	if !ok {
		return nil
	}
	return v.view.Job(v.nearest(first, short))
}

// A wanted is what the Ready stages of a job ask for in all. The job keeps it up to date as tasks finish, since it may have
// very many stages: to sum them up at each event would take time quadratic in their number.
type wanted struct {
	slots    int64   // of their tasks that are not finished
	memory   float64 // of these tasks, bytes
	work     int64   // tasks not finished of the stages that others read through pipes
	transfer int64   // tasks that read these
}

// opened counts a stage that is Ready, and that so many tasks read through pipes.
func (w *wanted) opened(stage *policy.Stage, readers int64) {
	units := int64(stage.Units())
	w.slots += stage.Width() * units
	w.memory += float64(memoryOf(stage) * float64(units))
	w.transfer += readers
	if readers > 0 {
		w.work += units
	}
}

// finished counts a unit of a stage that has just finished, perhaps the last one.
func (w *wanted) finished(stage *policy.Stage, readers int64, last bool) {
	w.slots -= stage.Width()
	w.memory = max(0, w.memory-memoryOf(stage)) // it is a rounded sum
	if w.slots == 0 {
		w.memory = 0
	}
	if readers > 0 {
		w.work--
	}
	if last {
		w.transfer -= readers
	}
}

// memoryOf returns the bytes that a unit of a stage takes.
func memoryOf(stage *policy.Stage) float64 {
	return float64(float64(stage.Memory) * float64(stage.Tasks/stage.Units()))
}

// reads returns how many tasks read a stage through pipes.
func (own *sized) reads(stage uint32) int64 {
	if own.readers == nil {
		return 0
	}
	return own.readers[stage]
}

// readers returns how many tasks read each stage through pipes, nil if none reads any. A task ends no earlier than what
// it reads, so all of them are to be done as long as the stage is not finished.
func readers(stages []policy.Stage) []int64 {
	var tasks []int64
	for i := range stages {
		for _, read := range stages[i].Reads {
			if !read.Pipe {
				continue
			}
			if tasks == nil {
				tasks = make([]int64, len(stages))
			}
			tasks[read.Stage] += int64(stages[i].Units())
		}
	}
	return tasks
}

// weight returns the weight of a job, α.
func (w *wanted) weight(dampening float64) float64 {
	if w.work == 0 {
		return 1
	}
	return max(1, dampened(float64(w.transfer), float64(w.work), dampening))
}

// dampened returns (transfer / work)^dampening.
//
// # Source
//
// Hopper, sections 4.1, 5.2 and 6.2.1. The paper does not say how the dampening value acts; as an
// exponent it keeps a common factor of all weights a common factor.
func dampened(transfer, work, dampening float64) float64 {
	return min(most, math.Pow(transfer/work, dampening))
}

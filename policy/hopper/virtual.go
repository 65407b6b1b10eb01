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

// VirtualSizes is the turn of Hopper: it goes by virtual size. The next slot goes to the job with the least virtual size among those that
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
// With n jobs a step takes O(n/32) time, some 1.8 times one of baseline.Fewest with 1,000 jobs and 2.4 times with 10,000. Where
// tasks say which nodes hold what they read, each start looks at the share Locality of the jobs. When a group's tail changes, its
// jobs follow one by one: one job is looked at for each task that finishes. If memory counts, a node that changes how much of it
// there is for each core moves all jobs. A step allocates only when a job comes or a tail is fitted, and while tables grow.
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

// locality lets a job go before smaller ones whose tasks are not where their data is. Of the smallest jobs it picks the one
// with the most local tasks, which then goes on until none of its tasks waits.
//
// # Source
//
// Hopper, section 5.1, which says that up to 5 % of the jobs will do. The paper takes 3 % (section 6.2); beyond
// 7 % it loses more than it gains (section 6.4.1).
type locality struct {
	placed int // stages that say which nodes hold what their tasks read
	open   openNodes
	job    policy.JobID
	is     bool // job is one that was picked for its data
}

// nearest returns the job that data locality lets go before the first of those that are short of so many grains. If none of
// the smallest has a local task, that is the first.
func (v *VirtualSizes) nearest(first policy.JobID, short float64) policy.JobID {
	l := &v.local
	look := int(math.Ceil(v.config.Locality*float64(v.pool.wants) - 1e-9)) // 0.07 of 100 is 7
	if look < 2 || l.placed == 0 || !l.open.few() {
		return first
	}
	if l.is {
		if own := v.jobs.Get(l.job); own != nil && own.Waiting > 0 && own.has.Wants {
			if share := v.pool.share(own.place); share-grains(float64(own.has.Cores)) >= short {
				return l.job
			}
		}
	}
	most := 0
	l.job = first
	for id := range v.pool.waiting(short) {
		if tasks := v.localTasks(id); tasks > most {
			l.job, most = id, tasks
		}
		if look--; look == 0 {
			break
		}
	}
	l.is = most > 0
	return l.job
}

// localTasks returns how many waiting tasks of a job would be local on the open nodes.
func (v *VirtualSizes) localTasks(id policy.JobID) (tasks int) {
	own := v.jobs.Get(id)
	if own.placed == 0 {
		return 0
	}
	for _, n := range v.local.open.nodes {
		tasks += v.view.Local(own.Job, n)
	}
	return tasks
}

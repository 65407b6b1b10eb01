package hopper

import (
	"fmt"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// VirtualSizesConfig describes a [VirtualSizes].
type VirtualSizesConfig struct {
	// Epsilon is by what part of the fair share a job may have less, 0 to 1: see [PoolConfig].
	Epsilon float64
	// Keep keeps free the slots of a share for which its job has no use yet, so that copies need not
	// wait for one; otherwise other jobs borrow them.
	Keep bool
	// Throughput gives slots where they do most work by the jobs' tails and weights, as [Allocate]
	// does; otherwise small virtual sizes go first, whatever they are made of.
	Throughput bool
	// Locality is the share of the jobs, the smallest, of which the one with the most local
	// tasks is next, 0 to 1: section 5.1.
	Locality float64
	// Group names the attribute of a job that says in which group it is; those without it make
	// another one. Each group has a tail of its own, learnt from its tasks, but for those that
	// read through pipes. Empty: all jobs have the tail Tails.Start.
	Group string
	// Tails says how these are learnt. A restart loses them, unless the policy's journal (package journal)
	// brings them back.
	Tails TailsConfig
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

// VirtualSizes is the turn of Hopper: the next slot goes to the job with the least virtual size of those that
// have less than their share, be it by a part of a slot. If there is none, any job with use for a slot may have
// it, unless Keep says otherwise, and again the least virtual size goes first.
//
// The demand of a job is the tasks left, with those that run, of its stages that are Ready. Shares are those of
// a [Pool] in which all jobs are of one class, and have a task for each slot of their virtual sizes, to the
// nearest 1024th: what the job's own tail and α make of its tasks counts, and no more. With Throughput jobs are
// of classes, as in sections 4.1 and 4.2, and those go first whose slots do most work, whatever their size: jobs
// of heavy tails then keep others waiting.
//
// Slots are whole, and shares are not. With more jobs than slots each has a share of less than one, so the
// smallest jobs have one each, and there are hardly any copies.
//
// Tails are learnt from what a [Speculation] in the same scheduler tells of tasks that have ended.
//
// # Cost
//
// A step takes time logarithmic in the number of jobs. Where tasks say which nodes hold what they read, each
// start looks at the share Locality of the jobs. When a group's tail changes, its jobs are given the new one by
// and by, as one job is looked at for each task that finishes; until then they count with the one that Tail
// says. If memory counts, a node that comes or goes and changes how much of it there is for each core takes
// O(n log n) time for n jobs. It allocates only when a job comes or a tail is fitted, and while tables grow.
//
// # Source
//
// Hopper, chapters 3 to 5. That slots are lent is ours, and which job goes first among those that have less than
// their share: the paper does not say what becomes of slots that a job cannot use. Algorithm 3 orders jobs by
// the larger of their running phase and the transfer after it; here only the former counts.
type VirtualSizes struct {
	config     VirtualSizesConfig
	view       *central.View
	slots      func() int64
	jobs       policy.Table[policy.JobID, sized]
	pool       *Pool
	candidates []candidate
	local      locality
	open       openNodes
	placed     int     // stages that say which nodes hold what their tasks read
	each       float64 // cores for each byte, if memory counts

	tails    *groupTails
	members  ring[sized] // the jobs of groups, by when they were given their tail, longest ago first
	enrolled int         // how many these are
	follows  int         // how many of these have yet to be looked at, since a tail is another one
	runtimes []float64
	finished bool // a task has, and one job is to follow
}

// sized is what VirtualSizes keeps of a job.
type sized struct {
	*central.Job
	has     central.Claim
	wanted  wanted
	readers []int64 // of each stage; nil if there are none
	group   string
	tail    float64     // of its tasks, β
	seat    link[sized] // in members, if there are groups
	placed  int         // its stages that say which nodes hold what tasks read
	changed bool        // its demand is another one than the pool knows
}

// NewVirtualSizes returns the turn. The error names the field that is outside its range.
func NewVirtualSizes(c VirtualSizesConfig) (*VirtualSizes, error) {
	switch {
	case !(c.Epsilon >= 0 && c.Epsilon <= 1):
		return nil, fmt.Errorf("hopper: VirtualSizesConfig.Epsilon is %v, must be 0 to 1", c.Epsilon)
	case !(c.Locality >= 0 && c.Locality <= 1):
		return nil, fmt.Errorf("hopper: VirtualSizesConfig.Locality is %v, must be 0 to 1", c.Locality)
	case !(c.Dampening >= 0 && c.Dampening <= 1):
		return nil, fmt.Errorf("hopper: VirtualSizesConfig.Dampening is %v, must be 0 to 1", c.Dampening)
	}
	tails, err := newGroupTails(c.Tails)
	if err != nil {
		return nil, err
	}
	pool, err := NewPool(PoolConfig{Epsilon: c.Epsilon})
	return &VirtualSizes{config: c, pool: pool, tails: tails, local: locality{share: c.Locality}}, err
}

// Bind implements [central.Turn].
func (v *VirtualSizes) Bind(b central.Books) error {
	v.view, v.open.view, v.slots = b.View, b.View, b.Slots
	return nil
}

// Note implements [central.Turn].
func (v *VirtualSizes) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Joined, policy.Left:
		v.resize()
	case policy.Submitted:
		own := &sized{Job: j, readers: readers(j.Job.Stages), changed: true}
		v.jobs.Put(j.Job.ID, own)
		v.enrol(own)
	case policy.Ended:
		own := v.jobs.Get(j.Job.ID)
		v.jobs.Delete(j.Job.ID)
		v.pool.Remove(j.Job.ID)
		if v.config.Group != "" {
			own.seat.remove()
			v.enrolled--
		}
		v.placed -= own.placed
	case policy.Ready:
		own, stage := v.jobs.Get(j.Job.ID), &j.Job.Stages[ev.Copy.Stage]
		own.wanted.opened(stage, own.reads(ev.Copy.Stage))
		own.changed = true
		if len(stage.Holders) > 0 {
			own.placed++
			v.placed++
		}
	case policy.Finished:
		own, stage := v.jobs.Get(j.Job.ID), &j.Job.Stages[ev.Copy.Stage]
		if j.Stages[ev.Copy.Stage].Finished > stage.Units() {
			return nil // it cannot be
		}
		last := j.Stages[ev.Copy.Stage].Finished == stage.Units()
		own.wanted.finished(stage, own.reads(ev.Copy.Stage), last)
		own.changed, v.finished = true, true
		if last && len(stage.Holders) > 0 {
			own.placed--
			v.placed--
		}
	}
	return nil
}

// resize takes note that the nodes are others.
func (v *VirtualSizes) resize() {
	cores, memory := v.view.Capacity()
	must(v.pool.SetSlots(grains(v.slots())))
	if !v.config.Memory || memory <= 0 {
		return
	}
	if each := float64(cores) / memory; each != v.each {
		v.each = each
		for _, own := range v.jobs.All() {
			own.changed = true
			v.place(own)
		}
	}
}

// Claim implements [central.Turn].
func (v *VirtualSizes) Claim(j *central.Job, c central.Claim) {
	own := v.jobs.Get(j.Job.ID)
	if own.changed || own.has != c {
		own.has = c
		v.place(own)
	}
	if v.finished {
		v.finished = false
		v.follow()
	}
}

// place tells the pool what a job has and wants.
func (v *VirtualSizes) place(own *sized) {
	id := own.Job.Job.ID
	if own.changed {
		own.changed = false
		must(v.pool.Set(id, v.classed(own)))
	}
	must(v.pool.Use(id, grains(own.has.Cores), own.has.Wants))
}

// shortPart is how much of a slot a job is short of at least that has less than its share: more
// than what rounding makes of shares.
const shortPart = 1e-9

// grain is how many grains there are in a slot. The pool counts in these, since it is faster with
// whole numbers than with fractions, and shares grow as slots and tasks do.
const grain = 1024

// grains returns a number of slots as the pool counts them.
func grains(slots int64) float64 {
	return min(most, float64(max(0, slots))*grain)
}

// Share returns how many slots a job is to have, which may be more than it has a use for, and false if the job is
// not there.
func (v *VirtualSizes) Share(id policy.JobID) (slots float64, ok bool) {
	grains, ok := v.pool.Share(id)
	return float64(grains / grain), ok
}

// Next implements [central.Turn].
func (v *VirtualSizes) Next() *central.Job {
	if j := v.nextShort(shortPart); j != nil || v.config.Keep {
		return j
	}
	return v.nextShort(math.Inf(-1))
}

// nextShort returns who is next of those that are short of so many slots.
func (v *VirtualSizes) nextShort(short float64) *central.Job {
	first, ok := v.pool.Next(float64(short * grain))
	if !ok {
		return nil
	}
	return v.view.Job(v.nearest(first, short))
}

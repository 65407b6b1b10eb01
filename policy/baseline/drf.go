package baseline

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/queue"
)

// DRFConfig describes a DRF policy.
type DRFConfig struct {
	// User names the job attribute that holds the user; "" means "user". A job without the attribute counts as a user
	// of its own.
	User string
	// Weights are the weights of users: 1e-100 to 1e100; 1 for users that are not in the map.
	Weights map[string]float64
}

// DRF shares cores, memory and named resources among users by dominant resource fairness. A user's dominant share is
// the largest of its shares of all cores, of all memory and of each named resource, divided by its weight. What is free
// goes to the user with the least dominant share (see [queue.DRF]). A user's jobs go in the order of their submission.
// No task is preempted: a share is reached as tasks end. Whole tasks round the shares in favour of users of small
// weight: with weights 2 and 1 and tasks of one GPU, two users have 5 and 3 of 8 GPUs, not 2 to 1. With more GPUs the
// rounding matters less: of 64 they have 42 and 22, or 43 and 21.
//
// Memory counts as far as nodes have memory limits.
//
// A step takes time logarithmic in the number of users and of a user's jobs, for each event and
// action; when a node joins or leaves, it takes time in proportion to the users who have jobs.
//
// It returns an error that names the user whose weight is out of range.
//
// # Source
//
// A. Ghodsi, M. Zaharia, B. Hindman, A. Konwinski, S. Shenker and I. Stoica, "Dominant
// resource fairness: fair allocation of multiple resource types", NSDI 2011.
func DRF(c DRFConfig) (central.Order, error) {
	c.User, c.Weights = cmp.Or(c.User, "user"), maps.Clone(c.Weights)
	users, err := queue.NewDRF[*owner](0, 0)
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	for _, user := range slices.Sorted(maps.Keys(c.Weights)) {
		handle, err := users.Add(nil, c.Weights[user])
		if err != nil {
			return nil, fmt.Errorf("baseline: DRFConfig.Weights of %q: %w", user, err)
		}
		users.Remove(handle)
	}
	return &drf{config: c, users: users, byName: make(map[string]*owner), amounts: make([]float64, 2)}, nil
}

// NewDRF returns the policy whose turn is [DRF].
func NewDRF(c DRFConfig) (*central.Scheduler, error) {
	t, err := DRF(c)
	if err != nil {
		return nil, err
	}
	return of(t), nil
}

type drf struct {
	config DRFConfig
	view   *central.View
	jobs   policy.Table[policy.JobID, owned]
	users  *queue.DRF[*owner]
	byName map[string]*owner // those that have jobs and a name

	amounts []float64 // of each resource: scratch
	moved   bool      // a user's share has changed, and with it the places of all its jobs
}

// owned is what DRF keeps of a job.
type owned struct {
	job    *central.Job
	owner  *owner
	handle queue.Handle  // among the owner's jobs
	has    central.Usage // charged so far
	named  []int64       // the same of named resources
}

// owner is a user who has jobs.
type owner struct {
	name   string
	named  bool
	handle queue.Handle
	jobs   int                 // that have not ended
	queue  *queue.Heap[*owned] // those with something to start
}

func (p *drf) Bind(b central.Books) error {
	return b.Enter(&p.view)
}

func (p *drf) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Joined, policy.Left:
		p.recount()
	case policy.Submitted:
		return p.own(j)
	case policy.Ended:
		o := p.jobs.Get(j.Job.ID).owner
		p.jobs.Delete(j.Job.ID)
		if o.jobs--; o.jobs == 0 {
			p.users.Remove(o.handle)
			if o.named {
				delete(p.byName, o.name)
			}
		}
	}
	return nil
}

// own finds the owner of a job that has come.
func (p *drf) own(j *central.Job) error {
	name, named := j.Job.Attr(p.config.User)
	o := p.byName[name]
	if !named || o == nil {
		o = &owner{name: name, named: named, queue: queue.NewHeap(func(a, b *owned) int { return central.BySubmission(a.job, b.job) })}
		weight, given := p.config.Weights[name]
		if !named || !given {
			weight = 1
		}
		var err error
		if o.handle, err = p.users.Add(o, weight); err != nil {
			return fmt.Errorf("baseline: %w", err)
		}
		if named {
			p.byName[name] = o
		}
	}
	o.jobs++
	own := &owned{job: j, owner: o}
	o.queue.Remove(o.queue.Push(own)) // so that it has room already when the job wants something
	p.jobs.Put(j.Job.ID, own)
	return nil
}

// Update implements [central.Turn]. It charges a job's owner with what the job has now, and puts the job where
// it belongs in the owner's queue, and the owner among those who wait.
func (p *drf) Update(j *central.Job, u central.Usage) {
	own := p.jobs.Get(j.Job.ID)
	o := own.owner
	p.charge(own, j, u)
	if _, queued := o.queue.Get(own.handle); queued && !u.Wants {
		o.queue.Remove(own.handle)
	} else if !queued && u.Wants {
		own.handle = o.queue.Push(own)
	}
	if o.queue.Len() > 0 {
		p.moved = p.moved || o.queue.Len() == 1 // it may have begun to wait
		p.users.Join(o.handle)
	} else {
		p.users.Leave(o.handle)
	}
}

// charge charges a job's owner with what the job has more than when it was charged last.
func (p *drf) charge(own *owned, j *central.Job, c central.Usage) {
	cores, memory := c.Cores-own.has.Cores, c.Memory-own.has.Memory
	own.has = c
	clear(p.amounts)
	p.amounts[0], p.amounts[1] = float64(cores), memory
	changed := cores != 0 || memory != 0
	if len(j.Resources) > 0 {
		changed = p.chargeNamed(own, j.Resources) || changed
	}
	if changed {
		p.moved = true
		p.users.Charge(own.owner.handle, p.amounts...)
	}
}

// chargeNamed is charge for named resources. It reports whether there is anything to charge.
func (p *drf) chargeNamed(own *owned, has []int64) (changed bool) {
	if len(own.named) < len(has) {
		own.named = append(own.named, make([]int64, len(has)-len(own.named))...)
	}
	for i, amount := range has {
		if d := amount - own.named[i]; d != 0 && i+2 < len(p.amounts) {
			p.amounts[i+2], own.named[i], changed = float64(d), amount, true
		}
	}
	return changed
}

// recount counts the capacities anew.
func (p *drf) recount() {
	cores, memory := p.view.Capacity()
	resources := p.view.Resources()
	p.amounts = append(p.amounts[:0], float64(cores), memory)
	for i := range resources {
		p.amounts = append(p.amounts, float64(resources[i].All))
	}
	p.moved = true
	_ = p.users.SetCapacity(p.amounts...) // none is negative, and they become no fewer
	clear(p.amounts)
}

func (p *drf) Next() *central.Job {
	user, ok := p.users.Next()
	if !ok {
		return nil
	}
	own, _ := user.queue.Peek()
	return own.job
}

// Compare orders jobs, whether or not they have something to start: by their users' dominant shares, then by
// submission. Of users with equal shares the one goes first whose share has not changed for longest.
func (p *drf) Compare(a, b *central.Job) int {
	x, y := p.jobs.Get(a.Job.ID).owner, p.jobs.Get(b.Job.ID).owner
	return cmp.Or(p.users.Compare(x.handle, y.handle), central.BySubmission(a, b))
}

func (p *drf) Reordered() bool {
	moved := p.moved
	p.moved = false
	return moved
}

package baseline

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// DRFConfig describes a DRF policy.
type DRFConfig struct {
	// User names the attribute of a job that says whose it is; "" means "user". A job without it
	// has a user of its own.
	User string
	// Weights says who may have more than others, or less: finite, > 0; 1 for users that are
	// not in it.
	Weights map[string]float64
}

// DRF shares cores and memory among users by dominant resource fairness: what is free goes
// to the user whose dominant share, the larger of its shares of all cores and of all memory
// by its weight, is the least (see [queue.DRF]). A user's jobs go in the order of their
// submission. No task is preempted: a share is reached as tasks end. While the next task, or
// gang, finds no room, the others wait with it, as in [FIFO].
//
// Memory counts as far as nodes say how much they have.
//
// Step takes time logarithmic in the number of users and of a user's jobs, for each event and
// action; when a node joins or leaves, it takes time in proportion to the users who have jobs.
//
// # Source
//
// A. Ghodsi, M. Zaharia, B. Hindman, A. Konwinski, S. Shenker and I. Stoica, "Dominant
// resource fairness: fair allocation of multiple resource types", NSDI 2011.
type DRF struct {
	config DRFConfig
	view   policy.View[owned]
	nodes  map[policy.NodeID]node
	cores  float64 // of all nodes
	memory float64 // bytes
	users  *queue.DRF[*owner]
	byName map[string]*owner // those that have jobs and a name
}

type node struct {
	cores  int32
	memory int64
}

// owned is what DRF keeps of a job.
type owned struct {
	owner   *owner
	handle  queue.Handle // among the owner's jobs
	memory  float64      // bytes of copies that run or stand still and of Starts that are not answered
	cores   int64        // charged so far
	charged float64      // of memory so far
	refused bool         // the host found no room for its last Start
}

type ownedView = policy.JobView[owned]

// owner is a user who has jobs.
type owner struct {
	name   string
	named  bool
	handle queue.Handle
	jobs   int                     // that have not ended
	queue  *queue.Heap[*ownedView] // those with something to start
}

// NewDRF returns a DRF policy. The error names the user whose weight is outside its range.
func NewDRF(c DRFConfig) (*DRF, error) {
	c.User, c.Weights = cmp.Or(c.User, "user"), maps.Clone(c.Weights)
	for _, user := range slices.Sorted(maps.Keys(c.Weights)) {
		if w := c.Weights[user]; !(w > 0) || math.IsInf(w, 1) {
			return nil, fmt.Errorf("baseline: DRFConfig.Weights of %q is %v, want a finite number above 0", user, w)
		}
	}
	users, err := queue.NewDRF[*owner](0, 0)
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	return &DRF{config: c, nodes: make(map[policy.NodeID]node), users: users, byName: make(map[string]*owner)}, nil
}

// Step implements [policy.Scheduler].
func (p *DRF) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	j, err := p.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	switch ev.Kind {
	case policy.Joined:
		err = p.resize(ev.Node, node{ev.Info.Cores, ev.Info.Memory})
	case policy.Left:
		err = p.resize(ev.Node, node{})
	case policy.Submitted:
		err = p.own(j)
	}
	if err != nil {
		return actions, fmt.Errorf("baseline: %w", err)
	}
	if j != nil {
		p.note(j, ev)
	}
	return p.start(ev, actions), nil
}

// resize notes what a node has.
func (p *DRF) resize(id policy.NodeID, now node) error {
	before := p.nodes[id]
	p.cores += float64(now.cores) - float64(before.cores)
	p.memory += float64(now.memory) - float64(before.memory)
	if p.nodes[id] = now; now == (node{}) {
		delete(p.nodes, id)
	}
	return p.users.SetCapacity(p.cores, p.memory)
}

// own finds the owner of a job that has come.
func (p *DRF) own(j *ownedView) error {
	name, named := j.Job.Attr(p.config.User)
	o := p.byName[name]
	if !named || o == nil {
		o = &owner{name: name, named: named, queue: queue.NewHeap(func(a, b *ownedView) int { return submission(a.Job, b.Job) })}
		weight, given := p.config.Weights[name]
		if !named || !given {
			weight = 1
		}
		var err error
		if o.handle, err = p.users.Add(o, weight); err != nil {
			return err
		}
		if named {
			p.byName[name] = o
		}
	}
	o.jobs++
	j.Own.owner = o
	return nil
}

// note takes note of an event about a job.
func (p *DRF) note(j *ownedView, ev *policy.Event) {
	if ev.Kind >= policy.Started && ev.Kind <= policy.Lost { // about a copy
		memory := memoryOf(j, ev.Copy.Stage)
		switch {
		case ev.Kind == policy.Started:
			j.Own.refused = false
			if ev.Replay {
				j.Own.memory += memory
			}
		case ev.Kind == policy.Refused && !ev.Replay:
			j.Own.refused = true
			j.Own.memory -= memory
		case ev.Kind.End() && !ev.Replay:
			j.Own.memory -= memory
		}
	}
	p.place(j)
	if o := j.Own.owner; ev.Kind == policy.Ended {
		if o.jobs--; o.jobs == 0 {
			p.users.Remove(o.handle)
			if o.named {
				delete(p.byName, o.name)
			}
		}
	}
}

// memoryOf returns the bytes that a unit of a stage takes.
func memoryOf(j *ownedView, stage uint32) float64 {
	s := &j.Job.Stages[stage]
	if s.Gang {
		return float64(float64(s.Memory) * float64(s.Tasks))
	}
	return float64(s.Memory)
}

// place charges a job's owner with what the job has now, and puts the job where it belongs
// in the owner's queue, and the owner among those who wait.
func (p *DRF) place(j *ownedView) {
	own := &j.Own
	if cores, memory := j.Cores-own.cores, own.memory-own.charged; cores != 0 || memory != 0 {
		p.users.Charge(own.owner.handle, float64(cores), memory)
		own.cores, own.charged = j.Cores, own.memory
	}
	o := own.owner
	if _, queued := o.queue.Get(own.handle); queued && j.Waiting == 0 {
		o.queue.Remove(own.handle)
	} else if !queued && j.Waiting > 0 {
		own.handle = o.queue.Push(j)
	}
	if o.queue.Len() > 0 {
		p.users.Join(o.handle)
	} else {
		p.users.Leave(o.handle)
	}
}

// start starts what is next as long as there is room for it.
func (p *DRF) start(ev *policy.Event, actions []policy.Action) []policy.Action {
	if !p.view.Decide(ev) {
		return actions
	}
	for {
		user, ok := p.users.Next()
		if !ok {
			return actions
		}
		j, _ := user.queue.Peek()
		if !p.view.Fits(j) {
			return actions
		}
		stage, _ := j.Next()
		actions = append(actions, p.view.Start(j, 0))
		j.Own.memory += memoryOf(j, stage)
		p.place(j)
		if j.Own.refused {
			return actions // it tries alone, as in inOrder
		}
	}
}

// Compare returns a negative number if job a goes before job b, a positive one if it goes after,
// whether they have something to start or not: by their users' dominant shares, then by submission,
// though of users with equal shares the one goes first whose share has changed the longest ago. A job
// that is not there goes last.
func (p *DRF) Compare(a, b policy.JobID) int { return p.view.Compare(a, b, p.before) }

// before is the order of jobs.
func (p *DRF) before(a, b *ownedView) int {
	share := func(j *ownedView) float64 {
		s, _, _ := p.users.Share(j.Own.owner.handle)
		return s
	}
	return cmp.Or(cmp.Compare(share(a), share(b)), submission(a.Job, b.Job))
}

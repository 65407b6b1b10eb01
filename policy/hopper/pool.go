package hopper

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
)

// A PoolConfig describes a [Pool].
type PoolConfig struct {
	Slots float64 // that the jobs share, 0 to 1e15
	// Epsilon is by what part of the fair share, Slots over the number of jobs with tasks, a
	// job may have less than that; 0 to 1. With 0 all have the fair share, whatever their weights
	// and tails; with 1 there are no floors; the paper takes 0.1.
	Epsilon float64
}

// A Pool is jobs that share slots, and knows the share of each while jobs come and go and
// their tasks end. Shares are those of [EpsilonFair], of jobs in the order of their IDs with
// Downstream 0. It also knows whose turn the next slot is, if it is told what jobs have: [Pool.Use] and
// [Pool.Next].
//
// Jobs of the same weight and tail are a class. Set, Use and Remove take O(log n) time, and O(C)
// more when a job comes to a class or a class ends, with C the number of classes. The first Share
// or Next after a change finds the level of the water, from where it was: it looks at all classes
// about twice, and O(log C) times if the level passes a knee. A look takes O(1) for a class, or
// O(log n) if one of its jobs has come to its floor or risen above it, or if tasks are not whole
// numbers. Further Shares take constant time. So a share after every event is cheap with tens of
// classes; for more weights round them. With 10,000 jobs of one class or of eight the end of a task
// and a share after it take half a microsecond to one, where Allocate takes some milliseconds.
//
// A job takes some 110 bytes, and a class 3 kB more; 256 IDs up to the largest take 8. Jobs are kept in
// blocks of up to 32, which are allocated as jobs come, and at times as they move, and are kept for other jobs
// when they are empty.
//
// Equal calls in equal order give equal answers, bit for bit. Pools that came to the same jobs
// in different ways have the same shares but for rounding. A Pool is not safe for concurrent use, Share
// and Next included.
//
// # Source
//
// Hopper, section 6.4.3, wants an allocation after the end of every task. How it is kept up
// is ours.
type Pool struct {
	slots   float64
	epsilon float64
	jobs    policy.Table[policy.JobID, pooled]
	classes []*class // by paysAt, then tail
	idle    class    // the jobs without tasks, which are not in classes
	spare   spare
	busy    int // jobs with tasks
	wants   int // jobs that want a slot

	// What follows is as of the last change, if known is set.
	known   bool
	floor   float64
	water   float64 // its level
	paid    int     // how many classes, the first, have at least their virtual sizes
	partial *class  // of the next one some jobs have, those before its edge; nil if none
	at      float64 // the share of the job at the edge
	steps   int     // of Newton's method
}

type pooled struct {
	class *class
	seat
}

// A class is the jobs with tasks that have one weight and one tail.
type class struct {
	tree
	weight, tail       float64
	pays, level, grows float64 // paysAt, Level and growth of weight, or of 1 if no class has any
	counts             bool    // whether its jobs may get more than the floor
	paid               bool    // whether it is one of Pool.paid
	split              split
	edge               edge
}

// A split is the jobs of a class whose tasks are at most low. Others have at least high.
type split struct {
	total
	low, high float64
}

// An edge is a job with which those up to it want enough, if there is one.
type edge struct {
	place
	ahead total // those before it
	is    bool
}

// NewPool returns a pool without jobs. The error names the field that is outside its range.
func NewPool(c PoolConfig) (*Pool, error) {
	if err := checkSlots(c.Slots); err != nil {
		return nil, err
	}
	if !(c.Epsilon >= 0 && c.Epsilon <= 1) {
		return nil, fmt.Errorf("hopper: Epsilon is %v, must be 0 to 1", c.Epsilon)
	}
	p := &Pool{slots: c.Slots, epsilon: c.Epsilon}
	p.idle.spare = &p.spare
	return p, nil
}

// SetSlots changes the number of slots, 0 to 1e15: nodes come and go. It takes constant time.
func (p *Pool) SetSlots(slots float64) error {
	if err := checkSlots(slots); err != nil {
		return err
	}
	p.slots = slots
	p.known = false
	return nil
}

// Set adds a job, or puts new numbers in the place of those it had: call it when a job is
// submitted, and when a task of it has ended. Of the demand it reads Tasks, Tail and Weight, with the
// limits that [Demand] has for them; an error leaves the pool as it was.
func (p *Pool) Set(id policy.JobID, d Demand) error {
	if err := d.check(uint64(id)); err != nil {
		return err
	}
	tasks := d.Tasks
	if tasks == 0 {
		tasks = 0 // without a sign
	}
	j := p.jobs.Get(id)
	if j == nil {
		j = &pooled{seat: seat{place{0, id}, math.Inf(1)}}
		p.jobs.Put(id, j)
	} else if c := j.class; tasks == j.tasks && (tasks == 0 || c.weight == d.Weight && c.tail == d.Tail) {
		return nil
	} else if tasks > 0 && c.weight == d.Weight && c.tail == d.Tail {
		from := j.place
		j.tasks = tasks
		c.move(from, j.seat)
		c.leave(from)
		c.come(j.place)
		p.known = false
		return nil
	} else {
		p.take(j)
	}
	j.tasks = tasks
	if j.class = &p.idle; tasks > 0 {
		j.class = p.class(d.Weight, d.Tail)
		p.busy++
		p.known = false
	}
	j.class.add(j.seat)
	j.class.come(j.place)
	return nil
}

// Remove takes a job out, and reports whether it was there.
func (p *Pool) Remove(id policy.JobID) bool {
	j := p.jobs.Get(id)
	if j == nil {
		return false
	}
	p.take(j)
	if j.used <= most {
		p.wants--
	}
	p.jobs.Delete(id)
	return true
}

// take takes a job out of its class.
func (p *Pool) take(j *pooled) {
	c := j.class
	c.remove(j.place)
	c.leave(j.place)
	if c == &p.idle {
		return
	}
	if c.root == nil {
		p.classes = slices.DeleteFunc(p.classes, func(other *class) bool { return other == c })
		p.rank()
	}
	p.busy--
	p.known = false
}

// class returns the class of a weight and a tail, a new one if there is none.
func (p *Pool) class(weight, tail float64) *class {
	for _, c := range p.classes {
		if c.weight == weight && c.tail == tail {
			return c
		}
	}
	c := &class{tree: tree{spare: &p.spare}, weight: weight, tail: tail}
	p.classes = append(p.classes, c)
	p.rank()
	return c
}

// rank orders the classes, after one has come or gone, and forgets who is paid.
func (p *Pool) rank() {
	p.paid, p.partial = -1, nil
	weighted := slices.ContainsFunc(p.classes, func(c *class) bool { return c.weight > 0 })
	for _, c := range p.classes {
		w := c.weight
		if !weighted {
			w = 1
		}
		c.counts = w > 0
		c.pays, c.level, c.grows = paysAt(w, c.tail), level(c.tail), growth(w, c.tail)
	}
	slices.SortFunc(p.classes, func(a, b *class) int {
		return cmp.Or(cmp.Compare(a.pays, b.pays), cmp.Compare(a.tail, b.tail),
			cmp.Compare(a.weight, b.weight))
	})
}

// Share returns the slots of a job, and false if it is not there.
func (p *Pool) Share(id policy.JobID) (slots float64, ok bool) {
	j := p.jobs.Get(id)
	if j == nil {
		return 0, false
	}
	if !p.known {
		p.solve()
	}
	d := p.due(j.class)
	return d.share(j.place), true
}

// due returns what the jobs of a class are due.
func (p *Pool) due(c *class) due {
	switch {
	case c == &p.idle:
		return due{}
	case c.paid:
		return due{p.floor, c.each(p.water), last, 0}
	case c == p.partial:
		if !c.edge.is {
			return due{p.floor, c.level, last, 0}
		}
		return due{p.floor, c.level, c.edge.place, p.at}
	}
	return due{floor: p.floor}
}

// last is after any job.
var last = place{tasks: math.Inf(1)}

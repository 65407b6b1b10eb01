package hopper

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"example.com/augur/policy"
)

// A PoolConfig describes a [Pool].
type PoolConfig struct {
	Slots float64 // that the jobs share, 0 to 1e15
	// Epsilon is by what part of the fair share, Slots over the number of jobs with tasks, a
	// job may have less than that; 0 to 1. With 1 there are no floors; the paper takes 0.1.
	Epsilon float64
}

// A Pool is jobs that share slots, and knows the share of each while jobs come and go and
// their tasks end. Shares are those of [Allocate], with
//
//	Floor = (1 - Epsilon) * Slots / N,    N the jobs with tasks
//
// and Downstream 0, of jobs in the order of their IDs. With one weight and tail for all they are
// those of [EpsilonFair], and with Epsilon 1 those of [SinglePhase].
//
// Jobs of the same weight and tail are a class. Set and Remove take O(log n) time on average, and
// O(C) more when a job comes to a class or a class ends, with C the number of classes. The first
// Share after a change finds the level of the water, others after it need not: it takes O(log n)
// for one class, and else O(C * log n) for each of log C + some 2 to 6 looks at all classes. So a
// share after every event is cheap with some ten classes; for more weights round them. With 10,000
// jobs of one class the end of a task and a share after it take about a microsecond, where
// Allocate takes four milliseconds. Nothing allocates but a job that comes and a class that begins.
//
// Shares depend on the jobs that are there, bit for bit, and not on what has been before. A Pool is
// not safe for concurrent use, Share included.
//
// # Source
//
// Section 6.4.3 wants an allocation after the end of every task. How it is kept up is ours.
type Pool struct {
	slots   float64
	epsilon float64
	jobs    policy.Table[policy.JobID, pooled]
	trees   forest
	classes []*class // by paysAt, then tail
	busy    int      // jobs with tasks
	wants   int      // jobs that want a slot

	// What follows is as of the last change, if known is set.
	known   bool
	floor   float64
	water   float64 // its level
	paid    int     // how many classes, the first, have at least their virtual sizes
	partial *class  // of the next one some jobs have, those of the fewest tasks; nil if none
	room    float64 // slots for the partial class beyond the floors
	less    float64 // more of those of its jobs whose virtual size is at most the floor
	steps   int     // of Newton's method
}

type pooled struct {
	class *class // nil if it has no tasks
	tasks float64
	used  float64 // slots
	wants bool    // one more
}

// A class is the jobs with tasks that have one weight and one tail.
type class struct {
	weight, tail       float64
	root               uint32
	pays, level, grows float64 // paysAt, Level and growth of weight, or of 1 if no class has any
	counts             bool    // whether its jobs may get more than the floor
	paid               bool    // whether it is one of Pool.paid
}

// NewPool returns a pool without jobs.
func NewPool(c PoolConfig) (*Pool, error) {
	if err := checkSlots(c.Slots); err != nil {
		return nil, err
	}
	if !(c.Epsilon >= 0 && c.Epsilon <= 1) {
		return nil, fmt.Errorf("hopper: Epsilon is %v, must be 0 to 1", c.Epsilon)
	}
	return &Pool{slots: c.Slots, epsilon: c.Epsilon}, nil
}

// Len returns the number of jobs.
func (p *Pool) Len() int { return p.jobs.Len() }

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
	if !(d.Tasks >= 0 && d.Tasks <= most) {
		return fmt.Errorf("hopper: job %d: Tasks is %v, must be 0 to %v", id, d.Tasks, most)
	}
	if !(d.Weight >= 0 && d.Weight <= most) {
		return fmt.Errorf("hopper: job %d: Weight is %v, must be 0 to %v", id, d.Weight, most)
	}
	if !(d.Tail > 1) || math.IsInf(d.Tail, 1) {
		return fmt.Errorf("hopper: job %d: Tail is %v, must be finite and > 1", id, d.Tail)
	}
	j := p.jobs.Get(id)
	if j == nil {
		j = new(pooled)
		p.jobs.Put(id, j)
	}
	c := j.class
	if c != nil && d.Tasks > 0 && c.weight == d.Weight && c.tail == d.Tail {
		if d.Tasks == j.tasks {
			return nil
		}
		c.root = p.trees.remove(c.root, j.tasks, id)
	} else {
		p.take(id, j)
		if d.Tasks == 0 {
			return nil
		}
		c = p.class(d.Weight, d.Tail)
		p.busy++
	}
	c.root = p.trees.add(c.root, d.Tasks, id)
	j.class, j.tasks = c, d.Tasks
	p.known = false
	return nil
}

// Remove takes a job out, and reports whether it was there.
func (p *Pool) Remove(id policy.JobID) bool {
	j := p.jobs.Get(id)
	if j == nil {
		return false
	}
	p.take(id, j)
	if j.wants {
		p.wants--
	}
	p.jobs.Delete(id)
	return true
}

// take takes a job out of its class, if it has one.
func (p *Pool) take(id policy.JobID, j *pooled) {
	c := j.class
	if c == nil {
		return
	}
	c.root = p.trees.remove(c.root, j.tasks, id)
	if c.root == 0 {
		p.classes = slices.DeleteFunc(p.classes, func(other *class) bool { return other == c })
		p.rank()
	}
	j.class, j.tasks = nil, 0
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
	c := &class{weight: weight, tail: tail}
	p.classes = append(p.classes, c)
	p.rank()
	return c
}

// rank orders the classes, after one has come or gone.
func (p *Pool) rank() {
	weighted := slices.ContainsFunc(p.classes, func(c *class) bool { return c.weight > 0 })
	for _, c := range p.classes {
		w := c.weight
		if !weighted {
			w = 1
		}
		c.counts = w > 0
		c.pays, c.level, c.grows = paysAt(w, c.tail), Level(c.tail), growth(w, c.tail)
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
	c := j.class
	if c == nil {
		return 0, true
	}
	if !p.known {
		p.solve()
	}
	switch {
	case c.paid:
		return max(p.floor, c.each(p.water)*j.tasks), true
	case c == p.partial:
		// Those ahead of it have what they want first.
		before := p.more(c, p.trees.ahead(c.root, j.tasks, id)) - p.less
		want := float64(c.level*j.tasks) - p.floor
		return p.floor + max(0, min(want, p.room-max(0, before))), true
	}
	return p.floor, true
}

// more is what jobs of a class want beyond the floor, if they are all at their virtual size.
func (p *Pool) more(c *class, t total) float64 {
	return float64(c.level*t.tasks) - float64(p.floor*t.n)
}

// each is the slots of a job of the class for each of its tasks, with the water at x, if that is more
// than the floor.
func (c *class) each(x float64) float64 { return max(c.level, c.grows*x) }

// solve finds the level of the water. The slots that the classes want rise with it: each knee at
// which a class begins to want its virtual sizes is a step up, and between knees the
// sum is convex and linear in pieces, since a job has the largest of its floor, its virtual size and
// what grows with the level. So a binary search over the knees finds the step or the stretch, and in a
// stretch Newton's method comes down to the level from above, piece by piece: in each of its steps the
// product of slope and distance falls to a quarter or less, so that they are few.
//
// Source: T. Radzik, "Newton's method for fractional combinatorial optimization", FOCS 1992.
func (p *Pool) solve() {
	p.known, p.partial, p.floor = true, nil, 0
	if p.busy > 0 {
		p.floor = (1 - p.epsilon) * p.slots / float64(p.busy)
	}
	count := len(p.classes)
	for count > 0 && !p.classes[count-1].counts {
		count--
	}
	p.paid = sort.Search(count, func(i int) bool {
		fixed, slope := p.wanted(i+1, p.classes[i].pays)
		return fixed+float64(slope*p.classes[i].pays) >= p.slots
	})
	for i, c := range p.classes {
		c.paid = i < p.paid
	}
	p.water = math.Inf(1)
	if p.paid < count {
		next := p.classes[p.paid]
		p.water = next.pays
		fixed, slope := p.wanted(p.paid, p.water)
		if room := p.slots - fixed - float64(slope*p.water); room > 0 {
			p.partial, p.room, p.less = next, room, 0
			if p.floor > 0 {
				p.less = p.more(next, p.trees.upTo(next.root, next.level, p.floor))
			}
			return
		}
	}
	switch p.paid {
	case 0:
	case 1:
		p.single(p.classes[0])
	default:
		p.descend()
	}
}

// single finds the level of the water at which the one class that is paid wants what there is, as
// Algorithm 2 does: the slots beyond the floors go in proportion to tasks among those of its jobs that
// so have more than the floor.
func (p *Pool) single(c *class) {
	all := p.trees.all(c.root)
	slots := p.slots - float64(p.floor*(float64(p.busy)-all.n)) // for the class
	low := p.trees.share(c.root, slots, p.floor)
	if p.water = 0; low.n < all.n {
		p.water = (slots - float64(p.floor*low.n)) / (all.tasks - low.tasks) / c.grows
	}
}

// descend lowers the water until what the paid classes want is what there is.
func (p *Pool) descend() {
	steepest := 0.0 // slots for one more of the level if all jobs grow
	for _, c := range p.classes[:p.paid] {
		steepest += float64(c.grows * p.trees.all(c.root).tasks)
	}
	if steepest == 0 {
		return
	}
	p.water = min(p.water, p.slots/steepest)
	for p.steps = 1; ; p.steps++ {
		fixed, slope := p.wanted(p.paid, p.water)
		if slope == 0 {
			return
		}
		water := (p.slots - fixed) / slope
		if !(water < p.water) {
			return
		}
		p.water = water
	}
}

// wanted returns the slots that all jobs want with the water at x, if the first classes are paid:
// those that do not grow there, and the sum of the others' slots over x.
func (p *Pool) wanted(paid int, x float64) (fixed, slope float64) {
	low := float64(p.busy) // jobs at the floor
	for _, c := range p.classes[:paid] {
		all := p.trees.all(c.root)
		at := total{}
		if p.floor > 0 {
			at = p.trees.upTo(c.root, c.each(x), p.floor)
		}
		low -= all.n - at.n
		if grows := c.grows * x; grows > c.level {
			slope += float64(c.grows * (all.tasks - at.tasks))
		} else {
			fixed += float64(c.level * (all.tasks - at.tasks))
		}
	}
	return fixed + float64(low*p.floor), slope
}

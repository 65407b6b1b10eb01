package hopper

import (
	"math"
	"sort"
)

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
// Mostly the level is near the one before, on the same step or stretch: that is looked at first.
//
// # Source
//
// T. Radzik, "Newton's method for fractional combinatorial optimization", FOCS 1992.
func (p *Pool) solve() {
	p.known, p.floor = true, 0
	if p.busy > 0 {
		p.floor = (1 - p.epsilon) * p.slots / float64(p.busy)
	}
	count := len(p.classes)
	for count > 0 && !p.classes[count-1].counts {
		count--
	}
	if p.again(count) {
		return
	}
	p.partial = nil
	p.paid = sort.Search(count, func(i int) bool {
		fixed, slope := p.wanted(i+1, p.classes[i].pays)
		return fixed+float64(slope*p.classes[i].pays) >= p.slots
	})
	for i, c := range p.classes {
		c.paid = i < p.paid
	}
	p.water = math.Inf(1)
	if p.paid < count {
		p.water = p.classes[p.paid].pays
		if p.step(false) {
			return
		}
	}
	p.descend()
}

// again finds the level if it is still on the same step or stretch.
func (p *Pool) again(count int) bool {
	switch {
	case p.paid < 0:
		return false
	case p.partial != nil:
		return p.step(true)
	case p.paid == 0:
		return false
	}
	// Newton's method comes down from anywhere on the right. Its first step leads there from the left.
	fixed, slope := p.wanted(p.paid, p.water)
	if !(slope > 0) {
		return false
	}
	p.water = (p.slots - fixed) / slope
	return p.lower() && p.water > p.classes[p.paid-1].pays && (p.paid == count || p.water <= p.classes[p.paid].pays)
}

// step finds who has what if the water is at the knee of the first class that is not paid, and
// reports whether it is: all wants below the knee are met, and with checks those above it are not.
func (p *Pool) step(checks bool) bool {
	c := p.classes[p.paid]
	fixed, slope := p.wanted(p.paid, c.pays)
	room := p.slots - fixed - float64(slope*c.pays) // beyond the floors
	low := p.low(c, c.level)                        // those of its jobs whose virtual size is at most the floor
	less := p.more(c, low)
	if !(room > 0) || checks && room > p.more(c, c.all)-less {
		return false
	}
	enough := func(t total) bool { return t.n > low.n && p.more(c, t)-less >= room }
	if e := &c.edge; !e.is || enough(e.ahead) || !enough(total{e.ahead.n + 1, e.ahead.tasks + e.tasks}) {
		e.place, e.ahead, e.is = c.reach(enough)
	}
	p.partial, p.at = c, 0
	if c.edge.is {
		// Those ahead of it have what they want first.
		want := float64(c.level*c.edge.tasks) - p.floor
		left := room - max(0, p.more(c, c.edge.ahead)-less)
		p.at = p.floor + max(0, min(want, left))
	}
	return true
}

// more is what jobs of a class want beyond the floor, if they are all at their virtual size.
func (p *Pool) more(c *class, t total) float64 {
	return float64(c.level*t.tasks) - float64(p.floor*t.n)
}

// descend lowers the water until what the paid classes want is what there is.
func (p *Pool) descend() {
	steepest := 0.0 // slots for one more of the level if all jobs grow
	for _, c := range p.classes[:p.paid] {
		steepest += float64(c.grows * c.all.tasks)
	}
	if steepest == 0 {
		return
	}
	p.water = min(p.water, p.slots/steepest)
	p.lower()
}

// lower lowers the water to the level from above. It is false if it came to where nothing grows: the
// level is there, or at a knee further down.
func (p *Pool) lower() bool {
	for p.steps = 1; ; p.steps++ {
		fixed, slope := p.wanted(p.paid, p.water)
		if slope == 0 {
			return false
		}
		water := (p.slots - fixed) / slope
		if !(water < p.water) {
			return true
		}
		p.water = water
	}
}

// wanted returns the slots that all jobs want with the water at x, if the first classes are paid:
// those that do not grow there, and the sum of the others' slots over x.
func (p *Pool) wanted(paid int, x float64) (fixed, slope float64) {
	low := float64(p.busy) // jobs at the floor
	for _, c := range p.classes[:paid] {
		at := p.low(c, c.each(x))
		low -= c.all.n - at.n
		if grows := c.grows * x; grows > c.level {
			slope += float64(c.grows * (c.all.tasks - at.tasks))
		} else {
			fixed += float64(c.level * (c.all.tasks - at.tasks))
		}
	}
	return fixed + float64(low*p.floor), slope
}

// low returns the total of the jobs of a class that have the floor with so many slots for each task.
func (p *Pool) low(c *class, each float64) total {
	if p.floor == 0 {
		return total{}
	}
	s := &c.split
	if !(each*s.low <= p.floor && p.floor < each*s.high) {
		s.total, s.low, s.high = c.upTo(each, p.floor)
	}
	return s.total
}

// come brings the split and the edge up to date after a job has come, and leave after one has gone.
func (c *class) come(at place) {
	s, e := &c.split, &c.edge
	switch {
	case c.inexact():
		return
	case at.tasks <= s.low:
		s.n++
		s.tasks += at.tasks
	default:
		s.high = min(s.high, at.tasks)
	}
	if at.before(e.place) {
		e.ahead.n++
		e.ahead.tasks += at.tasks
	}
}

func (c *class) leave(at place) {
	s, e := &c.split, &c.edge
	if c.inexact() {
		return
	}
	if at.tasks <= s.low {
		s.n--
		s.tasks -= at.tasks
	}
	if at == e.place {
		e.is = false
	} else if at.before(e.place) {
		e.ahead.n--
		e.ahead.tasks -= at.tasks
	}
}

// inexact forgets the split and the edge if sums are rounded.
func (c *class) inexact() bool {
	if c.exact(0) {
		return false
	}
	c.split, c.edge.is = split{}, false // as it is, no split ever holds
	return true
}

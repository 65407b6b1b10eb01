package preempt

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/queue"
)

// changed notes that the rank of a job may have changed, or whether it waits.
func (p *filler) changed(c *contender) {
	if !c.stale {
		c.stale = true
		p.stale = append(p.stale, c)
	}
}

// rank works out the ranks that have changed.
func (p *filler) rank() {
	now, all := p.view.Now(), false
	if p.reviser != nil {
		all = p.reviser.Revision() != p.revised
		p.revised = p.reviser.Revision()
	}
	if all || p.expires <= now {
		p.expires = policy.Never
		for _, c := range p.waiting {
			if all || c.until <= now {
				p.changed(c)
			} else if c.units == 0 {
				p.expires = min(p.expires, c.until)
			}
		}
	}
	for _, h := range p.running {
		if (h.stage.Saves || h.of.waits) && h.of.until <= now {
			p.changed(h.of)
		}
	}
	for _, h := range p.running {
		if h.of.stale {
			h.of.served += float64(h.stage.Width()) * (h.before + max(0, now.Sub(h.works))).Seconds() / h.slowdown
		}
	}
	many := len(p.stale) > 16 // else they are moved one by one
	if many {
		p.waiting = slices.DeleteFunc(p.waiting, func(c *contender) bool { return c.stale })
	}
	there := len(p.waiting)
	for _, c := range p.stale {
		if !many {
			p.dequeue(c)
		}
		if p.ranked(c); !c.queued {
			continue
		}
		at := len(p.waiting)
		if !many {
			at, _ = slices.BinarySearchFunc(p.waiting, c, byOrder)
		}
		p.waiting = slices.Insert(p.waiting, at, c)
	}
	if p.stale = p.stale[:0]; many {
		p.merge(there)
	}
}

// merge moves the last of those that wait to their places among the first so many, which are in order.
func (p *filler) merge(first int) {
	p.moved = append(p.moved[:0], p.waiting[first:]...)
	slices.SortFunc(p.moved, byOrder)
	for at, more := len(p.waiting)-1, len(p.moved); more > 0; at-- {
		if c := p.moved[more-1]; first == 0 || byOrder(p.waiting[first-1], c) < 0 {
			p.waiting[at], more = c, more-1
		} else {
			p.waiting[at], first = p.waiting[first-1], first-1
		}
	}
}

// ranked works out the rank of a job that may have changed, and whether it is one of those that wait.
func (p *filler) ranked(c *contender) {
	if c.stale = false; c.job == nil {
		return // it has ended
	}
	c.rank, c.until = p.ranker.Rank(c.job, c.served)
	c.until, c.served = max(c.until, p.view.Now()+1), 0
	if c.queued = c.waits; !c.queued {
		p.narrow.Remove(c.place)
		c.place = queue.Handle{}
		return
	}
	if c.units == 0 {
		p.expires = min(p.expires, c.until)
	}
	stage, _ := c.job.Next()
	c.next = &c.job.Job.Stages[stage]
	width := c.width
	if c.width = c.next.Width(); c.place == (queue.Handle{}) {
		c.place = p.narrow.Push(c)
	} else if c.width != width {
		p.narrow.Fix(c.place)
	}
}

// dequeue takes a job out of those that wait, if it is there.
func (p *filler) dequeue(c *contender) {
	if c.queued {
		i, _ := slices.BinarySearchFunc(p.waiting, c, byOrder)
		p.waiting, c.queued = slices.Delete(p.waiting, i, i+1), false
	}
}

func byWidth(a, b *contender) int { return cmp.Compare(a.width, b.width) }

// byOrder is the order of those that wait.
func byOrder(a, b *contender) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), central.BySubmission(a.job, b.job))
}

// key is what a running unit is planned by.
func (p *filler) key(h *holder) float64 { return h.of.rank - math.Log(p.config.Margin) }

package policytest

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// Order returns an order that does what o does, and panics if o breaks a promise of [central.Order]: Compare orders the
// jobs that want something and tells any two apart, Next returns the first of them, and Reordered reports each change of
// places that neither an event about the job nor its own Claim explains, or each change at all if the order is Fixed. [Test] reports the panic as a Failure:
//
//	central.New(central.Config{Turn: policytest.Order(mine), Fill: baseline.EASY()})
//
// Set Config.Allocates, since Order keeps lists of its own. It does not find an Until that is wrong. Each decision takes time O(n log n) for n jobs that want something.
func Order(o central.Order) central.Order {
	c := &checkedOrder{Order: o, time: math.MinInt64}
	c.compare = func(a, b *place) int { return o.Compare(a.job, b.job) }
	c.began, _ = o.(interface {
		Began(j *central.Job, c policy.Copy, another bool)
	})
	c.until, _ = o.(interface{ Until() policy.Time })
	if f, ok := o.(interface{ Fixed() bool }); ok {
		c.fixed = f.Fixed
	}
	return c
}

type checkedOrder struct {
	central.Order
	compare func(a, b *place) int
	began   interface {
		Began(j *central.Job, c policy.Copy, another bool)
	}
	until interface{ Until() policy.Time }
	fixed func() bool

	time        policy.Time
	off         bool // time has gone back, and nothing is promised any more
	jobs        policy.Table[policy.JobID, place]
	before, now []*place // those that wanted something when it was looked last, and those that do now, in order
	moved       bool     // o has reported what was not asked for yet
}

// A place is what is known of a job.
type place struct {
	job     *central.Job
	wants   bool
	seen    bool // it is among before, and has wanted something since
	changed bool // there was an event or a Claim since
}

func (c *checkedOrder) Note(ev *policy.Event, j *central.Job) error {
	if err := c.Order.Note(ev, j); err != nil {
		return err
	}
	c.off, c.time = c.off || ev.Time < c.time, max(c.time, ev.Time)
	switch {
	case j == nil:
	case ev.Kind == policy.Submitted:
		c.jobs.Put(j.Job.ID, &place{job: j})
	case ev.Kind == policy.Ended:
		c.jobs.Delete(j.Job.ID)
		c.before = slices.DeleteFunc(c.before, func(p *place) bool { return p.job == j })
	default:
		c.jobs.Get(j.Job.ID).changed = true
	}
	return nil
}

func (c *checkedOrder) Claim(j *central.Job, claim central.Claim) {
	c.Order.Claim(j, claim)
	if p := c.jobs.Get(j.Job.ID); p != nil {
		p.wants, p.changed, p.seen = claim.Wants, true, p.seen && claim.Wants
	}
}

func (c *checkedOrder) Next() *central.Job {
	j := c.Order.Next() // which may change places, and say so afterwards
	c.look()
	switch {
	case c.off:
	case j == nil && len(c.before) > 0:
		panic(fmt.Sprintf("policytest: Order: Next returns no job, but job %d wants something", c.before[0].job.Job.ID))
	case j != nil && (len(c.before) == 0 || c.before[0].job != j):
		panic(fmt.Sprintf("policytest: Order: Next returns job %d, want the first by Compare of those that want something", j.Job.ID))
	}
	return j
}

func (c *checkedOrder) Reordered() bool {
	c.look()
	moved := c.moved
	c.moved = false
	return moved
}

func (c *checkedOrder) Began(j *central.Job, copy policy.Copy, another bool) {
	if c.began != nil {
		c.began.Began(j, copy, another)
	}
}

func (c *checkedOrder) Until() policy.Time {
	if c.until == nil {
		return policy.Never
	}
	return c.until.Until()
}

func (c *checkedOrder) Fixed() bool { return c.fixed != nil && c.fixed() }

// look compares the order with what it was when it was looked last.
func (c *checkedOrder) look() {
	reported := c.Order.Reordered()
	c.moved = c.moved || reported
	if c.off {
		return
	}
	c.now = c.now[:0]
	for _, p := range c.jobs.All() {
		if p.wants {
			c.now = append(c.now, p)
		}
	}
	slices.SortFunc(c.now, c.compare)
	for i := 1; i < len(c.now); i++ {
		if a, b := c.now[i-1], c.now[i]; c.compare(a, b) >= 0 || c.compare(b, a) <= 0 {
			panic(fmt.Sprintf("policytest: Order: Compare gives %d for jobs %d and %d, and %d the other way round; want below 0 one way and above 0 the other",
				c.compare(a, b), a.job.Job.ID, b.job.Job.ID, c.compare(b, a)))
		}
	}
	if !reported {
		fixed := c.Fixed()
		same := func(p *place) bool { return p.wants && p.seen && (fixed || !p.changed) }
		k := 0
		for _, p := range c.now {
			if !same(p) {
				continue
			}
			for !same(c.before[k]) {
				k++
			}
			if was := c.before[k]; was != p {
				panic(fmt.Sprintf("policytest: Order: job %d goes before job %d now, with no event or Claim of either, and Reordered does not report it",
					p.job.Job.ID, was.job.Job.ID))
			}
			k++
		}
	}
	for _, p := range c.before {
		p.seen = false
	}
	for _, p := range c.now {
		p.seen, p.changed = true, false
	}
	c.before, c.now = c.now, c.before
}

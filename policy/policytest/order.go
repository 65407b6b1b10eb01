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
// places that neither an event about the job nor its own Update explains, or each change at all if the order is Fixed. Until, if
// there is one, is in the future, and no place changes before it by time alone. [Test] reports the panic as a finding:
//
//	central.New(central.Config{Turn: policytest.Order(mine), Fill: baseline.EASY()})
//
// If the order follows from the jobs and their last Updates alone, pass again, which makes another such order. Order then checks
// that one that has heard nothing else gives the same places: that sums over Updates, such as the cores of a user, are right.
//
// Set Config.Allocates, since Order keeps lists of its own. Each decision takes time O(n log n) for n jobs that want something, or
// for all jobs with again. An Until that is too early is not found.
func Order(o central.Order, again ...func() central.Order) central.Order {
	c := &checkedOrder{Order: o, again: again, time: math.MinInt64, due: policy.Never}
	c.compare = func(a, b *place) int { return o.Compare(a.job, b.job) }
	c.began, _ = o.(central.StartHearer)
	c.until, _ = o.(central.Timed)
	if f, ok := o.(central.Constant); ok {
		c.fixed = f.Fixed
	}
	return c
}

type checkedOrder struct {
	central.Order
	compare func(a, b *place) int
	began   central.StartHearer
	until   central.Timed
	fixed   func() bool
	again   []func() central.Order
	books   central.Books

	time        policy.Time
	still       []*place    // those that want something, in order, as of the last Update
	due         policy.Time // Until then
	off         bool        // time has gone back, and nothing is promised any more
	jobs        policy.Table[policy.JobID, place]
	before, now []*place // those that wanted something when it was looked last, and those that do now, in order
	moved       bool     // o has reported what was not asked for yet
}

// A place is what is known of a job.
type place struct {
	job     *central.Job
	usage   central.Usage
	seen    bool // it is among before, and has wanted something since
	changed bool // there was an event or an Update since
}

func (c *checkedOrder) Bind(b central.Books) error {
	c.books = b
	return c.Order.Bind(b)
}

func (c *checkedOrder) Note(ev *policy.Event, j *central.Job) error {
	if c.until != nil && !c.off && ev.Time > c.time && ev.Time < c.due {
		c.passes(ev.Time, j)
	}
	c.still = c.still[:0]
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

func (c *checkedOrder) Update(j *central.Job, u central.Usage) {
	c.Order.Update(j, u)
	if p := c.jobs.Get(j.Job.ID); p != nil {
		p.usage, p.changed, p.seen = u, true, p.seen && u.Wants
	}
	c.still, c.due = c.wanting(c.still[:0]), c.Until()
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
	at := c.until.Until()
	if at <= c.time && !c.off {
		panic(fmt.Sprintf("policytest: Order: Until is %d at %d, want later", at, c.time))
	}
	return at
}

// passes checks that until now, before Until, time alone has changed no place but that of a job with an event.
func (c *checkedOrder) passes(now policy.Time, but *central.Job) {
	_ = c.Order.Note(&policy.Event{Time: now, Kind: policy.Woken}, nil) // which it may be told at any time
	var last *place
	for _, p := range c.still {
		if p.job == but {
			continue
		}
		if last != nil && c.compare(last, p) >= 0 {
			panic(fmt.Sprintf("policytest: Order: job %d goes before job %d at %d by time alone, and Until was %d", p.job.Job.ID, last.job.Job.ID, now, c.due))
		}
		last = p
	}
}

// retell compares the order with that of another one that has been told of the jobs and of their last Updates alone.
func (c *checkedOrder) retell(again func() central.Order) {
	o := again()
	if err := o.Bind(c.books); err != nil {
		panic(fmt.Sprintf("policytest: Order: again: %v", err))
	}
	for _, p := range c.jobs.All() {
		ev := policy.Event{Time: c.time, Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: p.job.Job.ID}}, Job: p.job.Job}
		if err := o.Note(&ev, p.job); err != nil {
			panic(fmt.Sprintf("policytest: Order: again: %v", err))
		}
		o.Update(p.job, p.usage)
	}
	for i := 1; i < len(c.now); i++ {
		if a, b := c.now[i-1].job, c.now[i].job; o.Compare(a, b) > 0 {
			panic(fmt.Sprintf("policytest: Order: job %d goes before job %d, and after it by an order that has heard only of their last Updates", a.Job.ID, b.Job.ID))
		}
	}
}

func (c *checkedOrder) Fixed() bool { return c.fixed != nil && c.fixed() }

// look compares the order with what it was when it was looked last.
func (c *checkedOrder) look() {
	reported := c.Order.Reordered()
	c.moved = c.moved || reported
	if c.off {
		return
	}
	c.now = c.wanting(c.now[:0])
	for i := 1; i < len(c.now); i++ {
		if a, b := c.now[i-1], c.now[i]; c.compare(a, b) >= 0 || c.compare(b, a) <= 0 {
			panic(fmt.Sprintf("policytest: Order: Compare gives %d for jobs %d and %d, and %d the other way round; want below 0 one way and above 0 the other",
				c.compare(a, b), a.job.Job.ID, b.job.Job.ID, c.compare(b, a)))
		}
	}
	if !reported {
		fixed := c.Fixed()
		same := func(p *place) bool { return p.usage.Wants && p.seen && (fixed || !p.changed) }
		k := 0
		for _, p := range c.now {
			if !same(p) {
				continue
			}
			for !same(c.before[k]) {
				k++
			}
			if was := c.before[k]; was != p {
				panic(fmt.Sprintf("policytest: Order: job %d goes before job %d now, with no event or Update of either, and Reordered does not report it",
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
	for _, again := range c.again {
		c.retell(again)
	}
	c.before, c.now = c.now, c.before
}

// wanting appends the jobs that want something, in order.
func (c *checkedOrder) wanting(list []*place) []*place {
	for _, p := range c.jobs.All() {
		if p.usage.Wants {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, c.compare)
	return list
}

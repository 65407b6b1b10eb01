package policytest_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/policytest"
)

// A plain order looks for the first of the jobs that want something.
type plain struct {
	of     func(events int, a, b *central.Job) int
	events int
	wants  map[policy.JobID]*central.Job
}

func (*plain) Bind(central.Books) error { return nil }

func (p *plain) Note(ev *policy.Event, _ *central.Job) error {
	if ev.Kind != policy.Woken {
		p.events++
	}
	return nil
}

func (p *plain) Update(j *central.Job, u central.Usage) {
	delete(p.wants, j.Job.ID)
	if u.Wants {
		p.wants[j.Job.ID] = j
	}
}

func (p *plain) Compare(a, b *central.Job) int { return p.of(p.events, a, b) }

func (p *plain) Reordered() bool { return false }

func (p *plain) Next() (next *central.Job) {
	for _, id := range slices.Sorted(maps.Keys(p.wants)) {
		if j := p.wants[id]; next == nil || p.Compare(j, next) < 0 {
			next = j
		}
	}
	return next
}

// mistaken returns another job than the first.
type mistaken struct{ central.Order }

func (m mistaken) Compare(a, b *central.Job) int { return m.Order.Compare(b, a) }

// A clock is the order of submission, and every other ten seconds the reverse.
type clock struct {
	*plain
	now   policy.Time
	until func(now, turns policy.Time) policy.Time
}

func (c *clock) turns() (at policy.Time) {
	if at = c.now / 10e9 * 10e9; at <= c.now {
		at += 10e9
	}
	return at
}

func (c *clock) Note(ev *policy.Event, j *central.Job) error {
	c.now = ev.Time
	return c.plain.Note(ev, j)
}

func (c *clock) Reordered() bool { return true }

func (c *clock) Until() policy.Time { return c.until(c.now, c.turns()) }

func clocked(until func(now, turns policy.Time) policy.Time) func() central.Order {
	return func() central.Order {
		c := &clock{until: until}
		c.plain = &plain{wants: make(map[policy.JobID]*central.Job), of: func(_ int, a, b *central.Job) int {
			return int(1-c.turns()/10e9%2*2) * central.BySubmission(a, b)
		}}
		return c
	}
}

func brokenOrders(t *testing.T) {
	setSeeds(t, "1")
	by := func(of func(events int, a, b *central.Job) int) func() central.Order {
		return func() central.Order { return &plain{of: of, wants: make(map[policy.JobID]*central.Job)} }
	}
	for _, test := range []struct {
		of    func() central.Order
		says  string // "" if it keeps its promises
		again []func() central.Order
	}{
		{baseline.Fair, "", []func() central.Order{baseline.Fair}},
		{baseline.Fair, "has heard only of their last Updates", []func() central.Order{baseline.FIFO}},
		{clocked(func(_, turns policy.Time) policy.Time { return turns }), "", nil},
		{clocked(func(_, turns policy.Time) policy.Time { return turns.Add(5e9) }), "by time alone", nil},
		{clocked(func(policy.Time, policy.Time) policy.Time { return policy.Never }), "by time alone", nil},
		{clocked(func(now, _ policy.Time) policy.Time { return now }), "want later", nil},
		{by(func(_ int, a, b *central.Job) int { return cmp.Compare(a.Job.ID, b.Job.ID) }), "", nil},
		{by(func(events int, a, b *central.Job) int { return (1 - events/20%2*2) * cmp.Compare(a.Job.ID, b.Job.ID) }), "Reordered does not report it", nil},
		{by(func(_ int, a, b *central.Job) int { return cmp.Compare(a.Job.Priority, b.Job.Priority) }), "Compare gives 0 for jobs", nil},
		{by(func(_ int, a, b *central.Job) int { return cmp.Or(cmp.Compare(a.Job.Priority, b.Job.Priority), -1) }), "Compare gives -1 for jobs", nil},
		{func() central.Order { return mistaken{baseline.FIFO()} }, "want the first by Compare", nil},
	} {
		found := failures(policytest.Check(t, policytest.Config{Allocates: true, New: func(policy.Truth) (policy.Scheduler, error) {
			return central.New(central.Config{Turn: policytest.Order(test.of(), test.again...), Fill: baseline.EASY()})
		}}))
		if (len(found) == 0) != (test.says == "") {
			t.Errorf("%T: %d failures, want some if it does %q", test.of(), len(found), test.says)
		}
		for _, f := range found {
			if f.Rule != "legal" && f.Rule != "illegal" || !strings.Contains(f.Error(), test.says) {
				t.Errorf("%T: %v, want that %q", test.of(), f, test.says)
			}
		}
	}
}

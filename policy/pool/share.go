package pool

import (
	"errors"
	"fmt"
)

// addTenant adds a tenant of weight 1.
func (c *core) addTenant(name string) *tenant {
	t := &tenant{name: name}
	t.root.init(t)
	t.share, _ = c.shares.Add(t, 1) // which is a good weight
	c.tenants[name] = t
	return t
}

var errNoTenants = errors.New("pool: Config.Tenant is empty, so there are no tenants: name the attribute that tells them apart")

// setWeight gives a tenant a weight, which it keeps.
func (c *core) setWeight(name string, weight float64) error {
	t := c.tenants[name]
	if t == nil {
		t = c.addTenant(name)
	}
	if err := c.shares.SetWeight(t.share, weight); err != nil {
		return err
	}
	t.kept = true
	return nil
}

// overrun doubles what is held for each task that has run for longer than that.
func (c *core) overrun(at int64) {
	for {
		late, ok := c.due.Peek()
		if !ok || float64(at) < late.key {
			return
		}
		e := late.entry
		c.shares.Hold(e.tenant.share, e.held)
		c.due.Remove(e.turn)
		late.key += float64(e.held * 1e9)
		e.turn = c.due.Push(late)
		e.held *= 2
	}
}

// expected returns what a task is expected to take, s: if nothing is known of it, what tasks have taken so far.
func (c *core) expected(e *entry) float64 {
	switch {
	case e.known:
		return max(e.predicted, minRank)
	case c.count > 0:
		return max(c.served/c.count, minRank)
	}
	return 1
}

// forget forgets the tenants that have no weight of their own, no tasks, and no debt. It looks when there are twice as many
// tenants as it has left last.
func (c *core) forget() {
	if len(c.tenants) < c.sweep {
		return
	}
	for name, t := range c.tenants {
		open := t.waiting+t.running > 0 || t.blocked != nil && t.blocked.Len() > 0
		if !t.kept && !open && c.shares.Settled(t.share) {
			c.shares.Remove(t.share)
			delete(c.tenants, name)
		}
	}
	c.sweep = 2*len(c.tenants) + 50
}

// reweigh gives a tenant another weight while tasks run.
func (c *core) reweigh(name string, weight float64) error {
	if c.config.Tenant == "" {
		return errNoTenants
	}
	if err := c.setWeight(name, weight); err != nil {
		return fmt.Errorf("pool: SetWeight of tenant %q: %w", name, err)
	}
	return nil
}

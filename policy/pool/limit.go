package pool

import (
	"fmt"
	"slices"
)

// A Limit bounds how many tasks with the same value of an attribute run at a time, such as those of one tenant or of one kind. A
// task that a limit holds back keeps no other one from starting, also of its tenant. If several limits apply to a
// task, all must have room.
type Limit struct {
	Attr    string // the attribute, such as that of Config.Tenant; a task without it has no limit
	Value   string // the value that the limit is for; "" means each value, by itself, that has no Limit of its own
	Running int    // tasks that run at a time, at least 1
}

func checkLimits(list []Limit) error {
	for i, l := range list {
		switch {
		case l.Attr == "":
			return fmt.Errorf("pool: Config.Limits[%d].Attr is empty, want the name of an attribute", i)
		case l.Running < 1:
			return fmt.Errorf("pool: Config.Limits[%d].Running is %d, want at least 1", i, l.Running)
		case slices.ContainsFunc(list[:i], func(o Limit) bool { return o.Attr == l.Attr && o.Value == l.Value }):
			return fmt.Errorf("pool: Config.Limits has attribute %q with value %q twice, want each once", l.Attr, l.Value)
		}
	}
	return nil
}

type limitKey struct{ attr, value string }

// A limit is a Limit with the tasks of one value.
type limit struct {
	key     limitKey
	most    int
	running int
	groups  []*group
}

// groupOf returns the group of a tenant for a task with these attributes.
func (c *core) groupOf(t *tenant, attrs interface{ Attr(string) (string, bool) }) *group {
	if len(c.config.Limits) == 0 || attrs == nil {
		return &t.plain
	}
	var limits []*limit
	var key []byte
	for _, l := range c.config.Limits {
		value, ok := attrs.Attr(l.Attr)
		if !ok || l.Value != "" && l.Value != value || l.Value == "" && c.hasLimit(l.Attr, value) {
			continue
		}
		k := limitKey{l.Attr, value}
		if c.limits[k] == nil {
			c.limits[k] = &limit{key: k, most: l.Running}
		}
		limits = append(limits, c.limits[k])
		key = fmt.Appendf(key, "%q=%q ", k.attr, k.value)
	}
	if i := slices.IndexFunc(t.groups, func(g *group) bool { return g.key == string(key) }); i >= 0 {
		return t.groups[i]
	}
	g := new(newGroup(t, string(key)))
	g.limits = limits
	for _, l := range limits {
		l.groups = append(l.groups, g)
		if l.running >= l.most {
			g.full++
		}
	}
	t.groups = append(t.groups, g)
	return g
}

// hasLimit reports whether there is a Limit for this value alone.
func (c *core) hasLimit(attr, value string) bool {
	return value != "" && slices.ContainsFunc(c.config.Limits, func(l Limit) bool { return l.Attr == attr && l.Value == value })
}

// occupy adds to how many tasks of a group run. Where a limit is reached, or has room again, the tasks that it
// applies to are held back, or may start.
func (c *core) occupy(g *group, n int) {
	for _, l := range g.limits {
		before := l.running >= l.most
		l.running += n
		if after := l.running >= l.most; after != before {
			for _, g := range l.groups {
				c.hold(g, after)
			}
		}
	}
}

// hold counts one more limit of a group that is full, or one less.
func (c *core) hold(g *group, full bool) {
	t := g.tenant
	if full {
		if g.full++; g.full == 1 {
			t.ready -= g.ages.Len()
			c.settle(t)
		}
		return
	}
	if g.full--; g.full == 0 && g.ages.Len() > 0 {
		t.ready += g.ages.Len()
		c.shares.Join(t.share)
	}
}

// forgetGroup forgets a group without tasks, and the limits that apply to no other one.
func (c *core) forgetGroup(g *group) {
	if g.open > 0 || len(g.limits) == 0 {
		return
	}
	t := g.tenant
	t.groups = slices.DeleteFunc(t.groups, func(o *group) bool { return o == g })
	for _, l := range g.limits {
		l.groups = slices.DeleteFunc(l.groups, func(o *group) bool { return o == g })
		if len(l.groups) == 0 {
			delete(c.limits, l.key)
		}
	}
}

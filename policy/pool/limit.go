package pool

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/augur/predict"
)

// A Limit bounds how many tasks with the same value of an attribute run at a time, such as those of one tenant or of one kind. A
// task that a limit holds back keeps no other one from starting, also of its tenant. If several limits apply to a
// task, all must have room.
type Limit struct {
	// Attr is one attribute, such as that of Config.Tenant. A task without it has no limit. A value that tasks of two tenants have
	// is one value, with one limit for both. A combination, such as tenant+kind in Features, is refused: for a limit on each kind
	// of each tenant, give tasks an attribute that has both values.
	Attr    string
	Value   string // the value that the limit is for; "" means each value, by itself, that has no Limit of its own
	Running int    // tasks that run at a time, at least 1
}

// A bound has the Limits of one attribute.
type bound struct {
	attr   string
	each   int               // that of the values that have none of their own; 0: there is none
	own    map[string]int    // by value
	limits map[string]*limit // by value, those that apply to some task
	met    bool              // some task had the attribute
}

// newBounds sorts Limits by attribute, that of the tenant first. The error names the one that is wrong.
func newBounds(list []Limit, tenant string) (bounds []*bound, err error) {
	for i, l := range list {
		at := slices.IndexFunc(bounds, func(b *bound) bool { return b.attr == l.Attr })
		if at < 0 {
			if at = len(bounds); l.Attr == tenant {
				at = 0
			}
			bounds = slices.Insert(bounds, at, &bound{attr: l.Attr, own: make(map[string]int), limits: make(map[string]*limit)})
		}
		b := bounds[at]
		switch {
		case l.Attr == "":
			return nil, fmt.Errorf("pool: Config.Limits[%d].Attr is empty, want the name of an attribute", i)
		case strings.Contains(l.Attr, "+"):
			return nil, fmt.Errorf("pool: Config.Limits[%d].Attr is %q, want one attribute: give tasks one that has both values", i, l.Attr)
		case l.Running < 1:
			return nil, fmt.Errorf("pool: Config.Limits[%d].Running is %d, want at least 1", i, l.Running)
		case l.Value == "" && b.each > 0 || b.own[l.Value] > 0:
			return nil, fmt.Errorf("pool: Config.Limits has attribute %q with value %q twice, want each once", l.Attr, l.Value)
		case l.Value == "":
			b.each = l.Running
		default:
			b.own[l.Value] = l.Running
		}
	}
	return bounds, nil
}

// A limit is a Limit with the tasks of one value.
type limit struct {
	bound    *bound
	value    string
	most     int
	running  int
	branches []*branch
}

// limitOf returns the limit that applies to a task with these attributes; nil if there is none.
func (b *bound) limitOf(attrs predict.Job) *limit {
	value, ok := attrs.Attr(b.attr)
	b.met = b.met || ok
	most := cmp.Or(b.own[value], b.each)
	if !ok || most == 0 {
		return nil
	}
	l := b.limits[value]
	if l == nil {
		l = &limit{bound: b, value: value, most: most}
		b.limits[value] = l
	}
	return l
}

// forget takes out a branch that has no groups. A limit without branches applies to no task.
func (l *limit) forget(b *branch) {
	last := len(l.branches) - 1
	l.branches[b.at], l.branches[last].at = l.branches[last], b.at
	l.branches = slices.Delete(l.branches, last, last+1)
	if last == 0 {
		delete(l.bound.limits, l.value)
	}
}

// occupy adds to how many tasks of a group run. Where a limit is reached, or has room again, the tasks that it
// applies to are held back, or may start.
func (c *core) occupy(g *group, n int) {
	for b := g.in; b.limit != nil; b = b.in {
		l := b.limit
		before := l.running >= l.most
		l.running += n
		after := l.running >= l.most
		if after == before {
			continue
		}
		for _, b := range l.branches {
			b.full = after
			for order := range orders {
				b.look(order)
			}
			c.rise(&b.member, b.tenant)
		}
	}
}

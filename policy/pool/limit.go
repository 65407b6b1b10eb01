package pool

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"example.com/augur/predict"
	"example.com/augur/queue"
)

// A Limit bounds how many tasks with the same value of an attribute run at a time, such as those of one tenant or of one kind. A
// task that a limit holds back keeps no other one from starting, also of its tenant. If several limits apply to a
// task, all must have room.
type Limit struct {
	Attr    string // the attribute, such as that of Config.Tenant; a task without it has no limit
	Value   string // the value that the limit is for; "" means each value, by itself, that has no Limit of its own
	Running int    // tasks that run at a time, at least 1
}

// A bound has the Limits of one attribute.
type bound struct {
	attr   string
	each   int               // that of the values that have none of their own; 0: there is none
	own    map[string]int    // by value
	limits map[string]*limit // by value, those that apply to some task
}

// newBounds sorts Limits by attribute. The error names the one that is wrong.
func newBounds(list []Limit) (bounds []*bound, err error) {
	for i, l := range list {
		at := slices.IndexFunc(bounds, func(b *bound) bool { return b.attr == l.Attr })
		if at < 0 {
			at = len(bounds)
			bounds = append(bounds, &bound{attr: l.Attr, own: make(map[string]int), limits: make(map[string]*limit)})
		}
		b := bounds[at]
		switch {
		case l.Attr == "":
			return nil, fmt.Errorf("pool: Config.Limits[%d].Attr is empty, want the name of an attribute", i)
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
	bound   *bound
	value   string
	number  uint64
	most    int
	running int
	groups  []member
}

// A member is a group that a limit applies to.
type member struct {
	*group
	limit int // its position in the limits of the group
}

// A group is the tasks of a tenant that the same limits apply to.
type group struct {
	tenant *tenant
	key    string // of its limits
	limits []*limit
	at     []int // its position among the groups of each
	full   int   // of these limits
	open   int   // tasks that wait or run
	ages   ages
	tasks  [orders]*queue.Heap[place] // none byAge
	turns  [orders]queue.Handle       // in the lines of the tenant
}

func newGroup(t *tenant) *group {
	g := &group{tenant: t, ages: ages{strays: queue.NewHeap(compare)}}
	g.tasks[known], g.tasks[unknown] = queue.NewHeap(compare), queue.NewHeap(compare)
	return g
}

// newLine makes a line: the groups of a tenant that have tasks in an order, by the first of these. Those that a limit holds back
// come last.
func newLine(order order) *queue.Heap[*group] {
	return queue.NewHeap(func(a, b *group) int {
		return cmp.Or(cmp.Compare(min(a.full, 1), min(b.full, 1)), compare(a.first(order), b.first(order)))
	})
}

// first returns the first task in an order, and a place without an entry if there is none.
func (g *group) first(order order) place {
	if order == byAge {
		return g.ages.first()
	}
	p, _ := g.tasks[order].Peek()
	return p
}

// settle puts a group where it belongs in a line of its tenant, after its tasks or its limits have changed.
func (g *group) settle(order order) {
	line := g.tenant.lines[order]
	switch {
	case g.first(order).entry == nil:
		line.Remove(g.turns[order])
	case !line.Fix(g.turns[order]):
		g.turns[order] = line.Push(g)
	}
}

// least returns the first in an order of the tasks of a tenant that may start; nil if there is none.
func (t *tenant) least(order order) *entry {
	g, ok := t.lines[order].Peek()
	if !ok || g.full > 0 {
		return nil
	}
	return g.first(order).entry
}

// groupOf returns the group of a tenant for a task with these attributes.
func (c *core) groupOf(t *tenant, attrs predict.Job) *group {
	if len(c.bounds) == 0 || attrs == nil {
		return t.plain
	}
	var limits []*limit
	var key []byte
	for _, b := range c.bounds {
		value, ok := attrs.Attr(b.attr)
		most := cmp.Or(b.own[value], b.each)
		if !ok || most == 0 {
			continue
		}
		l := b.limits[value]
		if l == nil {
			c.limit++
			l = &limit{bound: b, value: value, number: c.limit, most: most}
			b.limits[value] = l
		}
		limits = append(limits, l)
		key = binary.AppendUvarint(key, l.number)
	}
	if len(limits) == 0 {
		return t.plain
	}
	g := t.groups[string(key)]
	if g != nil {
		return g
	}
	g = newGroup(t)
	g.key, g.limits = string(key), limits
	t.groups[g.key] = g
	for i, l := range limits {
		g.at = append(g.at, len(l.groups))
		l.groups = append(l.groups, member{g, i})
		if l.running >= l.most {
			g.full++
		}
	}
	return g
}

// occupy adds to how many tasks of a group run. Where a limit is reached, or has room again, the tasks that it
// applies to are held back, or may start.
func (c *core) occupy(g *group, n int) {
	for _, l := range g.limits {
		before := l.running >= l.most
		l.running += n
		after := l.running >= l.most
		if after == before {
			continue
		}
		for _, g := range l.groups {
			if after {
				g.full++
			} else {
				g.full--
			}
			for order := range orders {
				g.settle(order)
			}
			c.settle(g.tenant)
		}
	}
}

// forget forgets a group without tasks, and the limits that apply to no other one.
func (g *group) forget() {
	if g.open > 0 || len(g.limits) == 0 {
		return
	}
	delete(g.tenant.groups, g.key)
	for i, l := range g.limits {
		last := l.groups[len(l.groups)-1]
		l.groups[g.at[i]] = last
		last.at[last.limit] = g.at[i]
		l.groups = slices.Delete(l.groups, len(l.groups)-1, len(l.groups))
		if len(l.groups) == 0 {
			delete(l.bound.limits, l.value)
		}
	}
}

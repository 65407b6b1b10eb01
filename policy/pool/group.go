package pool

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/predict"
	"example.com/augur/queue"
)

// A group is the tasks of a tenant that are alike: they have the same features, so that what is predicted of one is predicted
// of all, and the same limits. Those that wait go in the order of their age.
type group struct {
	groupKey
	forecast
	tenant  *tenant
	limits  []*limit
	at      []int // its position among the groups of each
	full    int   // of these limits
	open    int   // tasks that wait or run
	waiting int   // of these
	ages    ages
	head    *entry  // the oldest that waits
	rank    float64 // predicted runtime, s, by which it is in the line of known
	weight  float64 // its place there
	in      order   // its line besides byAge; byAge if there is none
	turns   [orders]queue.Handle
}

type groupKey struct {
	like   any    // what the predictor knows the tasks by; nil: nothing is learned
	limits string // a key of them
}

// A forecast is what is predicted of a task.
type forecast struct {
	predicted float64 // runtime, s
	learned   uint32  // core.learned when that was made
	known     bool    // there is a prediction
	nameless  bool    // there is none because it has no feature
}

// The lines of a tenant, in which its groups wait. Those that a limit holds back come last.
type order uint8

const (
	byAge   order = iota // all groups, by their oldest tasks
	known                // groups with a prediction, by that; empty if FirstCome
	unknown              // groups without one, by their oldest tasks; empty if FirstCome
	orders
)

func newLine(order order) *queue.Heap[*group] {
	return queue.NewHeap(func(a, b *group) int {
		x, y := place{a.weight, a.head.number, nil}, place{b.weight, b.head.number, nil}
		if order != known {
			x, y = a.head.byAge(), b.head.byAge()
		}
		return cmp.Or(cmp.Compare(min(a.full, 1), min(b.full, 1)), compare(x, y))
	})
}

// groupOf returns the group for a task with these attributes.
func (c *core) groupOf(e *entry, attrs predict.Job) *group {
	var key groupKey
	if c.history != nil {
		if key.like = e.attrs.Like(); key.like == nil {
			key.like = e
		}
	}
	t := e.tenant
	limits, text := c.limitsOf(attrs)
	key.limits = string(text)
	if g := t.groups[key]; g != nil {
		return g
	}
	g := &group{groupKey: key, tenant: t, limits: limits}
	t.groups[key] = g
	for i, l := range limits {
		g.at = append(g.at, len(l.groups))
		l.groups = append(l.groups, member{g, i})
		if l.running >= l.most {
			g.full++
		}
	}
	return g
}

// settle puts a group where it belongs, after its first task, its limits or its rank have changed, and lets its tenant take
// turns if some task may start.
func (c *core) settle(g *group) {
	g.head = g.ages.first()
	if g.in == known && g.head != nil {
		g.weight = math.Log(g.rank) + float64(g.head.at)/float64(c.config.MaxWait)
	}
	g.line(byAge)
	if g.in != byAge {
		g.line(g.in)
	}
	if t := g.tenant; t.least(byAge) != nil {
		c.shares.Join(t.share)
	} else {
		c.shares.Leave(t.share)
	}
}

// line puts a group where it belongs in a line.
func (g *group) line(order order) {
	line := g.tenant.lines[order]
	switch {
	case g.head == nil:
		line.Remove(g.turns[order])
	case !line.Fix(g.turns[order]):
		g.turns[order] = line.Push(g)
	}
}

// least returns the first group in a line that has a task that may start; nil if there is none.
func (t *tenant) least(order order) *group {
	if g, ok := t.lines[order].Peek(); ok && g.full == 0 {
		return g
	}
	return nil
}

// place puts a group where its prediction belongs.
func (c *core) place(g *group) {
	if c.config.Order == FirstCome {
		return
	}
	if g.in != byAge {
		g.tenant.lines[g.in].Remove(g.turns[g.in])
	}
	g.in = unknown
	if g.known {
		g.in, g.rank = known, max(g.predicted, minRank)
	}
	c.settle(g)
}

// believe makes a forecast that of all tasks of a group. It reports whether it has come or gone.
func (g *group) believe(f forecast) (changed bool) {
	changed = f.known != g.known
	if changed && f.known {
		g.tenant.unknown -= g.waiting
	} else if changed {
		g.tenant.unknown += g.waiting
	}
	g.forecast = f
	return changed
}

// forget forgets a group without tasks, and the limits that apply to no other one. One group without features and limits stays.
func (g *group) forget() {
	if g.open > 0 || g.groupKey == (groupKey{}) {
		return
	}
	delete(g.tenant.groups, g.groupKey)
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

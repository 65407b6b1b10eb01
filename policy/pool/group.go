package pool

import (
	"time"

	"example.com/augur/predict"
)

// A group is the tasks of a tenant that are alike: they have the same features, so that what is predicted of one is predicted
// of all, and the same limits. Those that wait go in the order of their age.
type group struct {
	member
	forecast
	like    any // what the predictor knows the tasks by; nil: nothing is learned
	tenant  *tenant
	open    int // tasks that wait or run
	waiting int // of these
	ages    ages
	head    *entry  // the oldest that waits
	rank    float64 // predicted runtime, s, by which it is in the line of known
	line    order   // its line besides byAge; byAge if there is none
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

// groupOf returns the group for a task with these attributes.
func (c *core) groupOf(e *entry, attrs predict.Job) *group {
	var like any
	if c.history != nil {
		if like = e.attrs.Like(); like == nil {
			like = e
		}
	}
	b := c.branchOf(e.tenant, attrs)
	g := b.groups[like]
	if g == nil {
		g = &group{like: like, tenant: e.tenant}
		g.in, b.groups[like] = b, g
	}
	return g
}

// settle puts a group where it belongs, after its first task, its line or its rank have changed.
func (c *core) settle(g *group) {
	g.head, g.first = g.ages.first(), [orders]place{}
	if g.head != nil {
		g.first[byAge] = g.head.byAge()
		g.first[g.line] = g.head.byAge()
		if g.line == known {
			g.first[known].key = c.aging.Key(g.rank, time.Duration(g.head.at))
		}
	}
	c.rise(&g.member, g.tenant)
}

// place puts a group where its prediction belongs.
func (c *core) place(g *group) {
	if c.config.Order == FirstCome {
		return
	}
	g.line = unknown
	if g.known {
		g.line, g.rank = known, max(g.predicted, minRank)
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
	b := g.in
	if g.open > 0 || g.like == nil && b.limit == nil {
		return
	}
	delete(b.groups, g.like)
	for ; b.limit != nil && len(b.groups)+len(b.branches) == 0; b = b.in {
		delete(b.in.branches, b.limit)
		b.limit.forget(b)
	}
}

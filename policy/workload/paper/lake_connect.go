package paper

import (
	"math"
	"slices"

	"example.com/augur/policy"
)

// connect lets a template read others.
func (g *lake) connect(t *lakeTemplate, begin int, cross bool) {
	if t.kind == LakeRoot {
		return
	}
	g.connectWithin(t, begin)
	if len(t.edges) == 0 {
		t.kind = LakeRoot
	} else if cross {
		g.connectAbroad(t)
	}
}

// need draws how many jobs a template is to read, with that mean, or more or fewer if others
// read fewer or more: so many a day are owed.
func (g *lake) need(t *lakeTemplate, mean, owed float64) int {
	more := owed / (8 * max(1, t.rate()))
	return around(g.rng, min(max(mean+more, 1), 2*mean), g.FanSigma)
}

// connectWithin lets a template read others of its organisation: of its workflow, whose first
// is begin, mostly the one just before it.
func (g *lake) connectWithin(t *lakeTemplate, begin int) {
	mean := (g.Dependencies - g.CrossReaders*g.CrossDependencies) / g.Dependent
	need := g.need(t, mean, g.owed)
	left := need
	for misses := 0; left > 0 && misses < 8; {
		up, ok := int32(-1), false
		if mine := len(g.templates) - begin; mine > 0 && (t.closed || len(t.edges) == 0 || g.rng.Float64() < 0.6) {
			up, ok = int32(len(g.templates)-min(mine, geometric(g.rng, 1.3))), true
		} else {
			up, ok = g.within(t.org)
		}
		n := 0
		if ok {
			n = g.add(t, up, min(left, geometric(g.rng, g.Runs)))
		}
		if n == 0 {
			misses++
		}
		left -= n
	}
	for i, misses := 0, 0; left > 0 && misses < len(t.edges); i++ { // more runs of each, but not of months
		e := &t.edges[i%len(t.edges)]
		if policy.Duration(e.runs+2)*g.templates[e.up].period > lakeWeek {
			misses++
			continue
		}
		e.runs++
		left--
		misses = 0
	}
	g.owed += (mean - float64(need-left)) * t.rate()
}

// connectAbroad lets a template read hubs of other organisations.
func (g *lake) connectAbroad(t *lakeTemplate) {
	need := g.need(t, g.CrossDependencies, g.owedAbroad)
	left := need
	for misses := 0; left > 0 && misses < 30; {
		n := 0
		if up, ok := g.abroad(t.org); ok {
			n = g.add(t, up, min(left, geometric(g.rng, g.CrossRuns)))
		}
		if n == 0 {
			misses++
		}
		left -= n
	}
	g.owedAbroad += (g.CrossDependencies - float64(need-left)) * t.rate()
}

// within returns a template of the organisation that is not closed, some more often than
// others.
func (g *lake) within(org int32) (int32, bool) {
	of := g.open[org]
	if len(of) == 0 {
		return 0, false
	}
	return of[skewed(g.rng, len(of))], true
}

// abroad returns a hub of another organisation.
func (g *lake) abroad(org int32) (int32, bool) {
	if len(g.hubs) == 0 {
		return 0, false
	}
	up := g.hubs[skewed(g.rng, len(g.hubs))]
	return up, g.templates[up].org != org
}

// add lets a template read so many runs of another, but not those of more than a week, and
// returns how many: none if it reads it already.
func (g *lake) add(t *lakeTemplate, up int32, runs int) int {
	if slices.ContainsFunc(t.edges, func(e lakeEdge) bool { return e.up == up }) {
		return 0
	}
	runs = max(1, min(runs, int(lakeWeek/g.templates[up].period)-1))
	t.edges = append(t.edges, lakeEdge{up: up, runs: int32(runs), from: -policy.Time(lakeWarm), to: g.end})
	return runs
}

// churn replaces the edges of a template, but for that of a trigger, as time goes on.
func (g *lake) churn(t *lakeTemplate, trigger bool) {
	if g.Churn == 0 || t.closed {
		return
	}
	mean := float64(lakeWeek) / -math.Log1p(-g.Churn)
	first := 0
	if trigger {
		first = 1
	}
	for i := first; i < len(t.edges); i++ {
		e := t.edges[i]
		lasts := g.rng.ExpFloat64() * mean
		if !(lasts < float64(e.to-e.from)) {
			continue
		}
		at := e.from + policy.Time(lasts)
		up, ok := int32(0), false
		if g.templates[e.up].org == t.org {
			up, ok = g.within(t.org)
		} else {
			up, ok = g.abroad(t.org)
		}
		if !ok || g.add(t, up, int(e.runs)) == 0 {
			continue // this one stays
		}
		t.edges[i].to = at
		t.edges[len(t.edges)-1].from = at
	}
}

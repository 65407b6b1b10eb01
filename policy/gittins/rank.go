package gittins

import (
	"math"
	"reflect"

	"example.com/augur/estimate"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// left returns the rank of a job's unfinished work before its worth counts, the time it needs, and until when they
// hold.
func (t *Turn) left(e *entry) (rank float64, n need, due policy.Time) {
	j, now := e.job, t.view.Now()
	due = policy.Never
	// after returns an eighth of so many seconds from now, a second at least.
	after := func(ran float64) policy.Time {
		return now.Add(saturate.To[policy.Duration](min(max(1, ran/8), 1e9) * 1e9))
	}
	// No more than one task is wanted as long as nothing has run.
	g := group{single: !e.has}
	for i := range j.Stages {
		g.single = g.single && j.Stages[i].Finished == 0
	}
	if e.has {
		due = after(now.Sub(e.since).Seconds()) // what runs on tells that it is long
	}
	for i := range j.Job.Stages {
		s := &j.Job.Stages[i]
		units := float64(s.Units() - j.Stages[i].Finished)
		if units == 0 {
			continue
		}
		d, ok := t.forecast.Runtime(j, uint32(i))
		if !ok {
			service := t.view.Service(j)
			if rate := j.Rate(); rate > 0 {
				due = after(service / rate)
			} else if !t.fixed { // the Forecast may come to know something
				due = after(now.Sub(j.Job.Submitted).Seconds())
			}
			return service, need{}, due
		}
		if !same(d, g.d) {
			rank += g.rank()
			g = group{d: d, width: float64(s.Width()), single: g.single}
		}
		g.work += units * float64(s.Width())
		if j.Job.SLO != nil {
			n.add(d)
		}
	}
	rank += g.rank()
	if stage, waits := j.Next(); waits {
		rank += t.idle(float64(j.Job.Stages[stage].Width()))
	}
	return rank, n, due
}

// idle returns how many core-seconds a unit of this width keeps idle while it collects its cores at the mean rate at
// which cores have been freed so far.
func (t *Turn) idle(width float64) float64 {
	passed := t.view.Now().Sub(t.begun).Seconds()
	if t.freed == 0 || passed == 0 {
		return 0
	}
	return width * (width - 1) / 2 / (t.freed / passed)
}

// A group is the unfinished work of some stages that share one runtime T.
type group struct {
	d      central.Distribution
	work   float64 // units times cores
	width  float64 // cores of a unit of the first of them
	single bool    // one pilot tells T, else all count in full
}

// same reports whether two distributions are one and the same.
func same(a, b central.Distribution) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && reflect.ValueOf(a).Comparable() && a == b
}

// rank returns the rank of a group in core-seconds. A single unit has no pilot to learn from, so its rank is its
// mean. The mean of a Belief depends on the longest runtimes thought possible, which are known least, so it uses
// E[√T]² there.
func (g *group) rank() float64 {
	if g.d == nil {
		return 0
	}
	if !g.single { // all are pilots
		return g.work * g.d.Mean()
	}
	if g.d.Quantile(1) == 0 {
		return 0
	}
	if b, ok := g.d.(*estimate.Belief); ok && g.work == g.width {
		return g.work * b.RootMean()
	}
	tasks := min(max(1, math.Round(g.work/g.width)), 1<<30)
	return g.work / tasks * estimate.Gittins{Tasks: saturate.To[int](tasks), Nonpreemptive: true}.Rank(g.d, 0)
}

package gittins

import (
	"math"
	"reflect"

	"example.com/augur/estimate"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// left returns the rank of a job's unfinished work before its worth counts, the time it needs, whether the Forecast
// knows its runtimes, and until when all this holds. If the runtimes are not known, the rank is the service.
func (t *Turn) left(e *entry) (rank float64, n need, known bool, due policy.Time) {
	j, now := e.job, t.view.Now()
	// after returns an eighth of so many seconds from now, a second at least.
	after := func(ran float64) policy.Time {
		return now.Add(saturate.To[policy.Duration](min(max(1, ran/8), 1e9) * 1e9))
	}
	due = policy.Never
	if e.has {
		due = after(now.Sub(e.since).Seconds()) // what runs on tells that it is long
	}
	if !e.update(t.forecast) {
		service := t.view.Service(j)
		if rate := j.Rate(); rate > 0 {
			due = after(service / rate)
		} else if !t.fixed { // the Forecast may come to know something
			due = after(now.Sub(j.Job.Submitted).Seconds())
		}
		return service, need{}, false, due
	}
	if rank = e.sums.whole; e.single() {
		rank = e.sums.pilots
	}
	if stage, waits := j.Next(); waits {
		rank += t.idle(float64(j.Job.Stages[stage].Width()))
	}
	return number(rank), e.sums.need, true, due
}

// idle returns how many core-seconds a unit of this width keeps idle while it collects its cores at the mean rate at
// which cores have been freed so far.
func (t *Turn) idle(width float64) float64 {
	passed := t.view.Now().Sub(t.begun).Seconds()
	if t.freed == 0 || passed <= 0 {
		return 0
	}
	return width * (width - 1) / 2 / (t.freed / passed)
}

// A group is the unfinished work of some stages that share one runtime T.
type group struct {
	d      central.Distribution
	work   float64 // units times cores
	saved  float64 // of these, core-seconds
	width  float64 // cores of a unit of the first of them
	stages float64
	size   float64 // stages before any was finished or left
	stale  bool    // something has changed since sums were worked out
	sums   sums
}

// sums are what groups add to the rank and the needs of a job.
type sums struct {
	whole  float64 // the rank if all units count in full
	pilots float64 // the rank if one pilot tells the T of each group
	need   need
}

// add adds o, or subtracts it if sign is -1.
func (s *sums) add(o *sums, sign float64) {
	s.whole += sign * o.whole
	s.pilots += sign * o.pilots
	s.need.least += sign * o.need.least
	s.need.mid += sign * o.need.mid
	s.need.great += sign * o.need.great
}

// lost reports whether a sum is no number, as after an infinity was subtracted.
func (s *sums) lost() bool {
	return math.IsNaN(s.whole + s.pilots + s.need.least + s.need.mid + s.need.great)
}

// same reports whether two distributions are one and the same.
func same(a, b central.Distribution) bool {
	t := reflect.TypeOf(a)
	return t == reflect.TypeOf(b) && t.Comparable() && (t.Kind() != reflect.Struct && t.Kind() != reflect.Array || reflect.ValueOf(a).Comparable()) && a == b
}

// resolve works out the sums. It needs no pilots once a unit has finished, and the quantiles only for a deadline.
func (g *group) resolve(pilots, deadline bool) {
	g.stale, g.sums = false, sums{}
	if g.work == 0 {
		return
	}
	g.sums.whole = number(max(0, g.work*g.d.Mean()-g.saved))
	if pilots {
		g.sums.pilots = number(g.pilots())
	}
	if deadline {
		g.sums.need = need{number(g.stages * g.d.Quantile(0.05)), number(g.stages * g.d.Quantile(0.5)), number(g.stages * g.d.Quantile(0.8))}
	}
}

// number returns x, and infinity for NaN: a Forecast that says so does not go first.
func number(x float64) float64 {
	if math.IsNaN(x) {
		return math.Inf(1)
	}
	return x
}

// pilots returns the rank in core-seconds if one pilot tells T. A single unit has no pilot to learn from, so its rank is its
// mean. The mean of a Belief that is not Limited depends on the longest runtimes thought possible, which are known least, so it
// uses E[√T]² there.
func (g *group) pilots() float64 {
	if g.d.Quantile(1) == 0 {
		return 0
	}
	switch {
	case g.saved > 0 && g.work > g.width: // some have run, so no pilot is to tell of the others
		return g.sums.whole
	case g.saved > 0:
		return g.after(g.saved)
	}
	if b, ok := g.d.(*estimate.Belief); ok && g.work == g.width && !b.Limited() {
		return g.work * b.RootMean()
	}
	tasks := min(max(1, math.Round(g.work/g.width)), 1<<30)
	return g.work / tasks * estimate.Gittins{Tasks: saturate.To[int](tasks), Nonpreemptive: true}.Rank(g.d, 0)
}

// after returns the rank of a single unit that has been served for so many core-seconds: the index at that age.
func (g *group) after(served float64) float64 {
	if rank := (estimate.Gittins{}).Rank(g.d, served/g.width); !math.IsNaN(rank) {
		return g.width * rank
	}
	return served // it has outrun what the Forecast thinks possible, so nothing is known of it
}

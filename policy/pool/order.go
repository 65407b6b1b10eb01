package pool

import (
	"fmt"
	"math"
	"time"

	"example.com/augur/internal/saturate"
)

// An Order says which task of a tenant goes first, of those that wait. The zero Order is Shortest if there are Features, and
// otherwise FirstCome.
type Order uint8

const (
	// FirstCome runs tasks in the order of their submission.
	FirstCome Order = 1 + iota
	// Shortest runs the task with the shortest prediction first. That is the point estimate of the predictor, which
	// is often near the median.
	Shortest
	// Index runs the task with the least Gittins rank first, by the distribution that the predictor has of its
	// runtime. The rank of a task that cannot be stopped is its mean; see estimate.Gittins. So a kind that is usually
	// short, and now and then very long, goes later than by Shortest.
	Index
)

// String returns the name of the order.
func (o Order) String() string {
	switch o {
	case FirstCome:
		return "FirstCome"
	case Shortest:
		return "Shortest"
	case Index:
		return "Index"
	}
	return fmt.Sprintf("Order(%d)", uint8(o))
}

// minRank is the rank, s, that smaller ones count as.
const minRank = 1e-9

// seconds is x seconds, at most what a Duration holds.
func seconds(x float64) time.Duration { return saturate.To[time.Duration](min(x*1e9, 1<<62)) }

// The orders that the tasks of a group wait in.
type order uint8

const (
	byAge   order = iota // all, the oldest first
	known                // those of which something is known, the shortest first; none if FirstCome
	unknown              // the others, the oldest first; none if FirstCome
	orders
)

// place puts a task that waits where its prediction belongs.
func (c *core) place(e *entry) {
	e.pull()
	if e.known {
		e.rank = max(e.predicted, minRank)
	}
	c.push(e)
}

// push puts a task where its rank belongs.
func (c *core) push(e *entry) {
	p := place{float64(e.at), e.number, e}
	switch {
	case c.config.Order == FirstCome:
		return
	case e.known:
		e.in = known
		p.key = math.Log(e.rank) + float64(e.at)/float64(c.config.MaxWait)
	default:
		e.in = unknown
	}
	e.turn = e.group.tasks[e.in].Push(p)
	e.group.settle(e.in)
}

// pull takes a task out of where its rank belongs.
func (e *entry) pull() {
	if e.in != byAge {
		e.group.tasks[e.in].Remove(e.turn)
		e.group.settle(e.in)
		e.in = byAge
	}
}

// first returns the task of a tenant whose turn it is. Some may start.
func (c *core) first(t *tenant, at int64, now time.Time, workers int) *entry {
	oldest := t.least(byAge)
	if c.config.Order == FirstCome || at-oldest.at >= int64(c.config.MaxWait) {
		c.review(oldest, now)
		return oldest
	}
	for {
		next := t.least(known)
		if other := t.least(unknown); other != nil && (next == nil || mayExplore(other, next, workers)) {
			next = other
		}
		if !c.review(next, now) {
			return next
		}
	}
}

// mayExplore reports whether a task of which nothing is known may go before the shortest of its tenant of which
// something is: see "Order" in the package comment.
func mayExplore(e, shortest *entry, workers int) bool {
	t, limit := e.tenant, 1
	if e.nameless {
		limit = max(1, workers*t.unknown/t.waiting)
	}
	return t.exploring < limit && t.owed <= shortest.rank
}

// reviewed is how many tasks of which nothing was known are predicted anew when one has ended.
const reviewed = 100

// explored takes note of the end of a task of which nothing was known when it started. Others that wait may be known now.
func (c *core) explored(e *entry, took float64, now time.Time) {
	e.tenant.owed = took
	if e.nameless {
		return
	}
	var found [reviewed]*entry
	entries := found[:0]
all:
	for g := range e.tenant.lines[unknown].All() {
		for p := range g.tasks[unknown].All() {
			if len(entries) == reviewed {
				break all
			}
			entries = append(entries, p.entry)
		}
	}
	for _, e := range entries {
		c.review(e, now)
	}
}

// predict asks what is known of the runtime of a task. Several may call it at once, for tasks that nobody else knows yet.
func (c *core) predict(e *entry, now time.Time) {
	e.learned = c.learned.Load()
	switch {
	case c.history == nil:
		return
	case c.config.Order == Index:
		e.predicted, e.known = c.history.Mean(&e.attrs, now)
	default:
		e.predicted, e.known = c.history.Estimate(&e.attrs, now)
	}
	e.nameless = !e.known && !c.history.HasFeature(&e.attrs)
}

// review predicts a task that waits anew, if something was learned since, and moves it if its prediction has come, gone or more
// than doubled. Smaller changes do not matter, or a prediction that grows little by little would send each task back at
// each turn. It reports whether the task has moved.
func (c *core) review(e *entry, now time.Time) (moved bool) {
	if e.learned == c.learned.Load() {
		return false
	}
	before := e.known
	c.predict(e, now)
	switch {
	case before && !e.known:
		e.tenant.unknown++
	case !before && e.known:
		e.tenant.unknown--
	}
	if c.config.Order == FirstCome || e.known == before && !(e.known && e.predicted > 2*e.rank) {
		return false
	}
	c.place(e)
	return true
}

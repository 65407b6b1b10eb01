package pool

import (
	"fmt"
	"time"

	"example.com/augur/internal/saturate"
	"example.com/augur/predict"
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

// first returns the task of a tenant whose turn it is. Some may start.
func (c *core) first(t *tenant, at int64, now time.Time, workers int) *entry {
	oldest := t.least(byAge)
	if c.config.Order == FirstCome || at-oldest.head.at >= int64(c.config.MaxWait) {
		c.review(oldest, now)
		return oldest.head
	}
	c.explored(t, now)
	for {
		next := t.least(known)
		if other := t.least(unknown); other != nil && (next == nil || mayExplore(other, next, workers)) {
			next = other
		}
		if !c.review(next, now) {
			return next.head
		}
	}
}

// mayExplore reports whether a task of which nothing is known may go before the shortest of its tenant of which
// something is: see "Order" in the package comment.
func mayExplore(g, shortest *group, workers int) bool {
	t, limit := g.tenant, 1
	if g.nameless {
		limit = max(1, workers*t.unknown/t.waiting)
	}
	return t.exploring < limit && t.owed <= shortest.rank
}

// When a task without a prediction has ended, at most so many groups of a tenant without one are predicted again.
const reviewed = 100

// explored predicts again what waits of a tenant and was unknown, if a task without a prediction has ended, of any tenant, since
// that was done last.
func (c *core) explored(t *tenant, now time.Time) {
	if t.explored == c.explorers {
		return
	}
	t.explored = c.explorers
	var found [reviewed]*group
	for _, g := range t.root.some(unknown, found[:0]) {
		c.review(g, now)
	}
}

// predict asks what is known of the runtime of a task. Several may call it at once, for tasks that nobody else knows yet.
func (c *core) predict(attrs *predict.Prepared, now time.Time) (f forecast) {
	f.learned = c.learned.Load()
	switch {
	case c.history == nil:
		return f
	case c.config.Order == Index:
		f.predicted, f.known = c.history.Mean(attrs, now)
	default:
		f.predicted, f.known = c.history.Estimate(attrs, now)
	}
	f.nameless = !f.known && !c.history.HasFeature(attrs)
	return f
}

// review predicts the tasks of a group anew, if something was learned since, and moves it if its prediction has come, gone or
// more than doubled. Smaller changes do not matter, or a prediction that grows little by little would send it back at
// each turn. It reports whether the group has moved.
func (c *core) review(g *group, now time.Time) (moved bool) {
	if g.learned == c.learned.Load() {
		return false
	}
	changed := g.believe(c.predict(&g.head.attrs, now))
	if c.config.Order == FirstCome || !changed && !(g.known && g.predicted > 2*g.rank) {
		return false
	}
	c.place(g)
	return true
}

package pool

import (
	"cmp"
	"fmt"
	"math"
	"sync"
	"time"

	"example.com/augur/predict"
)

// An Order says which task of a tenant goes first, of those that wait.
type Order uint8

const (
	// FirstCome runs tasks in the order of their submission.
	FirstCome Order = iota
	// Shortest runs the task with the shortest prediction first. That is the point estimate of the predictor, which
	// is often near the median.
	Shortest
	// Index runs the task with the least Gittins rank first, by the distribution that the predictor has of its
	// runtime. The rank of a task that cannot be stopped is its mean; see estimate.Gittins. So a kind that is usually
	// short, and now and then very long, goes later than by Shortest. A turn takes a few microseconds more.
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

func byAge(a, b *Task) int { return cmp.Compare(a.number, b.number) }
func byKey(a, b *Task) int { return cmp.Or(cmp.Compare(a.key, b.key), byAge(a, b)) }
func byDue(a, b *Task) int { return cmp.Or(a.due.Compare(b.due), byAge(a, b)) }

// minRank is the rank, s, that smaller ones count as.
const minRank = 1e-9

// place puts a task that waits where its prediction belongs. The caller holds mu, as in all that follows here.
func (p *Pool) place(t *Task) {
	if p.config.Order == FirstCome {
		return
	}
	if t.in != nil {
		t.in.Remove(t.turn)
	}
	t.in = t.tenant.unknown
	if t.known {
		t.in, t.rank = t.tenant.known, max(t.predicted, minRank)
		t.key = math.Log(t.rank) + t.submitted.Sub(p.began).Seconds()/p.config.MaxWait.Seconds()
	}
	t.turn = t.in.Push(t)
}

// first returns the task of a tenant whose turn it is. Some wait.
func (p *Pool) first(n *tenant, now time.Time) *Task {
	oldest, _ := n.waiting.Peek()
	if p.config.Order == FirstCome || now.Sub(oldest.submitted) >= p.config.MaxWait {
		p.review(oldest, now)
		return oldest
	}
	for {
		t, ok := n.known.Peek()
		if unknown, some := n.unknown.Peek(); some && (!ok || p.mayExplore(unknown, t)) {
			t = unknown
		}
		if !p.review(t, now) {
			return t
		}
	}
}

// mayExplore reports whether a task of which nothing is known may go before the shortest of its tenant of which
// something is: see "Order" in the package comment.
func (p *Pool) mayExplore(t, shortest *Task) bool {
	n, limit := t.tenant, 1
	if t.nameless {
		limit = max(1, p.config.Workers*n.unknown.Len()/n.waiting.Len())
	}
	return n.exploring < limit && n.owed <= shortest.rank
}

// reviewed is how many tasks of which nothing was known are predicted anew when one has ended.
const reviewed = 100

// explored takes note of the end of a task of which nothing was known when it started. Others that wait may be known now.
func (p *Pool) explored(t *Task, took float64, now time.Time) {
	n := t.tenant
	n.exploring--
	n.owed = took
	if t.nameless {
		return
	}
	var place [reviewed]*Task
	tasks := place[:0]
	for t := range n.unknown.All() {
		if tasks = append(tasks, t); len(tasks) == reviewed {
			break
		}
	}
	for _, t := range tasks {
		p.review(t, now)
	}
}

var predictions = sync.Pool{New: func() any { return new(predict.Prediction) }}

// predict asks what is known of the runtime of a task. The caller need not hold mu if nobody else knows the task yet.
func (p *Pool) predict(t *Task, now time.Time) {
	t.learned = p.learned.Load()
	switch {
	case p.history == nil:
	case p.config.Order == Index:
		next := predictions.Get().(*predict.Prediction)
		if t.known = p.history.Predict(t.attrs, now, next); t.known {
			t.predicted = next.Distribution().Mean()
		}
		predictions.Put(next)
	default:
		t.predicted, t.known = p.history.Estimate(t.attrs, now)
	}
	t.nameless = p.history != nil && !t.known && !p.history.HasFeature(t.attrs)
}

// review predicts a task anew, if the pool has learned since, and moves it if its prediction has come, gone or more
// than doubled. Smaller changes do not matter, or a prediction that grows little by little would send each task back at
// each turn. It reports whether the task has moved.
func (p *Pool) review(t *Task, now time.Time) (moved bool) {
	if t.learned == p.learned.Load() {
		return false
	}
	before := t.known
	p.predict(t, now)
	if p.config.Order == FirstCome || t.known == before && !(t.known && t.predicted > 2*t.rank) {
		return false
	}
	p.place(t)
	return true
}

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

// before is the order of the tasks of a tenant.
func before(a, b *Task) int {
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	return cmp.Compare(a.number, b.number)
}

// minRank is the rank, s, that smaller ones count as.
const minRank = 1e-9

// place makes the key of a task from its prediction.
func (p *Pool) place(t *Task) {
	t.rank = t.predicted
	if p.config.Order != FirstCome {
		t.key = math.Log(max(t.rank, minRank)) + t.number/p.config.Overtaking
	}
}

var predictions = sync.Pool{New: func() any { return new(predict.Prediction) }}

// predict asks what is known of the runtime of a task.
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
}

// review predicts a task anew whose turn has come, if the pool has learned since. It reports whether the prediction
// has more than doubled. Smaller changes do not matter, or a prediction that grows little by little would send each
// task back at each turn. The caller holds mu.
func (p *Pool) review(t *Task) (back bool) {
	if t.learned == p.learned.Load() {
		return false
	}
	p.predict(t, p.config.Now())
	return p.config.Order != FirstCome && t.predicted > 2*max(t.rank, minRank)
}

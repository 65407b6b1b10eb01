package pool

import (
	"errors"
	"sync"
	"time"

	"example.com/augur/predict"
)

// A Queue is the order of a pool alone, for tasks that run elsewhere: in other processes, on machines, or as the rows of a
// table that a database keeps. Its caller gives each task an ID and reports what becomes of it:
//
//	q, err := pool.OpenQueue[int64]("runtimes", pool.Config{Features: []string{"kind+customer", "kind"}})
//	q.Add(id, attrs, created)        // for each row that waits, also after a restart
//	ids := q.Next(free, time.Now())  // which to take
//	q.Started(id, time.Now())        // for each that was taken
//	q.Ended(id, took, err, time.Now())
//
// What the package comment says of the order of a pool, of tenants and of what is learned holds here too. A Queue starts no
// goroutine and reads no clock: instants are arguments, and they should not decrease. It stores no tasks either: a
// program that restarts adds all that wait again, and calls Add and Started for those that still run elsewhere: else limits
// and shares do not count them, and nothing is learned when they end.
//
// # Calls
//
//	               unknown ID     one that waits             one that runs
//	Add            it waits       nothing changes            its run is lost, and it waits
//	Started        false          it runs                    false
//	Ended          false          it ran elsewhere: learned  learned
//	Remove         false          forgotten                  its run is lost, and it is forgotten
//
// So a task that failed is to be ended with an error, and added again. One that another process has taken is to be
// removed, or ended when that reports what it took.
//
// All methods may be called by any number of goroutines at once. Each takes O(log n) time with n tasks that are not alike, and a microsecond or two
// for predictions; Next(n) takes O(tenants) more if n is above 1. When a task without a prediction has ended, the next turn of each
// tenant predicts up to 100 of its kinds without one again.
type Queue[ID comparable] struct {
	mu    sync.Mutex
	core  *core
	tasks map[ID]*item[ID]
}

type item[ID comparable] struct {
	entry
	id ID
}

// NewQueue makes a Queue without tasks that has learned nothing. It uses the fields Order, Features, MaxWait, Tenant, Weights and
// Limits. The error names the field that is wrong, or is not for a Queue.
func NewQueue[ID comparable](c Config) (*Queue[ID], error) { return newQueue[ID]("", c) }

// OpenQueue makes a Queue without tasks that has learned what the file has, as [Open] makes a Pool.
func OpenQueue[ID comparable](path string, c Config) (*Queue[ID], error) {
	if path == "" {
		return nil, errPath
	}
	return newQueue[ID](path, c)
}

func newQueue[ID comparable](path string, c Config) (*Queue[ID], error) {
	if c.Workers != 0 || c.Queue != 0 || c.Metrics != nil || c.Now != nil {
		return nil, errors.New("pool: Config has Workers, Queue, Metrics or Now, which are for a Pool: a Queue runs nothing")
	}
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	o, err := newCore(path, c)
	if err != nil {
		return nil, err
	}
	return &Queue[ID]{core: o, tasks: make(map[ID]*item[ID])}, nil
}

// Add adds a task that was submitted at an instant, from which its age counts. The attributes are those of [Pool.Submit]. The result is
// false if it waits already.
func (q *Queue[ID]) Add(id ID, attrs predict.Job, submitted time.Time) bool {
	t := &item[ID]{id: id}
	t.owner = t
	q.core.prepare(&t.entry, attrs, submitted)
	q.mu.Lock()
	defer q.mu.Unlock()
	if old := q.tasks[id]; old != nil {
		if !old.runs {
			return false
		}
		q.core.lose(&old.entry)
	}
	q.tasks[id] = t
	q.core.submit(&t.entry, q.core.tenantOf(attrs), submitted)
	q.core.add(&t.entry, attrs)
	return true
}

// Next returns up to n tasks that should start now, the first one first. It does not start them: call Started for each that
// does, or Remove if it has gone. Until then it returns them again, in the order that suits what was learned since. The caller
// may start any of them, but MaxWait says nothing of those that it passes over.
func (q *Queue[ID]) Next(n int, now time.Time) (ids []ID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, e := range q.core.list(n, now) {
		ids = append(ids, e.owner.(*item[ID]).id)
	}
	return ids
}

// Started reports that a task starts, whether or not Next returned it. The result is false if the task does not wait.
func (q *Queue[ID]) Started(id ID, now time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := q.tasks[id]
	if t == nil || t.runs {
		return false
	}
	q.core.start(&t.entry, now)
	return true
}

// Ended reports that a task has ended after it ran for took, here or elsewhere. If err is nil the queue learns that the task takes so
// long, and otherwise that it takes longer. A negative took, as of two clocks that differ, teaches nothing. The result is false if
// there is no such task. It may be added again.
func (q *Queue[ID]) Ended(id ID, took time.Duration, err error, now time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := q.tasks[id]
	if t == nil {
		return false
	}
	if took < 0 {
		q.remove(t)
		return true
	}
	delete(q.tasks, id)
	if !t.runs {
		q.core.start(&t.entry, now)
	}
	q.core.learn(&t.entry, took.Seconds(), err, now)
	q.core.end(&t.entry, took.Seconds(), now)
	return true
}

// Remove reports that a task is gone. Nothing is learned. The result is false if there is no such task.
func (q *Queue[ID]) Remove(id ID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := q.tasks[id]
	if t == nil {
		return false
	}
	q.remove(t)
	return true
}

func (q *Queue[ID]) remove(t *item[ID]) {
	delete(q.tasks, t.id)
	if t.runs {
		q.core.lose(&t.entry)
	} else {
		q.core.leave(&t.entry)
	}
}

// SetWeight gives a tenant another weight, 1e-100 to 1e100, from now on. What it has had counts as before.
func (q *Queue[ID]) SetWeight(tenant string, weight float64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.core.reweigh(tenant, weight)
}

// Stats returns how many tasks wait and run.
func (q *Queue[ID]) Stats() Stats {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.core.stats()
}

// History returns the predictor that learns, in seconds, or nil if there are no Features. It tells intervals, and its Snapshot
// and Restore keep what it has learned elsewhere than in a file.
func (q *Queue[ID]) History() *predict.Predictor { return q.core.history }

// Save writes to the file of [OpenQueue] what was learned: see [predict.Predictor.Save].
func (q *Queue[ID]) Save() error { return q.core.save() }

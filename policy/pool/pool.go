// Package pool runs tasks in a bounded number of goroutines, the shortest first. It predicts their runtimes from the
// tasks that it has run.
//
//	p, err := pool.New(pool.Config{
//		Workers: 8,
//		Order:   pool.Shortest,
//		Predict: predict.Config{Features: []string{"kind+customer", "kind"}},
//	})
//	...
//	task, err := p.Submit(ctx, predict.Attrs{"kind": "invoice", "customer": "acme"}, func(ctx context.Context) error {
//		return send(ctx, invoice)
//	})
//	...
//	err = task.Wait()
//	...
//	err = p.Close(ctx) // waits for all tasks
//
// A pool that runs tasks as they come is fair, and slow where a few tasks hold most of the work: whatever comes while
// long tasks have the workers waits for them. If the shortest go first, the mean wait is much less. The price is that
// long tasks wait longer.
//
// With the zero Config a pool is first come, first served, and learns nothing.
//
// # Submitting
//
// [Pool.Submit] waits while the queue is full, until there is room or ctx ends. [Pool.TrySubmit] returns [ErrFull]
// instead. Both return an error if the pool does not accept the task. For a task that it accepts, [Task.Wait]
// returns
//
//   - what the function returned;
//   - a *[PanicError] if it panicked, with the value and the stack. The pool goes on;
//   - [ErrExit] if it called [runtime.Goexit], as t.Fatal of a test does;
//   - the cause with which its context ended before it started. Such a task never runs, and leaves the queue at once;
//   - [ErrClosed] if Close gave it up.
//
// A task that runs gets the context of Submit, and must end by itself when that ends. A task that shall outlive the
// request that submits it gets context.WithoutCancel(ctx). Nobody has to call Wait; [Metrics] hears of errors too. The
// examples have Metrics for packages expvar and slog.
//
// # Order
//
// [Order] says whose turn it is among the tasks of a tenant that wait. The pool predicts the runtime of a task when it
// is submitted, and again when its turn comes. If it has more than doubled meanwhile, the task goes back to its place.
//
// No task waits for ever. One that has waited for [Config.MaxWait] goes before all of its tenant that have not,
// whatever is predicted; of several the oldest goes first. Until then the order is by
//
//	ln(predicted) + submitted/MaxWait
//
// so that predictions that are almost equal do not reorder tasks. A task with prediction R is overtaken by one with
// prediction r < R only if that was submitted less than MaxWait·ln(R/r) after it. A prediction below a nanosecond counts
// as a nanosecond. Where a pool gets more work than it can do, all tasks end up waiting for MaxWait, and the pool is
// first come, first served: a bound on the waits of the long ones is then paid by the short ones. Set MaxWait to several
// times the longest wait of a normal day; docs/embed.md has what it costs.
//
// A task of which nothing is known explores: to run it is how the pool learns of its kind. Such tasks go before the
// known ones of their tenant, but one at a time, and the next goes only when known tasks that are shorter have since had
// as much time as the last one took, or none waits. Otherwise they go after the known ones. So known tasks may pass them,
// but no worker is idle while one waits. If a task has none of the features, nothing can be learned from it: then as
// large a share of the workers may run such tasks as they are of the tasks that wait. With [predict.All] among the
// features, all tasks are known once one has ended.
//
// # Tenants
//
// [Config.Tenant] names the attribute by which tenants are told apart, such as customer. Tenants that have tasks
// waiting share the time of the workers by their weights, whatever their tasks are predicted to take: a task that
// starts counts with its prediction, and when it ends with the time that it took. Each tenant has a queue with a limit
// of its own, so one that floods the pool blocks nobody else. [queue.Sharing] has the bound: in short, between two turns
// of a tenant of weight w another one of weight v gets at most v/w times the tenant's last task, and a task more.
// A task that runs for longer than predicted counts with more and more, from then on. A tenant without tasks keeps no
// credit, and its debt until the others have had as much, or until a worker is free and nobody waits.
//
// # What is learned
//
// The pool learns the runtime of tasks that return nil. From tasks that fail, panic or are cancelled while they run, it
// learns that they take longer than they ran: see [predict.Predictor.ObserveCensored]. So a kind that always fails is
// predicted to take about twice the longest that it has run. [Pool.Save] writes what was learned, and [Pool.Load] reads it:
// see Example (Restart) in example_restart_test.go.
//
// # When not to use it
//
// A pool in which tasks seldom wait gains nothing from an order. Neither does one whose tasks are all alike. Where the
// attributes do not tell long from short, use FirstCome: the mean wait stays about the same by predictions, and the longest
// waits become two or three times as long. If that is not known, set MaxWait to the longest wait that first come, first
// served would have. For tasks of microseconds the bookkeeping costs more than the work: use a channel, or an errgroup with
// a limit, and give it batches. The pool stops nothing that runs, so a long task that was taken for short keeps its worker.
// A task that submits another one and waits for it, or for room, holds a worker, and if all workers do so, they wait for
// ever: let tasks use TrySubmit, and not wait for each other. Where the order of some tasks matters, such as changes of one
// customer, let one task do them all.
//
// # Cost
//
// Submit and the turn of a task take O(log n) time with n tasks of the tenant that wait. All goes through one mutex.
// From Submit to its end a task costs 1 to 2 µs first come, first served, 3 to 6 µs by Shortest with two features, and
// up to twice that by Index, on two cores. When a kind turns out to be long, all of its tasks that wait go back at once:
// 100,000 of them keep the pool for 0.2 s. Submit allocates the Task, of 256 bytes, and what package context needs if
// the task waits and its context can end. A pool without tasks has no goroutines.
//
// The pool is a host, so it reads the clock: [Config.Now], or [time.Now]. In a bubble of testing/synctest it has the
// clock of the bubble.
//
// # Source
//
// That the shortest expected runtime first has the least mean wait on one worker: W. E. Smith, "Various optimizers for
// single-stage production", Naval Research Logistics Quarterly 3, 1956. With several workers it need not be the least.
// The order by age and the exploring are ours. Predictions and weighted sharing are those of packages predict and queue.
package pool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"example.com/augur/predict"
	"example.com/augur/queue"
)

// Config describes a pool. The zero Config is a pool that runs tasks as they come, GOMAXPROCS at a time.
type Config struct {
	Workers int // tasks that run at a time, at least 1; 0 means GOMAXPROCS
	Queue   int // tasks of one tenant that may wait, at least 1; 0 means 10,000. Only they are ordered

	// Order says which task of a tenant goes first.
	Order Order
	// Predict says what makes tasks alike: its Features are names of attributes, such as kind, or kind+customer for
	// both together. Orders other than FirstCome need them. Without Features the pool learns nothing.
	Predict predict.Config
	// MaxWait is how long a task of a tenant may be overtaken, above 0; 0 means 4 hours. A task that has waited for so
	// long goes before those of its tenant that have not, whatever is predicted, and of several the oldest goes first.
	// FirstCome does not use it.
	MaxWait time.Duration

	// Tenant is the name of the attribute whose value is the tenant of a task. A task without it belongs to tenant "".
	// If Tenant is "", so do all tasks.
	Tenant string
	// Weights are by tenant, 1e-100 to 1e100. A tenant that is not here has weight 1, and the pool forgets it when
	// it has no tasks and owes nothing.
	Weights map[string]float64

	Metrics Metrics          // hears of each task; nil: nobody does
	Now     func() time.Time // the clock, for tests; nil means time.Now
}

// A Pool runs tasks. Make it with [New], and end it with [Pool.Close]. All methods may be called by any number of
// goroutines at once, also by tasks. But a task must not wait for Close, which waits for the task.
type Pool struct {
	config  Config
	history *predict.Predictor // nil: it learns nothing
	drained chan struct{}      // closed when the pool is closed and no task is open
	began   time.Time          // when it was made

	mu      sync.Mutex // guards what follows, and the fields of tasks that say so
	tenants map[string]*tenant
	shares  *queue.Sharing[*tenant] // those that have tasks waiting take turns
	running int
	open    int // tasks that were accepted and have not ended
	sweep   int // number of tenants at which to look for some to forget
	closed  bool

	served float64 // s, by all tasks that have run
	count  float64 // of them

	learned atomic.Uint64 // tasks
}

// A tenant has the tasks of one tenant.
type tenant struct {
	name    string
	share   queue.Handle
	kept    bool               // it has a weight of its own
	waiting *queue.Heap[*Task] // the oldest first, at most Config.Queue
	known   *queue.Heap[*Task] // those of them of which something is known, the shortest first; none if FirstCome
	unknown *queue.Heap[*Task] // the others, the oldest first; none if FirstCome
	running *queue.Heap[*Task] // by when they will have taken longer than the tenant is charged for
	blocked *queue.Heap[*Task] // those that are not accepted yet, the oldest first
	number  uint64             // tasks submitted so far
	open    int                // tasks that were accepted and have not ended

	exploring int     // tasks that run and of which nothing was known when they started
	owed      float64 // s, that shorter known tasks are to have before one explores again
}

var (
	// ErrClosed is the error of a task that is refused, or given up, because the pool is closed.
	ErrClosed = errors.New("pool: pool is closed")
	// ErrFull is what TrySubmit returns if the queue of the tenant is full.
	ErrFull = errors.New("pool: queue is full: submit later, or wait with Submit, but not in a task of the pool")
	// ErrExit is the error of a task that ended its goroutine.
	ErrExit = errors.New("pool: task called runtime.Goexit")

	errContext  = errors.New("pool: ctx is nil, want a context")
	errFunction = errors.New("pool: do is nil, want a function")
)

// New makes a pool that has learned nothing. The error names the field that is outside its range.
func New(c Config) (*Pool, error) {
	c.Workers = cmp.Or(c.Workers, runtime.GOMAXPROCS(0))
	c.Queue = cmp.Or(c.Queue, 10_000)
	c.MaxWait = cmp.Or(c.MaxWait, 4*time.Hour)
	if c.Now == nil {
		c.Now = time.Now
	}
	switch {
	case c.Workers < 0:
		return nil, fmt.Errorf("pool: Config.Workers is %d, want at least 1, or 0 for GOMAXPROCS", c.Workers)
	case c.Queue < 0:
		return nil, fmt.Errorf("pool: Config.Queue is %d, want at least 1, or 0 for 10,000", c.Queue)
	case c.Order > Index:
		return nil, fmt.Errorf("pool: Config.Order is %d, want FirstCome, Shortest or Index", c.Order)
	case c.MaxWait < 0:
		return nil, fmt.Errorf("pool: Config.MaxWait is %v, want more than 0, or 0 for 4h", c.MaxWait)
	case c.Order != FirstCome && len(c.Predict.Features) == 0:
		return nil, fmt.Errorf("pool: Config.Predict.Features is empty, want names of attributes: %v goes by predictions", c.Order)
	}
	if c.Tenant == "" && len(c.Weights) > 0 {
		return nil, errors.New("pool: Config.Weights has tenants, but Config.Tenant is empty: name the attribute that tells tenants apart")
	}
	p := &Pool{config: c, drained: make(chan struct{}), began: c.Now(), tenants: make(map[string]*tenant)}
	if len(c.Predict.Features) > 0 {
		var err error
		if p.history, err = predict.New(c.Predict); err != nil {
			return nil, fmt.Errorf("pool: Config.Predict: %w", err)
		}
	}
	p.shares, _ = queue.NewSharing[*tenant](queue.ByService)
	for _, name := range slices.Sorted(maps.Keys(c.Weights)) {
		if err := p.add(name, c.Weights[name], true); err != nil {
			return nil, fmt.Errorf("pool: Config.Weights of tenant %q: %w", name, err)
		}
	}
	if p.tenants[""] == nil {
		_ = p.add("", 1, true) // 1 is a good weight
	}
	return p, nil
}

// add adds a tenant. The error is about its weight.
func (p *Pool) add(name string, weight float64, kept bool) error {
	n := &tenant{
		name: name, kept: kept, waiting: queue.NewHeap(byAge), known: queue.NewHeap(byKey), unknown: queue.NewHeap(byAge),
		running: queue.NewHeap(byDue), blocked: queue.NewHeap(byAge),
	}
	var err error
	if n.share, err = p.shares.Add(n, weight); err != nil {
		return err
	}
	p.tenants[name] = n
	return nil
}

// Submit gives a task to the pool. While the queue of its tenant is full it waits for room. It returns an error, and
// the task does not run, if ctx ends before there is room, or if the pool is closed.
//
// Do not call Submit in a task of the same pool, nor in a goroutine that such a task waits for: there is room when a
// worker is free, and the task keeps its worker while it waits. If all workers do so, they wait for each other until a
// ctx ends. Call [Pool.TrySubmit] there. The pool cannot tell such calls from others.
//
// The attributes say what the task is like: the features of Config.Predict and Config.Tenant name them. Pass a
// predict.Attrs, which is a map, a type of your own with a method Attr, or nil for none. The pool reads them until the
// task has ended, so they must not change before, and Attr must not call the pool.
func (p *Pool) Submit(ctx context.Context, attrs predict.Job, do func(context.Context) error) (*Task, error) {
	return p.submit(ctx, attrs, do, true)
}

// TrySubmit is as Submit, but returns [ErrFull] if the queue of the tenant is full.
func (p *Pool) TrySubmit(ctx context.Context, attrs predict.Job, do func(context.Context) error) (*Task, error) {
	return p.submit(ctx, attrs, do, false)
}

// Close refuses new tasks, and waits until those that were accepted have ended. Calls of Submit that wait for room
// return [ErrClosed]. If ctx ends first, the tasks that wait do not run, and their error is ErrClosed. Close then
// returns the cause, and does not wait for the tasks that run: to stop these, end the contexts that they were
// submitted with. Close may be called again, and then waits for these. Save after it.
func (p *Pool) Close(ctx context.Context) error {
	if ctx == nil {
		return errContext
	}
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		for _, n := range p.tenants {
			for t, ok := n.blocked.Pop(); ok; t, ok = n.blocked.Pop() {
				t.state = refused
				close(t.admitted)
			}
		}
		p.drain()
	}
	p.mu.Unlock()
	select {
	case <-p.drained:
		return nil
	default:
	}
	select {
	case <-p.drained:
		return nil
	case <-ctx.Done():
	}
	var left []*Task
	p.mu.Lock()
	for _, name := range slices.Sorted(maps.Keys(p.tenants)) {
		n := p.tenants[name]
		for t, ok := n.waiting.Peek(); ok; t, ok = n.waiting.Peek() {
			p.leave(t)
			left = append(left, t)
		}
	}
	p.mu.Unlock()
	for _, t := range left {
		p.drop(t, ErrClosed)
	}
	return context.Cause(ctx)
}

// drain takes note of the end of the last task. The caller holds mu.
func (p *Pool) drain() {
	if p.closed && p.open == 0 {
		close(p.drained)
	}
}

// Save writes what the pool has learned, for [Pool.Load]. It does not write the tasks that wait, nor how much each
// tenant has had. Tasks go on meanwhile. Write to a new file, sync it and rename it, so that a crash leaves the last
// one whole. The error is that of w, or says that the pool learns nothing.
func (p *Pool) Save(w io.Writer) error {
	if p.history == nil {
		return errNoFeatures
	}
	return p.history.Snapshot(w)
}

// Load replaces what the pool has learned by what Save wrote, in another process too. Call it before the first Submit.
// The Predict fields of the two pools must have the same HalfLife and Window. If their Features differ, the pool learns of
// those that both have. If anything is wrong, Load changes nothing and returns an error, which wraps [predict.ErrFormat] if
// r has no whole snapshot, and [predict.ErrConfig] if it is of another HalfLife or Window. The pool can be used all the same,
// and then knows nothing yet.
func (p *Pool) Load(r io.Reader) error {
	if p.history == nil {
		return errNoFeatures
	}
	return p.history.Restore(r)
}

// Missing returns the features that no task had from which the pool has learned since New or Load: perhaps they are
// misspelt, here or in the attributes of the tasks. It is empty if the pool learns nothing.
func (p *Pool) Missing() (features []string) {
	if p.history == nil {
		return nil
	}
	return p.history.Missing()
}

var errNoFeatures = errors.New("pool: Config.Predict.Features is empty, so nothing is learned: name attributes to save and load")

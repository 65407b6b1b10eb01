// Package pool runs tasks in a bounded number of goroutines, the shortest first. It predicts their runtimes from the
// tasks that it has run.
//
//	p, err := pool.Open("runtimes", pool.Config{ // a file, in which it keeps what it learns
//		Workers:  8,
//		Features: []string{"kind+customer", "kind"},
//		MaxWait:  10 * time.Minute,
//	})
//	...
//	task, err := p.Submit(ctx, predict.Attrs{"kind": "invoice", "customer": "acme"}, func(ctx context.Context) error {
//		return send(ctx, invoice)
//	})
//	low, high, ok := task.Interval(0.9) // how long it will run, nine times in ten
//	...
//	err = task.Wait()
//	...
//	err = p.Close(ctx) // waits for all tasks, and saves
//
// [Go] submits a function that returns a value. For tasks that run elsewhere, such as the rows of a table that other
// processes take, [Queue] is the order of a pool alone.
//
// A pool that runs tasks as they come is fair, but slow if a few tasks have most of the work: while long tasks have the
// workers, all others wait. If the shortest go first, the mean wait is much less. The price is that long tasks wait longer.
//
// With the zero Config, New returns a pool that is first come, first served, and learns nothing. Open needs Features.
//
// # Submitting
//
// [Pool.Submit] waits while the queue is full, until there is room or ctx ends. [Pool.TrySubmit] returns [ErrFull]
// instead, and so does Submit in a task of the pool. Both return an error if the pool does not accept the task. For a task that it accepts, [Task.Wait]
// returns
//
//   - what the function returned;
//   - a *[PanicError] if it panicked, with the value and the stack. The pool goes on;
//   - [ErrExit] if it called [runtime.Goexit], as t.Fatal of a test does;
//   - the cause with which its context ended before it started. Such a task never runs, and leaves the queue at once;
//   - [ErrClosed] if Close gave it up.
//
// A task that runs gets the context of Submit, and must end by itself when that ends. A task that shall outlive the
// request that submits it gets a context that ends when the program stops. Nobody has to call Wait; [Metrics] hears of errors too:
// example_metrics_test.go has some for packages expvar and slog. [Pool.Stats] says how many tasks wait and run, without Metrics.
//
// While it runs, [Pool.Resize] changes the number of workers, [Pool.SetWeight] the weight of a tenant, and [Pool.Pause] lets no
// further task start.
//
// # Order
//
// [Order] is the order of a tenant's waiting tasks. Tasks are alike if they have the same values of all
// attributes that Features and Limits name: they share one prediction, and go in the order of their age. The pool predicts
// when one of them is submitted, and again when their turn comes. If the prediction has more than doubled meanwhile, all of
// them go back to their place. With a feature that has a number, or with values of more than 200 bytes, each task has a
// prediction of its own, and is like no other. After 10,000 kinds the pool forgets which waiting tasks are alike: new tasks
// are then not like these.
//
// No task waits for ever. A task that has waited for [Config.MaxWait] goes before all of its tenant that have not,
// whatever the predictions; the oldest goes first. Until then the order is by
//
//	ln(predicted) + submitted/MaxWait
//
// so almost equal predictions do not reorder tasks. A task with prediction R is overtaken by one with
// prediction r < R only if that was submitted less than MaxWait·ln(R/r) later. A prediction below a nanosecond counts
// as a nanosecond. If a pool gets more work than it can do, all tasks end up waiting for MaxWait, and the pool is
// first come, first served: short tasks then pay for the bound on long waits. Set MaxWait to several
// times the longest wait of a normal day; docs/embed.md has its cost.
//
// A task without a prediction explores: it runs so that the pool learns of its kind. It goes before the known tasks of
// its tenant, but only one task explores at a time. When it has ended, shorter known tasks get as much time as
// it took, before the next one explores. Until then unknown tasks go after the known ones, so no worker is idle while one
// waits. If a task has none of the features, nothing can be learned from it. The share of the workers for such tasks is then
// their share of the waiting tasks. With [predict.All] among the features, all tasks are known once one has ended.
//
// # Tenants
//
// [Config.Tenant] names the attribute of tenants, such as customer. Tenants with waiting tasks
// share the time of the workers by their weights, whatever their predictions: a task counts with its
// prediction when it starts, and with its actual runtime when it ends. Each tenant has a queue with a limit
// of its own, so a tenant that floods the pool blocks nobody else. [queue.Sharing] has the bound: in short, between two turns
// of a tenant of weight w another one of weight v gets at most v/w times the tenant's last task, and a task more.
// The amount doubles whenever a task outruns it. A tenant without tasks keeps no
// credit, and its debt until the others have had as much, or until a worker is free and nobody waits.
//
// [Config.Limits] bound how many tasks of a tenant, of a kind or of any other attribute run at a time. Other tasks, also of its
// tenant, overtake a task that a limit holds back, and it keeps its place.
//
// # What is learned
//
// The pool learns the runtime of tasks that return nil, so a task that stops early should return context.Cause(ctx). From tasks that fail, panic or are cancelled while they run, it
// learns that they take longer than they ran: see [predict.Predictor.ObserveCensored]. So a kind that always fails is
// predicted to take about twice the longest that it has run. A pool of [Open] knows what the last one has learned: see
// Example (Restart) in example_restart_test.go.
//
// # When not to use it
//
// A pool in which tasks seldom wait, or are all alike, gains nothing from an order. If the attributes do not tell long tasks
// from short ones, use FirstCome: an order by predictions has about the same mean wait, and two or three times the longest
// waits. If you do not know whether they do, set MaxWait to the longest wait of first come, first
// served. For tasks of microseconds the bookkeeping costs more than the work: use a channel, or an errgroup with
// a limit, and give it batches. The pool stops no running task, so a long task with a short prediction keeps its worker.
// Tasks of a pool should not wait for each other: if all workers do so, they wait for ever. If the order of some tasks matters,
// such as changes of one customer, let one task do them all.
//
// # Cost
//
// Submit and the turn of a task take O(log n) time with n different waiting tasks of the tenant. All calls share one mutex.
// From Submit to its end a task costs 1 to 2 µs first come, first served, and 3 to 5 µs by Shortest or Index with two
// features, on two cores. Submit allocates the Task, of 256 bytes. It also allocates what package context needs if
// the task waits and its context can end, a few hundred bytes if no like task waits or runs, and about a kilobyte
// for each limit that no such task has. A pool without tasks has no goroutines.
//
// A task with a limit costs O(log n) more for each attribute that [Config.Limits] name. When the task reaches a limit, or frees
// room under it, it costs O(log n) for each tenant that has tasks under this limit, times the combinations of values that these
// tasks have in the attributes named before it. The attribute of tenants counts as the first. So a limit on a tenant costs
// O(log n) however many kinds wait: in BenchmarkLimit a task costs with 8,000 about what it costs with 10. Name attributes with
// few values before those with many.
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
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"example.com/augur/predict"
)

// Config describes a [Pool] or a [Queue]. The zero Config is a pool that runs tasks as they come, GOMAXPROCS at a time.
type Config struct {
	Workers int // tasks that run at a time, at least 1; 0 means GOMAXPROCS
	// Queue is how many tasks of one tenant may wait, at least 1; 0 means 10,000. Only they are ordered. Those that Limits hold back
	// count too: let it be well above what waits of a kind with a limit.
	Queue int

	// Features say what makes tasks alike, and are learned from: names of attributes, such as kind, or kind+customer for
	// both together; see predict.Config. Without Features nothing is learned.
	Features []string
	// Order says which task of a tenant goes first: 0 means Shortest if there are Features, and otherwise FirstCome.
	// Shortest and Index need Features.
	Order Order
	// MaxWait is how long a task of a tenant may be overtaken, above 0; 0 means 4 hours. A task that has waited for so
	// long goes before those of its tenant that have not, whatever is predicted, and of several the oldest goes first.
	// Tenants take turns by their weights however long their tasks have waited: for a bound over all tasks, name no Tenant.
	// FirstCome does not use it.
	MaxWait time.Duration

	// Tenant is the name of the one attribute whose value is the tenant of a task, without "+". A task without it belongs to
	// tenant "". If Tenant is "", so do all tasks.
	Tenant string
	// Weights are by tenant, 1e-100 to 1e100. A tenant that is not here has weight 1, and the pool forgets it when
	// it has no tasks and owes nothing.
	Weights map[string]float64
	// Limits bound how many tasks of a tenant, of a kind or of any other attribute run at a time.
	Limits []Limit

	Metrics Metrics          // hears of each task; nil: nobody does
	Now     func() time.Time // the clock, for tests; nil means time.Now
}

// withDefaults fills in what Pool and Queue both have. The error names the field that is outside its range.
func (c Config) withDefaults() (Config, error) {
	c.MaxWait = cmp.Or(c.MaxWait, 4*time.Hour)
	if c.Order == 0 {
		c.Order = FirstCome
		if len(c.Features) > 0 {
			c.Order = Shortest
		}
	}
	switch {
	case c.Order > Index:
		return c, fmt.Errorf("pool: Config.Order is %d, want FirstCome, Shortest or Index", c.Order)
	case c.MaxWait < 0:
		return c, fmt.Errorf("pool: Config.MaxWait is %v, want more than 0, or 0 for 4h", c.MaxWait)
	case c.Order != FirstCome && len(c.Features) == 0:
		return c, fmt.Errorf("pool: Config.Features is empty, want names of attributes: %v goes by predictions", c.Order)
	}
	return c, nil
}

// A Pool runs tasks. Make it with [Open] or [New], and end it with [Pool.Close]. All methods may be called by any number of
// goroutines at once, also by tasks. But a task must not wait for Close, which waits for the task.
type Pool struct {
	config  Config
	core    *core
	saves   bool          // Close saves
	drained chan struct{} // closed when the pool is closed and no task is open

	mu      sync.Mutex // guards what follows, the core, and the fields of tasks that say so
	workers int
	open    int // tasks that were accepted and have not ended
	paused  bool
	closed  bool
}

var (
	// ErrClosed is the error of a task that is refused, or given up, because the pool is closed.
	ErrClosed = errors.New("pool: pool is closed")
	// ErrFull is what TrySubmit returns if the queue of the tenant is full, and what Submit returns in a task of the pool.
	ErrFull = errors.New("pool: queue is full: submit later, or wait with Submit, but not in a task of the pool")
	// ErrExit is the error of a task that ended its goroutine.
	ErrExit = errors.New("pool: task called runtime.Goexit")

	errContext  = errors.New("pool: ctx is nil, want a context")
	errFunction = errors.New("pool: do is nil, want a function")
	errPath     = errors.New("pool: path is empty, want the name of a file, or New for a pool that keeps nothing")
)

// Open makes a pool that has learned what the file has; if there is no file, nothing. Close saves what it has learned to the file, and
// [Pool.Save] does so before. One pool at a time should have a file: of two the last to save wins. The error names the field of Config that is outside its range, or the file, as that of
// [predict.Open] does: if it is a predict.ErrFormat, the file is broken, and a service may move it away and go on without.
func Open(path string, c Config) (*Pool, error) {
	if path == "" {
		return nil, errPath
	}
	return newPool(path, c)
}

// New makes a pool that has learned nothing, and does not keep what it learns. The error is that of [Open].
func New(c Config) (*Pool, error) { return newPool("", c) }

func newPool(path string, c Config) (*Pool, error) {
	c.Workers = cmp.Or(c.Workers, runtime.GOMAXPROCS(0))
	c.Queue = cmp.Or(c.Queue, 10_000)
	if c.Now == nil {
		c.Now = time.Now
	}
	c, err := c.withDefaults()
	switch {
	case err != nil:
		return nil, err
	case c.Workers < 0:
		return nil, fmt.Errorf("pool: Config.Workers is %d, want at least 1, or 0 for GOMAXPROCS", c.Workers)
	case c.Queue < 0:
		return nil, fmt.Errorf("pool: Config.Queue is %d, want at least 1, or 0 for 10,000", c.Queue)
	}
	p := &Pool{config: c, workers: c.Workers, saves: path != "", drained: make(chan struct{})}
	if p.core, err = newCore(path, c); err != nil {
		return nil, err
	}
	p.core.since(c.Now())
	p.core.refill = p.admit
	return p, nil
}

// Submit gives a task to the pool. While the queue of its tenant is full, and it cannot start at once, it waits for room. It returns an error, and
// the task does not run, if ctx ends before there is room, or if the pool is closed.
//
// In a task of the same pool it does not wait, but returns [ErrFull]: there may be room only when a worker is free, and the
// task keeps its worker. If all workers did so, they would wait for each other. Submit knows that it is in a task by
// ctx: pass it the one that the task got, or one that is made of it. With another ctx it does wait.
//
// The attributes say what the task is like: the features, Config.Tenant and Config.Limits name them. Pass a
// predict.Attrs, which is a map, a type of your own with a method Attr, or nil for none. The pool reads them until the
// task has ended, so they must not change before, and Attr must not call the pool.
func (p *Pool) Submit(ctx context.Context, attrs predict.Job, do func(context.Context) error) (*Task, error) {
	return p.submit(ctx, attrs, do, true)
}

// TrySubmit is as Submit, but returns [ErrFull] where that waits.
func (p *Pool) TrySubmit(ctx context.Context, attrs predict.Job, do func(context.Context) error) (*Task, error) {
	return p.submit(ctx, attrs, do, false)
}

// Close refuses new tasks, and waits until those that were accepted have ended; a pool that was paused goes on. Calls of
// Submit that wait for room return [ErrClosed]. If ctx ends first, the tasks that wait do not run, and their error is ErrClosed. Close then
// returns the cause, and does not wait for the tasks that run: to stop these, end the contexts that they were
// submitted with. Close may be called again, and then waits for these. A pool of [Open] is saved before Close returns.
func (p *Pool) Close(ctx context.Context) error {
	if ctx == nil {
		return errContext
	}
	err := p.close(ctx)
	if p.saves {
		err = errors.Join(err, p.Save())
	}
	return err
}

func (p *Pool) close(ctx context.Context) error {
	p.Resume()
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		for _, n := range p.core.tenants {
			for t, ok := n.unblock(); ok; t, ok = n.unblock() {
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
	tenants := maps.Clone(p.core.tenants) // one that has nothing left may be forgotten meanwhile
	for _, name := range slices.Sorted(maps.Keys(tenants)) {
		first := &tenants[name].root.first[byAge]
		for first.entry != nil {
			t := first.owner.(*Task)
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

// Pause lets no further task start until [Pool.Resume]. Those that run go on, and tasks can be submitted.
func (p *Pool) Pause() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paused = true
}

// Resume ends a pause.
func (p *Pool) Resume() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paused = false
	p.start(p.config.Now())
}

// Resize changes how many tasks run at a time. If more run than that, no other one starts until enough have ended. The error
// says that workers is less than 1.
func (p *Pool) Resize(workers int) error {
	if workers < 1 {
		return fmt.Errorf("pool: Resize to %d workers, want at least 1; Pause keeps tasks from starting", workers)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.workers = workers
	p.start(p.config.Now())
	return nil
}

// SetWeight gives a tenant another weight, 1e-100 to 1e100, from now on. What it has had counts as before.
func (p *Pool) SetWeight(tenant string, weight float64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.core.reweigh(tenant, weight)
}

// Stats returns how many tasks wait and run.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.core.stats()
}

// Predict returns how long a task with these attributes would be expected to run, as Task.Predicted, and false if nothing is known.
func (p *Pool) Predict(attrs predict.Job) (runtime time.Duration, ok bool) {
	var e entry
	p.core.prepare(&e, attrs, p.config.Now())
	return seconds(e.predicted), e.known
}

// Interval returns bounds between which a task with these attributes would run with the given probability, as Task.Interval.
func (p *Pool) Interval(attrs predict.Job, coverage float64) (low, high time.Duration, ok bool) {
	if p.core.history == nil {
		return 0, 0, false
	}
	from, to, ok := p.core.history.Interval(attrs, coverage, p.config.Now())
	return seconds(from), seconds(to), ok
}

// History returns the predictor that learns from the tasks, in seconds, or nil if there are no Features. Its Missing names
// features that no task had, and its Snapshot and Restore keep what it has learned elsewhere than in a file.
func (p *Pool) History() *predict.Predictor { return p.core.history }

// Save writes to the file of [Open] what the pool has learned since it was last saved: see [predict.Predictor.Save]. Tasks go on meanwhile. It
// does not write the tasks that wait, nor how much each tenant has had.
func (p *Pool) Save() error { return p.core.save() }

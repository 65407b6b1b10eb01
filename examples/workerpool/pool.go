package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"example.com/augur/predict"
	"example.com/augur/queue"
)

// Config describes a pool. Features are required.
type Config struct {
	Workers int // jobs that run at a time, ≥ 1; 0 means one for each processor

	// Features say what makes jobs alike: see [predict.Config]. With [predict.All] among them a job of
	// a new kind is taken for one of middling length, without it for a short one.
	Features []string

	// Jobs are kept in levels by their predicted runtime: those below First in level 0, and each
	// further level goes Growth times as far. One level is first come, first served.
	First  time.Duration // > 0; 0 means 1ms
	Growth float64       // > 1 and finite; 0 means 2
	Levels int           // 1 to 64; 0 means 20, the last of which begins at 4m22s

	// Patience is how long a job waits behind shorter ones: after that it goes before them, and
	// whoever has waited longest goes first. The more jobs wait so long, the nearer is this to
	// first come, first served. 0 means that long jobs wait while there are short ones.
	Patience time.Duration

	// File is where the pool keeps what it has learned, and FILE.old is the one before it; no other
	// pool may use the same. "" means that nothing is kept.
	File  string
	Every int // a snapshot is taken after so many jobs, ≥ 1; 0 means 1000
}

// A Pool runs jobs, so many at a time, and those first that are predicted to be the shortest. It
// predicts from the jobs that it has run, and keeps what it has learned in a file.
//
// Hand it jobs with [Pool.Submit], and [Pool.Close] it in the end. All methods may be called by any
// number of goroutines at once, also by jobs; but a job that waits for another one, or for Close,
// keeps a worker from its work, and may wait for ever. A pool without jobs has no goroutines.
//
// A job of which nothing is known goes to level 0, before all longer ones: to run one of a kind is
// how the rest of it becomes known. Those of its kind that wait there are looked at again when
// it is their turn, and go down to their level. None comes up, though it may turn out to be shorter.
//
// From submission to end a job costs some 10 µs besides what it does itself, however many others
// wait, on average: those that are looked at again are so all at once, 100,000 of them in 0.1 s.
type Pool struct {
	config  Config
	history *predict.Predictor
	open    sync.WaitGroup // jobs that are not over
	saving  sync.Mutex     // held while a snapshot is taken

	mu      sync.Mutex // guards what follows
	waiting *queue.Multilevel[*task]
	running int
	learned int // jobs
	closed  bool
}

// A Result is what became of a job.
type Result struct {
	Waited, Ran time.Duration // until it started, or was given up; and from then on

	// Predicted is what was expected of Ran when the job started, if anything was.
	Predicted time.Duration
	Known     bool

	// Err is what the job returned; a *[PanicError] if it panicked, [ErrExit] if it called
	// [runtime.Goexit]; or why it was not run: [ErrClosed], or the cause that ended its context.
	Err error
}

// A PanicError is the panic of a job.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("workerpool: job panicked: %v", e.Value) }

var (
	ErrClosed = errors.New("workerpool: pool is closed")
	ErrExit   = errors.New("workerpool: job ended its goroutine")

	errContext = errors.New("workerpool: context is nil, want one")
)

// A task is a job that waits or runs.
type task struct {
	ctx       context.Context
	attrs     predict.Attrs
	do        func(context.Context) error
	submitted time.Time
	handle    queue.Handle
	forget    func() bool // do not look at ctx any more
	result    chan Result // has room for one
}

// Open makes a pool that knows what the last one has learned that had the same file, or the one
// before it if that file is missing or damaged. If there is neither it knows nothing. If there is
// one, but none is whole, the error is a [predict.ErrFormat] with its name; remove it to begin
// anew. Any other error says which option is wrong, or comes from the file.
func Open(c Config) (*Pool, error) {
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if c.First == 0 {
		c.First = time.Millisecond
	}
	if c.Growth == 0 {
		c.Growth = 2
	}
	if c.Levels == 0 {
		c.Levels = 20
	}
	if c.Every == 0 {
		c.Every = 1000
	}
	switch {
	case len(c.Features) == 0:
		return nil, errors.New("workerpool: Config.Features is empty, want names of attributes")
	case c.Workers < 0:
		return nil, fmt.Errorf("workerpool: Config.Workers is %d, want at least 1", c.Workers)
	case c.Every < 0:
		return nil, fmt.Errorf("workerpool: Config.Every is %d, want at least 1", c.Every)
	case c.Patience < 0:
		return nil, fmt.Errorf("workerpool: Config.Patience is %v, want at least 0s", c.Patience)
	}
	waiting, err := queue.NewMultilevel[*task](queue.MultilevelConfig{Levels: c.Levels, First: c.First.Seconds(), Growth: c.Growth})
	if err != nil {
		return nil, fmt.Errorf("workerpool: Config: %w", err)
	}
	history, err := predict.New(predict.Config{Features: c.Features})
	if err != nil {
		return nil, fmt.Errorf("workerpool: Config: %w", err)
	}
	p := &Pool{config: c, history: history, waiting: waiting}
	if err := p.restore(); err != nil {
		return nil, err
	}
	return p, nil
}

// Submit hands a job to the pool, and does not wait. The channel gives its result when it is over;
// who does not want it need not read it. A job whose context ends while it waits is not run; the
// job must look itself whether it ends while it runs. Attrs are not copied, so do not change them
// before the job is over.
//
// What is learned is how long a job takes that returns nil. Those that fail often fail early, and
// would tell the pool that their kind is short.
func (p *Pool) Submit(ctx context.Context, attrs predict.Attrs, do func(context.Context) error) <-chan Result {
	t := &task{ctx: ctx, attrs: attrs, do: do, submitted: time.Now(), result: make(chan Result, 1)}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case ctx == nil:
		t.result <- Result{Err: errContext}
		return t.result
	case p.closed:
		t.result <- Result{Err: ErrClosed}
		return t.result
	}
	p.open.Add(1)
	t.handle, _ = p.waiting.Push(t, p.key(t)) // a key that is a number is not refused
	t.forget = context.AfterFunc(ctx, func() { p.giveUp(t) })
	p.start()
	return t.result
}

// Close waits until all jobs that were submitted are over, and takes a snapshot, whose error it
// returns. Later jobs are refused. To have it sooner, end the contexts of the jobs.
func (p *Pool) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.open.Wait()
	return p.Save()
}

// key returns what places a task in its level: the predicted runtime in seconds, 0 if there is none.
func (p *Pool) key(t *task) float64 {
	seconds, _ := p.history.Estimate(t.attrs, time.Now())
	return seconds
}

// start starts tasks while there are workers for them. The caller holds mu.
func (p *Pool) start() {
	for p.running < p.config.Workers {
		t, ok := p.next()
		if !ok {
			return
		}
		t.forget()
		if t.ctx.Err() != nil { // but giveUp came too late to take it out
			p.drop(t)
			continue
		}
		p.running++
		go p.run(t)
	}
}

// next takes out the task that is to start. The caller holds mu.
func (p *Pool) next() (t *task, ok bool) {
	if level, ok := p.overdue(); ok {
		return p.waiting.PopIn(level)
	}
	for {
		if t, ok = p.waiting.Peek(); !ok {
			return nil, false
		}
		_, was, _ := p.waiting.Get(t.handle)
		key := p.key(t)
		if level, _ := p.waiting.Level(key); level <= was {
			return p.waiting.Pop()
		}
		// More is known of it than when it was placed. It only goes down, so that this ends, and
		// all of it takes each task at most as many times as there are levels.
		p.waiting.Move(t.handle, key)
	}
}

// overdue returns the level whose first task has waited longest, if that is longer than Patience.
func (p *Pool) overdue() (level int, ok bool) {
	if p.config.Patience == 0 {
		return 0, false
	}
	latest := time.Now().Add(-p.config.Patience)
	for i := range p.config.Levels {
		if t, some := p.waiting.PeekIn(i); some && t.submitted.Before(latest) {
			level, latest, ok = i, t.submitted, true
		}
	}
	return level, ok
}

// run runs a task in a goroutine of its own: one that ends by [runtime.Goexit] does no harm then.
func (p *Pool) run(t *task) {
	seconds, known := p.history.Estimate(t.attrs, time.Now())
	started := time.Now()
	r := Result{
		Waited: started.Sub(t.submitted), Predicted: time.Duration(min(seconds*1e9, 1<<62)), Known: known,
		Err: ErrExit,
	}
	defer func() {
		if v := recover(); v != nil {
			r.Err = &PanicError{v, debug.Stack()}
		}
		r.Ran = time.Since(started)
		p.end(t, r)
	}()
	r.Err = t.do(t.ctx)
}

// end learns from a task that has run, and starts the next one.
func (p *Pool) end(t *task, r Result) {
	defer p.open.Done()
	learn := r.Err == nil && p.history.Observe(t.attrs, r.Ran.Seconds(), time.Now()) == nil
	p.mu.Lock()
	p.running--
	p.start()
	if learn {
		p.learned++
	}
	save := learn && p.learned%p.config.Every == 0
	p.mu.Unlock()
	t.result <- r
	if save {
		_ = p.Save() // Close tries again, with all that this one had, and reports it
	}
}

// giveUp takes out a task that waits, as its context has ended.
func (p *Pool) giveUp(t *task) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, waits := p.waiting.Remove(t.handle); waits {
		p.drop(t)
	}
}

// drop says that a task was taken out and will not be run.
func (p *Pool) drop(t *task) {
	t.result <- Result{Waited: time.Since(t.submitted), Err: context.Cause(t.ctx)}
	p.open.Done()
}

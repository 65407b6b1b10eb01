package pool

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"example.com/augur/internal/saturate"
	"example.com/augur/predict"
	"example.com/augur/queue"
)

// A Task is a task that the pool has accepted. All methods may be called by any number of goroutines at once.
type Task struct {
	pool      *Pool
	tenant    *tenant
	ctx       context.Context
	attrs     predict.Job
	do        func(context.Context) error
	submitted time.Time
	started   time.Time

	// Those from here on mu of the pool guards while the task waits.
	state     state
	number    uint64             // among the tasks of the tenant
	rank      float64            // predicted runtime, s, by which it is in the queue
	key       float64            // the least of known goes first
	learned   uint64             // Pool.learned when the prediction was made
	predicted float64            // runtime, s
	known     bool               // there is a prediction
	nameless  bool               // there is none because it has no feature
	novel     bool               // there was none when it started
	held      float64            // s, that the tenant is charged with while the task runs
	due       time.Time          // when it will have taken that long
	age       queue.Handle       // in waiting or blocked of the tenant
	in        *queue.Heap[*Task] // known or unknown of the tenant; nil if it is in neither
	turn      queue.Handle       // there, or in running
	admitted  chan struct{}      // closed when it leaves the blocked
	unwatch   func() bool        // ends the watch of the context; nil without one

	done chan struct{} // nil until somebody asks; mu guards it
	err  error         // once it has ended
}

type state uint8

const (
	blocked state = iota // not accepted yet
	queued
	leaving // will not run
	running
	ended
	refused // it was blocked when the pool was closed
)

// Done returns a channel that is closed when the task has ended, or will not run.
func (t *Task) Done() <-chan struct{} {
	t.pool.mu.Lock()
	defer t.pool.mu.Unlock()
	if t.done == nil {
		t.done = make(chan struct{})
		if t.state == ended {
			close(t.done)
		}
	}
	return t.done
}

// Wait waits until the task has ended, or will not run, and returns its error: see the package comment.
func (t *Task) Wait() error {
	<-t.Done()
	return t.err
}

// Predicted returns how long the task is expected to run, as the pool predicted when it last looked, and false if
// nothing was known then. How long the task will wait is not predicted.
func (t *Task) Predicted() (runtime time.Duration, ok bool) {
	t.pool.mu.Lock()
	defer t.pool.mu.Unlock()
	return seconds(t.predicted), t.known
}

// seconds is x seconds, at most what a Duration holds.
func seconds(x float64) time.Duration { return saturate.To[time.Duration](min(x*1e9, 1<<62)) }

// A PanicError is the panic of a task. Find it with errors.As, and log the Stack: Error leaves it out.
type PanicError struct {
	Value any    // what was passed to panic
	Stack []byte // of the task
}

// Error returns the value as text.
func (e *PanicError) Error() string { return fmt.Sprintf("pool: task panicked: %v", e.Value) }

// Unwrap returns the value if it is an error, such as a runtime.Error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

func (p *Pool) submit(ctx context.Context, attrs predict.Job, do func(context.Context) error, wait bool) (*Task, error) {
	switch {
	case ctx == nil:
		return nil, errContext
	case do == nil:
		return nil, errFunction
	}
	t := &Task{pool: p, ctx: ctx, attrs: attrs, do: do, submitted: p.config.Now()}
	name := ""
	if p.config.Tenant != "" && attrs != nil {
		name, _ = attrs.Attr(p.config.Tenant)
	}
	p.predict(t, t.submitted)
	if p.config.Metrics != nil {
		p.config.Metrics.Submitted(t.status(name))
	}
	err := context.Cause(ctx)
	if err == nil {
		err = p.enter(t, name, wait)
	}
	if err == nil {
		return t, nil
	}
	if p.config.Metrics != nil {
		s := t.status(name)
		s.Wait, s.Err = max(0, p.config.Now().Sub(t.submitted)), err
		p.config.Metrics.Finished(s)
	}
	return nil, err
}

// enter puts a task into the queue of its tenant.
func (p *Pool) enter(t *Task, name string, wait bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	n := p.tenants[name]
	if n == nil {
		_ = p.add(name, 1, false) // 1 is a good weight
		n = p.tenants[name]
	}
	full := n.waiting.Len() >= p.config.Queue
	if full && !wait {
		return ErrFull
	}
	n.number++
	t.tenant, t.number = n, n.number
	if full {
		return p.block(t)
	}
	p.accept(t)
	p.start(t.submitted)
	if t.state == queued {
		p.watch(t)
	}
	return nil
}

// block waits until a task is accepted. The caller holds mu, and holds it again afterwards.
func (p *Pool) block(t *Task) error {
	t.admitted = make(chan struct{})
	t.age = t.tenant.blocked.Push(t)
	done := t.ctx.Done() // later the task may have ended, and have no context
	p.mu.Unlock()
	select {
	case <-t.admitted:
	case <-done:
	}
	p.mu.Lock()
	switch t.state {
	case blocked:
		t.tenant.blocked.Remove(t.age)
		return context.Cause(t.ctx)
	case refused:
		return ErrClosed
	}
	return nil
}

// giveUp takes out a task whose context has ended, if it waits.
func (p *Pool) giveUp(t *Task) {
	p.mu.Lock()
	waits := t.state == queued
	if waits {
		p.leave(t)
		p.admit(t.tenant)
		p.start(p.config.Now())
	}
	p.mu.Unlock()
	if waits {
		p.drop(t, context.Cause(t.ctx))
	}
}

// drop ends a task that has left the queue and will not run.
func (p *Pool) drop(t *Task, err error) {
	if p.config.Metrics != nil {
		s := t.status(t.tenant.name)
		s.Wait, s.Err = max(0, p.config.Now().Sub(t.submitted)), err
		p.config.Metrics.Finished(s)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end(t, err)
}

// work runs a task, and then others for as long as some wait.
func (p *Pool) work(t *Task) {
	for t != nil {
		t = p.run(t)
	}
}

// run runs a task, and returns the next one for this goroutine; nil if there is none.
func (p *Pool) run(t *Task) (next *Task) {
	t.started = p.config.Now()
	if p.config.Metrics != nil {
		s := t.status(t.tenant.name)
		s.Started, s.Wait = true, max(0, t.started.Sub(t.submitted))
		p.config.Metrics.Started(s)
	}
	err, returned := ErrExit, false
	defer func() {
		if !returned {
			if v := recover(); v != nil {
				err, returned = &PanicError{v, debug.Stack()}, true
			}
		}
		next = p.finish(t, err)
		if !returned && next != nil { // by runtime.Goexit, which ends this goroutine
			go p.work(next)
		}
	}()
	err = t.do(t.ctx)
	returned = true
	return nil
}

// finish learns from a task that has run, and returns the next one.
func (p *Pool) finish(t *Task, err error) (next *Task) {
	now := p.config.Now()
	took := max(0, now.Sub(t.started))
	learned := p.history != nil && p.learn(t, took.Seconds(), err, now) == nil
	if p.config.Metrics != nil {
		s := t.status(t.tenant.name)
		s.Started, s.Wait, s.Run, s.Err = true, max(0, t.started.Sub(t.submitted)), took, err
		p.config.Metrics.Finished(s)
	}
	if learned {
		p.learned.Add(1)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pay(t, took.Seconds(), now)
	p.end(t, err)
	return p.next(now)
}

// learn learns how long a task takes: what it took, or more than that if it failed.
func (p *Pool) learn(t *Task, took float64, err error, now time.Time) error {
	if err != nil {
		return p.history.ObserveCensored(t.attrs, took, now)
	}
	return p.history.Observe(t.attrs, took, now)
}

// end takes note that a task has ended. The caller holds mu.
func (p *Pool) end(t *Task, err error) {
	t.state, t.err = ended, err
	if t.done != nil {
		close(t.done)
	}
	t.ctx, t.attrs, t.do, t.unwatch = nil, nil, nil, nil // a Task that is kept keeps none of them
	p.open--
	t.tenant.open--
	p.forget()
	p.drain()
}

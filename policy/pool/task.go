package pool

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"example.com/augur/predict"
	"example.com/augur/queue"
)

// A Task is a task that the pool has accepted. All methods may be called by any number of goroutines at once.
type Task struct {
	pool    *Pool
	ctx     context.Context
	attrs   predict.Job // as submitted
	do      func(context.Context) error
	entry         // mu of the pool guards it while the task waits
	started int64 // as core.since

	// Those from here on mu of the pool guards while the task waits.
	state    state
	admitted chan struct{} // closed when it leaves the blocked
	unwatch  func() bool   // ends the watch of the context; nil without one

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
	f := t.forecast
	if t.state == queued {
		f = t.group.forecast
	}
	return seconds(f.predicted), f.known
}

// Interval returns bounds between which the task runs with the given probability, such as 0.9, by what the pool knows
// now: see [predict.Predictor.Interval]. It returns false as that does.
func (t *Task) Interval(coverage float64) (low, high time.Duration, ok bool) {
	return t.pool.Interval(&t.entry.attrs, coverage)
}

// A Result is a task that returns a value.
type Result[T any] struct {
	*Task
	value T
}

// Value waits until the task has ended, or will not run, and returns what it returned.
func (r *Result[T]) Value() (T, error) {
	err := r.Wait()
	return r.value, err
}

// Go submits a task that returns a value, as [Pool.Submit] does.
func Go[T any](ctx context.Context, p *Pool, attrs predict.Job, do func(context.Context) (T, error)) (*Result[T], error) {
	if do == nil {
		return nil, errFunction
	}
	r := new(Result[T])
	var err error
	r.Task, err = p.Submit(ctx, attrs, func(ctx context.Context) (err error) {
		r.value, err = do(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

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

// A taskContext is the context that a task gets. It tells Submit that it is called in a task.
type taskContext Task

type poolOf struct{}

func (t *taskContext) Deadline() (time.Time, bool) { return t.ctx.Deadline() }
func (t *taskContext) Done() <-chan struct{}       { return t.ctx.Done() }
func (t *taskContext) Err() error                  { return t.ctx.Err() }

func (t *taskContext) Value(key any) any {
	if key == (poolOf{}) {
		return t.pool
	}
	return t.ctx.Value(key)
}

func (p *Pool) submit(ctx context.Context, attrs predict.Job, do func(context.Context) error, wait bool) (*Task, error) {
	switch {
	case ctx == nil:
		return nil, errContext
	case do == nil:
		return nil, errFunction
	}
	now := p.config.Now()
	t := &Task{pool: p, ctx: ctx, attrs: attrs, do: do}
	t.owner = t
	p.core.prepare(&t.entry, attrs, now)
	t.at = p.core.since(now)
	if p.config.Metrics != nil {
		p.config.Metrics.Submitted(t.status())
	}
	err := context.Cause(ctx)
	if err == nil {
		err = p.enter(t, now, wait)
	}
	if err == nil {
		return t, nil
	}
	p.finished(t, err)
	return nil, err
}

// enter puts a task into the queue of its tenant.
func (p *Pool) enter(t *Task, now time.Time, wait bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	n := p.core.tenantOf(t.attrs)
	full := n.waiting >= p.config.Queue
	p.core.submit(&t.entry, n, now)
	if full && p.core.running < p.workers && !p.paused { // limits hold back all that wait, but maybe not this one
		p.accept(t)
		p.start(now)
		if t.state != queued {
			return nil
		}
		p.leave(t)
		p.open--
		t.state = blocked
	}
	if full && (!wait || t.ctx.Value(poolOf{}) == p) {
		return ErrFull
	}
	if full {
		return p.wait(t)
	}
	p.accept(t)
	p.start(now)
	if t.state == queued {
		p.watch(t)
	}
	return nil
}

// wait waits until a task is accepted. The caller holds mu, and holds it again afterwards.
func (p *Pool) wait(t *Task) error {
	n := t.tenant
	if n.blocked == nil {
		n.blocked = queue.NewHeap(func(a, b *Task) int { return cmp.Compare(a.number, b.number) })
	}
	t.admitted = make(chan struct{})
	t.turn = n.blocked.Push(t)
	p.mu.Unlock()
	select {
	case <-t.admitted:
	case <-t.ctx.Done():
	}
	p.mu.Lock()
	switch t.state {
	case blocked:
		n.blocked.Remove(t.turn)
		return context.Cause(t.ctx)
	case refused:
		return ErrClosed
	}
	return nil
}

// accept puts a task into the queue of its tenant. The caller holds mu.
func (p *Pool) accept(t *Task) {
	t.state = queued
	p.open++
	p.core.add(&t.entry, t.attrs)
}

// watch takes a task out of the queue when its context ends. The caller holds mu.
func (p *Pool) watch(t *Task) {
	if t.ctx.Done() != nil {
		t.unwatch = context.AfterFunc(t.ctx, func() { p.giveUp(t) })
	}
}

// admit accepts tasks of a tenant that are blocked, while there is room. The caller holds mu.
func (p *Pool) admit(n *tenant) {
	for n.waiting < p.config.Queue {
		t, ok := n.unblock()
		if !ok {
			return
		}
		if t.ctx.Err() == nil {
			p.accept(t)
			p.watch(t)
			close(t.admitted)
		}
	}
}

// unblock takes out the oldest of the tasks that are not accepted yet.
func (t *tenant) unblock() (*Task, bool) {
	if t.blocked == nil {
		return nil, false
	}
	return t.blocked.Pop()
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

// leave takes a task that waits out of the queue. It will not run. The caller holds mu.
func (p *Pool) leave(t *Task) {
	t.state = leaving
	t.forgetContext()
	p.core.leave(&t.entry)
}

// forgetContext ends the watch of the context of a task that does not wait any more.
func (t *Task) forgetContext() {
	if t.unwatch != nil {
		t.unwatch()
		t.unwatch = nil
	}
}

// drop ends a task that has left the queue and will not run.
func (p *Pool) drop(t *Task, err error) {
	p.finished(t, err)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end(t, err)
}

// start starts tasks while there are workers for them. The caller holds mu.
func (p *Pool) start(now time.Time) {
	for t := p.next(now); t != nil; t = p.next(now) {
		go p.work(t)
	}
}

// next takes out the task that is to start; nil if none may or no worker is free. The caller holds mu.
func (p *Pool) next(now time.Time) *Task {
	if p.paused || p.core.running >= p.workers {
		return nil
	}
	e := p.core.next(now, p.workers)
	if e == nil {
		return nil
	}
	t := e.owner.(*Task)
	if t.unwatch != nil && t.ctx.Err() != nil {
		return nil // the context is about to call giveUp, which starts the next one
	}
	p.core.start(e, now)
	t.state, t.started = running, p.core.since(now)
	t.forgetContext()
	return t
}

// work runs a task, and then others for as long as some wait.
func (p *Pool) work(t *Task) {
	for t != nil {
		t = p.run(t)
	}
}

// run runs a task, and returns the next one for this goroutine; nil if there is none.
func (p *Pool) run(t *Task) (next *Task) {
	if p.config.Metrics != nil {
		s := t.status()
		s.Started, s.Wait = true, t.waited()
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
	err = t.do((*taskContext)(t))
	returned = true
	return nil
}

// finish learns from a task that has run, and returns the next one.
func (p *Pool) finish(t *Task, err error) (next *Task) {
	now := p.config.Now()
	took := time.Duration(max(0, p.core.since(now)-t.started))
	p.core.learn(&t.entry, took.Seconds(), err, now)
	if p.config.Metrics != nil {
		s := t.status()
		s.Started, s.Wait, s.Run, s.Err = true, t.waited(), took, err
		p.config.Metrics.Finished(s)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.core.end(&t.entry, took.Seconds(), now)
	p.end(t, err)
	return p.next(now)
}

// end takes note that a task has ended. The caller holds mu.
func (p *Pool) end(t *Task, err error) {
	t.state, t.err = ended, err
	if t.done != nil {
		close(t.done)
	}
	t.do, t.tenant, t.group = nil, nil, nil // a Task that is kept keeps none of them
	p.open--
	p.drain()
}

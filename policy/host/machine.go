package host

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"example.com/augur/policy"
)

// A Machine runs tasks that are calls of a function, each in a goroutine of its own. Such tasks cannot be suspended or saved, and
// do not say how far they are: set Config.Cannot to Suspend and Report.
type Machine struct {
	Name string
	Node policy.Node // its Cores and so on; see [Engine.Join]
	// Do is a task. An error is Failed, and so is a panic. After a Kill its context is done, with the cause [ErrKilled].
	Do func(ctx context.Context, o Order) error
	// Patience is how long tasks go on without a link; then they are killed. It should be less than Config.Patience. 0: for ever.
	Patience time.Duration

	mu    sync.Mutex
	tasks map[policy.Copy]*doing
	link  Link
	wait  sync.WaitGroup
}

// doing is a task, until its end is on disk.
type doing struct {
	kill context.CancelCauseFunc
	end  *Report // nil: it runs
}

// ErrKilled is the cause of the end of a task's context after a Kill.
var ErrKilled = errors.New("host: the task was killed")

// again is how long a machine waits before it joins again.
const again = 100 * time.Millisecond

// Run joins and carries out orders, and joins again whenever the link has ended, until the context is done. Then it waits for its
// tasks, whose contexts are done too, reports them as Killed, and leaves. It returns the error of the last Join, if that failed.
// A Machine runs once.
func (m *Machine) Run(ctx context.Context, to Joiner) error {
	m.tasks = make(map[policy.Copy]*doing)
	defer m.wait.Wait()
	alone := func() {} // stops the time without a link
	for {
		has := m.has()
		l, err := to.Join(ctx, m.Name, m.Node, has...)
		if err == nil {
			alone()
			m.joined(l, has)
			if err = m.serve(ctx, l); err == nil {
				m.wait.Wait()
				return l.Leave(context.WithoutCancel(ctx))
			}
			_ = l.Close()
			if m.Patience > 0 {
				t := time.AfterFunc(m.Patience, m.killAll)
				alone = func() { t.Stop() }
			}
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(again):
		}
	}
}

// has returns what a machine tells when it joins.
func (m *Machine) has() (has []Report) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range slices.SortedFunc(maps.Keys(m.tasks), compare) {
		x := Report{Copy: c, Kind: policy.Started}
		if end := m.tasks[c].end; end != nil {
			x = *end
		}
		has = append(has, x)
	}
	return has
}

// joined takes note of a link, forgets the ends that Join has told, and tells what has ended meanwhile.
func (m *Machine) joined(l Link, has []Report) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.link = l
	for _, x := range has {
		if x.Kind.End() {
			delete(m.tasks, x.Copy)
		}
	}
	for _, t := range m.tasks {
		if t.end != nil {
			m.wait.Go(func() { m.report(l, *t.end) })
		}
	}
}

// report tells the end of a task. If that fails the next Join does.
func (m *Machine) report(l Link, end Report) {
	if l.Report(context.Background(), end) == nil {
		m.mu.Lock()
		delete(m.tasks, end.Copy)
		m.mu.Unlock()
	}
}

// serve carries out the orders of a link until it ends.
func (m *Machine) serve(ctx context.Context, l Link) error {
	for {
		o, err := l.Next(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		m.mu.Lock()
		switch t := m.tasks[o.Copy]; {
		case o.Do == policy.Start && t == nil:
			m.start(ctx, o)
		case o.Do == policy.Kill && t != nil:
			t.kill(ErrKilled)
		}
		m.mu.Unlock()
	}
}

func (m *Machine) killAll() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.tasks {
		t.kill(ErrKilled)
	}
}

// start runs a task.
func (m *Machine) start(ctx context.Context, o Order) {
	ctx, kill := context.WithCancelCause(ctx)
	t := &doing{kill: kill}
	m.tasks[o.Copy] = t
	began := time.Now()
	m.wait.Go(func() {
		err := m.do(ctx, o)
		x := Report{Copy: o.Copy, Kind: policy.Finished, Service: o.Saved + time.Since(began)}
		switch {
		case err != nil && ctx.Err() != nil:
			x.Kind = policy.Killed
		case err != nil:
			x.Kind, x.Reason = policy.Failed, err.Error()
		}
		kill(nil)
		m.mu.Lock()
		t.end = &x
		l := m.link
		m.mu.Unlock()
		m.report(l, x)
	})
}

// do calls Do. A panic is an error.
func (m *Machine) do(ctx context.Context, o Order) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return m.Do(ctx, o)
}

package host

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"example.com/augur/policy"
)

// A Machine runs tasks that are calls of a function, each in a goroutine of its own. Such tasks cannot be suspended or saved, and
// do not say how far they are: with a policy that may want that, set Config.Cannot to Suspend and Report, and Open refuses it. Name,
// Node and Do are required.
type Machine struct {
	Name string
	Node policy.Node // its Cores and so on; see [Engine.Join]
	// Do is a task: that of number Index of stage Stage of Order.Copy. Of a gang it is called once on each machine, for the tasks
	// of the Share with its Node. An error is Failed, and so is a panic. After a Kill its
	// context is done, with the cause [ErrKilled], and it should return soon: the machine cannot end it otherwise.
	// Do must not start processes, unless these die with this process however it dies: else they outlive a machine that is
	// killed, and their tasks run twice. For processes copy examples/internal/processes.
	Do func(ctx context.Context, o Order) error
	// Patience is how long tasks go on without a link; then they are killed. It should be less than Config.Patience, such as
	// 45 s for a machine that joins by a [Dialer], or tasks run twice after a while without a link. 0: for ever.
	Patience time.Duration
}

// ErrKilled is the cause of the end of a task's context after a Kill.
var ErrKilled = errors.New("host: the task was killed")

// Run joins and carries out orders as [Agent.Run] does, until the context is done. Then it kills its tasks, waits for them, and leaves.
func (m *Machine) Run(ctx context.Context, to Joiner) error {
	var mu sync.Mutex
	kills := make(map[policy.Copy]context.CancelCauseFunc)
	a := &Agent{Name: m.Name, Node: m.Node, Patience: m.Patience}
	a.Obey = func(o Order) {
		mu.Lock()
		defer mu.Unlock()
		if kill := kills[o.Copy]; o.Do == policy.Kill && kill != nil {
			kill(ErrKilled)
		}
		if o.Do != policy.Start {
			return
		}
		task, kill := context.WithCancelCause(context.WithoutCancel(ctx))
		kills[o.Copy] = kill
		began := time.Now()
		go func() {
			err := m.do(task, o)
			x := Report{Copy: o.Copy, Kind: policy.Finished, Service: o.Saved + time.Since(began)}
			switch {
			case err != nil && task.Err() != nil:
				x.Kind = policy.Killed
			case err != nil:
				x.Kind, x.Reason = policy.Failed, err.Error()
			}
			kill(nil)
			mu.Lock()
			delete(kills, o.Copy)
			mu.Unlock()
			a.Report(x)
		}()
	}
	if m.Do == nil {
		a.Obey = nil // which Run refuses
	}
	return a.Run(ctx, to)
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

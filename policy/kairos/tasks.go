package kairos

import (
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// A roster is what both kinds of node keep: a clock, and the tasks on their cores and beside them.
type roster[K comparable] struct {
	watch
	limit     int64      // memory for tasks, bytes; 0: none
	memory    int64      // of running and suspended tasks, 0 without a limit
	cores     []*task[K] // what runs on each; nil if it is idle
	suspended []*task[K]
	waiting   []*task[K] // of a Node, for memory, by arrival
	spare     []*task[K] // to be used again
}

// A task is what a node knows of a task. Its spans are on the node's clock.
type task[K comparable] struct {
	id     K
	memory int64 // 0 if it is not accounted for
	state  state
	begun  bool

	core     int             // running: where; of an adaptive node also suspended: beside which task, -1 for none
	start    policy.Duration // when it got that core
	attained policy.Duration // service until start, or until now if it is not running; see TaskServed
	since    policy.Duration // suspended: since when it has had no service

	// Of a Node.
	due         policy.Duration // running: when the timer fires
	undisturbed bool            // running: it had starved, and is left alone until then
	turn        uint64          // which suspension was the last; 0: none yet
	preemptions uint32          // since it was last left undisturbed

	stood policy.Duration // of an adaptive node: time suspended in all, but for the present suspension
}

// A state says in which list of a node a task is.
type state uint8

const (
	_         state = iota
	running         // it has a core
	suspended       // it has its place in memory, and no core now; see also NodeConfig.ArrivalsWait
	waiting         // it has not begun: its memory is not free yet
)

// age returns the attained service of a running task.
func (r *roster[K]) age(t *task[K]) policy.Duration { return t.attained + r.clock - t.start }

// put lets a task that is in no list run on a core.
func (r *roster[K]) put(t *task[K], core int) Move[K] {
	kind := Resume
	if !t.begun {
		kind = Start
	}
	r.cores[core] = t
	t.state, t.begun, t.core, t.start = running, true, core, r.clock
	return Move[K]{Kind: kind, Task: t.id, Core: core}
}

// take takes a task off its core. It is then in no list.
func (r *roster[K]) take(t *task[K]) Move[K] {
	t.attained = r.age(t)
	r.cores[t.core] = nil
	return Move[K]{Kind: Suspend, Task: t.id, Core: t.core}
}

// fits reports whether there is room for a task's memory.
func (r *roster[K]) fits(memory int64) bool { return r.limit == 0 || memory <= r.limit-r.memory }

// add makes a task, which is in no list yet.
func (r *roster[K]) add(id K, memory int64) (t *task[K]) {
	if last := len(r.spare) - 1; last >= 0 {
		t, r.spare = r.spare[last], r.spare[:last]
	} else {
		t = new(task[K])
	}
	t.id = id
	if r.limit > 0 {
		t.memory = memory
	}
	return t
}

// forget takes a task out of its list and lets go of it.
func (r *roster[K]) forget(t *task[K]) {
	switch t.state {
	case running:
		r.cores[t.core] = nil
		r.memory -= t.memory
	case suspended:
		r.suspended = without(r.suspended, t)
		r.memory -= t.memory
	case waiting:
		r.waiting = without(r.waiting, t)
	}
	*t = task[K]{}
	r.spare = append(r.spare, t)
}

func without[K comparable](list []*task[K], t *task[K]) []*task[K] {
	i := slices.Index(list, t)
	return slices.Delete(list, i, i+1)
}

// find returns the task of an ID, nil if the node has no such task.
func (r *roster[K]) find(id K) *task[K] {
	for _, list := range [...][]*task[K]{r.cores, r.suspended, r.waiting} {
		for _, t := range list {
			if t != nil && t.id == id {
				return t
			}
		}
	}
	return nil
}

// stateOf returns in which list a task is, 0 if the node has no such task.
func (r *roster[K]) stateOf(id K) state {
	if t := r.find(id); t != nil {
		return t.state
	}
	return 0
}

// len returns the number of tasks on the node.
func (r *roster[K]) len() int {
	tasks := len(r.suspended) + len(r.waiting)
	for _, t := range r.cores {
		if t != nil {
			tasks++
		}
	}
	return tasks
}

// TaskServed sets how long a task has run so far, as the host has measured it, in place of what the node has counted: the
// node counts a task as running from the move on, though hosts may need time to suspend one task and resume the other.
// It changes no timer. It returns an error if time goes back, if the node has no such task or the task has not begun,
// or if the service is not 0 s to 2^62-1 ns.
func (r *roster[K]) TaskServed(now policy.Time, id K, service policy.Duration) error {
	t := r.find(id)
	switch {
	case t == nil:
		return fmt.Errorf("kairos: task %v has run for %v, but the node has no such task", id, service)
	case !t.begun:
		return fmt.Errorf("kairos: task %v has run for %v, but it waits to begin", id, service)
	case service < 0 || service > maxSpan:
		return fmt.Errorf("kairos: task %v has run for %v, want 0 s to %v", id, service, maxSpan)
	}
	if err := r.advance(now); err != nil {
		return err
	}
	if t.attained = service; t.state == running {
		t.attained -= r.clock - t.start
	}
	return nil
}

// restore adds a task that is there already after a restart of the host, to no list. It returns an error if time goes
// back, if the node has the task already or has no memory or no core left for it, or if the service is not 0 s to 2^62-1 ns.
func (r *roster[K]) restore(now policy.Time, id K, memory int64, service policy.Duration, runs bool) (*task[K], error) {
	switch {
	case r.find(id) != nil:
		return nil, fmt.Errorf("kairos: task %v is on the node already", id)
	case service < 0 || service > maxSpan:
		return nil, fmt.Errorf("kairos: task %v has run for %v, want 0 s to %v", id, service, maxSpan)
	case runs && !slices.Contains(r.cores, nil):
		return nil, fmt.Errorf("kairos: task %v runs, but all %d cores have tasks", id, len(r.cores))
	case memory < 0 || !r.fits(memory):
		return nil, fmt.Errorf("kairos: task %v has %d bytes, but of %d only %d are left", id, memory, r.limit, r.limit-r.memory)
	}
	if err := r.advance(now); err != nil {
		return nil, err
	}
	t := r.add(id, memory)
	r.memory += t.memory
	t.attained, t.begun = service, true
	return t, nil
}

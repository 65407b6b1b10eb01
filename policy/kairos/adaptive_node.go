package kairos

import (
	"cmp"
	"fmt"

	"example.com/augur/policy"
)

// AdaptiveNodeConfig describes an [AdaptiveNode]. Cores is required.
type AdaptiveNodeConfig struct {
	Cores int // number of tasks that run at once, 1 to MaxCores

	// Floor is the least service by which two tasks of a core are compared, ≥ 0; 0 means 1 s, which suits processes.
	// Take 0.1 to 20 times what it costs to suspend a task. For goroutines that stop between slices of their work, take
	// a slice.
	Floor policy.Duration

	// Memory is the node's memory for tasks, in bytes, ≥ 0; 0 means no limit.
	Memory int64
}

// checked returns the configuration with defaults. Its errors call it by name.
func (c AdaptiveNodeConfig) checked(name string) (AdaptiveNodeConfig, error) {
	c.Floor = cmp.Or(c.Floor, 1e9)
	switch {
	case c.Cores < 1 || c.Cores > MaxCores:
		return c, fmt.Errorf("kairos: %s.Cores is %d, want 1 to %d", name, c.Cores, MaxCores)
	case c.Floor < 0 || c.Floor > maxSpan:
		return c, fmt.Errorf("kairos: %s.Floor is %v, want more than 0 s, at most %v, or 0 for 1 s", name, c.Floor, maxSpan)
	case c.Memory < 0:
		return c, fmt.Errorf("kairos: %s.Memory is %d bytes, want at least 0", name, c.Memory)
	}
	return c, nil
}

// An AdaptiveNode serves the tasks of one machine, at most two a core: one runs, and the other is suspended. It knows
// how long each has run and has been suspended, and needs no estimates.
//
// # The algorithm
//
// The credit of a task is the service that it has attained, minus the total time that it has been suspended.
//
//   - A task that arrives gets an idle core. If there is none, it takes the core of the task with the greatest credit
//     among those that run on a core without a suspended task. That task is suspended, and the two are a pair. If the
//     greatest credit is 0 or less, the node accepts no task.
//   - When the running task of a pair has attained one and a half times the service of the other, the two change
//     places. Services below Floor count as Floor.
//   - When a task ends, the other one of its pair goes on. If it had none, the suspended task with the least service
//     on any other core gets the idle core.
//
// So a short task that meets a long one ends before it gives way, and two long tasks take turns that get longer. For
// example, with a Floor of 1 s, a task of 30 s arrives at 0 and one of 20 s at 10 s. They have the core as
//
//	0 s     10       25      37.5     42.5    50 s
//	| first | second | first | second | first |
//
// # Bounds
//
// Let A be the service that a task has attained, or Floor if that is more. Then one suspension lasts at most 1.5·A,
// and all of them together at most 2.5·A. Proof: if a task was suspended for S before it joined a pair, S is less
// than its service, or it would have no credit. In the pair it is suspended while the other one runs, which is at
// most 1.5·A. So a task of at least Floor is on the node for at most 3.5 times its own runtime, whatever arrives, and
// a shorter one for at most its runtime and 2.5·Floor. (The host must carry out the moves; a restart is an
// exception.)
//
// A task is suspended at most once for each arrival, and then in turns that grow by a factor of 2.25: O(log runtime)
// times for each task that it shares its core with.
//
// # Memory
//
// A suspended task keeps its memory. With a memory limit, the node accepts a task only if there is room for it beside
// all others.
//
// # How to drive it
//
// Keep your own queue. Call Accepts with the [Claim] of its first task, and TaskArrived if it returns true. If it
// returns false, ask again after each event, and when the credit has reached the claim: [AdaptiveNode.Credit] grows
// as fast as the clock. Set one alarm for that or for NextTimer, whichever comes first, and call TimersFired then.
// Call TaskEnded when a task ends, in any state. Carry out the moves that each call appends. A task may go on on
// another core.
//
// [NewAdaptive] does all of this behind the contract, and lets a task wait for a tenth of the median runtime before
// it claims.
//
// # Cost
//
// An event takes O(n) time for n cores, and allocates nothing. An error names the culprit and leaves the node as it
// was. An AdaptiveNode is not safe for concurrent use.
//
// # Source
//
// This library's own. From Kairos, section 3, it takes queues on the nodes, so that tasks run soon, and least
// attained service.
type AdaptiveNode[K comparable] struct {
	watch
	config AdaptiveNodeConfig
	cores  []pair[K]
	loose  []member[K] // suspended before a restart, without a core: the youngest first
	memory int64       // of all tasks, bytes
}

// A pair is what a core has: a task that runs, and perhaps one that is suspended.
type pair[K comparable] struct{ runs, waits member[K] }

// A member of a pair is a task, if there is one. Spans are on the node's clock.
type member[K comparable] struct {
	id       K
	there    bool
	memory   int64
	attained policy.Duration // up to since if it runs
	since    policy.Duration // when it began to run, or to stand
	stood    policy.Duration // in all, but for the present suspension
}

// NewAdaptiveNode returns a node without tasks. It returns an error that names the field that is out of range.
func NewAdaptiveNode[K comparable](c AdaptiveNodeConfig) (*AdaptiveNode[K], error) {
	c, err := c.checked("AdaptiveNodeConfig")
	if err != nil {
		return nil, err
	}
	return &AdaptiveNode[K]{config: c, cores: make([]pair[K], c.Cores)}, nil
}

// Accepts reports whether a task with this memory and claim may arrive: whether a core is idle, or a task that runs
// without a pair has at least this credit, and more than 0.
func (n *AdaptiveNode[K]) Accepts(now policy.Time, memory int64, claim policy.Duration) bool {
	if !n.fits(memory) {
		return false
	}
	if n.idle() >= 0 {
		return true
	}
	credit, ok := n.Credit(now)
	return ok && credit > 0 && credit >= claim
}

// Credit returns the greatest credit of the tasks that run without a pair, and false if there are none. It grows with
// time until the next event. An instant before the node's last event counts as that.
func (n *AdaptiveNode[K]) Credit(now policy.Time) (credit policy.Duration, ok bool) {
	clock, err := n.at(now)
	if err != nil {
		clock = n.clock
	}
	core := n.richest()
	if core < 0 {
		return 0, false
	}
	return n.cores[core].runs.credit(clock), true
}

// credit returns that of a task that runs.
func (m *member[K]) credit(clock policy.Duration) policy.Duration {
	return m.attained + clock - m.since - m.stood
}

// richest returns the core without a suspended task whose task has the greatest credit, ties to the lowest, and -1 if
// there is none.
func (n *AdaptiveNode[K]) richest() int {
	best := -1
	for i := range n.cores {
		if p := &n.cores[i]; p.runs.there && !p.waits.there && (best < 0 || p.runs.credit(0) > n.cores[best].runs.credit(0)) {
			best = i
		}
	}
	return best
}

// idle returns the lowest core without a task, -1 if there is none.
func (n *AdaptiveNode[K]) idle() int {
	for i := range n.cores {
		if !n.cores[i].runs.there {
			return i
		}
	}
	return -1
}

func (n *AdaptiveNode[K]) fits(memory int64) bool {
	return n.config.Memory == 0 || memory <= n.config.Memory-n.memory
}

// TaskArrived reports that a task has arrived, and appends the moves that follow. Accepts must return true for a
// claim of 0. Memory is in bytes, ≥ 0; pass 0 if there is no limit. It returns an error if time goes back, if the
// node has the task already, or if it does not accept the task.
func (n *AdaptiveNode[K]) TaskArrived(now policy.Time, id K, memory int64, moves []Move[K]) ([]Move[K], error) {
	switch {
	case n.find(id) != nil:
		return moves, fmt.Errorf("kairos: task %v is on the node already", id)
	case memory < 0:
		return moves, fmt.Errorf("kairos: task %v wants %d bytes, want at least 0", id, memory)
	case !n.Accepts(now, memory, 0):
		return moves, fmt.Errorf("kairos: task %v arrives, and the node has no core and memory for it: ask Accepts first", id)
	}
	if err := n.advance(now); err != nil {
		return moves, err
	}
	core := n.idle()
	if core < 0 {
		core = n.richest()
		moves = n.suspend(core, moves)
	}
	n.cores[core].runs = member[K]{id: id, there: true, memory: n.charge(memory), since: n.clock}
	return append(moves, Move[K]{Kind: Start, Task: id, Core: core}), nil
}

// charge takes memory, if there is a limit, and returns how much.
func (n *AdaptiveNode[K]) charge(memory int64) int64 {
	if n.config.Memory == 0 {
		return 0
	}
	n.memory += memory
	return memory
}

// suspend takes the task off a core.
func (n *AdaptiveNode[K]) suspend(core int, moves []Move[K]) []Move[K] {
	p := &n.cores[core]
	m := p.runs
	m.attained += n.clock - m.since
	m.since = n.clock
	p.runs, p.waits = member[K]{}, m
	return append(moves, Move[K]{Kind: Suspend, Task: m.id, Core: core})
}

// resume lets a task go on, on a core where none runs.
func (n *AdaptiveNode[K]) resume(m *member[K], core int, moves []Move[K]) []Move[K] {
	woken := *m
	woken.stood += n.clock - m.since
	woken.since = n.clock
	*m = member[K]{}
	n.cores[core].runs = woken
	return append(moves, Move[K]{Kind: Resume, Task: woken.id, Core: core})
}

// TaskEnded reports that a task is gone, for whatever reason, and appends the moves that follow. It returns an error if
// time goes back or the node has no such task.
func (n *AdaptiveNode[K]) TaskEnded(now policy.Time, id K, moves []Move[K]) ([]Move[K], error) {
	m := n.find(id)
	if m == nil {
		return moves, fmt.Errorf("kairos: task %v ends, but the node has no such task", id)
	}
	if err := n.advance(now); err != nil {
		return moves, err
	}
	n.memory -= m.memory
	*m = member[K]{}
	n.tidy()
	for core := range n.cores {
		if p := &n.cores[core]; &p.runs == m {
			if next := n.next(p); next != nil {
				moves = n.resume(next, core, moves)
				n.tidy()
			}
		}
	}
	return moves, nil
}

// next returns the task that is to have the core of a pair without a running task, nil if there is none: a task
// without a core, else the other one of the pair, else the youngest of other pairs.
func (n *AdaptiveNode[K]) next(p *pair[K]) (youngest *member[K]) {
	switch {
	case len(n.loose) > 0:
		return &n.loose[0]
	case p.waits.there:
		return &p.waits
	}
	for i := range n.cores {
		if m := &n.cores[i].waits; m.there && (youngest == nil || m.attained < youngest.attained) {
			youngest = m
		}
	}
	return youngest
}

// tidy forgets tasks without a core that have ended.
func (n *AdaptiveNode[K]) tidy() {
	kept := n.loose[:0]
	for _, m := range n.loose {
		if m.there {
			kept = append(kept, m)
		}
	}
	n.loose = kept
}

// TimersFired lets the tasks of each pair that is due change places, lower cores first, and appends the moves. It
// returns an error if time goes back.
func (n *AdaptiveNode[K]) TimersFired(now policy.Time, moves []Move[K]) ([]Move[K], error) {
	if err := n.advance(now); err != nil {
		return moves, err
	}
	for core := range n.cores {
		p := &n.cores[core]
		if p.paired() && n.due(p) <= n.clock {
			other := p.waits
			moves = n.suspend(core, moves)
			moves = n.resume(&other, core, moves)
		}
	}
	return moves, nil
}

// NextTimer returns the instant at which the next pair is due, and false if there is no pair.
func (n *AdaptiveNode[K]) NextTimer() (at policy.Time, ok bool) {
	var first policy.Duration
	for i := range n.cores {
		if p := &n.cores[i]; p.paired() {
			if due := n.due(p); !ok || due < first {
				first, ok = due, true
			}
		}
	}
	return n.first.Add(first), ok
}

func (p *pair[K]) paired() bool { return p.runs.there && p.waits.there }

// due returns when the tasks of a pair change places.
func (n *AdaptiveNode[K]) due(p *pair[K]) policy.Duration {
	x := min(max(p.waits.attained, n.config.Floor), maxSpan)
	return p.runs.since + min(maxSpan, max(0, x+x-x/2-p.runs.attained))
}

// TaskServed sets how long a task has run so far, as the host has measured it, in place of what the node has counted.
// It returns an error if time goes back, if the node has no such task, or if the service is not 0 s to 2^62-1 ns.
func (n *AdaptiveNode[K]) TaskServed(now policy.Time, id K, service policy.Duration) error {
	m := n.find(id)
	switch {
	case m == nil:
		return fmt.Errorf("kairos: task %v has run for %v, but the node has no such task", id, service)
	case service < 0 || service > maxSpan:
		return fmt.Errorf("kairos: task %v has run for %v, want 0 s to %v", id, service, maxSpan)
	}
	if err := n.advance(now); err != nil {
		return err
	}
	if m.attained = service; n.stateOf(id) == running {
		m.attained -= n.clock - m.since
	}
	return nil
}

// find returns the task of an ID, nil if the node has no such task.
func (n *AdaptiveNode[K]) find(id K) *member[K] {
	for i := range n.cores {
		for _, m := range [...]*member[K]{&n.cores[i].runs, &n.cores[i].waits} {
			if m.there && m.id == id {
				return m
			}
		}
	}
	for i := range n.loose {
		if n.loose[i].id == id {
			return &n.loose[i]
		}
	}
	return nil
}

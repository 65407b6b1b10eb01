package kairos

import (
	"fmt"

	"example.com/augur/policy"
)

// A State says what a task on a [Node] does.
type State uint8

// The states of a task.
const (
	_         State = iota
	Running         // it has a core
	Suspended       // it has its place in memory, and no core now; see also NodeConfig.Firm
	Waiting         // it has not begun: its memory is not free yet
)

var states = [...]string{"", "Running", "Suspended", "Waiting"}

// String returns the state's name.
func (s State) String() string {
	if s > 0 && int(s) < len(states) {
		return states[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// at returns an instant on the node's clock.
func (n *Node[K]) at(now policy.Time) (clock policy.Duration, err error) {
	if !n.began {
		return 0, nil
	}
	if last := n.instant(n.clock); now < last {
		return 0, fmt.Errorf("kairos: time goes back from %d ns to %d ns", last, now)
	}
	if uint64(now)-uint64(n.first) > uint64(maxSpan) {
		return 0, fmt.Errorf("kairos: time is %d ns, more than %v after the first event of the node", now, maxSpan)
	}
	return now.Sub(n.first), nil
}

// set moves the node's clock to now.
func (n *Node[K]) set(now policy.Time, clock policy.Duration) {
	if !n.began {
		n.began, n.first = true, now
	}
	n.clock = clock
}

// instant returns what time it is for the host, at the end of all times if that is over.
func (n *Node[K]) instant(clock policy.Duration) policy.Time { return n.first.Add(clock) }

// admissible returns an error if the node has a task already or could never hold it.
func (n *Node[K]) admissible(id K, memory int64) error {
	if _, ok := n.find(id); ok {
		return fmt.Errorf("kairos: task %v is on the node already", id)
	}
	if memory < 0 {
		return fmt.Errorf("kairos: task %v wants %d bytes, want at least 0", id, memory)
	}
	if n.config.Memory > 0 && memory > n.config.Memory {
		return fmt.Errorf("kairos: task %v wants %d bytes, and the node has %d", id, memory, n.config.Memory)
	}
	return nil
}

// manyTasks is the number of tasks from which on a Node finds them by a map. The
// nodes of Kairos have N + Q.
const manyTasks = 16

// find returns where the task of an ID is.
func (n *Node[K]) find(id K) (i uint32, ok bool) {
	if n.index != nil {
		i, ok = n.index[id]
		return i, ok
	}
	for i := range n.tasks {
		if t := &n.tasks[i]; t.id == id && t.state != 0 {
			return uint32(i), true
		}
	}
	return 0, false
}

// build makes the index of all tasks that are in a state.
func (n *Node[K]) build() {
	n.index = make(map[K]uint32, 2*manyTasks)
	for i := range n.tasks {
		if t := &n.tasks[i]; t.state != 0 {
			n.index[t.id] = uint32(i)
		}
	}
}

// add makes a task, which is in no state yet.
func (n *Node[K]) add(id K, memory int64) (i uint32) {
	if i = n.free; i != 0 {
		n.free = n.tasks[i].next
	} else {
		i = uint32(len(n.tasks))
		n.tasks = append(n.tasks, task[K]{})
		if i == manyTasks {
			n.build()
		}
	}
	n.tasks[i] = task[K]{id: id}
	if n.config.Memory > 0 {
		n.tasks[i].memory = memory
	}
	if n.index != nil {
		n.index[id] = i
	}
	return i
}

// forget lets go of a task that is in no state.
func (n *Node[K]) forget(i uint32) {
	if n.index != nil {
		delete(n.index, n.tasks[i].id)
	}
	n.tasks[i] = task[K]{next: n.free}
	n.free = i
}

// enter puts a task into a state.
func (n *Node[K]) enter(i uint32, s State) {
	n.tasks[i].state, n.tasks[i].since = s, n.clock
	n.held[s]++
}

// leave takes a task out of its state.
func (n *Node[K]) leave(i uint32) {
	n.held[n.tasks[i].state]--
	n.tasks[i].state = 0
}

// wait puts a task behind those that wait for memory.
func (n *Node[K]) wait(i uint32) {
	n.enter(i, Waiting)
	n.link(i)
	n.still.add(0)
}

// fits reports whether there is room for a task in memory.
func (n *Node[K]) fits(i uint32) bool {
	return n.tasks[i].memory <= n.config.Memory-n.memory // both 0 if not accounted for
}

// firstWaiting returns the first task that waits, and false if there is none or no room for it.
func (n *Node[K]) firstWaiting() (i uint32, ok bool) {
	i = n.tasks[0].next
	return i, i != 0 && n.fits(i)
}

// admit gives a task that waits its place in memory.
func (n *Node[K]) admit(i uint32) {
	n.leave(i)
	n.unlink(i)
	n.still.remove(0)
	n.memory += n.tasks[i].memory
}

// run puts a task that is in no state on a core.
func (n *Node[K]) run(i uint32, c int32, undisturbed bool, moves []Move[K]) []Move[K] {
	n.enter(i, Running)
	t := &n.tasks[i]
	kind := Resume
	if !t.begun {
		kind = Start
	}
	t.begun, t.core = true, c
	if undisturbed {
		t.preemptions = 0
	}
	n.cores[c].task = i
	n.cores[c].birth = n.clock - t.attained
	quantum := n.config.Quantum
	if undisturbed {
		quantum *= policy.Duration(n.config.Undisturbed)
	}
	n.occupy(c, n.clock+quantum, undisturbed)
	return append(moves, Move[K]{Kind: kind, Task: t.id, Core: int(c)})
}

// occupy begins a quantum of the task on a core.
func (n *Node[K]) occupy(c int32, due policy.Duration, undisturbed bool) {
	at := &n.cores[c]
	at.due, at.undisturbed = due, undisturbed
	n.oldest.set(c, at.age())
	n.timers.set(c, uint64(at.due))
}

// suspend takes the task off a core, which another one gets at once. The task is ranked for
// service in the place of another one, if that is not stale.
func (n *Node[K]) suspend(c int32, at place, moves []Move[K]) []Move[K] {
	i := n.cores[c].task
	t := &n.tasks[i]
	n.leave(i)
	t.attained = n.clock - n.cores[c].birth
	t.preemptions++
	n.rest(i, at)
	return append(moves, Move[K]{Kind: Suspend, Task: t.id, Core: int(c)})
}

// rest puts a task that is in no state among the suspended. One that has got its core in this
// same instant has had no service, and keeps its turn.
func (n *Node[K]) rest(i uint32, at place) {
	t := &n.tasks[i]
	idle := t.turn != 0 && t.since == n.clock
	n.enter(i, Suspended)
	if idle {
		t.since = t.served
	} else {
		n.turns++
		t.turn, t.served = n.turns, n.clock
	}
	w := waiter{t.attained, t.turn, i}
	if !n.youth.Update(at.youth, w) {
		at.youth = n.youth.Push(w)
	}
	if n.config.Starvation == NotServed {
		w.attained = 0
		if !n.unrest.Update(at.unrest, w) {
			at.unrest = n.unrest.Push(w)
		}
	}
	t.place = at
	n.still.add(t.attained)
}

// wake takes a task out of the suspended.
func (n *Node[K]) wake(i uint32) {
	at := n.tasks[i].place
	n.youth.Remove(at.youth)
	n.unrest.Remove(at.unrest)
	n.rise(i)
}

// rise does that for a task whose place another one has taken.
func (n *Node[K]) rise(i uint32) {
	n.leave(i)
	n.still.remove(n.tasks[i].attained)
}

// popIdle returns a core without a task, of which there are some, to be given one.
func (n *Node[K]) popIdle() int32 {
	last := len(n.idle) - 1
	c := n.idle[last]
	n.idle = n.idle[:last]
	return c
}

// vacate leaves a core without a task.
func (n *Node[K]) vacate(c int32) {
	n.cores[c] = core{}
	n.oldest.set(c, last)
	n.timers.set(c, last)
	n.idle = append(n.idle, c)
}

// link puts a task at the end of those that wait.
func (n *Node[K]) link(i uint32) {
	t := &n.tasks[i]
	t.prev = n.tasks[0].prev
	n.tasks[t.prev].next = i
	n.tasks[0].prev = i
}

// unlink takes a task out of those that wait.
func (n *Node[K]) unlink(i uint32) {
	t := &n.tasks[i]
	n.tasks[t.prev].next = t.next
	n.tasks[t.next].prev = t.prev
	t.next, t.prev = 0, 0
}

package kairos

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/augur/policy"
)

// algorithm1 is the paper's Algorithm 1 with its slips mended, for tasks that are numbers. Comments
// give the lines of the pseudocode. What the paper tells in words only (starvation), and
// what this package adds (memory, ArrivalsWait, Hysteresis, Preempted), stands in functions of its own, below the pseudocode.
// Tests hold Node to it.
type algorithm1 struct {
	config    NodeConfig
	now       policy.Time
	idle      []*taskEntry // IdleTasks, by turn
	running   []*taskEntry // RunningTasks
	waiting   []*taskEntry // for memory, by arrival
	idleCores []int        // the core to be used next is the last
	turns     int
	moves     []Move[int]
}

type taskEntry struct {
	task     int
	attained policy.Duration
	start    policy.Time
	core     int
	timer    policy.Time // when that core's timer fires

	memory      int64
	begun       bool
	undisturbed bool
	preemptions int
	since       policy.Time // since when it has had no service
	turn        int         // which suspension began then; 0: none yet
}

func newAlgorithm1(c NodeConfig) *algorithm1 {
	a := &algorithm1{config: c}
	for i := range c.Cores {
		a.idleCores = append([]int{i}, a.idleCores...)
	}
	return a
}

// arrives is the event that a task arrives which has its place in memory.
func (a *algorithm1) arrives(t *taskEntry) { // line 2
	if len(a.idleCores) > 0 { // line 8
		c := a.idleCores[len(a.idleCores)-1] // line 9
		a.idleCores = a.idleCores[:len(a.idleCores)-1]
		a.assign(t, c, false) // lines 16 to 18
		return
	}
	tp := slices.MinFunc(a.running, a.older) // line 11
	if a.config.ArrivalsWait && tp.undisturbed {
		a.suspend(t)
		return
	}
	c := tp.core          // line 13
	a.preempt(tp)         // lines 12, 14 and 15
	a.assign(t, c, false) // lines 16 to 18
}

// finishes is the event that a running task finishes on its core.
func (a *algorithm1) finishes(t *taskEntry) { // line 19
	a.running = remove(a.running, t) // line 20
	starved := a.starved()
	switch {
	case starved != nil:
		a.assign(starved, t.core, true)
	case a.fits():
		a.assign(a.waiting[0], t.core, false)
	case len(a.idle) > 0: // line 21
		tr := a.youngest()                // line 22
		a.assign(tr, t.core, a.often(tr)) // lines 23 to 27
	default: // line 28
		a.idleCores = append(a.idleCores, t.core) // line 29
	}
}

// timerFires is the event that the timer of the core fires that runs a task.
func (a *algorithm1) timerFires(ts *taskEntry) { // line 30
	tm, c := a.youngest(), ts.core // line 34
	starved := a.starved()
	switch {
	case starved != nil:
		a.preempt(ts)
		a.assign(starved, c, true)
	case tm != nil && tm.attained <= a.attained(ts)-a.config.Hysteresis: // line 35
		a.preempt(ts)                // lines 32, 37 and 38
		a.assign(tm, c, a.often(tm)) // lines 36 and 39 to 42
	default: // line 43
		late := policy.Duration(0)
		if tm == nil {
			late = a.now.Sub(ts.timer) % a.config.Quantum // nobody need have noticed
		}
		ts.timer, ts.undisturbed = a.now.Add(a.config.Quantum-late), false // line 45
	}
}

// heartbeat is what the centre is told every Δ.
func (a *algorithm1) heartbeat() (tasks int, variance, sum float64) { // line 46
	all := slices.Concat(a.running, a.idle, a.waiting)
	for _, t := range all {
		sum += a.attained(t).Seconds()
	}
	for _, t := range all {
		d := a.attained(t).Seconds() - sum/float64(len(all))
		variance += d * d / float64(len(all)) // line 49
	}
	return len(all), variance, sum // line 48
}

// assign starts a task on a core, and the timer of that core.
func (a *algorithm1) assign(t *taskEntry, c int, undisturbed bool) {
	a.idle, a.waiting = remove(a.idle, t), remove(a.waiting, t) // line 36
	a.running = append(a.running, t)                            // lines 7, 23 and 39
	quantum := a.config.Quantum
	if undisturbed {
		quantum *= 2
		t.preemptions = 0
	}
	t.core, t.start, t.timer, t.undisturbed = c, a.now, a.now.Add(quantum), undisturbed // lines 6, 17, 25, 26 and 40
	kind := Resume
	if !t.begun {
		kind, t.begun = Start, true
	}
	a.moves = append(a.moves, Move[int]{Kind: kind, Task: t.task, Core: c}) // lines 18, 27 and 42
}

// preempt takes a running task off its core.
func (a *algorithm1) preempt(t *taskEntry) {
	t.attained = a.attained(t) // lines 12 and 32
	t.preemptions++
	a.running = remove(a.running, t) // line 38
	a.moves = append(a.moves, Move[int]{Kind: Suspend, Task: t.task, Core: t.core})
	a.suspend(t) // lines 15 and 37
}

// suspend puts a task among the idle ones. Who has had no service since the last time keeps its turn.
func (a *algorithm1) suspend(t *taskEntry) {
	if t.turn == 0 || a.now > t.start {
		a.turns++
		t.turn, t.since = a.turns, a.now
	}
	a.idle = append(a.idle, t)
	slices.SortFunc(a.idle, func(x, y *taskEntry) int { return x.turn - y.turn })
}

func (a *algorithm1) attained(t *taskEntry) policy.Duration {
	if slices.Contains(a.running, t) {
		return t.attained + a.now.Sub(t.start)
	}
	return t.attained
}

// older orders running tasks by who is preempted first.
func (a *algorithm1) older(x, y *taskEntry) int {
	switch {
	case x.undisturbed != y.undisturbed:
		if y.undisturbed {
			return -1
		}
		return 1
	case a.attained(x) != a.attained(y):
		return cmp.Compare(a.attained(y), a.attained(x))
	}
	return x.core - y.core
}

// youngest returns the idle task with the least attained service, nil if there is none.
func (a *algorithm1) youngest() (youngest *taskEntry) {
	for _, t := range a.idle {
		if youngest == nil || t.attained < youngest.attained {
			youngest = t
		}
	}
	return youngest
}

// starves reports whether an idle task has had no service for too long.
func (a *algorithm1) starves(t *taskEntry) bool {
	return a.config.Starvation == NotServed && a.now.Sub(t.since) >= 3*a.config.Quantum
}

// starved returns the idle task without service for longest if it starves, else nil.
func (a *algorithm1) starved() *taskEntry {
	if len(a.idle) > 0 && a.starves(a.idle[0]) {
		return a.idle[0]
	}
	return nil
}

// often reports whether a task has been preempted too often.
func (a *algorithm1) often(t *taskEntry) bool {
	return a.config.Starvation == Preempted && t.preemptions >= 3
}

// fits reports whether there is a task that waits for memory, and room for it.
func (a *algorithm1) fits() bool {
	if len(a.waiting) == 0 {
		return false
	}
	resident := a.waiting[0].memory
	for _, t := range slices.Concat(a.running, a.idle) {
		resident += t.memory
	}
	return a.config.Memory == 0 || resident <= a.config.Memory
}

// comes is the event that a task arrives, of some memory.
func (a *algorithm1) comes(t *taskEntry) {
	a.waiting = append(a.waiting, t)
	a.startWaiting()
}

// ends is the event that a task is over in whatever state it is.
func (a *algorithm1) ends(t *taskEntry) {
	a.idle, a.waiting = remove(a.idle, t), remove(a.waiting, t)
	if slices.Contains(a.running, t) {
		a.finishes(t)
	}
	a.startWaiting()
}

// timersFire lets the timers fire that are due, in the order in which they were due.
func (a *algorithm1) timersFire() {
	for t := a.first(); t != nil && t.timer <= a.now; t = a.first() {
		a.timerFires(t)
	}
}

// first returns the running task whose timer fires first, nil if none runs.
func (a *algorithm1) first() *taskEntry {
	if len(a.running) == 0 {
		return nil
	}
	return slices.MinFunc(a.running, func(x, y *taskEntry) int {
		return cmp.Or(cmp.Compare(x.timer, y.timer), x.core-y.core)
	})
}

func (a *algorithm1) startWaiting() {
	for a.fits() {
		t := a.waiting[0]
		a.waiting = a.waiting[1:]
		a.arrives(t)
	}
}

func remove(list []*taskEntry, t *taskEntry) []*taskEntry {
	return slices.DeleteFunc(list, func(other *taskEntry) bool { return other == t })
}

// A task of 200 s and one of 85 s arrive at a node with one core and a quantum of 50 s. The paper's
// pseudocode and a Node serve them alike.
func ExampleNode_algorithm1() {
	config := NodeConfig{Cores: 1, Quantum: 50 * time.Second}
	paper := newAlgorithm1(config)
	node, err := NewNode[int](config)
	if err != nil {
		fmt.Println(err)
		return
	}
	work := []policy.Duration{200 * time.Second, 85 * time.Second}
	var moves []Move[int]
	for task := range work {
		paper.arrives(&taskEntry{task: task})
		moves, _ = node.TaskArrived(0, task, 0, moves)
	}
	for {
		fmt.Printf("%3v s: %v\n", paper.now.Seconds(), paper.moves)
		if !slices.Equal(moves, paper.moves) {
			fmt.Println("but the Node says", moves)
		}
		paper.moves, moves = nil, nil
		if len(paper.running) == 0 {
			return
		}
		t := paper.running[0]
		ends := t.start.Add(work[t.task] - t.attained)
		paper.now = min(ends, t.timer)
		if paper.now == ends {
			paper.finishes(t)
			moves, _ = node.TaskEnded(ends, t.task, moves)
		} else {
			paper.timerFires(t)
			moves, _ = node.TimersFired(t.timer, moves)
		}
	}
	// Output:
	//   0 s: [Start 0 on core 0 Suspend 0 on core 0 Start 1 on core 0]
	//  50 s: [Suspend 1 on core 0 Resume 0 on core 0]
	// 100 s: [Suspend 0 on core 0 Resume 1 on core 0]
	// 135 s: [Resume 0 on core 0]
	// 185 s: []
	// 235 s: []
	// 285 s: []
}

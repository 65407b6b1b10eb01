package kairos

import (
	"fmt"
	"testing"

	"example.com/augur/policy"
)

const s = policy.Time(1e9)

// A steadyNode is full: it has a number of tasks more than it has cores. Four steps are one round:
// a core's timer, an end, an arrival, and a heartbeat.
type steadyNode struct {
	tb    testing.TB
	n     *Node[policy.Copy]
	now   policy.Time
	next  policy.Copy
	last  policy.Copy // that got a core
	moves []Move[policy.Copy]
}

func newSteadyNode(tb testing.TB, cores, tasks int) *steadyNode {
	tb.Helper()
	n, err := NewNode[policy.Copy](NodeConfig{Cores: cores, Quantum: 50 * policy.Duration(s)})
	if err != nil {
		tb.Fatal(err)
	}
	f := &steadyNode{tb: tb, n: n, next: policy.Copy{Task: policy.Task{Job: 1}}}
	for range tasks {
		f.arrive()
		f.now += s / 7
	}
	for range 2 * tasks {
		f.timer()
	}
	return f
}

func (f *steadyNode) keep(moves []Move[policy.Copy], err error) {
	if err != nil {
		f.tb.Fatal(err)
	}
	f.moves = moves
	if len(moves) > 0 {
		f.last = moves[len(moves)-1].Task
	}
}

func (f *steadyNode) arrive() {
	f.next.Index++
	f.keep(f.n.TaskArrived(f.now, f.next, 0, f.moves[:0]))
}

func (f *steadyNode) timer() {
	at, ok := f.n.NextTimer()
	if !ok {
		f.tb.Fatal("no timer is set")
	}
	f.now = max(f.now, at)
	f.keep(f.n.TimersFired(f.now, f.moves[:0]))
}

// end ends the task that got a core last.
func (f *steadyNode) end() {
	f.now += s / 10
	f.keep(f.n.TaskEnded(f.now, f.last, f.moves[:0]))
}

func benchNodes(b *testing.B, run func(f *steadyNode)) {
	for _, cores := range []int{1, 4, 16, 64} {
		for _, tasks := range []int{4, 8, 16, 64, 256} {
			if tasks <= cores {
				continue // no timer matters
			}
			b.Run(fmt.Sprintf("cores=%d/tasks=%d", cores, tasks), func(b *testing.B) {
				f := newSteadyNode(b, cores, tasks)
				b.ReportAllocs()
				for b.Loop() {
					run(f)
				}
				if f.n.len() != tasks {
					b.Errorf("got %d tasks, want %d", f.n.len(), tasks)
				}
			})
		}
	}
}

// One round of all: a timer fires, and the task that it resumes ends; one arrives; and the node says how it is.
func BenchmarkNode(b *testing.B) {
	benchNodes(b, func(f *steadyNode) {
		f.timer()
		f.end()
		f.arrive()
		f.n.Heartbeat(f.now)
	})
}

// The timer fires that is due next, and the task gives way to another.
func BenchmarkNodeTimer(b *testing.B) {
	benchNodes(b, func(f *steadyNode) { f.timer() })
}

// A task comes and ends, which are two events.
func BenchmarkNodeArriveEnd(b *testing.B) {
	benchNodes(b, func(f *steadyNode) {
		f.arrive()
		f.end()
	})
}

func BenchmarkNodeHeartbeat(b *testing.B) {
	benchNodes(b, func(f *steadyNode) {
		if tasks, _, _ := f.n.Heartbeat(f.now); tasks == 0 {
			f.tb.Fatal("no tasks")
		}
	})
}

func TestNodeAllocatesNothing(t *testing.T) {
	for _, size := range []struct{ cores, tasks int }{{1, 3}, {4, 6}, {4, 1000}} {
		f := newSteadyNode(t, size.cores, size.tasks)
		round := func() {
			for range 1000 {
				f.timer()
				f.end()
				f.arrive()
				f.n.Heartbeat(f.now)
			}
		}
		round()
		if allocs := testing.AllocsPerRun(20, round); allocs != 0 {
			t.Errorf("%d cores and %d tasks: got %v allocations in 4000 events, want 0", size.cores, size.tasks, allocs)
		}
	}
}

package kairos

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
)

// newBenchCentral returns a centre with n nodes of one core that have been full, with three
// tasks each, and of whose tasks a sixth has ended; and the assignments that are left.
func newBenchCentral(tb testing.TB, n int, tie Tie) (c *Central[policy.Copy], open []Assignment[policy.Copy], rng *rand.Rand) {
	tb.Helper()
	c = jobtest.Must(NewCentral[policy.Copy](CentralConfig{Queue: 2, Tie: tie, Src: rand.NewPCG(1, 2)}))
	rng = rand.New(rand.NewPCG(uint64(n), 7))
	for id := policy.NodeID(1); int(id) <= n; id++ {
		must(tb, c.Joined(id, 1))
	}
	for i := range 3 * n {
		a, ok := c.give(policy.Copy{Task: policy.Task{Job: 1, Index: uint32(i)}})
		if !ok {
			tb.Fatal("no room")
		}
		open = append(open, a)
	}
	rng.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
	for _, a := range open[5*n/2:] {
		if ok, err := c.Ended(a.Node, a.Number); !ok || err != nil {
			tb.Fatal(ok, err)
		}
	}
	open = open[:5*n/2]
	for id := policy.NodeID(1); int(id) <= n; id++ {
		beatBench(tb, c, id, 1, rng)
	}
	return c, open, rng
}

// beatBench sends a heartbeat of a node that has all that it was sent.
func beatBench(tb testing.TB, c *Central[policy.Copy], id policy.NodeID, number uint64, rng *rand.Rand) {
	w := c.workers.Get(id)
	r := Report{Node: id, Number: number, Seen: w.sent, Tasks: len(w.held)}
	r.Variance, r.Sum = 1e4*rng.ExpFloat64(), 1e3*rng.ExpFloat64()
	if taken, err := c.Heartbeat(r); !taken || err != nil {
		tb.Fatal(taken, err)
	}
}

func benchClusters(b *testing.B, run func(b *testing.B, n int)) {
	for _, n := range []int{100, 10_000, 100_000} {
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			run(b, n)
		})
	}
}

// A task somewhere ends, and another one comes and is sent: the centre's work for one task.
func BenchmarkCentralTask(b *testing.B) {
	for _, tie := range []Tie{LeastVariance, AtRandom} {
		b.Run(fmt.Sprintf("tie=%d", tie), func(b *testing.B) {
			benchClusters(b, func(b *testing.B, n int) {
				c, open, rng := newBenchCentral(b, n, tie)
				for b.Loop() {
					i := rng.IntN(len(open))
					if ok, err := c.Ended(open[i].Node, open[i].Number); !ok || err != nil {
						b.Fatal(ok, err)
					}
					c.Submit(open[i].Task)
					a, ok := c.Next()
					if !ok {
						b.Fatal("no room")
					}
					open[i] = a
				}
			})
		})
	}
}

func BenchmarkCentralHeartbeat(b *testing.B) {
	benchClusters(b, func(b *testing.B, n int) {
		c, _, rng := newBenchCentral(b, n, LeastVariance)
		number := uint64(1)
		for b.Loop() {
			number++
			beatBench(b, c, policy.NodeID(1+rng.IntN(n)), number, rng)
		}
	})
}

func TestCentralAllocatesNothing(t *testing.T) {
	for _, tie := range []Tie{LeastVariance, LeastSum, AtRandom} {
		c, open, rng := newBenchCentral(t, 100, tie)
		number := uint64(1)
		round := func() {
			for range 200 {
				i := rng.IntN(len(open))
				if ok, err := c.Ended(open[i].Node, open[i].Number); !ok || err != nil {
					t.Fatal(ok, err)
				}
				c.Submit(open[i].Task)
				open[i], _ = c.Next()
				number++
				beatBench(t, c, open[i].Node, number, rng)
			}
		}
		for range 20 {
			round()
		}
		if allocs := testing.AllocsPerRun(10, round); allocs != 0 {
			t.Errorf("%v: %v allocations in 200 tasks", tie, allocs)
		}
	}
}

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
	n := jobtest.Must(NewNode[policy.Copy](NodeConfig{Cores: cores, Quantum: 50 * policy.Duration(s)}))
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

// One round of all: a timer fires, and the task that it resumes ends; one arrives; and the node says how it is.
func BenchmarkNode(b *testing.B) {
	for _, size := range []struct{ cores, tasks int }{{1, 4}, {4, 16}, {64, 256}} {
		b.Run(fmt.Sprintf("cores=%d/tasks=%d", size.cores, size.tasks), func(b *testing.B) {
			f := newSteadyNode(b, size.cores, size.tasks)
			b.ReportAllocs()
			for b.Loop() {
				f.timer()
				f.end()
				f.arrive()
				f.n.Heartbeat(f.now)
			}
			if f.n.len() != size.tasks {
				b.Errorf("got %d tasks, want %d", f.n.len(), size.tasks)
			}
		})
	}
}

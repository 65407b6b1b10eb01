package kairos

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
)

// newBenchCentral returns a centre with n nodes of one core that have been full, with three
// tasks each, and of whose tasks a sixth has ended; and the assignments that are left.
func newBenchCentral(tb testing.TB, n int, tie Tie) (c *Central[policy.Copy], open []Assignment[policy.Copy], rng *rand.Rand) {
	tb.Helper()
	c, err := NewCentral[policy.Copy](CentralConfig{Queue: 2, Tie: tie, Src: rand.NewPCG(1, 2)})
	if err != nil {
		tb.Fatal(err)
	}
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

// A steadyCluster is a Scheduler and its nodes, which all have tasks and whose only job never
// runs out of them. One round is the life of a task, without a network.
type steadyCluster struct {
	tb      testing.TB
	centre  *Scheduler
	parts   []policy.Scheduler // by node, from 1
	running []policy.Copy      // by node
	now     policy.Time
	event   policy.Event
	actions []policy.Action
}

func newSteadyCluster(tb testing.TB, nodes int) *steadyCluster {
	tb.Helper()
	c := DefaultConfig()
	c.Node.Quantum, c.Central.Queue = 100e9, 2
	s, err := NewScheduler(c)
	if err != nil {
		tb.Fatal(err)
	}
	f := &steadyCluster{tb: tb, centre: s, parts: make([]policy.Scheduler, nodes+1), running: make([]policy.Copy, nodes+1)}
	for i := 1; i <= nodes; i++ {
		n := &policy.Node{ID: policy.NodeID(i), Partition: 1, Cores: 1, Speed: 1}
		f.parts[i] = s.Part(n)
		joined := policy.Event{Kind: policy.Joined, Node: n.ID, Info: n}
		f.node(n.ID, joined)
		f.tell(joined)
		f.deliver()
	}
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: policy.MaxTasks, Cores: 1}}}
	of := policy.Copy{Task: policy.Task{Job: 1}}
	f.tell(policy.Event{Kind: policy.Submitted, Job: job, Copy: of, More: true})
	f.tell(policy.Event{Kind: policy.Ready, Copy: of})
	f.deliver()
	return f
}

func (f *steadyCluster) tell(ev policy.Event) {
	f.event, f.event.Time = ev, f.now
	var err error
	if f.actions, err = f.centre.Step(&f.event, f.actions[:0]); err != nil {
		f.tb.Fatal(err)
	}
}

// node tells a node an event, and takes note of what it starts.
func (f *steadyCluster) node(id policy.NodeID, ev policy.Event) {
	f.event, f.event.Time = ev, f.now
	from := len(f.actions)
	var err error
	if f.actions, err = f.parts[id].Step(&f.event, f.actions); err != nil {
		f.tb.Fatal(err)
	}
	for _, a := range f.actions[from:] {
		if a.Kind == policy.Start || a.Kind == policy.Resume {
			f.running[id] = a.Copy
		}
	}
}

// deliver brings messages of the centre to the nodes.
func (f *steadyCluster) deliver() {
	for i := 0; i < len(f.actions); i++ {
		if a := f.actions[i]; a.Kind == policy.Send && a.Node != 0 {
			f.node(a.Node, policy.Event{Kind: policy.Arrived, Msg: a.Msg})
		}
	}
}

// finish ends the task that runs on a node, which is resumed or sent another one.
func (f *steadyCluster) finish(id policy.NodeID) {
	f.now += policy.Time(1e9) / 100
	ended := policy.Event{Kind: policy.Finished, Copy: f.running[id], Node: id}
	f.actions = f.actions[:0]
	f.node(id, ended)
	beat, ok := policy.Msg{}, false
	for _, a := range f.actions {
		if a.Kind == policy.Post {
			beat, ok = a.Msg, true
		}
	}
	f.tell(ended)
	if len(f.actions) != 1 {
		f.tb.Fatalf("got %d actions of the centre, want the next task sent", len(f.actions))
	}
	f.deliver()
	if ok {
		f.tell(policy.Event{Kind: policy.Arrived, Node: id, Msg: beat})
	}
}

// BenchmarkSchedulerTask is what all parts do for one task: it is sent, arrives and ends, and
// another one is suspended and goes on, with a heartbeat now and then.
func BenchmarkSchedulerTask(b *testing.B) {
	for _, nodes := range []int{100, 23_000} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			f := newSteadyCluster(b, nodes)
			b.ReportAllocs()
			id := policy.NodeID(0)
			for b.Loop() {
				id = id*7919%policy.NodeID(nodes) + 1
				f.finish(id)
			}
		})
	}
}

func TestSchedulerAllocatesNothing(t *testing.T) {
	f := newSteadyCluster(t, 100)
	round := func() {
		for id := range policy.NodeID(100) {
			f.finish(id + 1)
		}
	}
	for range 20 {
		round()
	}
	if allocs := testing.AllocsPerRun(20, round); allocs != 0 {
		t.Errorf("got %v allocations in 100 tasks, want 0", allocs)
	}
}

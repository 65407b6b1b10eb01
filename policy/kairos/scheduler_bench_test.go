package kairos

import (
	"fmt"
	"testing"

	"example.com/augur/policy"
)

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

// BenchmarkSchedulerCentre is the centre's part of that.
func BenchmarkSchedulerCentre(b *testing.B) {
	for _, nodes := range []int{100, 23_000} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			f := newSteadyCluster(b, nodes)
			b.ReportAllocs()
			id := policy.NodeID(0)
			for b.Loop() {
				id = id*7919%policy.NodeID(nodes) + 1
				for a := range f.centre.nodes.centres[0].on(id) {
					f.tell(policy.Event{Kind: policy.Finished, Copy: a.Task, Node: id})
					break
				}
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

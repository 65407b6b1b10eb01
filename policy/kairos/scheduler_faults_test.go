package kairos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A doubter hears every heartbeat twice, and looks how many tasks the nodes hold.
type doubter struct {
	*Scheduler
	twice   bool
	overfed error
	full    int // events after which a node held as many as it may
	refused int
}

func (d *doubter) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if ev.Kind == policy.Arrived && ev.Msg.Kind == refuse {
		d.refused++
	}
	actions, err := d.Scheduler.Step(ev, actions)
	if err == nil && d.twice && ev.Kind == policy.Arrived && ev.Msg.Kind == heartbeat {
		actions, err = d.Scheduler.Step(ev, actions)
	}
	return actions, err
}

func (d *doubter) Part(n *policy.Node) policy.Scheduler {
	return &watchedPart{d.Scheduler.Part(n).(*part), d}
}

type watchedPart struct {
	*part
	by *doubter
}

func (w *watchedPart) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	actions, err := w.part.Step(ev, actions)
	switch held := w.node.len() + len(w.found); {
	case held > w.places:
		w.by.overfed = fmt.Errorf("at %v s node %d holds %d tasks, want at most %d", ev.Time.Seconds(), w.id, held, w.places)
	case held == w.places:
		w.by.full++
	}
	return actions, err
}

// Whatever becomes of heartbeats and nodes, every task completes once (which the simulator's
// checker sees to), no node ever holds more than N + Q of them, and none has to refuse what the
// only centre sends.
func TestNeverOverfed(t *testing.T) {
	full, refused := 0, 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 0x6f766572))
		c := Config{
			Node:      NodeConfig{Quantum: 50e9},
			Central:   CentralConfig{Queue: rng.IntN(4)},
			Heartbeat: policy.Duration(rng.IntN(3)) * 1e9, KeepAlive: 20e9,
			Centres: 1 + int(seed%4), Gossip: policy.Duration(rng.IntN(3)) * 5e9,
		}
		var watched []*doubter
		make := func() (policy.Scheduler, error) {
			s, err := NewScheduler(c)
			watched = append(watched, &doubter{Scheduler: s, twice: rng.IntN(2) == 0})
			return watched[len(watched)-1], err
		}
		list := unevenJobs(rng, 100, 60e9)
		for _, j := range list {
			j.Stages[0].Memory = rng.Int64N(8)
		}
		jobs, truth := workload.Split(list)
		config := sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 4, Cores: 1}, sim.Partition{Nodes: 3, Cores: 3, Memory: 8}),
			Jobs:  jobs, Truth: truth, Delay: policy.Duration(rng.IntN(3)) * 700e6,
			Faults: sim.Faults{
				Seed: seed, PostLoss: 0.2, PostLate: 0.3, MeanLate: 30e9,
				MeanUp: 3000e9, MeanDown: 100e9, TaskFailure: 0.02,
				Restarts: []policy.Time{1000e9, 2500e9}, NewPolicy: make,
				Cancels: []sim.Cancel{{Job: 20, At: list[19].Submitted + 5e9}},
			},
			MaxFailures: 100,
		}
		first, err := make()
		if err != nil {
			t.Fatal(err)
		}
		r, err := sim.Run(context.Background(), config, first)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, w := range watched {
			if w.overfed != nil {
				t.Errorf("seed %d: %v", seed, w.overfed)
			}
			if c.Centres == 1 && w.refused > 0 {
				t.Errorf("seed %d: nodes refused %d tasks of the only centre", seed, w.refused)
			}
			full += w.full
			refused += w.refused
		}
		for _, j := range r.Jobs {
			if !j.Done() && j.ID != 20 {
				t.Errorf("seed %d: job %d is %v", seed, j.ID, j.Outcome)
			}
		}
	}
	if full < 10_000 || refused < 100 {
		t.Errorf("nodes were full after %d events, want 10000, and refused %d tasks, want 100", full, refused)
	}
}

package baseline

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// Whatever EASY starts, at each decision, is what the definition starts, in that order.
func TestEASYAgainstDefinition(t *testing.T) {
	overtaken := 0
	for seed := range uint64(40) {
		const cores = 16
		var l naiveEASY
		easy := NewEASY()
		p := watch{easy, func(ev *policy.Event, actions []policy.Action) error {
			l.observe(ev)
			if ev.More {
				return nil
			}
			want, reserved := l.decide(ev.Time)
			for i := range max(len(actions), len(want)) {
				if i >= len(actions) || i >= len(want) || actions[i].Copy.Job != want[i].job.ID {
					return fmt.Errorf("%d starts, want %d; number %d differs", len(actions), len(want), i)
				}
				want[i].copy = actions[i].Copy
			}
			if r := easy.reserved; r.at != reserved {
				return fmt.Errorf("reserved %+v, want it at %v", r, reserved)
			}
			return nil
		}}
		config := sim.Config{
			Nodes:  sim.Cluster(sim.Partition{Nodes: cores, Cores: 1}),
			Faults: sim.Faults{Seed: seed, TaskFailure: 0.02},
		}
		if seed%2 == 1 {
			config.Nodes = sim.Cluster(sim.Partition{Nodes: 1, Cores: cores})
		}
		if _, err := simulate(t, config, batch(seed, 150, cores, seed%2 == 1), p); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		overtaken += l.overtaken
	}
	if overtaken < 1000 {
		t.Errorf("%d units overtook others, want more", overtaken)
	}
}

// If no job runs for longer than requested, each starts at the latest when it was told
// first, at the moment when it became the first that waits.
// Under EASY the first job that waits has a reservation, for when enough of what runs has ended at the
// latest; Conservative gives one to each.
func TestPlanned(t *testing.T) {
	for _, test := range []struct {
		p interface {
			policy.Scheduler
			Planned(policy.JobID) (policy.Time, bool)
			Compare(a, b policy.JobID) int
		}
		want []policy.Time // s, by job; 0: none
	}{
		{NewEASY(), []policy.Time{0, 0, 100, 0, 0}},
		{NewConservative(), []policy.Time{0, 0, 100, 200, 0}},
	} {
		tell := func(ev policy.Event) (actions []policy.Action) {
			actions, err := test.p.Step(&ev, nil)
			if err != nil {
				t.Fatal(err)
			}
			return actions
		}
		tell(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 4, Speed: 1}})
		for i, cores := range []int32{3, 4, 2} {
			j := &policy.Job{ID: policy.JobID(i + 1), Requested: 100 * time.Second, Stages: []policy.Stage{{Tasks: 1, Cores: cores}}}
			tell(policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: j.ID}}, Job: j, More: true})
			for _, a := range tell(policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: j.ID}}}) {
				tell(policy.Event{Kind: policy.Started, Copy: a.Copy, Node: 1})
			}
		}
		for id, want := range test.want {
			if at, ok := test.p.Planned(policy.JobID(id)); at != want*1e9 || ok != (want != 0) {
				t.Errorf("%T: job %d is planned for %v s, %v, want %v s", test.p, id, at.Seconds(), ok, want)
			}
		}
		order := []policy.JobID{9, 3, 2, 1}
		slices.SortFunc(order, test.p.Compare)
		if want := []policy.JobID{1, 2, 3, 9}; !slices.Equal(order, want) {
			t.Errorf("%T: got the order %v, want that of submission, %v", test.p, order, want)
		}
	}
}

func TestEASYKeepsReservations(t *testing.T) {
	kept, early := 0, 0
	for seed := range uint64(40) {
		const cores = 64
		reserved := map[policy.JobID]policy.Time{}
		easy := NewEASY()
		p := watch{easy, func(ev *policy.Event, actions []policy.Action) error {
			r := easy.reserved
			if _, ok := reserved[r.job]; r.job != 0 && !ok {
				reserved[r.job] = r.at
			}
			for _, a := range actions {
				at, ok := reserved[a.Copy.Job]
				switch {
				case !ok:
				case ev.Time > at:
					return fmt.Errorf("job %d starts at %v, but was reserved for %v", a.Copy.Job, ev.Time, at)
				case ev.Time < at:
					early++
				default:
					kept++
				}
			}
			return nil
		}}
		config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: cores, Cores: 1})}
		if _, err := simulate(t, config, batch(seed, 200, cores, false), p); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	if kept < 100 || early < 100 {
		t.Errorf("%d jobs started when reserved and %d earlier, want more", kept, early)
	}
}

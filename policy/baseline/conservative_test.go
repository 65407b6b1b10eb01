package baseline

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Whatever Conservative starts over an order that stays, and what it reserves, is what the definition says.
func TestConservativeAgainstDefinition(t *testing.T) {
	for _, test := range orders[:3] {
		t.Run(test.name, func(t *testing.T) {
			moved, changes := 0, 0
			for seed := range uint64(20) {
				config := small(0)
				config.Faults.Seed, config.Delay = seed, policy.Duration(seed/8%2)*s/5
				config.Jobs, config.Truth = workload.Split(staged(mixed(seed, 100, 16, seed%2 == 1)))
				naive := new(naivePlan)
				known, same := forecasts(seed)
				slow := must(central.New(central.Config{Turn: test.make(nil), Fill: naive, Forecast: same}))
				fast := must(central.New(central.Config{Turn: test.make(nil), Fill: Conservative(), Forecast: known}))
				p := watch{fast, func(ev *policy.Event, actions []policy.Action) error {
					want, err := slow.Step(ev, nil)
					if err != nil {
						return err
					}
					for _, j := range naive.jobs {
						at, ok := fast.Planned(j.Job.Job.ID)
						if known := j.waiting > 0 && j.start != never; !ev.More && (ok != known || ok && at != j.start) {
							return fmt.Errorf("job %d is reserved for %v (%v), want %v", j.Job.Job.ID, at, ok, j.start)
						}
					}
					return sameStarts(actions, want)
				}}
				if _, err := sim.Run(t.Context(), config, p); err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
				moved += naive.moved
				if f, ok := known.(*fickle); ok {
					changes += f.changes
				}
			}
			if moved < 1000 || changes < 1000 {
				t.Errorf("%d reservations became earlier and the forecast changed %d times, want more", moved, changes)
			}
		})
	}
}

// inspected is a Conservative whose books are looked at in each decision.
type inspected struct {
	*conservative
	err     error
	changes int // of the order
}

func (p *inspected) Decide(start func(j *central.Job) bool) {
	was := slices.Clone(p.waiting)
	goes := p.renew(p.view.Now()) // as in Conservative's own
	if !slices.Equal(was, p.waiting) {
		p.changes++
	}
	if !slices.IsSortedFunc(p.waiting, p.compare) {
		p.err = errors.New("the list is not in order")
	}
	for _, o := range p.waiting {
		if o.job.Waiting == 0 {
			p.err = fmt.Errorf("job %d is in the list, and nothing of it waits", o.job.Job.ID)
		}
	}
	if goes {
		p.pass(p.view.Now(), start)
	}
	if p.void {
		return // the plan is not right until the next decision
	}
	for _, s := range p.profile.steps {
		if s.free < 0 {
			p.err = fmt.Errorf("%d cores are free from %v on", s.free, s.at)
		}
	}
}

// Over any order, all jobs are done, the list is in that order when it decides, and the plan holds no more
// cores than there are.
func TestConservativeOverOrders(t *testing.T) {
	for _, test := range orders {
		t.Run(test.name, func(t *testing.T) {
			changes := 0
			for seed := range uint64(20) {
				config := small(seed)
				config.Jobs, config.Truth = workload.Split(mixed(seed, 100, 16, seed%2 == 1))
				filler := &inspected{conservative: Conservative().(*conservative)}
				p := watch{filled(test.make(config.Truth), filler), func(*policy.Event, []policy.Action) error { return filler.err }}
				r, err := sim.Run(t.Context(), config, p)
				if err != nil {
					t.Errorf("seed %d: %v", seed, err)
				} else if done := r.Metrics().Done; done != 100 {
					t.Errorf("seed %d: %d jobs are done, want 100", seed, done)
				}
				changes += filler.changes
			}
			if changing := test.name != "FIFO" && test.name != "Ordered" && test.name != "Priority"; changing != (changes > 10) {
				t.Errorf("the order changed in %d decisions", changes)
			}
		})
	}
}

// If no job runs for longer than requested, each starts at the latest when it was told
// first, and no reservation ever becomes later.
func TestConservativeKeepsReservations(t *testing.T) {
	kept, early := 0, 0
	for seed := range uint64(40) {
		const cores = 64
		first, last := map[policy.JobID]policy.Time{}, map[policy.JobID]policy.Time{}
		conservative := NewConservative()
		p := watch{conservative, func(ev *policy.Event, actions []policy.Action) error {
			for id, at := range last {
				if now, ok := conservative.Planned(id); ok && now > at {
					return fmt.Errorf("job %d was reserved for %v, and then for %v", id, at, now)
				} else if ok {
					last[id] = now
				}
			}
			if at, ok := conservative.Planned(ev.Copy.Job); ok && first[ev.Copy.Job] == 0 {
				first[ev.Copy.Job], last[ev.Copy.Job] = at, at
			}
			for _, a := range actions {
				at, ok := first[a.Copy.Job]
				switch {
				case !ok:
				case ev.Time > at:
					return fmt.Errorf("job %d starts at %v, but was reserved for %v", a.Copy.Job, ev.Time, at)
				case ev.Time < at:
					early++
				default:
					kept++
				}
				delete(last, a.Copy.Job)
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

// Where no job requests a time, nothing overtakes.
func TestBackfillingWithoutRequests(t *testing.T) {
	jobs := batch(1, 200, 16, true)
	for _, j := range jobs {
		j.Requested = 0
	}
	want := starts(t, 16, func(policy.Truth) policy.Scheduler { return NewFIFO() }, jobs...)
	for _, make := range []func() policy.Scheduler{
		func() policy.Scheduler { return NewEASY() },
		func() policy.Scheduler { return NewConservative() },
	} {
		if got := starts(t, 16, func(policy.Truth) policy.Scheduler { return make() }, jobs...); !slices.Equal(got, want) {
			t.Errorf("%T does not start jobs in the order of FIFO", make())
		}
	}
}

// A job that the host found no room for, and that was the first to wait until an earlier one
// came back with its next stage, holds no cores against that one.
func TestConservativeRefusedBehindOneThatCameBack(t *testing.T) {
	p := NewConservative()
	var starts []policy.Copy
	send := func(at policy.Duration, events ...policy.Event) {
		t.Helper()
		for i := range events {
			events[i].Time, events[i].More = policy.Time(at), i+1 < len(events)
			actions, err := p.Step(&events[i], nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range actions {
				starts = append(starts, a.Copy)
			}
		}
	}
	about := func(kind policy.EventKind, job policy.JobID, stage, index uint32) policy.Event {
		ev := policy.Event{Kind: kind, Node: 1, Copy: policy.Copy{Task: policy.Task{Job: job, Stage: stage, Index: index}}}
		switch kind {
		case policy.Ready:
			ev.Node = 0
		case policy.Refused:
			ev.Node, ev.Again = 0, true
		}
		return ev
	}
	after := []policy.Dep{{Stage: 0}}
	for _, n := range []policy.NodeID{1, 2} {
		send(0, policy.Event{Kind: policy.Joined, Node: n, Info: &policy.Node{ID: n, Partition: 1, Cores: 2, Speed: 1}})
	}
	for _, j := range []*policy.Job{
		{ID: 1, Requested: 10 * s, Stages: []policy.Stage{{Tasks: 1, Cores: 1}, {Tasks: 2, Cores: 1, Reads: after}, {Tasks: 4, Cores: 1, Gang: true, Reads: []policy.Dep{{Stage: 1}}}}},
		{ID: 2, Requested: 100 * s, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}},
		{ID: 3, Requested: 30 * s, Stages: []policy.Stage{{Tasks: 1, Cores: 2}}},
	} {
		send(0, policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: j.ID}}, Job: j}, about(policy.Ready, j.ID, 0, 0))
	}
	send(0, about(policy.Started, 1, 0, 0))
	send(0, about(policy.Started, 2, 0, 0))
	send(0, about(policy.Refused, 3, 0, 0)) // a core is free on each node
	send(5*s, about(policy.Finished, 1, 0, 0), about(policy.Ready, 1, 1, 0))
	send(5*s, about(policy.Started, 1, 1, 0), about(policy.Started, 1, 1, 1))
	if at, ok := p.Planned(3); !ok || at != policy.Time(15*s) {
		t.Fatalf("job 3, now the first, is reserved for %v, %v, want 15 s", at, ok)
	}
	send(6*s, about(policy.Finished, 1, 1, 0), about(policy.Finished, 1, 1, 1), about(policy.Ready, 1, 2, 0))
	if at, ok := p.Planned(3); ok {
		t.Errorf("job 3, no longer the first, is reserved for %v", at)
	}
	starts = nil
	send(7*s, about(policy.Finished, 2, 0, 0))
	want := []policy.Copy{{Task: policy.Task{Job: 1, Stage: 2}}}
	if !slices.Equal(starts, want) {
		t.Errorf("when all is free, started %v, want %v", starts, want)
	}
}

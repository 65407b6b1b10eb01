package sim_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// chaos does everything that a central policy may do, at random: it starts on nodes, on
// partitions and anywhere, suspends, resumes, kills, starts second copies, asks for
// progress and gives jobs up.
type chaos struct {
	view  central.View
	rng   *rand.Rand
	alive map[policy.Copy]bool   // copies that run, and, if false, those that are suspended
	tried map[policy.Task]uint32 // copies of a task that were started
	done  map[policy.Task]bool
	acted policy.Time // when it last did more than start tasks, which it does once an instant
}

func newChaos(seed uint64) *chaos {
	return &chaos{
		rng:   rand.New(rand.NewPCG(seed, 1)),
		alive: map[policy.Copy]bool{}, tried: map[policy.Task]uint32{}, done: map[policy.Task]bool{},
	}
}

func (p *chaos) observe(ev *policy.Event) {
	switch {
	case ev.Kind == policy.Started:
		p.alive[ev.Copy] = true
		p.tried[ev.Copy.Task]++
	case ev.Kind == policy.Suspended || ev.Kind == policy.Resumed:
		p.alive[ev.Copy] = ev.Kind == policy.Resumed
	case ev.Kind.End():
		delete(p.alive, ev.Copy)
		p.done[ev.Copy.Task] = p.done[ev.Copy.Task] || ev.Kind == policy.Finished
	}
}

func (p *chaos) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if _, err := p.view.Observe(ev); err != nil {
		return actions, err
	}
	p.observe(ev)
	if !p.view.Decide(ev) {
		return actions, nil
	}
	actions = append(actions, policy.Action{Kind: policy.Wake, At: ev.Time.Add(5 * s)})
	for n := range p.view.Open() {
		for _, j := range p.view.Jobs() {
			stage, ok := j.Next()
			if !ok || p.view.Room(n) < j.Job.Stages[stage].Width() || p.rng.IntN(3) > 0 {
				continue
			}
			if p.view.Local(j, n) > 0 {
				actions = append(actions, p.view.Start(j, central.Where{Node: n, Local: true}))
			} else if p.rng.IntN(4) == 0 {
				actions = append(actions, p.view.Start(j, central.Where{Node: n}))
			}
		}
	}
	for _, j := range p.view.Jobs() {
		for j.Waiting > 0 && p.view.Fits(j) && p.rng.IntN(10) > 0 {
			to := policy.PartitionID(p.rng.IntN(4))
			stage, _ := j.Next()
			if p.view.Free(to) < j.Job.Stages[stage].Width() {
				to = 0
			}
			actions = append(actions, p.view.Start(j, central.Where{Partition: to}))
		}
	}
	if ev.Time == p.acted {
		return actions, nil
	}
	p.acted = ev.Time
	for _, c := range p.copies() {
		if !p.alive[c] {
			if p.rng.IntN(2) == 0 {
				actions = append(actions, policy.Action{Kind: policy.Resume, Copy: c})
			}
			continue
		}
		switch p.rng.IntN(60) {
		case 0:
			actions = append(actions, policy.Action{Kind: policy.Suspend, Copy: c})
		case 1:
			actions = append(actions, policy.Action{Kind: policy.Kill, Copy: c, Save: p.view.Job(c.Job).Job.Stages[c.Stage].Saves && p.rng.IntN(4) > 0})
		case 2:
			actions = append(actions, policy.Action{Kind: policy.Report, Copy: c, At: ev.Time.Add(s)})
		case 3:
			if p.tried[c.Task] < 6 && !p.done[c.Task] {
				j := p.view.Job(c.Job)
				actions = append(actions, p.view.Another(j, c.Task, central.Where{}))
				if n := policy.NodeID(1 + p.rng.IntN(3)); p.view.Room(n) > 0 {
					actions = append(actions, p.view.Another(j, c.Task, central.Where{Node: n}))
				}
			}
		case 4:
			if p.rng.IntN(200) == 0 {
				actions = append(actions, policy.Action{Kind: policy.GiveUp, Copy: c})
			}
		}
	}
	return actions, nil
}

// copies returns those that run or stand, in order.
func (p *chaos) copies() []policy.Copy {
	return slices.SortedFunc(maps.Keys(p.alive), func(a, b policy.Copy) int {
		return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Index, b.Index), cmp.Compare(a.N, b.N))
	})
}

// The policy that does everything, with everything going wrong: the checker finds
// nothing, no job is forgotten, the record replays.
func TestChaos(t *testing.T) {
	const jobs = 25
	for seed := range uint64(12) {
		if testing.Short() && seed > 3 {
			break
		}
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			var record bytes.Buffer
			lives := uint64(0)
			newPolicy := func() (policy.Scheduler, error) {
				lives++
				return newChaos(seed + 1000*lives), nil
			}
			list := mixed(seed, jobs, false)
			for _, j := range list {
				workload.LetSave(&j.Job, func(stage int) policy.Duration { return policy.Duration((int(j.ID)+stage)%3) * s / 2 })
			}
			js, truth := workload.Split(list)
			p, _ := newPolicy()
			config := sim.Config{
				Nodes: mixedNodes(), Jobs: js, Truth: truth, Record: &record,
				Delay:       policy.Duration(seed%3) * s / 10,
				SuspendCost: policy.Duration(seed/3%2) * s / 4, ResumeCost: policy.Duration(seed/6%2) * s / 3,
				SaveCost: policy.Duration(seed%2) * s / 2,
				Faults: sim.Faults{
					Seed: seed, MeanUp: 60 * s, MeanDown: 10 * s, TaskFailure: 0.02, SaveFails: 0.1,
					Cancels:  []sim.Cancel{{Job: 7, At: at(30)}, {Job: 20, At: at(60)}, {Job: 21, At: at(62)}},
					Restarts: []policy.Time{at(20), at(40.3), at(40.6), at(100)}, NewPolicy: newPolicy,
				},
			}
			if seed%4 >= 2 {
				slips(&config.Faults)
			}
			r, err := sim.Run(t.Context(), config, p)
			if err != nil {
				t.Fatal(err)
			}
			done := 0
			for _, j := range r.Jobs {
				if j.Outcome == policy.Stalled {
					t.Errorf("job %d was never finished", j.ID)
				}
				if j.Done() {
					done++
				}
			}
			if len(r.Jobs) != jobs || done < jobs/5 {
				t.Errorf("%d jobs ended, %d of them done, want %d and not just a few of them done", len(r.Jobs), done, jobs)
			}
			lives = 0
			if _, err := sim.Replay(&record, newPolicy); err != nil {
				t.Error(err)
			}
		})
	}
}

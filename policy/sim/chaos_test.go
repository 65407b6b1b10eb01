package sim_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/view"
	"example.com/augur/policy/workload"
)

// chaos does everything that a central policy may do, at random: it starts on nodes, on
// partitions and anywhere, suspends, resumes, kills, starts second copies, asks for
// progress and gives jobs up. At every step it compares what its View counts with books
// of its own, which are kept in the plainest way.
type chaos struct {
	view  view.View[struct{}]
	rng   *rand.Rand
	books books
	audit bool        // compare the two
	acted policy.Time // when it last did more than start tasks, which it does once an instant
}

// books is the slow version of a View.
type books struct {
	nodes map[policy.NodeID]policy.Node
	jobs  map[policy.JobID]*policy.Job
	ready map[policy.Task]bool // by task 0 of the stage
	done  map[policy.Task]bool
	alive map[policy.Copy]*copyBook // asked for, running or suspended
	tried map[policy.Task]uint32    // the next number
	dying map[policy.JobID]bool     // jobs of which a task will not be started again
}

type copyBook struct {
	state     string             // "asked", "runs", "stands"
	partition policy.PartitionID // of the node, if the Start named one
	node      policy.NodeID
	where     []policy.Share // Tasks counts tasks
}

func newBooks() books {
	return books{
		map[policy.NodeID]policy.Node{}, map[policy.JobID]*policy.Job{}, map[policy.Task]bool{}, map[policy.Task]bool{},
		map[policy.Copy]*copyBook{}, map[policy.Task]uint32{}, map[policy.JobID]bool{},
	}
}

func newChaos(seed uint64) *chaos {
	return &chaos{rng: rand.New(rand.NewPCG(seed, 1)), books: newBooks()}
}

func (b *books) stage(c policy.Copy) *policy.Stage { return &b.jobs[c.Job].Stages[c.Stage] }

func (b *books) observe(ev *policy.Event) error {
	where := ev.Gang
	if ev.Node != 0 {
		where = []policy.Share{{Node: ev.Node, Tasks: 1}}
	}
	where = append([]policy.Share(nil), where...)
	switch {
	case ev.Kind == policy.Joined:
		b.nodes[ev.Node] = *ev.Info
	case ev.Kind == policy.Left:
		delete(b.nodes, ev.Node)
	case ev.Kind == policy.Submitted:
		b.jobs[ev.Copy.Job] = ev.Job
	case ev.Kind == policy.Ended:
		if b.dying[ev.Copy.Job] && ev.Outcome == policy.Done {
			return fmt.Errorf("job %d is done, but one of its tasks is not", ev.Copy.Job)
		}
		delete(b.jobs, ev.Copy.Job)
	case ev.Kind == policy.Ready:
		b.ready[ev.Copy.Task] = true
	case ev.Kind == policy.Started:
		b.alive[ev.Copy] = &copyBook{state: "runs", where: where}
	case ev.Kind == policy.Suspended:
		b.alive[ev.Copy].state = "stands"
	case ev.Kind == policy.Resumed:
		b.alive[ev.Copy].state = "runs"
	case ev.Kind == policy.Refused || ev.Kind.End():
		delete(b.alive, ev.Copy)
		if ev.Kind == policy.Finished {
			b.done[ev.Copy.Task] = true
		} else if !ev.Replay && !ev.Again && !b.done[ev.Copy.Task] && !b.isAlive(ev.Copy.Task) {
			b.dying[ev.Copy.Job] = true
		}
	}
	if ev.Kind == policy.Started || ev.Again {
		b.tried[ev.Copy.Task] = max(b.tried[ev.Copy.Task], ev.Copy.N+1)
	}
	return nil
}

func (b *books) isAlive(t policy.Task) bool {
	for c := range b.alive {
		if c.Task == t {
			return true
		}
	}
	return false
}

func (b *books) act(a policy.Action) {
	p := a.Partition
	if a.Node != 0 {
		p = b.nodes[a.Node].Partition
	}
	b.alive[a.Copy] = &copyBook{state: "asked", partition: p, node: a.Node}
	b.tried[a.Copy.Task] = max(b.tried[a.Copy.Task], a.Copy.N+1)
}

// free counts the free cores of a partition, or of all.
func (b *books) free(p policy.PartitionID) (cores int64) {
	for _, n := range b.nodes {
		if p == 0 || n.Partition == p {
			cores += int64(n.Cores)
		}
	}
	for id, c := range b.alive {
		stage := b.stage(id)
		switch c.state {
		case "asked":
			if p == 0 || c.partition == p {
				cores -= stage.Width()
			}
		case "runs":
			for _, share := range c.where {
				if p == 0 || b.nodes[share.Node].Partition == p {
					cores -= int64(share.Tasks) * int64(stage.Cores)
				}
			}
		}
	}
	return cores
}

// room counts the free cores of a node.
func (b *books) room(id policy.NodeID) int64 {
	n, ok := b.nodes[id]
	if !ok {
		return 0
	}
	cores := int64(n.Cores)
	for c, book := range b.alive {
		switch book.state {
		case "asked":
			if book.node == id {
				cores -= b.stage(c).Width()
			}
		case "runs":
			for _, share := range book.where {
				if share.Node == id {
					cores -= int64(share.Tasks) * int64(b.stage(c).Cores)
				}
			}
		}
	}
	return cores
}

// local counts the tasks of a job's stage that wait and are local on a node.
func (b *books) local(id policy.JobID, stage uint32, on policy.NodeID) (n int) {
	spec := &b.jobs[id].Stages[stage]
	if spec.Gang {
		return 0
	}
	busy := map[uint32]bool{}
	for c := range b.alive {
		if c.Job == id && c.Stage == stage {
			busy[c.Index] = true
		}
	}
	for i := range spec.Tasks {
		if task := (policy.Task{Job: id, Stage: stage, Index: i}); !busy[i] && !b.done[task] && slices.Contains(spec.HoldersOf(i), on) {
			n++
		}
	}
	return n
}

func (b *books) waiting(id policy.JobID) (n int, cores int64) {
	busy := map[policy.Task]bool{}
	for c, book := range b.alive {
		busy[c.Task] = true
		if c.Job == id && book.state != "stands" {
			cores += b.stage(c).Width()
		}
	}
	for i := range b.jobs[id].Stages {
		stage := policy.Task{Job: id, Stage: uint32(i)}
		if !b.ready[stage] {
			continue
		}
		for k := range b.jobs[id].Stages[i].Units() {
			task := policy.Task{Job: id, Stage: uint32(i), Index: k}
			if !b.done[task] && !busy[task] {
				n++
			}
		}
	}
	return n, cores
}

// compare returns an error if the view and the books differ, on free cores or on the job
// that the event was about.
func (p *chaos) compare(ev *policy.Event) error {
	if ev.Replay || !p.audit {
		return nil // the end of a copy may come before the copies that go on
	}
	for q := range policy.PartitionID(4) {
		if got, want := p.view.Free(q), p.books.free(q); got != want {
			return fmt.Errorf("after %s: %d cores free on partition %d, want %d", describe(ev), got, q, want)
		}
	}
	var open []policy.NodeID
	for n := range policy.NodeID(11) {
		want := p.books.room(n)
		if got := p.view.Room(n); got != want {
			return fmt.Errorf("after %s: room for %d on node %d, want %d", describe(ev), got, n, want)
		}
		if want > 0 {
			open = append(open, n)
		}
	}
	if got := slices.Collect(p.view.Open()); !slices.Equal(got, open) {
		return fmt.Errorf("after %s: open are %v, want %v", describe(ev), got, open)
	}
	if id := ev.Copy.Job; p.view.Job(id) != nil {
		j := p.view.Job(id)
		if stage, ok := j.Next(); ok && !p.books.dying[id] {
			n := policy.NodeID(uint64(ev.Time) % 6) // data is on nodes 1 to 4
			if got, want := p.view.Local(j, n), p.books.local(id, stage, n); got != want {
				return fmt.Errorf("after %s: job %d has %d local on node %d, want %d", describe(ev), id, got, n, want)
			}
		}
		waiting, cores := p.books.waiting(id)
		if p.books.dying[id] {
			waiting = j.Waiting // it cannot be known from outside
		}
		if j.Waiting != waiting || j.Cores != cores {
			return fmt.Errorf("after %s: job %d has %d waiting and %d cores, want %d and %d", describe(ev), id, j.Waiting, j.Cores, waiting, cores)
		}
	}
	return nil
}

func (p *chaos) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if _, err := p.view.Observe(ev); err != nil {
		return actions, err
	}
	if err := p.books.observe(ev); err != nil {
		return actions, err
	}
	if err := p.compare(ev); err != nil {
		return actions, err
	}
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
				actions = p.start(actions, p.view.Start(j, view.Where{Node: n, Local: true}))
			} else if p.rng.IntN(4) == 0 {
				actions = p.start(actions, p.view.Start(j, view.Where{Node: n}))
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
			actions = p.start(actions, p.view.Start(j, view.Where{Partition: to}))
		}
	}
	if ev.Time == p.acted {
		return actions, p.compare(ev)
	}
	p.acted = ev.Time
	for _, c := range p.copies() {
		if p.books.alive[c].state == "stands" {
			if p.rng.IntN(2) == 0 {
				actions = append(actions, policy.Action{Kind: policy.Resume, Copy: c})
			}
			continue
		}
		switch p.rng.IntN(60) {
		case 0:
			actions = append(actions, policy.Action{Kind: policy.Suspend, Copy: c})
		case 1:
			actions = append(actions, policy.Action{Kind: policy.Kill, Copy: c})
		case 2:
			actions = append(actions, policy.Action{Kind: policy.Report, Copy: c, At: ev.Time.Add(s)})
		case 3:
			if p.books.tried[c.Task] < 6 && !p.books.done[c.Task] {
				j := p.view.Job(c.Job)
				actions = p.start(actions, p.view.Another(j, c.Task, view.Where{}))
				if n := policy.NodeID(1 + p.rng.IntN(3)); p.view.Room(n) > 0 {
					actions = p.start(actions, p.view.Another(j, c.Task, view.Where{Node: n}))
				}
			}
		case 4:
			if p.rng.IntN(200) == 0 {
				actions = append(actions, policy.Action{Kind: policy.GiveUp, Copy: c})
			}
		}
	}
	return actions, p.compare(ev)
}

func (p *chaos) start(actions []policy.Action, a policy.Action) []policy.Action {
	p.books.act(a)
	return append(actions, a)
}

// copies returns those that run or stand, in order.
func (p *chaos) copies() (copies []policy.Copy) {
	for c, b := range p.books.alive {
		if b.state != "asked" {
			copies = append(copies, c)
		}
	}
	slices.SortFunc(copies, func(a, b policy.Copy) int {
		return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Index, b.Index), cmp.Compare(a.N, b.N))
	})
	return copies
}

// The policy that does everything, with everything going wrong: the checker finds
// nothing, the View agrees with plain books, the record replays.
func TestChaos(t *testing.T) {
	const jobs = 25
	for seed := range uint64(36) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			var record bytes.Buffer
			lives, replays := uint64(0), false
			newPolicy := func() (policy.Scheduler, error) {
				lives++
				p := newChaos(seed + 1000*lives)
				p.audit = !replays
				return p, nil
			}
			js, truth := workload.Split(mixed(seed, jobs, false))
			p, _ := newPolicy()
			config := sim.Config{
				Nodes: mixedNodes(), Jobs: js, Truth: truth, Record: &record,
				Delay:       policy.Duration(seed%3) * s / 10,
				SuspendCost: policy.Duration(seed/3%2) * s / 4, ResumeCost: policy.Duration(seed/6%2) * s / 3,
				Faults: sim.Faults{
					Seed: seed, MeanUp: 60 * s, MeanDown: 10 * s, TaskFailure: 0.02,
					Cancels:  []sim.Cancel{{Job: 7, At: at(30)}, {Job: 20, At: at(60)}, {Job: 21, At: at(62)}},
					Restarts: []policy.Time{at(20), at(40.3), at(40.6), at(100)}, NewPolicy: newPolicy,
				},
			}
			if seed >= 18 {
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
			lives, replays = 0, true
			if _, err := sim.Replay(&record, newPolicy); err != nil {
				t.Error(err)
			}
		})
	}
}

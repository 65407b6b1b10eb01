package baseline

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

const (
	nobodyKnows = policy.Time(math.MaxInt64)
	forEver     = policy.Duration(math.MaxInt64)
)

// plan is Conservative as it is told: a list of what holds cores from when to when, and
// sums over all of it.
type plan struct {
	jobs  []*plannedJob // by ID, the order of their submission
	runs  []*plannedRun
	cores int64
	early bool
	moved int // to an earlier reservation
}

type plannedJob struct {
	*policy.Job
	waiting int
	width   int64
	start   policy.Time // reserved
}

type plannedRun struct {
	job  *plannedJob
	copy policy.Copy
	end  policy.Time
}

func (j *plannedJob) time() policy.Duration {
	if j.Requested == 0 {
		return forEver
	}
	return j.Requested
}

func ending(at policy.Time, d policy.Duration) policy.Time {
	if d == forEver || at == nobodyKnows {
		return nobodyKnows
	}
	return at.Add(d)
}

func (p *plan) observe(ev *policy.Event) {
	job := func() *plannedJob {
		return p.jobs[slices.IndexFunc(p.jobs, func(j *plannedJob) bool { return j.ID == ev.Copy.Job })]
	}
	switch {
	case ev.Kind == policy.Joined:
		p.cores += int64(ev.Info.Cores)
	case ev.Kind == policy.Submitted:
		p.jobs = append(p.jobs, &plannedJob{Job: ev.Job, width: ev.Job.Stages[0].Width(), start: nobodyKnows})
	case ev.Kind == policy.Ready:
		job().waiting = int(job().Stages[0].Units())
	case ev.Kind.End():
		p.runs = slices.DeleteFunc(p.runs, func(r *plannedRun) bool {
			p.early = p.early || r.copy == ev.Copy && r.end > ev.Time
			return r.copy == ev.Copy
		})
		if ev.Again {
			job().waiting++
		}
	case ev.Kind == policy.Ended:
		p.early = p.early || job().waiting > 0 && job().start != nobodyKnows
		p.jobs = slices.DeleteFunc(p.jobs, func(j *plannedJob) bool { return j.ID == ev.Copy.Job })
	}
}

// free returns the cores that are free at an instant, by the plan.
func (p *plan) free(now, at policy.Time) int64 {
	free := p.cores
	for _, r := range p.runs {
		if at < max(r.end, now+1) {
			free -= r.job.width
		}
	}
	for _, j := range p.jobs {
		if j.waiting > 0 && j.start <= at && at < ending(j.start, j.time()) {
			free -= j.width
		}
	}
	return free
}

// earliest looks at every instant at which something changes.
func (p *plan) earliest(now policy.Time, j *plannedJob) policy.Time {
	instants := []policy.Time{now}
	for _, r := range p.runs {
		instants = append(instants, max(r.end, now+1))
	}
	for _, o := range p.jobs {
		if o.waiting > 0 && o.start != nobodyKnows {
			instants = append(instants, max(now, o.start), ending(o.start, o.time()))
		}
	}
	slices.Sort(instants)
	for _, start := range instants {
		fits := start != nobodyKnows
		for _, at := range instants {
			if start <= at && at < ending(start, j.time()) && at != nobodyKnows && p.free(now, at) < j.width {
				fits = false
			}
		}
		if fits {
			return start
		}
	}
	return nobodyKnows
}

func (p *plan) reserve(now policy.Time, j *plannedJob) policy.Time {
	for _, o := range p.jobs {
		if o == j {
			break
		}
		if o.waiting > 0 && o.start == nobodyKnows && j.time() == forEver {
			return nobodyKnows
		}
	}
	return p.earliest(now, j)
}

func (p *plan) decide(now policy.Time) (starts []*plannedRun) {
	overdue := slices.ContainsFunc(p.runs, func(r *plannedRun) bool { return r.end <= now })
	overdue = overdue || slices.ContainsFunc(p.jobs, func(j *plannedJob) bool { return j.waiting > 0 && j.start < now })
	for _, j := range p.jobs {
		if overdue || j.waiting == 0 {
			j.start = nobodyKnows
		}
	}
	for again := true; again; {
		again = false
		for _, j := range p.jobs {
			switch at := j.start; {
			case j.waiting == 0:
			case at == nobodyKnows:
				j.start = p.reserve(now, j)
			case p.early:
				j.start = nobodyKnows
				if j.start = min(at, p.earliest(now, j)); j.start < at {
					p.moved++
					again = true
				}
			}
			for j.waiting > 0 && j.start <= now {
				r := &plannedRun{job: j, end: ending(now, j.time())}
				starts = append(starts, r)
				p.runs = append(p.runs, r)
				j.start = nobodyKnows
				if j.waiting--; j.waiting > 0 {
					j.start = p.reserve(now, j)
				}
			}
		}
	}
	p.early = false
	return starts
}

// Whatever Conservative starts, and what it reserves, is what the definition says.
func TestConservativeAgainstDefinition(t *testing.T) {
	moved := 0
	for seed := range uint64(30) {
		const cores = 16
		js, truth := workload.Split(workload.Of(batch(seed, 100, cores, seed%2 == 1)))
		var l plan
		conservative := NewConservative()
		p := watch{conservative, func(ev *policy.Event, actions []policy.Action) error {
			l.observe(ev)
			if ev.More {
				return nil
			}
			want := l.decide(ev.Time)
			for i := range max(len(actions), len(want)) {
				if i >= len(actions) || i >= len(want) || actions[i].Copy.Job != want[i].job.ID {
					return fmt.Errorf("%d starts, want %d; number %d differs", len(actions), len(want), i)
				}
				want[i].copy = actions[i].Copy
			}
			for _, j := range l.jobs {
				r, ok := conservative.Reservation(j.ID)
				if known := j.waiting > 0 && j.start != nobodyKnows; ok != known || ok && r.At != j.start {
					return fmt.Errorf("job %d is reserved for %v (%v), want %v", j.ID, r.At, ok, j.start)
				}
			}
			return nil
		}}
		config := sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: cores}), Jobs: js, Truth: truth,
			Faults: sim.Faults{Seed: seed, TaskFailure: 0.02},
		}
		if _, err := sim.Run(t.Context(), config, p); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		moved += l.moved
	}
	if moved < 1000 {
		t.Errorf("%d reservations became earlier, want more", moved)
	}
}

// If no job runs for longer than requested, each starts at the latest when it was told
// first, and no reservation ever becomes later.
func TestConservativeKeepsReservations(t *testing.T) {
	kept, early := 0, 0
	for seed := range uint64(100) { // what goes wrong here, goes wrong seldom
		const cores = 64
		js, truth := workload.Split(workload.Of(batch(seed, 200, cores, false)))
		first, last := map[policy.JobID]policy.Time{}, map[policy.JobID]policy.Time{}
		conservative := NewConservative()
		p := watch{conservative, func(ev *policy.Event, actions []policy.Action) error {
			for id, at := range last {
				if r, ok := conservative.Reservation(id); ok && r.At > at {
					return fmt.Errorf("job %d was reserved for %v, and then for %v", id, at, r.At)
				} else if ok {
					last[id] = r.At
				}
			}
			if r, ok := conservative.Reservation(ev.Copy.Job); ok && first[r.Job] == 0 {
				first[r.Job], last[r.Job] = r.At, r.At
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
		config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: cores, Cores: 1}), Jobs: js, Truth: truth}
		if _, err := sim.Run(t.Context(), config, p); err != nil {
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
	if r, ok := p.Reservation(3); !ok || r.At != policy.Time(15*s) {
		t.Fatalf("job 3, now the first, has reservation %v, %v, want one at 15 s", r, ok)
	}
	send(6*s, about(policy.Finished, 1, 1, 0), about(policy.Finished, 1, 1, 1), about(policy.Ready, 1, 2, 0))
	if r, ok := p.Reservation(3); ok {
		t.Errorf("job 3, no longer the first, has reservation %v", r)
	}
	starts = nil
	send(7*s, about(policy.Finished, 2, 0, 0))
	want := []policy.Copy{{Task: policy.Task{Job: 1, Stage: 2}}}
	if !slices.Equal(starts, want) {
		t.Errorf("when all is free, started %v, want %v", starts, want)
	}
}

// What ends when it was due, but after a decision at that very instant, leaves its cores to
// the next job at once, since no event need follow.
func TestConservativeEndAfterDecision(t *testing.T) {
	p := NewConservative()
	of := func(id policy.JobID) policy.Copy { return policy.Copy{Task: policy.Task{Job: id}} }
	job := func(id policy.JobID) *policy.Job {
		return &policy.Job{ID: id, Requested: 10 * s, Stages: []policy.Stage{{Tasks: 1, Cores: 2}}}
	}
	var starts []policy.Copy
	for _, ev := range []policy.Event{
		{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 2, Speed: 1}},
		{Kind: policy.Submitted, Copy: of(1), Job: job(1)},
		{Kind: policy.Ready, Copy: of(1)},
		{Kind: policy.Started, Copy: of(1), Node: 1},
		{Kind: policy.Submitted, Copy: of(2), Job: job(2)},
		{Kind: policy.Ready, Copy: of(2)},
		{Kind: policy.Woken, Time: policy.Time(10 * s)},
		{Kind: policy.Finished, Time: policy.Time(10 * s), Copy: of(1), Node: 1, Service: 10 * s},
	} {
		actions, err := p.Step(&ev, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range actions {
			starts = append(starts, a.Copy)
		}
	}
	if want := []policy.Copy{of(1), of(2)}; !slices.Equal(starts, want) {
		t.Errorf("started %v, want %v", starts, want)
	}
}

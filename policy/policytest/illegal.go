package policytest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"example.com/augur/policy"
)

// world is what a host knows at some point of a tape, from which events are made up.
type world struct {
	rng   *rand.Rand
	now   policy.Time
	nodes map[policy.NodeID]policy.Node
	jobs  map[policy.JobID]*policy.Job
	ready []policy.Copy  // Ready stages of jobs that go on
	runs  []policy.Event // Started copies that have not ended
	ended []policy.JobID
}

func newWorld(seed uint64) *world {
	return &world{rng: rand.New(rand.NewPCG(seed, 2)), nodes: map[policy.NodeID]policy.Node{}, jobs: map[policy.JobID]*policy.Job{}}
}

// observe takes note of what the centre is told.
func (w *world) observe(e *entry) {
	if e.restart {
		*w = *newWorld(w.rng.Uint64())
	}
	if e.restart || e.part != 0 {
		return
	}
	ev := &e.event
	w.now = ev.Time
	id := ev.Copy.Job
	switch {
	case ev.Kind == policy.Joined:
		w.nodes[ev.Node] = *ev.Info
	case ev.Kind == policy.Left:
		delete(w.nodes, ev.Node)
	case ev.Kind == policy.Submitted:
		w.jobs[id] = ev.Job
	case ev.Kind == policy.Ready:
		w.ready = append(w.ready, ev.Copy)
	case ev.Kind == policy.Started:
		w.runs = append(w.runs, clone(ev))
	case ev.Kind.End():
		w.runs = slices.DeleteFunc(w.runs, func(r policy.Event) bool { return r.Copy == ev.Copy })
	case ev.Kind == policy.Ended:
		delete(w.jobs, id)
		w.ready = slices.DeleteFunc(w.ready, func(c policy.Copy) bool { return c.Job == id })
		w.ended = append(w.ended, id)
	}
}

// stage returns a stage that is ready, as Ready names it, and its job.
func (w *world) stage() (policy.Copy, *policy.Job) {
	c := w.ready[w.rng.IntN(len(w.ready))]
	return c, w.jobs[c.Job]
}

// running returns the Started of a copy that runs or stands, as another event.
func (w *world) running(kind policy.EventKind) policy.Event {
	ev := clone(&w.runs[w.rng.IntN(len(w.runs))])
	ev.Kind, ev.Partition, ev.Again = kind, 0, false
	return ev
}

// live reports whether there is a node, a job, a stage and a copy, for the events below
// to be about.
func (w *world) live() bool {
	return len(w.nodes) > 0 && len(w.jobs) > 0 && len(w.ready) > 0 && len(w.runs) > 0 && len(w.ended) > 0
}

func about(kind policy.EventKind, job policy.JobID) policy.Event {
	return policy.Event{Kind: kind, Copy: policy.Copy{Task: policy.Task{Job: job}}}
}

const (
	unknownJob  = 1_000_003
	unknownNode = 1_003
)

// A forgery makes up an event.
type forgery struct {
	name string
	make func(w *world) policy.Event
}

// impossible lists events that cannot be, as a look at the event itself, or at the jobs,
// their stages and the nodes that there are, shows.
var impossible = []forgery{
	{"kind 0", func(w *world) policy.Event { return w.running(0) }},
	{"kind 99", func(w *world) policy.Event { return w.running(99) }},

	{"submitted without job", func(*world) policy.Event { return about(policy.Submitted, unknownJob) }},
	{"submitted under another ID", func(w *world) policy.Event {
		ev := about(policy.Submitted, unknownJob)
		_, ev.Job = w.stage()
		return ev
	}},
	{"submitted twice", func(w *world) policy.Event {
		_, j := w.stage()
		ev := about(policy.Submitted, j.ID)
		ev.Job = j
		return ev
	}},
	{"submitted with priority NaN", badJob(func(j *policy.Job) { j.Priority = math.NaN() })},
	{"submitted without stages", badJob(func(j *policy.Job) { j.Stages = nil })},
	{"submitted without tasks", badJob(func(j *policy.Job) { j.Stages[0].Tasks = 0 })},
	{"submitted with negative cores", badJob(func(j *policy.Job) { j.Stages[0].Cores = -1 })},
	{"submitted with utility NaN", badJob(func(j *policy.Job) { j.SLO = &policy.SLO{Utility: math.NaN()} })},
	{"submitted with negative request", badJob(func(j *policy.Job) { j.Requested = -1 })},

	{"ready, unknown job", func(*world) policy.Event { return about(policy.Ready, unknownJob) }},
	{"ready, job has ended", func(w *world) policy.Event { return about(policy.Ready, w.ended[0]) }},
	{"ready twice", func(w *world) policy.Event {
		c, _ := w.stage()
		return policy.Event{Kind: policy.Ready, Copy: c}
	}},
	{"ready, no such stage", func(w *world) policy.Event {
		c, j := w.stage()
		c.Stage = uint32(len(j.Stages))
		return policy.Event{Kind: policy.Ready, Copy: c}
	}},
	{"ended, unknown job", func(*world) policy.Event { return about(policy.Ended, unknownJob) }},
	{"ended twice", func(w *world) policy.Event { return about(policy.Ended, w.ended[len(w.ended)-1]) }},

	{"started, unknown job", func(w *world) policy.Event {
		ev := w.running(policy.Started)
		ev.Copy.Job = unknownJob
		return ev
	}},
	{"started, no such stage", func(w *world) policy.Event {
		ev := w.running(policy.Started)
		ev.Copy.Stage = math.MaxUint32
		return ev
	}},
	{"started on unknown node", func(w *world) policy.Event {
		ev := w.running(policy.Started)
		ev.Node, ev.Gang = unknownNode, nil
		return ev
	}},
	{"started on unknown partition", func(w *world) policy.Event {
		ev := w.running(policy.Started)
		ev.Partition = math.MaxUint32
		return ev
	}},
	{"refused, no such task", func(w *world) policy.Event {
		c, _ := w.stage()
		c.Index = math.MaxUint32
		return policy.Event{Kind: policy.Refused, Copy: c, Again: true}
	}},
	{"finished, job has ended", func(w *world) policy.Event {
		ev := w.running(policy.Finished)
		ev.Copy.Job = w.ended[len(w.ended)-1]
		return ev
	}},
	{"finished, no such task", func(w *world) policy.Event {
		ev := w.running(policy.Finished)
		ev.Copy.Index = w.jobs[ev.Copy.Job].Stages[ev.Copy.Stage].Units()
		return ev
	}},
	{"failed on unknown node", func(w *world) policy.Event {
		ev := w.running(policy.Failed)
		ev.Node, ev.Gang, ev.Again = math.MaxUint32, nil, true
		return ev
	}},
	{"lost on unknown nodes", func(w *world) policy.Event {
		ev := w.running(policy.Lost)
		ev.Node, ev.Gang, ev.Again = 0, []policy.Share{{Node: unknownNode, Tasks: 1}}, true
		return ev
	}},
	{"killed after negative service", func(w *world) policy.Event {
		ev := w.running(policy.Killed)
		ev.Service, ev.Again = -1, true
		return ev
	}},
	{"progress NaN", func(w *world) policy.Event {
		ev := w.running(policy.Progress)
		ev.Value = math.NaN()
		return ev
	}},
	{"progress 2", func(w *world) policy.Event {
		ev := w.running(policy.Progress)
		ev.Value = 2
		return ev
	}},

	{"joined without description", func(*world) policy.Event { return policy.Event{Kind: policy.Joined, Node: unknownNode} }},
	{"joined under another ID", badNode(func(n *policy.Node) { n.ID++ })},
	{"joined as node 0", badNode(func(n *policy.Node) { n.ID = 0 })},
	{"joined with an ID too large", badNode(func(n *policy.Node) { n.ID = policy.MaxID + 1 })},
	{"joined without partition", badNode(func(n *policy.Node) { n.Partition = 0 })},
	{"joined with a partition too large", badNode(func(n *policy.Node) { n.Partition = math.MaxUint32 })},
	{"joined with negative cores", badNode(func(n *policy.Node) { n.Cores = -4 })},
	{"joined with speed NaN", badNode(func(n *policy.Node) { n.Speed = math.NaN() })},
	{"joined twice", func(w *world) policy.Event {
		n := w.running(0)
		id := n.Node
		if len(n.Gang) > 0 {
			id = n.Gang[0].Node
		}
		return policy.Event{Kind: policy.Joined, Node: id, Info: new(w.nodes[id])}
	}},
	{"left, unknown node", func(*world) policy.Event { return policy.Event{Kind: policy.Left, Node: unknownNode} }},
	{"left, node 0", func(*world) policy.Event { return policy.Event{Kind: policy.Left} }},
}

// badJob makes an event that submits a job with something wrong.
func badJob(spoil func(j *policy.Job)) func(w *world) policy.Event {
	return func(*world) policy.Event {
		ev := about(policy.Submitted, unknownJob)
		ev.Job = &policy.Job{ID: unknownJob, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}
		spoil(ev.Job)
		return ev
	}
}

// badNode makes an event that joins a node with something wrong.
func badNode(spoil func(n *policy.Node)) func(w *world) policy.Event {
	return func(*world) policy.Event {
		n := &policy.Node{ID: unknownNode, Partition: 1, Cores: 4, Speed: 1}
		spoil(n)
		ev := policy.Event{Kind: policy.Joined, Node: n.ID, Info: n}
		if n.ID == unknownNode+1 {
			ev.Node = unknownNode
		}
		return ev
	}
}

// untrue lists events that could be, but are not true: who keeps no list of the copies
// that run cannot tell. A policy that believes them goes wrong, but it does not panic.
var untrue = []forgery{
	{"started twice", func(w *world) policy.Event { return w.running(policy.Started) }},
	{"finished twice", func(w *world) policy.Event { return w.running(policy.Finished) }},
	{"failed and again", func(w *world) policy.Event {
		ev := w.running(policy.Failed)
		ev.Again = true
		return ev
	}},
	{"never started, but lost", func(w *world) policy.Event {
		ev := w.running(policy.Lost)
		c, _ := w.stage()
		ev.Copy, ev.Again = c, true
		ev.Copy.N = 77
		return ev
	}},
	{"never asked for, but refused", func(w *world) policy.Event {
		c, _ := w.stage()
		return policy.Event{Kind: policy.Refused, Copy: c, Again: true}
	}},
	{"suspended", func(w *world) policy.Event { return w.running(policy.Suspended) }},
	{"resumed", func(w *world) policy.Event { return w.running(policy.Resumed) }},
	{"progress", func(w *world) policy.Event { return w.running(policy.Progress) }},
	{"ended, but copies run", func(w *world) policy.Event {
		ev := about(policy.Ended, w.runs[0].Copy.Job)
		ev.Outcome = policy.Done
		return ev
	}},
	{"submitted again", func(w *world) policy.Event {
		ev := about(policy.Submitted, w.ended[0])
		ev.Job = &policy.Job{ID: w.ended[0], Stages: []policy.Stage{{Tasks: 3, Cores: 1}}}
		return ev
	}},
	{"left, but copies run", func(w *world) policy.Event {
		ev := policy.Event{Kind: policy.Left, Node: w.runs[0].Node}
		if ev.Node == 0 {
			ev.Node = w.runs[0].Gang[0].Node
		}
		return ev
	}},
	{"woken", func(*world) policy.Event { return policy.Event{Kind: policy.Woken} }},
	{"restored", func(*world) policy.Event { return policy.Event{Kind: policy.Restored} }},
	{"arrived", func(w *world) policy.Event {
		return policy.Event{Kind: policy.Arrived, Node: unknownNode, Msg: policy.Msg{
			Kind: w.rng.Uint32N(8), Count: math.MaxUint32, Copy: nowhere, Value: math.NaN(), Data: []byte("?"),
		}}
	}},
	{"replayed", func(w *world) policy.Event {
		ev := w.running(policy.Started)
		ev.Replay = true
		return ev
	}},
	{"time goes back", func(w *world) policy.Event {
		ev := w.running(policy.Finished)
		ev.Time = -policy.Time(1e18)
		return ev
	}},
}

// illegalCases tells policies events of one bad kind, amid a tape.
func illegalCases() (cases []testCase) {
	inBubble := func(name string, check func(c *suite, tp *tape, seed uint64) *Failure) {
		seed := uint64(len(cases) % tapes)
		cases = append(cases, testCase{name, func(t *testing.T, c *suite) (f *Failure) {
			synctest.Test(t, func(*testing.T) {
				f = check(c, c.recorded(seed), seed)
			})
			return f
		}})
	}
	for _, kind := range impossible {
		inBubble(kind.name, func(c *suite, tp *tape, seed uint64) *Failure {
			if err := forge(c, tp, kind, seed, true); err != nil && tp.repeats {
				return &Failure{Rule: "illegal", Err: err}
			}
			return nil
		})
	}
	for _, kind := range untrue {
		inBubble(kind.name, func(c *suite, tp *tape, seed uint64) *Failure {
			if err := forge(c, tp, kind, seed, false); err != nil {
				return &Failure{Rule: "illegal", Err: err}
			}
			return nil
		})
	}
	return cases
}

// forge plays a tape with forged events between. Strictly, they may not be answered and
// may not change what follows; else all that counts is that the policy does not panic.
func forge(c *suite, tp *tape, kind forgery, seed uint64, strict bool) error {
	pl := newPlayer(c, tp)
	w := newWorld(seed)
	last := ""
	for i := range tp.entries {
		if w.live() && i%5 == 0 {
			ev := kind.make(w)
			if ev.Time == 0 {
				ev.Time = w.now
			}
			last = tell(&ev)
			got, err := step(pl.parts[0], new(clone(&ev)), nil)
			if isPanic(err) {
				return fmt.Errorf("told %s: %w", last, err)
			}
			if strict && len(got) > 0 {
				return fmt.Errorf("told %s, it answers %s", last, describe(got, 0))
			}
		}
		if err := pl.play(i); err != nil && (strict || isPanic(err)) {
			return fmt.Errorf("once it had been told %s: %w", last, err)
		}
		w.observe(&tp.entries[i])
	}
	return nil
}

func isPanic(err error) bool {
	_, ok := errors.AsType[*panicked](err)
	return ok
}

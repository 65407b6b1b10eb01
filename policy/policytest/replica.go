package policytest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"example.com/augur/policy"
)

// A replica is another policy of the same kind that is told, in the same run, what the policy there is told, in one way
// or another. Nobody does what it answers, but it must answer the same.
type replica struct {
	rule  string // of the failure if it does not
	says  string // and the begin of its text
	alone bool   // each part belongs to a policy of its own, whose other parts are told nothing
	blind bool   // only its panics count

	before func(sh *replica, part policy.NodeID, ev *policy.Event) error // may be nil
	step   stepper                                                       // nil: step
	made   func(described *policy.Node)                                  // after a part was made of this; may be nil

	config *Config
	truth  policy.Truth
	world  *world // from which events are made up
	parts  map[policy.NodeID]policy.Scheduler
	got    []policy.Action
}

// A stepper calls Step.
type stepper func(p policy.Scheduler, ev *policy.Event, actions []policy.Action) ([]policy.Action, error)

// restart makes the policy.
func (sh *replica) restart(c *Config, truth policy.Truth, w *world) (err error) {
	sh.config, sh.truth, sh.world, sh.parts = c, truth, w, map[policy.NodeID]policy.Scheduler{}
	sh.parts[0], err = c.make(truth)
	return err
}

// join makes the part for a node.
func (sh *replica) join(n *policy.Node) (err error) {
	of := sh.parts[0]
	if sh.alone {
		if of, err = sh.config.make(sh.truth); err != nil {
			return err
		}
	}
	d, ok := of.(policy.Distributed)
	if !ok {
		return errors.New("the policy that Config.New makes is distributed at one time and not at another")
	}
	described := new(*n)
	sh.parts[n.ID], err = makePart(d, described)
	if sh.made != nil {
		sh.made(described)
	}
	return err
}

// told tells it what a part was told, and compares its answer with actions.
func (sh *replica) told(part policy.NodeID, ev *policy.Event, actions []policy.Action) error {
	if sh.before != nil {
		if err := sh.before(sh, part, ev); err != nil {
			return &finding{Rule: sh.rule, Err: err}
		}
	}
	tells := sh.step
	if tells == nil {
		tells = step
	}
	got, err := tells(sh.parts[part], new(clone(ev)), sh.got[:0])
	if sh.got = got; sh.blind && !isPanic(err) {
		return nil
	}
	if err != nil {
		err = fmt.Errorf("%s: it answers %s, and its replica gives the error: %w", when(part, ev), list(actions), err)
	} else if err = differ(part, ev, actions, got); err == nil {
		return nil
	}
	return failure(sh.rule, "%s: %w", sh.says, err)
}

// replicated is how many scenes are played with replicas, and replicaJobs how many jobs each has: fewer than other scenes, since
// there are many replicas.
const replicated, replicaJobs = 3, 20

// maxReplicated is several times as many events as a scene with replicas has, if the policy does not go round in a circle.
const maxReplicated = 5_000

// follow lets replicas follow the policy through a scene in which all goes wrong that can. What they do not find is for other
// groups of cases to say.
func (c *Config) follow(seed uint64, replicas ...*replica) *finding {
	sc := newScene(seed, replicaJobs, withFaults|withRestarts)
	sc.replicas, sc.most = replicas, maxReplicated
	f := sc.run(c)
	if f != nil && slices.ContainsFunc(replicas, func(sh *replica) bool { return sh.rule == f.Rule }) {
		return f
	}
	return nil
}

// world is what a host knows at some point of a run, from which events are made up.
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

// restart forgets everything: the centre will be told anew.
func (w *world) restart() { *w = *newWorld(w.rng.Uint64()) }

// observe takes note of what the centre is told.
func (w *world) observe(ev *policy.Event) {
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

// running returns the Started of a copy that runs or stands, as another event of that instant.
func (w *world) running(kind policy.EventKind) policy.Event {
	ev := clone(&w.runs[w.rng.IntN(len(w.runs))])
	ev.Kind, ev.Partition, ev.Again = kind, 0, false
	ev.Time = policy.Time(ev.Time.Sub(w.now))
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

// forge makes up an event of a kind, whose Time is as far from now.
func (w *world) forge(kind forgery) policy.Event {
	ev := kind.make(w)
	ev.Time = w.now.Add(policy.Duration(ev.Time))
	return ev
}

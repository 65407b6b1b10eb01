package policytest

import (
	"math/rand/v2"
	"slices"

	"example.com/augur/policy"
)

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

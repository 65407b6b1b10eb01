package kairos

import (
	"cmp"
	"slices"

	"example.com/augur/histogram"
	"example.com/augur/policy"
	"example.com/augur/policy/advise"
	"example.com/augur/policy/central"
)

// An AdaptiveAdvisor gives advice by the rule of [NewAdaptive] to a host that places tasks itself, as an [Advisor]
// does by the rule of [Central]. The host reports events by the rules of package advise, and Finished with the
// Service of the copy, which is its runtime.
//
//   - Compare puts the job with the fewest tasks out first; ties go to the earlier submission, then to the smaller
//     ID.
//   - [AdaptiveAdvisor.Score] says how well a node suits the next task of that job. If all nodes score 0, the job
//     must wait.
//   - Admit always returns false, and how long the job must wait if nothing happens meanwhile.
//
// Time is that of the last event: a host that has waited as long as Admit said reports Woken, and asks again.
//
// # What the host does
//
// On a node with an idle core the host starts the task there. On another node it suspends a task, as an
// [AdaptiveNode] does: the one with the greatest credit among those that run on a core without a suspended task. It
// reports Suspended, and Started of the new task, before it asks again. When the two change places, it reports that
// too.
//
// A host that cannot suspend tasks ignores scores of one half or less, which come from nodes without an idle core.
//
// # What the advice assumes
//
// The service of a task is assumed to be the time that it has run since Started. If the host reports Started with a
// Service, as it may after a restart, the credit of the task nevertheless begins at 0. A copy counts as one task
// whatever its cores, and the copy of a gang as many as it has on each node.
//
// Events do not say which two tasks share a core. The AdaptiveAdvisor assumes that the running task with the greatest
// credit has its core for itself. That is true on nodes of one core. On others the score is too high if that task has
// a pair.
//
// # Cost
//
// An event takes time in proportion to the copies on its node, Admit in proportion to the nodes, and other calls
// constant time. In the steady state it allocates nothing beyond what the [advise.Advisor] does. Several goroutines
// may ask at once while none calls Observe.
type AdaptiveAdvisor struct {
	*advise.Advisor // keeps the books of what runs where
	pairing         *pairing
}

// pairing is what an AdaptiveAdvisor knows: a policy that starts nothing.
type pairing struct {
	past
	view   central.View
	jobs   policy.Table[policy.JobID, outs]
	hosts  policy.Table[policy.NodeID, shared]
	widest int64 // cores of the widest node that has ever joined
}

// outs is what pairing knows of a job.
type outs struct {
	out   int         // tasks that have Started and not ended
	ready policy.Time // its last stage
}

// A shared is what pairing knows of a node.
type shared struct {
	cores, running, suspended int64
	copies                    []credited
	zero                      policy.Time // of the copy that runs with the greatest credit
}

// A credited is a copy on a node.
type credited struct {
	copy  policy.Copy
	tasks uint32 // of the copy on this node
	runs  bool
	zero  policy.Time // when its credit is 0. Credit is now - zero if the copy runs, and zero - now if it is suspended.
}

// NewAdaptiveAdvisor returns an AdaptiveAdvisor without nodes or jobs. runtimes is that of [AdaptiveConfig]: nil, or
// the histogram from before a restart.
func NewAdaptiveAdvisor(runtimes *histogram.Histogram) *AdaptiveAdvisor {
	past, err := newPast(runtimes)
	p := &pairing{past: past}
	a, refused := advise.NewOrder(p)
	if err := cmp.Or(err, refused); err != nil {
		panic(err) // neither has anything to refuse
	}
	return &AdaptiveAdvisor{a, p}
}

// Step implements [policy.Scheduler].
func (p *pairing) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if _, err := p.view.Observe(ev); err != nil {
		return actions, err
	}
	o := p.jobs.Get(ev.Copy.Job)
	switch {
	case ev.Kind == policy.Submitted:
		p.jobs.Put(ev.Copy.Job, new(outs))
	case ev.Kind == policy.Ended:
		p.jobs.Delete(ev.Copy.Job)
	case ev.Kind == policy.Joined:
		p.hosts.Put(ev.Node, &shared{cores: int64(ev.Info.Cores)})
		p.widest = max(p.widest, int64(ev.Info.Cores))
	case ev.Kind == policy.Left:
		p.hosts.Delete(ev.Node)
	case ev.Kind == policy.Ready:
		o.ready = ev.Time
	case ev.Kind == policy.Started:
		places(ev, func(id policy.NodeID, tasks uint32) {
			o.out += int(tasks)
			w := p.hosts.Get(id)
			w.copies = append(w.copies, credited{ev.Copy, tasks, true, ev.Time})
			w.measure()
		})
	case ev.Kind == policy.Suspended || ev.Kind == policy.Resumed:
		places(ev, func(id policy.NodeID, _ uint32) { p.hosts.Get(id).turn(ev) })
	case ev.Kind.End() && !ev.Replay:
		places(ev, func(id policy.NodeID, tasks uint32) {
			o.out -= int(tasks)
			w := p.hosts.Get(id)
			w.copies = slices.DeleteFunc(w.copies, func(c credited) bool { return c.copy == ev.Copy })
			w.measure()
		})
	}
	if ev.Kind == policy.Finished {
		p.learn(ev.Service)
	}
	return actions, nil
}

// turn takes note of a copy that is suspended or runs again, if it did not before.
func (w *shared) turn(ev *policy.Event) {
	for i := range w.copies {
		if c := &w.copies[i]; c.copy == ev.Copy && c.runs != (ev.Kind == policy.Resumed) {
			c.runs = !c.runs
			c.zero = ev.Time.Add(ev.Time.Sub(c.zero)) // as far from now, on the other side
		}
	}
	w.measure()
}

// measure brings up to date what is known of all copies together.
func (w *shared) measure() {
	w.running, w.suspended, w.zero = 0, 0, policy.Never
	for _, c := range w.copies {
		if c.runs {
			w.running += int64(c.tasks)
			w.zero = min(w.zero, c.zero)
		} else {
			w.suspended += int64(c.tasks)
		}
	}
}

// at returns the instant from when on the next task of a job may go to a node.
func (p *pairing) at(j *central.Job, w *shared) policy.Time {
	switch {
	case w.running < w.cores:
		return p.view.Now()
	case w.running+w.suspended >= 2*w.cores:
		return policy.Never
	}
	o := p.jobs.Get(j.Job.ID)
	return p.from(o.out, o.ready, w.zero)
}

// Compare is the order of jobs for an [advise.Advisor].
func (p *pairing) Compare(a, b policy.JobID) int {
	return p.view.Compare(a, b, func(a, b *central.Job) int {
		return cmp.Or(cmp.Compare(p.jobs.Get(a.Job.ID).out, p.jobs.Get(b.Job.ID).out), cmp.Compare(a.Job.Submitted, b.Job.Submitted), cmp.Compare(a.Job.ID, b.Job.ID))
	})
}

// Planned returns when a job may start a task, for an [advise.Advisor].
func (p *pairing) Planned(id policy.JobID) (at policy.Time, ok bool) {
	at = policy.Never
	for _, w := range p.hosts.All() {
		at = min(at, p.at(p.view.Job(id), w))
	}
	return at, at < policy.Never
}

// Score returns how well a node suits the next task of a job, from 0 to 1. More idle cores score higher; without an
// idle core, more credit of the task that must make way scores higher. With i idle cores, M the most cores of any
// node, k that credit and m the median runtime, the score is
//
//	(1 + i/M) / 2       with an idle core
//	k / (k + m) / 2     with less than two tasks a core, if k is at least the [Claim] of the job, whose last stage has been ready for m/10
//
// and 0 for other nodes, and for a job or a node that is not there.
func (a *AdaptiveAdvisor) Score(job policy.JobID, node policy.NodeID) float64 {
	p := a.pairing
	j, w := p.view.Job(job), p.hosts.Get(node)
	switch {
	case j == nil || w == nil || p.at(j, w) > p.view.Now():
		return 0
	case w.running < w.cores:
		return (1 + float64(w.cores-w.running)/float64(p.widest)) / 2
	}
	credit := p.view.Now().Sub(w.zero).Seconds()
	return credit / (credit + p.median.Seconds()) / 2
}

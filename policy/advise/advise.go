// Package advise lets a host that decides for itself ask a policy for advice.
//
// kube-scheduler and most cluster managers have no place for a policy that says what to start
// where. They decide that themselves, and ask plug-ins. An [Advisor] answers such questions, by
// any central policy: which of two jobs goes first ([Advisor.Compare]), how well a node suits a
// job ([Advisor.Score]), whether a job may start now, and if not, when to ask again
// ([Advisor.Admit]). [New] makes one:
//
//	a, err := advise.New(baseline.NewPriority())
//	...
//	err = a.Observe(&ev) // for each event
//	...
//	slices.SortFunc(pending, a.Compare)
//	ok, again := a.Admit(pending[0])
//
// # Grants and orders
//
// The host reports what happens ([Advisor.Observe]) in the events of package policy. The policy
// behind the Advisor answers them as it answers any host, and each Start that it returns is a
// grant: the job is admitted. The policy counts the cores of a grant as the job's until the host
// reports that what was granted has Started, or was Refused because it could not start. A Refused
// grant is made again when something else has happened, if only Woken.
//
// A host need not follow the advice. If it starts a copy without a grant, the Advisor reports that
// to the policy as it would report a copy that is found running after a restart: it sets Replay
// itself. A host that asks for an order and nothing else should not be granted anything: see
// [NewOrder].
//
// What else a policy wants done, such as Kill of a copy that is to be preempted, is in
// [Advisor.Orders]. The host does it before it starts what is granted with it. Policies that never
// preempt and never look at progress give no orders.
//
// # What a host must keep to
//
// The host is held to the rules Time, Job, Copy and Node of package policy, but not to the order within an
// instant, nor to where a copy may start, with these reliefs: it need not
// answer a grant before the job is Ended, it need not say where a copy ran that ends, it need not
// set Again with Refused, and it may report Woken at any time.
//
// The Advisor checks what its books depend on. It returns an error if a job, a stage, a node or a
// copy is not there, comes or ends twice, or is elsewhere; if time goes back; and if Again is set
// though the task is finished or a copy of it runs. It does not see that more runs on a node than
// there is room for. Nor does it see that Again is missing, since the job may be about to end: a
// task that has Failed without it is never granted again.
//
// A pod of Kubernetes, or a request to a server, is a job of one stage with one task: Submitted
// and Ready when it comes, Started as copy 0 when it runs, Finished and Ended when it is done.
// Under most policies a pod that can run nowhere, for reasons that the policy cannot know, keeps
// others waiting: report Ready only once it can run, or report that it has Ended and submit it
// later under a new ID.
//
// # Which policies
//
// Any central policy can be asked. An Advisor looks for two optional methods, which make its
// answers better:
//
//   - Compare(a, b policy.JobID) int, of policies that have an order of all jobs: of the central
//     ones of package baseline all but Random and BigC; slearn.GS and wing.Scheduler.
//   - Planned(id policy.JobID) (at policy.Time, ok bool), of policies that plan ahead: EASY,
//     Conservative and Multifactor of package baseline; threesigma.Scheduler.
//
// # When not to use it
//
// A host that can let a policy decide needs no Advisor: it calls Step of the policy itself and
// carries out the actions, as package policy says. A [policy.Distributed] policy has parts on the
// nodes and cannot be asked; for Kairos there are kairos.Advisor and kairos.AdaptiveAdvisor, which score nodes by
// its rules. A program that has no cluster and wants an order needs no more than a predictor and package queue.
//
// # Cost
//
// An event costs what it costs the policy, and O(1) more if grants of a job are answered in their
// order, else O(g) for a job with g grants. When a node has left, that costs O(n) for n jobs
// and running copies. A job takes about 100 bytes, a grant 40 to 100 and a copy that runs 100.
//
// # Source
//
// This library's own. The questions are those that kube-scheduler asks its plug-ins.
package advise

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// An Advisor answers the questions of a host that decides for itself, by the policy that it asks.
// [New] and [NewOrder] make one; the zero Advisor is of no use.
//
// Compare, Score, Admit and Grants change nothing: several goroutines may ask at once, while
// nobody observes.
type Advisor struct {
	policy  policy.Scheduler
	jobs    policy.Table[policy.JobID, advised]
	nodes   policy.Table[policy.NodeID, policy.Node]
	running map[policy.Task][]attempt
	granted map[policy.Task]int // grants of it
	fastest float64             // speed of the fastest node that has joined
	order   bool                // nothing is granted

	now     policy.Time
	began   bool        // now is that of an event
	alarm   policy.Time // that the policy has asked for, Never if none
	grants  uint64      // made so far
	actions []policy.Action
	orders  []policy.Action
	replies []policy.Event // on behalf of the host, to be told
}

// advised is what an Advisor knows of a job.
type advised struct {
	job    *policy.Job
	grants []grant // in the order in which they were made
	copies int     // that run
	stage  uint32  // that was Ready last
}

// An attempt is a copy that runs or is suspended.
type attempt struct {
	n    uint32
	node policy.NodeID
	gang []policy.Share

	devices policy.Devices
}

// A grant is a Start that has not been answered.
type grant struct {
	copy      policy.Copy
	node      policy.NodeID
	partition policy.PartitionID
	number    uint64 // among all that were made
}

// New returns an Advisor that asks a policy to which nothing has been told yet. It refuses a
// [policy.Distributed] policy, whose parts would have to be on nodes.
func New(s policy.Scheduler) (*Advisor, error) {
	if s == nil {
		return nil, errors.New("advise: the policy of an Advisor is nil")
	}
	if _, ok := s.(policy.Distributed); ok {
		return nil, fmt.Errorf("advise: an Advisor cannot ask a %T, which has parts on nodes", s)
	}
	return &Advisor{policy: s, alarm: policy.Never, running: make(map[policy.Task][]attempt), granted: make(map[policy.Task]int)}, nil
}

// NewOrder returns an Advisor for a host that asks for an order of jobs and nothing else: it lets the
// policy grant nothing, so that no job has cores but those that the host has given it. Admit is
// always false. It is for policies that have an order of all jobs (see the package comment); others go
// by submission. Nodes are reported nevertheless: a copy must run on one that has Joined, and an order
// may depend on how large the cluster is.
func NewOrder(s policy.Scheduler) (*Advisor, error) {
	a, err := New(s)
	if err != nil {
		return nil, err
	}
	a.order = true
	return a, nil
}

// Observe tells the policy what has happened. Copies are numbered as rule Legal start says, the attempts at
// each task from 0. The error says that the event cannot be; nothing has changed then.
func (a *Advisor) Observe(ev *policy.Event) error {
	if ev == nil {
		return errors.New("advise: an Advisor observes an event that is nil")
	}
	if a.began && ev.Time < a.now {
		return fmt.Errorf("advise: %v at %v s comes after an event at %v s: time never goes back (rule Time)", ev.Kind, ev.Time.Seconds(), a.now.Seconds())
	}
	if ev.Kind == policy.Woken && a.alarm > ev.Time && a.alarm != policy.Never {
		a.now, a.began = ev.Time, true
		return nil // the policy will hear it when it has asked for it
	}
	submitted := ev.Kind == policy.Submitted && ev.Job != nil && a.jobs.Get(ev.Job.ID) == nil
	if submitted {
		a.jobs.Put(ev.Job.ID, &advised{job: ev.Job}) // the policy may give it up at once
	}
	told := *ev
	told.More = told.More || a.order
	a.replies = a.replies[:0]
	answered, err := a.before(&told)
	if err != nil {
		return err
	}
	if err := a.tell(&told); err != nil {
		if submitted {
			a.jobs.Delete(ev.Job.ID)
		}
		if answered.number > 0 { // the grant is as it was
			j := a.jobs.Get(ev.Copy.Job)
			a.grant(j, answered)
			slices.SortFunc(j.grants, func(x, y grant) int { return cmp.Compare(x.number, y.number) })
		}
		return err
	}
	a.now, a.began = ev.Time, true
	a.after(&told)
	for i := 0; i < len(a.replies); i++ { // a reply may bring others
		reply := a.replies[i]
		if err := a.tell(&reply); err != nil {
			return err
		}
	}
	return nil
}

// Orders returns what the policy wants done besides Starts, in its order, and forgets it: Kill,
// Suspend, Resume and Report of copies, and GiveUp of jobs. What the host does of it, it observes, as
// it does what it does of its own accord. Until a host asks, or the job has Ended, they are kept.
func (a *Advisor) Orders() []policy.Action {
	orders := a.orders
	a.orders = nil
	return orders
}

// before makes of an event what the policy is to hear. It returns the grant that the event
// answers, which is one no more, and takes back those that it overtakes.
func (a *Advisor) before(ev *policy.Event) (answered grant, err error) {
	if ev.Kind == policy.Left && !ev.Replay {
		return grant{}, a.empty(ev.Node)
	}
	j := a.jobs.Get(ev.Copy.Job)
	if j == nil || ev.Replay && ev.Kind != policy.Started {
		return grant{}, nil // of what is impossible here, the policy knows
	}
	switch {
	case ev.Kind == policy.Started:
		return a.started(j, ev)
	case ev.Kind == policy.Refused:
		i := a.find(j, ev.Copy)
		if i < 0 {
			return grant{}, fmt.Errorf("advise: %v of %v, which is not granted", ev.Kind, ev.Copy)
		}
		answered = a.take(j, i)
		ev.Partition, ev.Again = answered.partition, a.idle(ev.Copy.Task)
	case ev.Kind == policy.Suspended || ev.Kind == policy.Resumed || ev.Kind == policy.Progress || ev.Kind.End():
		if err := a.locate(ev); err != nil {
			return grant{}, err
		}
		if ev.Again && (ev.Kind == policy.Finished || ev.Kind.End() && len(a.running[ev.Copy.Task]) > 1) {
			return grant{}, fmt.Errorf("advise: %v of %v with Again, and the task needs no other Start (rule Copy)", ev.Kind, ev.Copy)
		}
		ev.Again = ev.Again && a.granted[ev.Copy.Task] == 0 // else it is being started
	case ev.Kind == policy.Ended:
		if j.copies > 0 {
			return grant{}, fmt.Errorf("advise: %v of job %d, of which %d copies run: their ends come before (rule Copy)", ev.Kind, ev.Copy.Job, j.copies)
		}
		for len(j.grants) > 0 {
			if err := a.withdraw(j, 0, ev.Time); err != nil {
				return grant{}, err
			}
		}
	}
	return answered, nil
}

// after takes note of an event that the policy has heard.
func (a *Advisor) after(ev *policy.Event) {
	switch {
	case ev.Kind == policy.Ready:
		a.jobs.Get(ev.Copy.Job).stage = ev.Copy.Stage
	case ev.Kind == policy.Ended:
		a.jobs.Delete(ev.Copy.Job)
		a.orders = slices.DeleteFunc(a.orders, func(o policy.Action) bool { return o.Copy.Job == ev.Copy.Job })
	case ev.Kind == policy.Joined:
		n := *ev.Info
		a.nodes.Put(n.ID, &n)
		a.fastest = max(a.fastest, n.Speed)
	case ev.Kind == policy.Left:
		a.nodes.Delete(ev.Node)
		for _, j := range a.jobs.All() {
			a.refuse(j, ev.Time, func(g *grant) bool { return g.node == ev.Node })
		}
	case ev.Kind == policy.Started:
		a.running[ev.Copy.Task] = append(a.running[ev.Copy.Task], attempt{ev.Copy.N, ev.Node, slices.Clone(ev.Gang), ev.Devices})
		a.jobs.Get(ev.Copy.Job).copies++
	case ev.Kind.End() && !ev.Replay:
		a.ended(ev)
	}
}

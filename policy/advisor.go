package policy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// An Advisor lets a host that decides for itself ask a policy for advice. Such hosts, of which
// kube-scheduler and most cluster managers are some, have no place for a policy that says what
// is to be started where. They ask plug-ins: which of two jobs goes first ([Advisor.Compare]), how
// well a node suits a job ([Advisor.Score]), whether a job may start now, and if not, when to ask
// again ([Advisor.Admit]).
//
// The host tells the Advisor what happens ([Advisor.Observe]), in the events of this package.
// The policy behind it answers them as ever, and each Start that it wants made is a grant: the
// job is admitted. The policy counts the cores of a grant as the job's until the host says that it
// has Started what was granted, or that it could not: Refused. A Refused grant is made again when
// something else has happened, if only Woken.
//
// A host need not keep to it. Of what it has started without a grant the Advisor tells the policy
// as of a copy that is found running after a restart: it sets Replay itself. A host that asks for an
// order and nothing else should not be granted anything, see [NewOrderAdvisor].
//
// What else a policy wants done, such as Kill of what is to be preempted, is in [Advisor.Orders], and to be
// done before what is granted with it. Policies that never preempt and never look at progress have none.
//
// The host is held to the rules Time, Job, Copy and Node, but not to the order within an instant, nor to where a copy
// may start. It has these reliefs: a grant needs no answer before its job
// is Ended, an end need not say where the copy ran, Again need not be set with Refused, and Woken may
// be told at any time. It checks what its books depend on: jobs, stages, nodes and copies that are not there,
// or come or end twice, or are elsewhere, time that goes back, and Again though the task is finished or a copy of
// it runs. It does not see that more runs on a node than there is room for, nor that Again is missing, since the
// job may be about to end: a task that has Failed without it is never granted again.
//
// A pod of Kubernetes, or a request of a server, is a job of one stage with one
// task: Submitted and Ready when it comes, Started as copy 0 when it runs, Finished and Ended when
// it is done. One that can run nowhere, for reasons that the policy cannot know, keeps others waiting
// under most policies: do not say Ready of it before it can, or that it has Ended, and later that it is
// Submitted by a new ID.
//
// Any central policy can be asked. Two optional methods make the answers better, and the Advisor
// looks for them: Compare(a, b JobID) int, of policies that have an order of all jobs (of the central
// ones of package baseline all but Random and BigC; slearn.GS and wing.Scheduler), and
// Planned(id JobID) (at Time, ok bool), of those that plan ahead (EASY, Conservative and Multifactor
// of package baseline; threesigma.Scheduler).
//
// An event costs what it costs the policy and O(1) more, if grants of a job are answered in their order,
// else O(g) for a job with g grants; when a node has left, O(n) for n copies that run and jobs. A job
// takes about 100 bytes, a grant 40 to 100 and a copy that runs 100. Compare, Score, Admit and Grants
// change nothing: several goroutines may ask at once, while nobody observes.
type Advisor struct {
	policy  Scheduler
	jobs    Table[JobID, advised]
	nodes   Table[NodeID, Node]
	running map[Task][]attempt
	granted map[Task]int // grants of it
	fastest float64      // speed of the fastest node that has joined
	order   bool         // nothing is granted

	now     Time
	began   bool   // now is that of an event
	alarm   Time   // that the policy has asked for, Never if none
	grants  uint64 // made so far
	actions []Action
	orders  []Action
	replies []Event // on behalf of the host, to be told
}

// advised is what an Advisor knows of a job.
type advised struct {
	job    *Job
	grants []grant // in the order in which they were made
	copies int     // that run
	stage  uint32  // that was Ready last
}

// An attempt is a copy that runs or is suspended.
type attempt struct {
	n    uint32
	node NodeID
	gang []Share
}

// A grant is a Start that has not been answered.
type grant struct {
	copy      Copy
	node      NodeID
	partition PartitionID
	number    uint64 // among all that were made
}

// NewAdvisor returns an Advisor that asks a policy to which nothing has been told yet. A
// [Distributed] policy is refused: its parts would have to be on nodes.
func NewAdvisor(s Scheduler) (*Advisor, error) {
	if s == nil {
		return nil, errors.New("policy: the policy of an Advisor is nil")
	}
	if _, ok := s.(Distributed); ok {
		return nil, fmt.Errorf("policy: an Advisor cannot ask a %T, which has parts on nodes", s)
	}
	return &Advisor{policy: s, alarm: Never, running: make(map[Task][]attempt), granted: make(map[Task]int)}, nil
}

// NewOrderAdvisor returns an Advisor for a host that asks for an order of jobs and nothing else: it lets the
// policy grant nothing, so that no job has cores but those that the host has given it. Admit is
// always false. It is for policies that have an order, see [Advisor]; others go by submission.
// Nodes are told of nevertheless: what runs must run on one that has Joined, and an order may depend on how
// large the cluster is.
func NewOrderAdvisor(s Scheduler) (*Advisor, error) {
	a, err := NewAdvisor(s)
	if err != nil {
		return nil, err
	}
	a.order = true
	return a, nil
}

// Observe tells the policy what has happened. Copies are numbered as rule Legal start says, the attempts at
// each task from 0. The error says that the event cannot be; nothing has changed then.
func (a *Advisor) Observe(ev *Event) error {
	if ev == nil {
		return errors.New("policy: an Advisor observes an event that is nil")
	}
	if a.began && ev.Time < a.now {
		return fmt.Errorf("policy: %v at %v s comes after an event at %v s: time never goes back (rule Time)", ev.Kind, ev.Time.Seconds(), a.now.Seconds())
	}
	if ev.Kind == Woken && a.alarm > ev.Time && a.alarm != Never {
		a.now, a.began = ev.Time, true
		return nil // the policy will hear it when it has asked for it
	}
	submitted := ev.Kind == Submitted && ev.Job != nil && a.jobs.Get(ev.Job.ID) == nil
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
func (a *Advisor) Orders() []Action {
	orders := a.orders
	a.orders = nil
	return orders
}

// before makes of an event what the policy is to hear. It returns the grant that the event
// answers, which is one no more, and takes back those that it overtakes.
func (a *Advisor) before(ev *Event) (answered grant, err error) {
	if ev.Kind == Left && !ev.Replay {
		return grant{}, a.empty(ev.Node)
	}
	j := a.jobs.Get(ev.Copy.Job)
	if j == nil || ev.Replay && ev.Kind != Started {
		return grant{}, nil // of what is impossible here, the policy knows
	}
	switch {
	case ev.Kind == Started:
		return a.started(j, ev)
	case ev.Kind == Refused:
		i := a.find(j, ev.Copy)
		if i < 0 {
			return grant{}, fmt.Errorf("policy: %v of %v, which is not granted", ev.Kind, ev.Copy)
		}
		answered = a.take(j, i)
		ev.Partition, ev.Again = answered.partition, a.idle(ev.Copy.Task)
	case ev.Kind == Suspended || ev.Kind == Resumed || ev.Kind == Progress || ev.Kind.End():
		if err := a.locate(ev); err != nil {
			return grant{}, err
		}
		if ev.Again && (ev.Kind == Finished || ev.Kind.End() && len(a.running[ev.Copy.Task]) > 1) {
			return grant{}, fmt.Errorf("policy: %v of %v with Again, and the task needs no other Start (rule Copy)", ev.Kind, ev.Copy)
		}
		ev.Again = ev.Again && a.granted[ev.Copy.Task] == 0 // else it is being started
	case ev.Kind == Ended:
		if j.copies > 0 {
			return grant{}, fmt.Errorf("policy: %v of job %d, of which %d copies run: their ends come before (rule Copy)", ev.Kind, ev.Copy.Job, j.copies)
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
func (a *Advisor) after(ev *Event) {
	switch {
	case ev.Kind == Ready:
		a.jobs.Get(ev.Copy.Job).stage = ev.Copy.Stage
	case ev.Kind == Ended:
		a.jobs.Delete(ev.Copy.Job)
		a.orders = slices.DeleteFunc(a.orders, func(o Action) bool { return o.Copy.Job == ev.Copy.Job })
	case ev.Kind == Joined:
		n := *ev.Info
		a.nodes.Put(n.ID, &n)
		a.fastest = max(a.fastest, n.Speed)
	case ev.Kind == Left:
		a.nodes.Delete(ev.Node)
		for _, j := range a.jobs.All() {
			a.refuse(j, ev.Time, func(g *grant) bool { return g.node == ev.Node })
		}
	case ev.Kind == Started:
		a.running[ev.Copy.Task] = append(a.running[ev.Copy.Task], attempt{ev.Copy.N, ev.Node, slices.Clone(ev.Gang)})
		a.jobs.Get(ev.Copy.Job).copies++
	case ev.Kind.End() && !ev.Replay:
		a.ended(ev)
	}
}

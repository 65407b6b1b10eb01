// Package advise lets a host that decides for itself ask a policy for advice. Most callers only want an order of jobs: see
// [NewOrder].
//
// kube-scheduler and most cluster managers decide themselves what to start where, and only ask plug-ins. An [Advisor]
// answers their questions by the rules of a central policy: which of two jobs goes first ([Advisor.Compare]), how
// well a node suits a job ([Advisor.Score]), whether a job may start now, and if not, when to ask again
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
// The host reports what happens ([Advisor.Observe]) in the events of package policy. The policy behind the Advisor
// answers as it answers any host. Each Start that it returns is a grant: the job is admitted. The policy counts the
// cores of a grant as the job's until the host reports that the copy has Started, or was Refused because it could not
// start. A Refused grant is made again after the next event of another kind; Woken is enough.
//
// A host need not follow the advice. If it starts a copy without a grant, the Advisor reports the copy to the policy
// as one that is found running after a restart, and sets Replay itself. A host that only asks for an order should not
// be granted anything: see [NewOrder].
//
// The policy's other actions, such as Kill of a copy that is to be preempted, are in [Advisor.Orders]. The host
// carries them out before it starts what is granted with them. Policies that never preempt and never look at progress
// give no orders.
//
// # What a host must keep to
//
// The host must keep the rules Time, Job, Copy and Node of package policy, with these exceptions: events within an
// instant may come in any order, and a copy may start on any node. The host need not answer a grant before the job is
// Ended, need not name the node where a copy ends, need not set Again with Refused, and may report Woken at any time.
//
// The Advisor checks what its books depend on. It returns an error if a job, a stage, a node or a copy does not
// exist, comes or ends twice, or is on another node; if time goes back; and if Again is set although the task is
// finished or a copy of it runs. It does not notice that a node runs more than it has room for. Nor does it notice a
// missing Again, since the job may be about to end: a task that has Failed without Again is never granted again.
//
// A pod of Kubernetes, or a request to a server, is a job of one stage with one task: it is Submitted and Ready when
// it comes, Started as copy 0 when it runs, Finished and Ended when it is done. A pod that can run nowhere, for
// reasons that the policy cannot know, makes others wait under most policies. So report Ready only once the pod can
// run, or report Ended and submit the pod later under a new ID.
//
// # Which policies
//
// An Advisor can ask any central policy. It uses two optional methods, which make its answers better:
//
//   - Compare(a, b policy.JobID) int, of policies that have an order of all jobs: of the central
//     ones of package baseline all but Random; slearn.GS and wing.Scheduler.
//   - Planned(id policy.JobID) (at policy.Time, ok bool), of policies that plan ahead: EASY,
//     Conservative and Multifactor of package baseline; threesigma.Scheduler.
//
// # When not to use it
//
// A host that can let a policy decide needs no Advisor: it calls the policy's Step and carries out the actions, as package
// policy says. A [policy.Distributed] policy, such as Kairos, has parts on the nodes and cannot be asked. A program without a
// cluster that wants an order needs only package queue and a predictor, or pool.Queue, which has both.
//
// # Cost
//
// An event costs what it costs the policy, and O(1) more if the host answers the grants of a job in their order, else
// O(g) for a job with g grants. A node that leaves costs O(n) for n jobs and running copies. A job takes about 100
// bytes, a grant 40 to 100 and a running copy 100.
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

// An Advisor answers the questions of a host that decides for itself, by the rules of a policy. Make it with [New] or
// [NewOrder].
//
// Compare, Score, Admit and Grants change nothing: several goroutines may call them at once while none calls Observe.
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

// advised is an Advisor's record of a job.
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

// New returns an Advisor that asks s, to which no event has been reported yet. It returns an error if s is a
// [policy.Distributed] policy, since its parts would have to be on nodes.
func New(s policy.Scheduler) (*Advisor, error) {
	if s == nil {
		return nil, errors.New("advise: the policy of an Advisor is nil; want one, such as baseline.NewPriority()")
	}
	if _, ok := s.(policy.Distributed); ok {
		return nil, fmt.Errorf("advise: an Advisor cannot ask a %T, which has parts on nodes; want a central policy", s)
	}
	return &Advisor{policy: s, alarm: policy.Never, running: make(map[policy.Task][]attempt), granted: make(map[policy.Task]int)}, nil
}

// NewOrder returns an Advisor for a host that only asks for an order of jobs. The policy grants nothing, so jobs have
// only the cores that the host has given them, and Admit always returns false. s should order all jobs (see the
// package comment); other policies go by submission. The host reports nodes nevertheless: a copy must run on a node
// that has Joined, and an order may depend on the size of the cluster.
func NewOrder(s policy.Scheduler) (*Advisor, error) {
	a, err := New(s)
	if err != nil {
		return nil, err
	}
	a.order = true
	return a, nil
}

// Observe reports an event to the policy. Number copies as rule Legal start says: the attempts at each task from 0.
// It returns an error and changes nothing if the event is impossible.
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

// Orders returns the policy's actions besides Starts, in order, and forgets them: Kill, Suspend, Resume and Report of
// copies, and GiveUp of jobs. The host reports what it carries out as it reports everything else. Orders are kept
// until the host takes them or the job has Ended.
func (a *Advisor) Orders() []policy.Action {
	orders := a.orders
	a.orders = nil
	return orders
}

// before changes an event to what the policy must hear. It returns the grant that the event answers, which is no
// longer open, and takes back the grants that the event makes void.
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

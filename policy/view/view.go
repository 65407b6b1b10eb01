// Package view keeps the books of a central policy: the jobs, what of them waits, what is free and where, the
// service that they have attained, and what was refused. It is a help and no part of the contract: a policy
// that keeps books of its own needs no [View].
//
//	j, err := p.view.Observe(ev) // which jobs there are, what of them waits, what is free
//	...
//	if p.view.Decide(ev) && p.view.Fits(j) {
//		actions = append(actions, p.view.Start(j, view.Where{}))
//	}
//
// Package central has a whole scheduler around it, of which only the parts need be written.
//
// # When not to use it
//
// The View hears what the centre hears. The part on a node starts copies of its own accord and hears of its own
// node only; it keeps what it needs itself. A policy that starts nothing, or that counts in anything but whole
// cores, gains little from it.
//
// # Cost
//
// [View] says what it keeps, and [View.First] and [View.Local] what they add. In the steady state a call allocates
// nothing.
//
// # Source
//
// It is this library's own: what its central policies had in common.
package view

import (
	"cmp"
	"iter"

	"example.com/augur/policy"
)

// A View is what nearly every central policy must remember: the jobs and which of their tasks wait for a
// Start, the nodes and what is free on them, and the service that jobs have attained. A policy shows it each
// event first, [View.Observe], asks it when to decide, [View.Decide], and lets it make the Start actions,
// [View.Start].
//
// T is what the policy itself keeps for each job, in [Job.Own].
//
// Free cores are counted, not placed: a cluster whose free cores are spread over many nodes may refuse a wide
// task that the count lets through. The task then waits for the next event (rule No circles), which Decide takes care of;
// it is started under the same number. The cores of a Start count as taken from then on, before Started
// comes.
//
// A policy that chooses nodes asks which have free cores, [View.Open] and [View.Room], and what is local
// there, [View.Local], and says so in the [Where] of the Start. What is local is worked out when it is asked
// for, stage by stage. A policy that does not ask pays nothing for it.
//
// All Starts must be made by the View, or its counts go wrong. A policy whose parts start the copies sends
// them what Start returned, and uses [View.Return] for what was lost on its way to them.
//
// The zero View is empty and ready to use. A call takes time in proportion to the nodes of the gang
// concerned, and to the stages of the job when it comes or ends and when one waits again that comes before
// others. For bags of tasks that is constant. A job takes about 180 bytes and each of its stages 56 more.
// Tasks take none, except those that are tried again, and see [View.First] and [View.Local]. A node takes 32
// bytes.
type View[T any] struct {
	// Serves keeps the service that jobs attain. It is set before the first event. Default false: Service is 0.
	Serves bool
	// BySpeed counts service by the speed of nodes: t seconds on a node of speed s are t*s seconds. Default
	// false: elapsed time. It is set before the first event. Of a gang the slowest node counts. Speeds below
	// 1e-4 and above 1e4 count as these.
	BySpeed bool

	now    policy.Time // of the last event
	jobs   policy.Table[policy.JobID, Job[T]]
	nodes  []node                // by NodeID
	open   bitset                // the nodes that are there and have room
	named  map[policy.Copy]place // of Starts that named a node and are not answered
	free   []int64               // cores, by PartitionID
	total  int64                 // free cores of all partitions, less those promised to a Start anywhere
	there  int                   // how many nodes are there
	cores  int64                 // of these
	memory float64               // of these, bytes
	names  []Resource            // of these: named resources
	stocks []*policy.Stock       // by NodeID, as far as nodes offer some
	extra  int64                 // cores of extra copies
	extras [][]policy.Copy       // lists of jobs that have ended, for those of others
	runs   policy.Task           // of the last copy that was started before a restart
	news   bool                  // something other than Refused has come since the last decision
	before bool                  // news as it was before the last event
	spare  []retries             // of stages whose jobs have ended, for stages to come
}

// A Job is what a View knows of a job.
type Job[T any] struct {
	Job    *policy.Job
	Stages []Stage // as Job.Stages
	// Waiting is the number of units (tasks, or whole gangs) of Ready stages that want a
	// Start now.
	Waiting int
	// Cores is how many cores the job has: those of copies that run and of Starts that
	// are not answered yet.
	Cores  int64
	Memory float64 // bytes of the same and of copies that are suspended
	// Resources is what the same have of the named resources, as [View.Resources] lists them: thousandths. It may be
	// shorter, and the rest is 0.
	Resources []int64
	// Refused says that the host found no room for the job's last Start of a unit that may look for room for
	// long: one of several cores, with memory, or that reads through a pipe. Such a job should start one unit
	// at a time until one gets through, or it may be refused again and again. Of other units a Refused says
	// nothing but that this Start has failed.
	Refused bool
	// Held says that the job has to wait though something of it could start. Whoever serves it sets this.
	Held bool
	Own  T // what the policy keeps; the View does not look at it

	service float64     // attained, core-seconds, at the instant since
	rate    float64     // core-seconds in a second
	running int64       // cores that run
	since   policy.Time // never before what service counts

	next  uint32   // no stage before this one, in their order, has a unit waiting
	order []uint32 // the stages, each after those that it reads; nil if they are in such an order
	extra extra
}

// A Stage is what a View knows of a stage.
type Stage struct {
	Ready    bool   // its tasks may start: the host has said so
	Finished uint32 // units that are finished

	fresh uint32 // units fresh .. were never tried, but for what picks says
	picks *picks // nil: units are started in order
	retries
}

// retries is what a View knows of the units of a stage that were tried more than once.
type retries struct {
	again    []uint32          // those to start again, next one last
	attempts map[uint32]uint32 // the next copy's number
}

// maxSpare is the largest number of units of a stage whose retries serve another stage
// when its job has ended, so that in the steady state a Refused allocates nothing.
const maxSpare = 1024

// Decide reports whether the policy should now look for what to start: no further event
// of this instant is announced, this is no replay, and something has happened since the
// last decision besides refusals (rule No circles). A true answer counts as a decision: asked again
// before the next event, it is false. So a policy that puts its decision off after a true answer, to
// an alarm of its own, say, must itself keep in mind that one is due.
func (v *View[T]) Decide(ev *policy.Event) bool {
	if ev.More || ev.Replay || !v.news {
		return false
	}
	v.news = false
	return true
}

// Job returns the view of a job that was submitted and has not ended, nil if there is
// none.
func (v *View[T]) Job(id policy.JobID) *Job[T] { return v.jobs.Get(id) }

// Jobs yields the jobs that were submitted and have not ended, by increasing ID.
func (v *View[T]) Jobs() iter.Seq2[policy.JobID, *Job[T]] { return v.jobs.All() }

// Now returns the instant of the last event.
func (v *View[T]) Now() policy.Time { return v.now }

// Front returns the job that goes first by an order, of those that have something waiting, and nil
// if none has; of equals, the smaller ID. It looks at all jobs: a policy whose jobs may be many that
// wait keeps them in a heap.
func (v *View[T]) Front(order func(a, b *Job[T]) int) *Job[T] {
	var front *Job[T]
	for _, j := range v.jobs.All() {
		if j.Waiting > 0 && (front == nil || order(j, front) < 0) {
			front = j
		}
	}
	return front
}

// Compare returns what order says of two jobs. A job that is not there goes after those that are.
func (v *View[T]) Compare(a, b policy.JobID, order func(a, b *Job[T]) int) int {
	x, y := v.Job(a), v.Job(b)
	switch {
	case x != nil && y != nil:
		return order(x, y)
	case x != nil:
		return -1
	case y != nil:
		return +1
	}
	return cmp.Compare(a, b)
}

package policy

import (
	"cmp"
	"iter"
)

// A View is what nearly every central policy must remember: the jobs, which of their
// tasks wait for a Start, and how many cores are free. It is an optional help: a policy
// shows it each event first, [View.Observe], asks it when to decide, [View.Decide], and
// lets it make the Start actions, [View.Start].
//
// T is what the policy itself keeps for each job, in [JobView.Own].
//
// Free cores are counted, not placed: a cluster whose free cores are spread over many
// nodes may refuse a wide task that the count lets through. The task then waits for the
// next event (rule No circles), which Decide takes care of; it is started under the same number. Cores
// of a Start count as taken from then on, before Started comes.
//
// A policy that chooses nodes asks which have free cores, [View.Open] and [View.Room], and
// what is local there, [View.Local], and starts it there, [View.StartLocal] and
// [View.StartOn]. What is local is worked out when it is asked for, stage by stage; a policy
// that does not ask pays nothing for it.
//
// All Starts must be made by the View, or its counts go wrong. A policy whose parts
// start the copies sends them what [View.Start] returned, and uses [View.Return] for what
// was lost on its way to them. It may send them what StartOn and its like returned just as well.
//
// The zero View is empty and ready to use. A call takes time in proportion to the nodes of
// the gang concerned, and to the stages of the job when it comes or ends and when one waits
// again that comes before others; for bags of tasks that is constant.
// A job takes about 100 bytes and each of its stages 56 more; tasks take none, except
// those that are tried again, and see [View.First] and [View.Local]. A node takes 16 bytes.
type View[T any] struct {
	jobs  Table[JobID, JobView[T]]
	nodes []node         // by NodeID
	open  bitset         // the nodes that are there and have room
	named map[Copy]place // of Starts that named a node and are not answered
	free  []int64        // cores, by PartitionID
	total int64          // free cores of all partitions, less those promised to a Start anywhere
	news  bool           // something other than Refused has come since the last decision
	spare []retries      // of stages whose jobs have ended, for stages to come
}

// A JobView is what a View knows of a job.
type JobView[T any] struct {
	Job    *Job
	Stages []StageView // as Job.Stages
	// Waiting is the number of units (tasks, or whole gangs) of Ready stages that want a
	// Start now.
	Waiting int
	// Cores is how many cores the job has: those of copies that run and of Starts that
	// are not answered yet.
	Cores int64
	Own   T // what the policy keeps; the View does not look at it

	next   uint32  // no stage before this one, in their order, has a unit waiting
	sorted *sorted // nil if each stage comes after those that it reads
}

// sorted is an order of a job's stages in which each comes after those that it reads.
type sorted struct {
	order []uint32 // the stages
	place []uint32 // of each stage in order
}

// A StageView is what a View knows of a stage.
type StageView struct {
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
func (v *View[T]) Decide(ev *Event) bool {
	if ev.More || ev.Replay || !v.news {
		return false
	}
	v.news = false
	return true
}

// Job returns the view of a job that was submitted and has not ended, nil if there is
// none.
func (v *View[T]) Job(id JobID) *JobView[T] { return v.jobs.Get(id) }

// Jobs yields the jobs that were submitted and have not ended, by increasing ID.
func (v *View[T]) Jobs() iter.Seq2[JobID, *JobView[T]] { return v.jobs.All() }

// Front returns the job that goes first by an order, of those that have something waiting, and nil
// if none has; of equals, the smaller ID. It looks at all jobs: a policy whose jobs may be many that
// wait keeps them in a heap.
func (v *View[T]) Front(order func(a, b *JobView[T]) int) *JobView[T] {
	var front *JobView[T]
	for _, j := range v.jobs.All() {
		if j.Waiting > 0 && (front == nil || order(j, front) < 0) {
			front = j
		}
	}
	return front
}

// Compare returns what order says of two jobs. A job that is not there goes after those that are.
func (v *View[T]) Compare(a, b JobID, order func(a, b *JobView[T]) int) int {
	switch x, y := v.Job(a), v.Job(b); {
	case x != nil && y != nil:
		return order(x, y)
	case x != nil:
		return -1
	case y != nil:
		return +1
	}
	return cmp.Compare(a, b)
}

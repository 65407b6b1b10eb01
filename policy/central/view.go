package central

import (
	"cmp"
	"iter"

	"example.com/augur/policy"
)

// A View keeps what nearly every central policy must remember: the jobs and which of their tasks wait for a Start,
// the nodes and what is free on them, and the service that jobs have attained. For each event a policy first calls
// [View.Observe], then asks [View.Decide] whether to decide, and makes its Start actions with [View.Start].
//
// Free cores are counted, not placed. If they are spread over many nodes, the host may refuse a wide task that fits
// the count. The task then waits for the next event (rule No circles), which Decide takes care of, and is started
// again under the same number. The cores of a Start count as taken at once, before Started comes.
//
// A policy that chooses nodes asks [View.Open] and [View.Room] which have free cores, and [View.Local] which tasks
// are local there, and names the node in the [Where] of the Start. Locality is computed on demand, stage by stage. A
// policy that does not ask pays nothing for it.
//
// All Starts must be made by the View, or its counts go wrong. A policy whose parts start the copies sends them what
// Start returned, and calls [View.Return] for a Start that was lost on the way.
//
// The zero View is empty and ready to use. A call takes time in proportion to the nodes of the gang concerned. It
// also takes time in proportion to the stages of the job if the job comes or ends. For bags of tasks all of this is
// constant. A job takes about 225 bytes, each of its stages 64 more,
// and a node 40. Tasks take none, except those that are tried again; see also [View.First] and [View.Local].
type View struct {
	// Serves keeps the service that jobs attain. Set it before the first event. Default false: Service is 0.
	Serves bool
	// Resumes keeps which copies are suspended, for [View.Resume]. Set it before the first event.
	Resumes bool

	now     policy.Time // of the last event
	jobs    policy.Table[policy.JobID, Job]
	nodes   []node                // by NodeID
	open    bitset                // the nodes that are there and have room
	named   map[policy.Copy]place // of Starts that named a node and are not answered
	free    []int64               // cores, by PartitionID
	total   int64                 // free cores of all partitions, less those promised to a Start anywhere
	there   int                   // how many nodes are there
	cores   int64                 // of these
	memory  float64               // of these, bytes
	names   []Resource            // of these: named resources
	stocks  []*policy.Stock       // by NodeID, as far as nodes offer some
	most    int32                 // cores of a node, of all that have joined
	extra   int64                 // cores of extra copies
	extras  [][]policy.Copy       // lists of jobs that have ended, for those of others
	runs    policy.Task           // of the last copy that was started before a restart
	asking  map[string]*request   // Starts that are not answered and leave the node to the host; some have no units left
	kinds   int                   // of those with units
	text    []byte                // of kindOf
	able    policy.NodeID         // the node that has last been found large enough for a unit
	changes uint64                // of what is free on nodes
	limited int                   // nodes with a limit of memory
	parked  []*Job                // jobs with stages that no node can hold
	grown   bool                  // a node has joined since Unparked
	round   uint64                // events other than Refused
	asked   int                   // Starts that are not answered
	bound   int                   // of these, those whose cores the last decision on news could not have
	halted  []halted              // copies that are suspended, if Resumes is set
	news    news                  // what has come since the last decision
	before  news                  // the same before the last event
	spare   []retries             // of stages whose jobs have ended, for stages to come
}

// news says why a decision is due.
type news uint8

const (
	none    news = iota
	refusal      // of a Start whose cores the last decision could not have
	some         // another event than Refused
)

// A Job is a View's record of one job. Its address is the same from the job's Submitted to its Ended.
type Job struct {
	Job    *policy.Job
	Stages []Stage // as Job.Stages
	// Waiting is the number of units (tasks, or whole gangs) of Ready stages that wait for a Start. Those that were parked since no node
	// there could hold one ([View.Park], [View.Possible]) count again when a node joins: until then a job that has only such ones has 0.
	Waiting int
	// Cores is the number of cores that the job holds: those of running copies and of Starts that are not answered
	// yet.
	Cores  int64
	Memory float64 // bytes of the same and of copies that are suspended
	// Resources is how much of each named resource these copies hold, in thousandths, indexed as [View.Resources]. It
	// may be shorter; the rest is 0.
	Resources []int64
	// Refused reports that the host found no room for the job's last Start, of a unit that may lack room for a long
	// time: one with several cores, with memory or with a pipe. Such a job should start one unit at a time until one
	// gets through, or it may be refused again and again. A Refused of any other unit does not set it.
	Refused bool
	// Held reports that the job must wait although it could start something. Whoever serves the job sets it.
	Held bool

	plain bool // it has something to start, and that needs no named resource

	service float64     // attained, core-seconds, at the instant since
	running int64       // cores that run
	reloads []reload    // of copies that hold cores and do not work yet
	since   policy.Time // never before what service counts

	parked int // its place in View.parked plus one; 0: it is not there

	ready bitset // all stages with a unit waiting, and perhaps others, by their ranks; nil if there is one stage
	ranks *ranks // of the stages; nil if each comes after those that it reads
	extra extra
}

// ranks are the places of a job's stages in an order in which each comes after those that it reads.
type ranks struct{ order, at []uint32 } // by rank, and by stage

// A Stage is a View's record of one stage.
type Stage struct {
	Ready    bool   // its tasks may start: the host has said so
	Finished uint32 // units that are finished

	parked  bool   // see View.Park
	refused uint64 // the round of the last Refused, plus one; see View.Barred

	fresh uint32 // units fresh .. were never tried, but for what picks says
	picks *picks // nil: units are started in order
	retries
}

// retries is a View's record of the units of a stage that were tried more than once. Those to start again are a stack,
// linked so that one leaves it in constant time wherever it is.
type retries struct {
	// Saved is what is saved of the units that wait, summed, in seconds at speed 1 where the stage prefers.
	Saved    float64
	again    uint32 // how many are to start again
	top      uint32 // the next of them
	attempts map[uint32]attempt
}

// attempt is a View's record of a unit that was tried more than once.
type attempt struct {
	next         uint32          // the next copy's number
	again        bool            // it is to start again,
	below, above uint32          // between these, plus one; 0: none
	saved        policy.Duration // of it
}

// push puts a unit on top of those to start again. It returns false if the unit is there already.
func (r *retries) push(unit uint32) bool {
	a := r.attempts[unit]
	if a.again {
		return false
	}
	a.again = true
	if r.again > 0 {
		a.below = r.top + 1
		r.link(a.below, func(top *attempt) { top.above = unit + 1 })
	}
	r.attempts[unit] = a
	r.again, r.top, r.Saved = r.again+1, unit, r.Saved+a.saved.Seconds()
	return true
}

// remove takes a unit out of those to start again. It returns false if the unit is not there.
func (r *retries) remove(unit uint32) bool {
	a := r.attempts[unit]
	if !a.again {
		return false
	}
	r.link(a.below, func(x *attempt) { x.above = a.above })
	r.link(a.above, func(x *attempt) { x.below = a.below })
	if r.again--; a.above == 0 && r.again > 0 {
		r.top = a.below - 1
	}
	if r.Saved -= a.saved.Seconds(); r.again == 0 {
		r.Saved = 0 // no error of rounding is left
	}
	a.again, a.below, a.above = false, 0, 0
	r.attempts[unit] = a
	return true
}

// link changes the record of a unit, given that plus one; 0 is none.
func (r *retries) link(next uint32, change func(a *attempt)) {
	if next > 0 {
		a := r.attempts[next-1]
		change(&a)
		r.attempts[next-1] = a
	}
}

// maxSpare is the largest number of units of a stage whose retries are reused by another stage after its job has
// ended, so that a Refused allocates nothing in the steady state.
const maxSpare = 1024

// Decide reports whether the policy should now look for something to start. It returns true if no more events follow
// at this instant, this is not a replay, and something other than a refusal has happened since the last decision
// (rule No circles). A refusal counts too if its Start is older than the last decision, which could not have these
// cores. A true answer counts as a decision: a second call before the next event returns false. A policy that then puts
// its decision off, until an alarm of its own for example, must itself remember that one is due.
func (v *View) Decide(ev *policy.Event) bool {
	if ev.More || ev.Replay || v.news == none {
		return false
	}
	if v.news == some {
		v.bound = v.asked
	}
	v.news = none
	return true
}

// Job returns the record of a job that was submitted and has not ended, nil if there is no such job.
func (v *View) Job(id policy.JobID) *Job { return v.jobs.Get(id) }

// Jobs yields the jobs that were submitted and have not ended, by increasing ID.
func (v *View) Jobs() iter.Seq2[policy.JobID, *Job] { return v.jobs.All() }

// Now returns the instant of the last event.
func (v *View) Now() policy.Time { return v.now }

// Front returns the first job by an order, among those that have something waiting, and nil if there are none. Ties
// go to the smaller ID. It looks at all jobs: a policy with many waiting jobs keeps them in a heap instead.
func (v *View) Front(order func(a, b *Job) int) *Job {
	var front *Job
	for _, j := range v.jobs.All() {
		if j.Waiting > 0 && (front == nil || order(j, front) < 0) {
			front = j
		}
	}
	return front
}

// Compare compares two jobs by order. A job that is not there goes after those that are.
func (v *View) Compare(a, b policy.JobID, order func(a, b *Job) int) int {
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

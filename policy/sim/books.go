package sim

import (
	"iter"

	"example.com/augur/internal/slab"
	"example.com/augur/policy"
)

// job is the centre's record of a job. The fields that each task's end reads come first.
type job struct {
	spec    *policy.Job
	stages  []stage
	id      policy.JobID
	live    int32 // copies that run or are being started, as far as the centre has heard
	onNodes int32 // copies that are on nodes, whether the centre has heard of them or not
	outcome policy.Outcome
	told    bool // Ended is in the inbox
	over    bool // Ended has been told
	crossed bool // the policy has acted on the job since then

	service  float64 // core-seconds of its copies
	services float64 // core-seconds of copies that finished

	waits       float64 // seconds that tasks waited from Ready to their first start, summed
	tried       int     // tasks that were started
	left        int     // stages that are not finished
	inputs      int     // jobs that it still waits for
	copies      int     // started
	preemptions int
	stops       int     // copies to be saved, or that were
	reloaded    float64 // core-seconds
	tasks       int
	firstStart  policy.Time
	ended       policy.Time
	ideal       policy.Duration
	meanTask    policy.Duration

	saved map[policy.Task]save // of tasks that are not finished
	asked map[request]uint64   // how often something was asked of a copy: see orders.times
}

// stage is the centre's record of a stage.
type stage struct {
	spec     *policy.Stage
	units    []int32 // what is started as one, a task or a whole gang: see attempt
	finished uint32
	covered  uint32 // units that are finished, running or suspended
	barriers uint32 // stages that must finish before this one is ready
	pipes    uint32 // stages read as pipes of which some unit is not covered
	flowing  uint32 // stages read as pipes that are not finished
	ready    bool
	readyAt  policy.Time
	readers  []policy.Dep // the stages that read it (Dep.Stage is the reader)
}

// books are what is known of jobs, and of attempts at their tasks.
type books struct {
	jobs     policy.Table[policy.JobID, job]
	outcomes slab.Outcomes // of jobs that have ended
	attempts slab.Slab[attempt]
	gangs    map[int32][]policy.Share // where a gang is, by its place in attempts
	devices  map[int32]policy.Devices // of tasks that have some, by the same
	carried  map[int32]carried        // of copies that have gone on from a save, by the same

	forgets interface{ Forget(policy.JobID) } // the truth, if it wants to
}

// spec returns the stage of a copy, nil if its job has ended.
func (b *books) spec(c policy.Copy) *policy.Stage {
	if j := b.jobs.Get(c.Job); j != nil {
		return j.stages[c.Stage].spec
	}
	return nil
}

// flows reports whether every task that a stage reads through a pipe runs or is finished, whether the centre has heard of it or
// not.
func (b *books) flows(j *job, st *stage) bool {
	if st.pipes == 0 {
		return true
	}
	for _, d := range st.spec.Reads {
		if !d.Pipe {
			continue
		}
		for _, at := range j.stages[d.Stage].units {
			running := at < 0 || at > 0 && (b.attempts.At(at-1).done() || b.attempts.At(at-1).is(written))
			for ; at > 0 && !running; at = b.attempts.At(at - 1).next {
				running = b.attempts.At(at-1).state != away
			}
			if !running {
				return false
			}
		}
	}
	return true
}

// drop deletes a job that is over, once none of its copies is on a node any more: a part may have started a copy just
// before, and may suspend and resume it until it is killed.
func (b *books) drop(j *job) {
	if j.over && j.onNodes == 0 {
		b.clear(j)
		b.jobs.Delete(j.spec.ID)
		if b.forgets != nil {
			b.forgets.Forget(j.spec.ID)
		}
	}
}

// gang returns where a gang is, nil for a task.
func (b *books) gang(at int32) []policy.Share {
	if b.attempts.At(at).node != 0 {
		return nil
	}
	return b.gangs[at]
}

// where yields the nodes of a copy or gang, each with the number of its tasks there.
func (b *books) where(at int32) iter.Seq2[policy.NodeID, int32] {
	return func(yield func(policy.NodeID, int32) bool) {
		if id := b.attempts.At(at).node; id != 0 {
			yield(id, 1)
			return
		}
		for _, share := range b.gangs[at] {
			if !yield(share.Node, int32(share.Tasks)) {
				return
			}
		}
	}
}

// on reports whether a copy, or a part of a gang, is on a node.
func (b *books) on(at int32, id policy.NodeID) bool {
	for node := range b.where(at) {
		if node == id {
			return true
		}
	}
	return false
}

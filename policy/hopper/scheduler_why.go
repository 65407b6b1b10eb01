package hopper

import (
	"fmt"

	"example.com/augur/policy"
)

// An Explanation says what decides how many slots a job has.
type Explanation struct {
	// VirtualSize is the job's virtual size, in slots, by its present demand, its Tail and Alpha,
	// under any allocator.
	VirtualSize float64
	// Share is how many slots the job is to have, which may be more than it has a use for; 0 if the
	// allocator is not VirtualSizes, as others give no shares.
	Share float64
	Tail  float64 // of its tasks' runtimes, β
	Alpha float64 // its weight, α

	Slots  int64 // that it has, with those of Starts that are not answered
	Copies int64 // how many of these are of copies beside the first of a task
}

// String says it on a line, such as
//
//	has 6 slots, 2 of them for copies; is to have 7.5, virtual size 7.2 (tail 1.4, weight 1)
func (e Explanation) String() string {
	share := ""
	if e.Share > 0 {
		share = fmt.Sprintf("is to have %.3g, ", e.Share)
	}
	return fmt.Sprintf("has %d slots, %d of them for copies; %svirtual size %.3g (tail %.3g, weight %.3g)",
		e.Slots, e.Copies, share, e.VirtualSize, e.Tail, e.Alpha)
}

// Explain returns what a host may show of a job, and false if the job is not there.
func (s *Scheduler) Explain(id policy.JobID) (e Explanation, ok bool) {
	j := s.view.Job(id)
	if j == nil {
		return Explanation{}, false
	}
	if v, virtual := s.lanes[0].turns.(*virtual); virtual {
		e.Share, _ = v.share(id)
	}
	d := s.demand(j)
	e.VirtualSize, e.Tail, e.Alpha = VirtualSize(d.Tasks, d.Tail, d.Weight), d.Tail, d.Weight
	e.Slots, e.Copies = j.Cores, j.Own.extraSlots
	return e, true
}

package hopper

import "example.com/augur/policy"

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

package hopper

import "example.com/augur/policy"

// VirtualSize returns the virtual size of a job, in slots, by its present demand, tail and α,
// under any allocator, and false if the job is not there.
func (s *Scheduler) VirtualSize(id policy.JobID) (slots float64, ok bool) {
	j := s.view.Job(id)
	if j == nil {
		return 0, false
	}
	d := s.demand(j)
	return VirtualSize(d.Tasks, d.Tail, d.Weight), true
}

// Share returns the slots that a job is to have, and false if it is not there or if the
// allocator is not VirtualSizes: others give no shares. They may be more than it has a use for.
func (s *Scheduler) Share(id policy.JobID) (slots float64, ok bool) {
	if v, virtual := s.lanes[0].turns.(*virtual); virtual {
		return v.share(id)
	}
	return 0, false
}

// Slots returns the slots that a job has, those of Starts that are not answered included, and
// how many of them are of copies beside the first of a task; false if the job is not there.
func (s *Scheduler) Slots(id policy.JobID) (slots, copies int64, ok bool) {
	j := s.view.Job(id)
	if j == nil {
		return 0, 0, false
	}
	return j.Cores, j.Own.extraSlots, true
}

// Alpha returns the weight of a job, and false if it is not there.
func (s *Scheduler) Alpha(id policy.JobID) (alpha float64, ok bool) {
	j := s.view.Job(id)
	if j == nil {
		return 0, false
	}
	return s.alpha(j), true
}

// Tail returns the tail of a job's tasks, β, and false if the job is not there.
func (s *Scheduler) Tail(id policy.JobID) (tail float64, ok bool) {
	j := s.view.Job(id)
	if j == nil {
		return 0, false
	}
	return j.Own.tail, true
}

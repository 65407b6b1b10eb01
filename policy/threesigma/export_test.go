package threesigma

import (
	"slices"

	"example.com/augur/policy"
)

// What tests of how the package is used look at besides.

type Running = running

var (
	Scale        = scale
	AppendShares = appendShares
)

// Points returns a copy of the points.
func (u Utility) Points() []Point { return slices.Clone(u.points) }

// Has reports whether there is such a job.
func (s *Scheduler) Has(id policy.JobID) bool { return s.jobs.Get(id) != nil }

// Late reports whether no start of a job can meet its deadline.
func (s *Scheduler) Late(id policy.JobID) bool { return s.jobs.Get(id).late }

// Utility returns what the end of a job is worth, the zero Utility if the job is not there.
func (s *Scheduler) Utility(id policy.JobID) Utility {
	if j := s.jobs.Get(id); j != nil {
		return j.utility
	}
	return Utility{}
}

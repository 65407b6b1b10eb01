package hopper

import (
	"example.com/augur/policy"
)

// What tests of how the package is used look at besides.
//
// GS and RAS are the two rules that GRASS is made of.
type (
	GS  = gs
	RAS = ras
)

const HomogeneousTail = homogeneousTail

// LearnFrom changes how many runtimes make a first fit of a tail, and how many the next.
func (s *Scheduler) LearnFrom(enough, every int) {
	s.turn.tails.enough, s.turn.tails.every = enough, every
}

// LearnFinely makes fits of more runtimes, which are hardly rounded and bounded.
func (s *Scheduler) LearnFinely(window int, top float64) {
	t := &s.turn.tails
	t.window, t.top, t.step, t.least = window, top, 0.001, 1.001
}

// Keeps reports whether the Scheduler keeps free cores from the tasks of a job: it has its share, and what others leave of
// theirs is kept for them (VirtualSizesConfig.Keep).
func (s *Scheduler) Keeps(id policy.JobID) bool {
	share, _ := s.turn.Share(id)
	return s.turn.config.Keep && share-float64(s.View().Job(id).Cores) < shortPart
}

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

// Learnt makes a group's tail known.
func (s *Scheduler) Learnt(group string, tail float64) {
	g, _ := s.turn.tails.group(group)
	g.tail = tail
}

// LearnFinely makes fits of more runtimes, which are hardly rounded and bounded.
func (s *Scheduler) LearnFinely(window int, top float64) {
	t := &s.turn.tails
	t.window, t.top, t.step, t.least = window, top, 0.001, 1.001
}

// Keeps reports whether the Scheduler keeps free cores from the tasks of a job: it has its share, and what others leave of
// theirs is kept for them (TurnConfig.Keep).
func (s *Scheduler) Keeps(id policy.JobID) bool {
	j := s.View().Job(id) // nil if the job is over
	return j != nil && s.turn.config.Keep && s.turn.share(id)-float64(j.Cores) < shortPart
}

// An Explanation says what decides how many slots a job has.
type Explanation struct {
	Tasks, Downstream float64 // T and T′, in slots

	Share float64 // how many slots it is to have, which may be more than it has a use for
	Tail  float64 // of its tasks' runtimes, β
	Alpha float64 // its weight, α

	Slots  int64 // that it has, with those of Starts that are not answered
	Copies int64 // how many of these are of copies beside the first of a task
}

// Explain returns what the Scheduler knows of a job, and false if the job is not there.
func (s *Scheduler) Explain(id policy.JobID) (e Explanation, ok bool) {
	own := s.turn.jobs.Get(id)
	if own == nil {
		return Explanation{}, false
	}
	e.Share = s.turn.share(id)
	d := s.turn.demand(own)
	e.Tasks, e.Downstream, e.Tail, e.Alpha = d.Tasks, d.Downstream, d.Tail, d.Weight
	e.Slots = own.Cores
	e.Copies, _ = own.Extra()
	return e, true
}

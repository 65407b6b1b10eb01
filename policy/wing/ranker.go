package wing

import (
	"example.com/augur/policy"
)

// A Ranker computes how urgent a job is. In a queue the job with the greatest priority goes first.
type Ranker interface {
	// Rank returns the priority as of now of a job that was submitted by now, and the instant, after now, at which to
	// ask again; policy.Never if the priority stays. Priorities may be infinite; one that is NaN counts as -Inf. An instant
	// that is not after now counts as policy.Never.
	//
	// A [Scheduler] asks when the job is submitted and then when the instant has come. It asks later, or not at all, about
	// jobs that have nothing waiting. Equal questions must get equal answers, since a scheduler that restarts asks again.
	Rank(j *policy.Job, now policy.Time) (priority float64, until policy.Time)
}

// Fixed is a Ranker whose priorities do not change. With each job's true value per core-second it is the Oracle with
// which the predictions of a lookup are compared.
type Fixed func(j *policy.Job) float64

// Rank implements [Ranker].
func (f Fixed) Rank(j *policy.Job, _ policy.Time) (priority float64, until policy.Time) {
	return f(j), policy.Never
}

// ByPriority returns the Ranker that believes the user: [policy.Job.Priority].
//
// # Source
//
// Wing, section 6.2: PRIO.
func ByPriority() Ranker {
	return Fixed(func(j *policy.Job) float64 { return j.Priority })
}

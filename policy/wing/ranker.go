package wing

import "example.com/augur/policy"

// Never is the instant until which a priority holds that does not change.
const Never = policy.Never

// A Ranker says how urgent a job is. Among the jobs of a queue, the greatest priority goes first.
type Ranker interface {
	// Rank returns the priority of a job that was submitted by now, and the instant, after now,
	// at which to ask again; Never if there is none. Priorities may be infinite. If one is not a
	// number it counts as -Inf, and if the instant is not after now, it counts as Never.
	//
	// A [Scheduler] asks when the job is submitted and then only when the instant has come; it
	// asks later, or not at all, about jobs of which nothing waits. Equal questions get equal
	// answers: a scheduler that restarts asks again.
	Rank(j *policy.Job, now policy.Time) (priority float64, until policy.Time)
}

// Fixed is a Ranker whose priorities do not change. With the true value per core-second of each
// job it is the Oracle that the predictions of a lookup are compared with.
type Fixed func(j *policy.Job) float64

// Rank implements [Ranker].
func (f Fixed) Rank(j *policy.Job, _ policy.Time) (priority float64, until policy.Time) {
	return f(j), Never
}

// ByPriority returns the Ranker that believes the user: [policy.Job.Priority].
//
// # Source
//
// Wing, section 6.2: PRIO.
func ByPriority() Ranker {
	return Fixed(func(j *policy.Job) float64 { return j.Priority })
}

package sim

import (
	"cmp"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// A Result is the outcome of a run.
type Result struct {
	Jobs       []JobRecord // by ID; empty if Config.Ended is set
	Cut        []JobRecord // the jobs that Trim has left out
	Submitted  int         // jobs
	Begin, End policy.Time // the first submission, the last end of a job
	Events     int64       // that the policy and its parts have heard

	// Busy and Available are core-seconds: of cores that copies held, and of cores that were there. They count from
	// Begin until the centre has heard of the last end: with a network delay a little beyond End.
	Busy, Available float64

	Faults FaultCount
}

// A FaultCount counts how often each of the [Faults] has happened in a run.
type FaultCount struct {
	Outages                                      int // nodes lost
	Failures                                     int // copies that broke or were evicted
	PostsLost, PostsLate, PostsEarly, PostsTwice int
	ActionsLate                                  int // alarms that went off late and messages too
	SavesFailed                                  int
	Jumps                                        int // of the clock, over something that was due
	Cancels                                      int // jobs taken back before they ended
	Restarts                                     int
}

// A JobRecord is the outcome of a job.
type JobRecord struct {
	ID         policy.JobID    `json:"id"`
	Outcome    policy.Outcome  `json:"outcome"`
	Submitted  policy.Time     `json:"submitted"`
	FirstStart policy.Time     `json:"first_start"` // of a copy; meaningless if Copies is 0
	Ended      policy.Time     `json:"ended"`       // completion, if Outcome is Done
	Tasks      int             `json:"tasks"`
	Ideal      policy.Duration `json:"ideal"`     // completion time on an idle cluster without end, at speed 1: faster nodes may take less
	MeanTask   policy.Duration `json:"mean_task"` // mean runtime of its tasks, at speed 1
	MeanWait   policy.Duration `json:"mean_wait"` // mean time of its started tasks from Ready to the first start
	// Service is the core-seconds of all its copies. Wasted is those of copies that did not finish, but for what was saved
	// and gone on from, or of all copies if the job is not Done. Reloaded, core-seconds in which copies reloaded what was
	// saved, is no service. Neither includes copies that a part started when the job was over, before the centre
	// could stop them.
	Service     float64     `json:"service"`
	Wasted      float64     `json:"wasted"`
	Reloaded    float64     `json:"reloaded,omitzero"`
	Preemptions int         `json:"preemptions"`    // suspensions
	Stops       int         `json:"stops,omitzero"` // copies that the policy killed with Save
	Copies      int         `json:"copies"`         // started; a gang counts as one
	SLO         *policy.SLO `json:"slo,omitempty"`
}

// Trim returns the run with only the jobs in Jobs that were submitted in its middle; the others are in Cut. It sorts
// the jobs by submission, and by ID at one instant, and cuts off the first share and the last share of them, each
// rounded down to whole jobs. The first jobs find an empty cluster, and it drains after the last ones, so neither
// show how a busy cluster behaves. A share is 0 to 0.5; a lower one or NaN counts as 0, and a higher one as 0.5. Trim
// changes only what counts, not the run.
func (r *Result) Trim(share float64) *Result {
	if !(share > 0) {
		share = 0
	}
	k := saturate.To[int](min(share, 0.5)*float64(len(r.Jobs)) + 1e-9) // 0.29 of 100 are 29
	jobs := slices.Clone(r.Jobs)
	slices.SortFunc(jobs, func(a, b JobRecord) int {
		return cmp.Or(cmp.Compare(a.Submitted, b.Submitted), cmp.Compare(a.ID, b.ID))
	})
	t := *r
	t.Jobs, t.Cut = jobs[k:len(jobs)-k], slices.Concat(r.Cut, jobs[:k], jobs[len(jobs)-k:])
	slices.SortFunc(t.Jobs, byID)
	return &t
}

func byID(a, b JobRecord) int { return cmp.Compare(a.ID, b.ID) }

// Done reports whether all tasks of the job finished.
func (r *JobRecord) Done() bool { return r.Outcome == policy.Done }

// JCT returns the job's completion time, from submission to completion. It is meaningless if the job is not Done.
func (r *JobRecord) JCT() policy.Duration { return r.Ended.Sub(r.Submitted) }

// MetDeadline reports whether the job has a deadline and was done by then.
func (r *JobRecord) MetDeadline() bool {
	return r.SLO != nil && r.Done() && r.Ended <= r.SLO.Deadline
}

// span converts seconds, ≥ 0, to a Duration, at most the longest one.
func span(seconds float64) policy.Duration {
	return saturate.To[policy.Duration](seconds * 1e9)
}

package central

import (
	"errors"
	"math"

	"example.com/augur/policy"
)

// Scored returns an order of your own that changes with time: the job with the greatest score is next. Ties go to the earlier
// submission, then to the smaller ID. A score that is NaN counts as -Inf: its job goes last.
//
// score is called with each job and the present, anew with each event at which the scheduler decides, and with a job whenever
// something of it starts. So nothing has to be kept up to date. It must depend on the job and the instant alone, not on other
// jobs (for that write a [Turn]), and must not change the job. It may read the job's description, the state of its tasks, and
// what the Forecast of the Config says of it. Between two events the order stays as it is.
//
// Whether jobs can starve is up to the score: one that grows with the time that a job has waited, without bound, lets every job
// come first at last.
//
// It goes with any filler, copier, placer and nodes. A decision takes O(n) time and n calls of score for n jobs, running ones
// among them, and each start another O(n) without calls. An order that does not change with time is faster with a heap:
// baseline.Ordered.
func Scored(score func(j *Job, now policy.Time) float64) Order { return &scored{score: score} }

type scored struct {
	score func(j *Job, now policy.Time) float64
	view  *View
	jobs  policy.Table[policy.JobID, scoredJob]
	stale bool // there was an event since all were scored
	moved bool // a job may have another place since Reordered was called
}

type scoredJob struct {
	job   *Job
	score float64
	wants bool
}

// Bind implements [Order].
func (s *scored) Bind(b Books) error {
	if s.score == nil {
		return errors.New("Scored without a function, want one that returns the score of a job")
	}
	return b.Enter(&s.view)
}

// Note implements [Order].
func (s *scored) Note(ev *policy.Event, j *Job) error {
	switch s.stale = true; ev.Kind {
	case policy.Submitted:
		s.jobs.Put(j.Job.ID, &scoredJob{job: j, score: s.of(j)})
	case policy.Ended:
		s.jobs.Delete(j.Job.ID)
	}
	return nil
}

// of returns the score of a job now.
func (s *scored) of(j *Job) float64 {
	if x := s.score(j, s.view.Now()); !math.IsNaN(x) {
		return x
	}
	return math.Inf(-1)
}

// Update implements [Order].
func (s *scored) Update(j *Job, u Usage) {
	e := s.jobs.Get(j.Job.ID)
	e.wants, e.score = u.Wants, s.of(j)
}

// renew scores all jobs, once after an event.
func (s *scored) renew() {
	if !s.stale {
		return
	}
	s.stale = false
	for _, e := range s.jobs.All() {
		if x := s.of(e.job); x != e.score {
			e.score, s.moved = x, true
		}
	}
}

// Next implements [Order].
func (s *scored) Next() *Job {
	s.renew()
	var first *scoredJob
	for _, e := range s.jobs.All() {
		if e.wants && (first == nil || e.before(first)) {
			first = e
		}
	}
	if first == nil {
		return nil
	}
	return first.job
}

func (e *scoredJob) before(f *scoredJob) bool {
	return e.score > f.score || e.score == f.score && BySubmission(e.job, f.job) < 0
}

// Compare implements [Order].
func (s *scored) Compare(a, b *Job) int {
	x, y := s.jobs.Get(a.Job.ID), s.jobs.Get(b.Job.ID)
	switch {
	case x == y:
		return 0
	case x.before(y):
		return -1
	}
	return 1
}

// Reordered implements [Order].
func (s *scored) Reordered() bool {
	s.renew()
	moved := s.moved
	s.moved = false
	return moved
}

package augurriver

import (
	"cmp"
	"slices"
	"time"

	"github.com/riverqueue/river/rivertype"

	"example.com/augur/policy/pool"
)

// A sweeper decides which jobs are marked. It is told what the rows are, and reads no clock and no database.
type sweeper struct {
	config  Config
	queue   *pool.Queue[int64]
	lessons *lessons
	tasks   map[int64]*task // all in queue
	starts  []time.Time     // of attempts, not long ago
	slots   int             // of workers: jobs that run at a time, lately
	last    time.Time       // the view before
}

// A task is a job that waits or runs.
type task struct {
	scheduled time.Time // before it had a mark
	began     time.Time // its attempt; zero while it waits
	attempted time.Time // the attempt before that
	seen      time.Time // the view that had it last
	expected  float64   // s, as predicted when it came; 0: nothing was
}

// A view is what the rows of a queue are at an instant: those that may start, that run, and that have finished since some time.
type view struct {
	now  time.Time
	rows []row
}

// A row is a job, without what its attributes are made of.
type row struct {
	id                              int64
	state                           rivertype.JobState
	priority                        int
	scheduled, attempted, finalized time.Time
}

// waits reports whether the row is one that the leader orders. Jobs with priorities 2 and 3 are behind all of these.
func (r *row) waits() bool {
	return r.state == rivertype.JobStateAvailable && (r.priority == next || r.priority == wait)
}

func (r *row) runs() bool { return r.state == rivertype.JobStateRunning }

// began returns when the attempt began of a job that runs, and zero for one that waits, maybe for another attempt.
func (r *row) began() time.Time {
	if r.runs() {
		return r.attempted
	}
	return time.Time{}
}

func newSweeper(c Config, q *pool.Queue[int64]) *sweeper {
	return &sweeper{config: c, queue: q, lessons: newLessons(q.History(), c.Attrs), tasks: make(map[int64]*task)}
}

// missing returns the jobs of which step needs all that the row has.
func (s *sweeper) missing(v view) (ids []int64) {
	seen := make(map[int64]bool, len(v.rows))
	for _, r := range v.rows {
		t := s.tasks[r.id]
		seen[r.id] = true
		switch {
		case r.waits() || r.runs():
			if t != nil && (t.began.IsZero() || t.began.Equal(r.began())) {
				continue
			}
		case s.lessons.had(r.id, r.finalized) || t != nil && r.state == rivertype.JobStateCompleted && !s.last.IsZero():
			continue
		}
		ids = append(ids, r.id)
	}
	for id := range s.tasks {
		if !seen[id] {
			ids = append(ids, id) // it has failed, or finished long before that was committed
		}
	}
	slices.Sort(ids)
	return ids
}

// step takes note of the rows, and returns what of them has to change. The jobs are those that missing returned, without those whose
// rows have gone.
func (s *sweeper) step(v view, jobs map[int64]*rivertype.JobRow) []mark {
	slices.SortFunc(v.rows, func(a, b row) int {
		return cmp.Or(a.scheduled.Compare(b.scheduled), cmp.Compare(a.id, b.id))
	})
	// What has finished teaches before the others are predicted.
	for _, r := range s.lessons.fresh(v) {
		s.finished(r, jobs[r.id], v.now)
	}
	marked := make(map[int64]time.Time)
	for _, r := range v.rows {
		if r.waits() || r.runs() {
			s.present(r, jobs[r.id], v.now)
		}
		if r.waits() && r.priority == next {
			marked[r.id] = r.scheduled
		}
	}
	var gone []int64
	for id, t := range s.tasks {
		if !t.seen.Equal(v.now) {
			gone = append(gone, id)
		}
	}
	slices.Sort(gone)
	for _, id := range gone {
		s.gone(id, jobs[id], v.now)
	}
	first := s.queue.Next(s.likely(v.now), v.now)
	first = first[:s.fitting(first, v.now)]
	s.last = v.now
	s.lessons.forget(v.now)
	list := s.marks(first, marked)
	for _, id := range gone { // or River would start these at once when they may start again
		list = append(list, mark{id: id, priority: wait})
	}
	return list
}

// add puts a job into the queue. It is false if the row has gone meanwhile.
func (s *sweeper) add(r row, job *rivertype.JobRow, now time.Time) bool {
	if job == nil {
		return false
	}
	attrs := s.config.Attrs(job)
	expected, _ := s.queue.History().Estimate(attrs, now)
	s.queue.Add(r.id, attrs, r.scheduled)
	s.tasks[r.id] = &task{scheduled: r.scheduled, expected: expected, attempted: r.attempted}
	return true
}

// present takes note of a job that may start, or that a worker has.
func (s *sweeper) present(r row, job *rivertype.JobRow, now time.Time) {
	t := s.tasks[r.id]
	if t != nil && !t.began.IsZero() && !t.began.Equal(r.began()) {
		s.unfinished(r.id, job, now)
		t = nil
	}
	if t == nil && !s.add(r, job, now) {
		return
	}
	t = s.tasks[r.id]
	t.seen = now
	if r.runs() && t.began.IsZero() {
		t.began = r.attempted
		s.starts = append(s.starts, r.attempted)
		s.queue.Started(r.id, now)
	}
}

// finished takes note of a job that has completed, or has failed for the last time. On the first look it only teaches: what
// tenants had before somebody led does not count.
func (s *sweeper) finished(r row, job *rivertype.JobRow, now time.Time) {
	t := s.tasks[r.id]
	if t == nil || !t.began.Equal(r.attempted) {
		s.starts = append(s.starts, r.attempted)
	}
	if s.last.IsZero() {
		s.lessons.teach(r, job, now)
		return
	}
	s.lessons.note(r.id, r.finalized)
	took, err := outcome(r, job)
	if t == nil && s.add(r, job, now) || t != nil {
		s.queue.Ended(r.id, took, err, now)
		delete(s.tasks, r.id)
	}
}

// gone takes note of a job that neither waits nor runs: it is to be retried, was put off or cancelled, or has completed
// in a transaction that took long.
func (s *sweeper) gone(id int64, job *rivertype.JobRow, now time.Time) {
	t := s.tasks[id]
	if t.began.IsZero() && job != nil && job.AttemptedAt != nil && !job.AttemptedAt.Equal(t.attempted) {
		// It ran between two looks, and nobody knows for how long: as predicted, or half of the time.
		took := now.Sub(*job.AttemptedAt)
		if t.expected > 0 {
			took = min(took, time.Duration(t.expected*1e9))
		} else {
			took /= 2
		}
		t.began, t.seen = *job.AttemptedAt, job.AttemptedAt.Add(took)
		s.starts = append(s.starts, t.began)
		s.queue.Started(id, now)
	}
	if t.began.IsZero() {
		s.queue.Remove(id)
		delete(s.tasks, id)
		return
	}
	if job != nil && job.FinalizedAt != nil && job.AttemptedAt != nil && job.State != rivertype.JobStateCancelled {
		s.finished(row{id: id, state: job.State, attempted: *job.AttemptedAt, finalized: *job.FinalizedAt}, job, now)
		return
	}
	s.unfinished(id, job, now)
}

// unfinished takes note that a job no longer runs which did on the last look. Until then at least it ran.
func (s *sweeper) unfinished(id int64, job *rivertype.JobRow, now time.Time) {
	t := s.tasks[id]
	if job != nil && rescued(job) {
		s.queue.Remove(id) // its worker died, nobody knows when
	} else {
		s.queue.Ended(id, t.seen.Sub(t.began), errUnfinished, now)
	}
	delete(s.tasks, id)
}

package augurriver

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river/rivertype"

	"example.com/augur/predict"
)

// The lessons are the rows of finished jobs, each of which teaches once.
type lessons struct {
	history *predict.Predictor
	attrs   func(*rivertype.JobRow) predict.Job
	seen    map[int64]time.Time // when they finished, of rows that a view may have again
	since   time.Time           // views have rows that finished from then on
}

// A row becomes visible when it is committed, and a worker's clock may be slow. So a view reaches back behind the last one.
const overlap = 5 * time.Second

func newLessons(history *predict.Predictor, attrs func(*rivertype.JobRow) predict.Job) *lessons {
	return &lessons{history: history, attrs: attrs, seen: make(map[int64]time.Time)}
}

// had reports whether a row has taught. A job that somebody retries by hand finishes again.
func (l *lessons) had(id int64, finalized time.Time) bool {
	at, ok := l.seen[id]
	return ok && at.Equal(finalized) || finalized.Before(l.since)
}

// fresh returns the rows of a view that have finished and not taught, the first one first.
func (l *lessons) fresh(v view) (rows []row) {
	for _, r := range v.rows {
		if !r.finalized.IsZero() && !l.had(r.id, r.finalized) {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(a.finalized.Compare(b.finalized), cmp.Compare(a.id, b.id))
	})
	return rows
}

// note takes note of a row that has taught.
func (l *lessons) note(id int64, finalized time.Time) { l.seen[id] = finalized }

// teach takes what a row tells about its runtime.
func (l *lessons) teach(r row, job *rivertype.JobRow, now time.Time) {
	l.note(r.id, r.finalized)
	took, err := outcome(r, job)
	switch {
	case job == nil: // the row has gone
	case err != nil:
		l.history.ObserveCensored(l.attrs(job), took.Seconds(), now)
	default:
		l.history.Observe(l.attrs(job), took.Seconds(), now)
	}
}

// forget takes note that all rows are known that are committed now.
func (l *lessons) forget(now time.Time) {
	l.since = now.Add(-overlap)
	for id, at := range l.seen {
		if at.Before(l.since) {
			delete(l.seen, id)
		}
	}
}

// errUnfinished says that a job has not completed.
var errUnfinished = errors.New("not completed")

// outcome returns how long the last attempt of a finished job took, and an error unless it completed: the job is needed
// then, and took is 0, from which nothing is learned, if nobody knows.
func outcome(r row, job *rivertype.JobRow) (took time.Duration, err error) {
	took = r.finalized.Sub(r.attempted)
	switch {
	case r.state == rivertype.JobStateCompleted:
		return took, nil
	case job == nil || r.attempted.IsZero() || rescued(job) || strings.Contains(string(job.Metadata), `"unique_key_conflict"`):
		took = 0 // it was discarded while it did not run
	}
	return took, errUnfinished
}

// rescued reports whether River once gave a job up whose worker had died.
func rescued(job *rivertype.JobRow) bool {
	return strings.Contains(string(job.Metadata), `"river:rescue_count"`)
}

// ids returns the IDs of rows.
func ids(rows []row) (list []int64) {
	for _, r := range rows {
		list = append(list, r.id)
	}
	return list
}

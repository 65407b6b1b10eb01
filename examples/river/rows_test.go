package augurriver

import (
	"cmp"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/riverqueue/river/rivertype"
)

// A rows is River's table in memory.
type rows struct {
	now     time.Time
	jobs    []*rivertype.JobRow // number i has ID i+1
	seconds map[int64]float64   // that the workers take
	slots   int                 // of the workers
	updates int                 // of priorities
}

// newRows makes an empty table, and a sweeper for it. Every is 1 s, and jobs are alike that have the same report.
func newRows(t *testing.T, c Config) (*rows, *sweeper) {
	t.Helper()
	c.Features, c.Every, c.Log = []string{"report"}, time.Second, quiet
	o, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	q, err := o.queue()
	if err != nil {
		t.Fatal(err)
	}
	return &rows{now: time.Unix(1e9, 0), seconds: make(map[int64]float64)}, newSweeper(o.config, q)
}

func (m *rows) insert(a sleepArgs) *rivertype.JobRow {
	args, _ := json.Marshal(a)
	j := &rivertype.JobRow{
		ID: int64(len(m.jobs) + 1), Kind: a.Kind(), EncodedArgs: args, Priority: wait, State: rivertype.JobStateAvailable,
		CreatedAt: m.now, ScheduledAt: m.now,
	}
	m.jobs = append(m.jobs, j)
	m.seconds[j.ID] = a.Seconds
	return j
}

// past inserts a job that has completed a minute ago.
func (m *rows) past(a sleepArgs) *rivertype.JobRow {
	j := m.insert(a)
	m.start(j, m.now.Add(-time.Minute-time.Duration(a.Seconds*1e9)))
	m.end(j, rivertype.JobStateCompleted, m.now.Add(-time.Minute))
	return j
}

func (m *rows) start(j *rivertype.JobRow, at time.Time) {
	j.State, j.AttemptedAt = rivertype.JobStateRunning, &at
}

func (m *rows) end(j *rivertype.JobRow, state rivertype.JobState, at time.Time) {
	j.State, j.FinalizedAt = state, &at
}

// fetch completes what has ended, and starts the next jobs in River's order. It returns how many have not completed.
func (m *rows) fetch() (left int) {
	free := m.slots
	var available []*rivertype.JobRow
	for _, j := range m.jobs {
		if j.State == rivertype.JobStateRunning {
			if end := j.AttemptedAt.Add(time.Duration(m.seconds[j.ID] * 1e9)); !end.After(m.now) {
				m.end(j, rivertype.JobStateCompleted, end)
			} else {
				free--
				left++
			}
		}
		if j.State == rivertype.JobStateAvailable {
			available = append(available, j)
		}
	}
	slices.SortFunc(available, func(a, b *rivertype.JobRow) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), a.ScheduledAt.Compare(b.ScheduledAt), cmp.Compare(a.ID, b.ID))
	})
	for _, j := range available[:min(free, len(available))] {
		m.start(j, m.now)
	}
	return left + len(available)
}

func (m *rows) view(since time.Time) (v view) {
	v.now = m.now
	for _, j := range m.jobs {
		r := row{id: j.ID, state: j.State, priority: j.Priority, scheduled: j.ScheduledAt}
		if j.AttemptedAt != nil {
			r.attempted = *j.AttemptedAt
		}
		if j.FinalizedAt != nil {
			r.finalized = *j.FinalizedAt
		}
		if r.finalized.IsZero() || !r.finalized.Before(since) {
			switch r.state {
			case rivertype.JobStateAvailable, rivertype.JobStateRunning, rivertype.JobStateCompleted, rivertype.JobStateDiscarded:
				v.rows = append(v.rows, r)
			}
		}
	}
	return v
}

// sweep is that of a sweeper, without a database.
func (m *rows) sweep(s *sweeper) {
	v := m.view(s.lessons.since)
	jobs := make(map[int64]*rivertype.JobRow)
	for _, id := range s.missing(v) {
		jobs[id] = m.jobs[id-1]
	}
	for _, c := range s.step(v, jobs) {
		j := m.jobs[c.id-1]
		if j.Priority = c.priority; j.State == rivertype.JobStateAvailable && !c.scheduled.IsZero() {
			j.ScheduledAt = c.scheduled
		}
		m.updates++
	}
}

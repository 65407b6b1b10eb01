package augurriver

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/riverqueue/river/rivertype"

	"example.com/augur/predict"
)

// marks returns the reports of the jobs that have a mark and wait.
func (m *rows) marks() (reports []string) {
	for _, j := range m.jobs {
		if j.State == rivertype.JobStateAvailable && j.Priority == next {
			reports = append(reports, attributes(j).(predict.Attrs)["report"])
		}
	}
	slices.Sort(reports)
	return reports
}

// Which jobs have a mark after a look. One of a second and one of a minute are known, and nothing has started lately, so there is
// one mark.
func TestMarks(t *testing.T) {
	short, long := sleepArgs{"a", "short", 1}, sleepArgs{"a", "long", 60}
	of := func(customer string, a sleepArgs) sleepArgs {
		a.Customer = customer
		return a
	}
	tests := []struct {
		name string
		do   func(m *rows, sweep func())
		want []string
	}{
		{"nothing waits", func(m *rows, sweep func()) {}, nil},
		{"the shortest", func(m *rows, sweep func()) {
			m.insert(long)
			m.insert(short)
		}, []string{"short"}},
		{"the longest, if it is alone", func(m *rows, sweep func()) { m.insert(long) }, []string{"long"}},
		{"a shorter one takes the mark", func(m *rows, sweep func()) {
			m.insert(long)
			sweep()
			m.insert(short)
		}, []string{"short"}},
		{"one that waited for MaxWait", func(m *rows, sweep func()) {
			m.insert(long).ScheduledAt = m.now.Add(-4 * time.Hour)
			m.insert(short)
		}, []string{"long"}},
		{"of the tenant that has less", func(m *rows, sweep func()) {
			m.start(m.insert(short), m.now)
			sweep()
			m.now = m.now.Add(time.Minute) // in which nothing starts
			m.insert(short)
			m.insert(of("b", long))
		}, []string{"long"}},
		{"of the tenant that had less, while nobody looked", func(m *rows, sweep func()) {
			m.insert(short)
			m.insert(of("b", long)) // both wait, so that debts hold
			sweep()
			j := m.insert(short)
			m.now = m.now.Add(time.Minute)
			m.start(j, m.now.Add(-40*time.Second))
			m.end(j, rivertype.JobStateCompleted, m.now.Add(-30*time.Second))
		}, []string{"long"}},
		{"of the tenant whose jobs did not fail while nobody looked", func(m *rows, sweep func()) {
			m.insert(short)
			m.insert(of("b", long)) // both wait, so that debts hold
			j := m.insert(short)
			sweep()
			m.start(j, m.now)
			j.State = rivertype.JobStateRetryable
			m.now = m.now.Add(10 * time.Second)
		}, []string{"long"}},
		{"not of tenants before the first look", func(m *rows, sweep func()) {
			m.past(sleepArgs{"b", "other", 1})
			m.past(sleepArgs{"a", "other", 1000})
			m.insert(short)
			m.insert(of("b", long))
		}, []string{"short"}},
		{"users' priorities", func(m *rows, sweep func()) {
			m.insert(short).Priority = 2
			m.insert(short).Priority = 3
			m.insert(long)
		}, []string{"long"}},
		{"one inserted without the plug-in", func(m *rows, sweep func()) {
			m.insert(long).Priority = next
			m.insert(short)
		}, []string{"short"}},
		{"as many as start", func(m *rows, sweep func()) {
			for range 4 { // in 4 looks: 1 + 2·√1
				m.start(m.insert(sleepArgs{"a", "other", 1}), m.now)
			}
			for range 5 {
				m.insert(sleepArgs{"a", "unknown", 1})
			}
		}, []string{"unknown", "unknown", "unknown"}},
		{"as much as they can do", func(m *rows, sweep func()) {
			for range 16 { // likely are 4 + 2·√4, but 16 workers have 16 s until the next look
				m.start(m.insert(short), m.now)
			}
			m.insert(short)
			for range 9 {
				m.insert(long)
			}
		}, []string{"long", "short"}},
		{"a retried one waits again", func(m *rows, sweep func()) {
			j := m.insert(short)
			m.start(j, m.now)
			sweep()
			m.now = m.now.Add(time.Minute)
			j.State = rivertype.JobStateAvailable
			m.insert(long)
		}, []string{"short"}},
		{"one that has gone leaves its place", func(m *rows, sweep func()) {
			j := m.insert(short)
			m.insert(long)
			sweep()
			m.end(j, rivertype.JobStateCancelled, m.now)
		}, []string{"long"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, s := newRows(t, Config{Tenant: "customer"})
			m.past(short)
			m.past(long)
			tt.do(m, func() {
				m.sweep(s)
				m.now = m.now.Add(time.Second)
			})
			m.sweep(s)
			if diff := cmp.Diff(tt.want, m.marks()); diff != "" {
				t.Errorf("marked (-want +got):\n%s", diff)
			}
			updates := m.updates
			m.now = m.now.Add(time.Second)
			if m.sweep(s); m.updates != updates {
				t.Errorf("another look at the same rows updates %d, want none", m.updates-updates)
			}
		})
	}
}

// A job that is to be tried again later, or was put off, has no mark then: River would start it at once when its time comes.
func TestMarkOfUnfinished(t *testing.T) {
	for _, state := range []rivertype.JobState{rivertype.JobStateRetryable, rivertype.JobStateScheduled} {
		m, s := newRows(t, Config{Tenant: "customer"})
		j := m.insert(sleepArgs{"a", "job", 1})
		m.sweep(s)
		if j.Priority != next {
			t.Fatalf("priority %d, want %d", j.Priority, next)
		}
		m.start(j, m.now)
		m.now = m.now.Add(time.Second)
		m.sweep(s)
		j.State = state
		m.now = m.now.Add(time.Second)
		if m.sweep(s); j.Priority != wait {
			t.Errorf("%s with priority %d, want %d", state, j.Priority, wait)
		}
	}
}

// What the fate of a job teaches, if it is looked at while it waits or runs and later.
func TestTeaches(t *testing.T) {
	const step = 2 * time.Second // less than the overlap of views
	tests := []struct {
		name string
		do   func(m *rows, j *rivertype.JobRow, sweep func())
		want float64 // the prediction; 0: none
		n    uint64
	}{
		{"completes", func(m *rows, j *rivertype.JobRow, sweep func()) {
			m.start(j, m.now)
			sweep()
			m.end(j, rivertype.JobStateCompleted, m.now)
			sweep()
			sweep() // that it is still there teaches nothing
		}, 2, 1},
		{"completes between two looks", func(m *rows, j *rivertype.JobRow, sweep func()) {
			m.start(j, m.now.Add(-time.Second))
			m.end(j, rivertype.JobStateCompleted, m.now)
			sweep()
			sweep()
		}, 1, 1},
		{"has completed before the first look", func(m *rows, j *rivertype.JobRow, sweep func()) {
			j.State = rivertype.JobStateCancelled
			m.past(sleepArgs{"a", "job", 3})
			sweep()
			sweep()
		}, 3, 1},
		{"has been discarded before the first look", func(m *rows, j *rivertype.JobRow, sweep func()) {
			m.start(j, m.now.Add(-2*time.Second))
			m.end(j, rivertype.JobStateDiscarded, m.now)
			sweep()
		}, 4, 1}, // censored: as the first it counts twice
		{"completes in a transaction that takes long", func(m *rows, j *rivertype.JobRow, sweep func()) {
			m.start(j, m.now)
			at := m.now.Add(time.Second) // more than the overlap before it is seen
			for range 5 {
				sweep()
			}
			m.end(j, rivertype.JobStateCompleted, at)
			sweep()
			sweep()
		}, 1, 1},
		{"is retried by hand", func(m *rows, j *rivertype.JobRow, sweep func()) {
			for range 2 {
				m.start(j, m.now)
				sweep()
				m.end(j, rivertype.JobStateCompleted, m.now)
				sweep()
				j.State, j.FinalizedAt = rivertype.JobStateAvailable, nil
				sweep()
			}
		}, 2, 2},
		{"fails, seen for 2 s", func(m *rows, j *rivertype.JobRow, sweep func()) {
			m.start(j, m.now)
			sweep()
			sweep()
			j.State = rivertype.JobStateRetryable
			sweep()
			sweep()
		}, 4, 1},
		{"fails between two looks", func(m *rows, j *rivertype.JobRow, sweep func()) {
			sweep()
			m.start(j, m.now.Add(-time.Second))
			j.State = rivertype.JobStateRetryable
			sweep()
			sweep()
		}, 1, 1}, // it ran for up to 1 s: half of that, and as the first it counts twice
		{"fails between two looks, and again", func(m *rows, j *rivertype.JobRow, sweep func()) {
			for range 2 {
				j.State = rivertype.JobStateAvailable
				sweep()
				m.start(j, m.now.Add(-time.Second))
				j.State = rivertype.JobStateScheduled
				sweep()
			}
			j.State = rivertype.JobStateAvailable
			sweep()
			m.end(j, rivertype.JobStateCancelled, m.now) // while it waits
			sweep()
		}, 1.5, 2},
		{"fails, and runs again", func(m *rows, j *rivertype.JobRow, sweep func()) {
			m.start(j, m.now)
			sweep()
			sweep()
			m.start(j, m.now.Add(-time.Second))
			sweep()
		}, 4, 1},
		{"fails, and waits again", func(m *rows, j *rivertype.JobRow, sweep func()) {
			m.start(j, m.now)
			sweep()
			sweep()
			j.State = rivertype.JobStateAvailable
			sweep()
		}, 4, 1},
		{"fails for good", func(m *rows, j *rivertype.JobRow, sweep func()) {
			m.start(j, m.now)
			sweep()
			m.end(j, rivertype.JobStateDiscarded, m.now)
			sweep()
			sweep()
		}, 4, 1},
		{"is cancelled while it runs", func(m *rows, j *rivertype.JobRow, sweep func()) {
			m.start(j, m.now)
			sweep()
			sweep()
			m.end(j, rivertype.JobStateCancelled, m.now)
			sweep()
		}, 4, 1},
		{"is cancelled while it waits", func(m *rows, j *rivertype.JobRow, sweep func()) {
			sweep()
			m.end(j, rivertype.JobStateCancelled, m.now)
			sweep()
		}, 0, 0},
		{"is rescued", func(m *rows, j *rivertype.JobRow, sweep func()) {
			m.start(j, m.now)
			sweep()
			sweep()
			j.State, j.Metadata = rivertype.JobStateRetryable, []byte(`{"river:rescue_count": 1}`)
			sweep()
		}, 0, 0},
		{"is rescued, and runs again", func(m *rows, j *rivertype.JobRow, sweep func()) {
			m.start(j, m.now)
			sweep()
			sweep()
			m.start(j, m.now)
			j.Metadata = []byte(`{"river:rescue_count": 1}`)
			sweep()
		}, 0, 0},
		{"is rescued for the last time", func(m *rows, j *rivertype.JobRow, sweep func()) {
			m.start(j, m.now)
			sweep()
			m.end(j, rivertype.JobStateDiscarded, m.now)
			j.Metadata = []byte(`{"river:rescue_count": 1}`)
			sweep()
		}, 0, 0},
		{"is discarded for another one that is the same", func(m *rows, j *rivertype.JobRow, sweep func()) {
			sweep()
			m.end(j, rivertype.JobStateDiscarded, m.now)
			sweep()
		}, 0, 0},
		{"is discarded for another one after it has failed", func(m *rows, j *rivertype.JobRow, sweep func()) {
			j.AttemptedAt = new(m.now.Add(-time.Hour))
			m.end(j, rivertype.JobStateDiscarded, m.now)
			j.Metadata = []byte(`{"unique_key_conflict": "scheduler_discarded"}`)
			sweep()
		}, 0, 0},
		{"is cancelled before the first look", func(m *rows, j *rivertype.JobRow, sweep func()) {
			m.start(j, m.now.Add(-time.Second))
			m.end(j, rivertype.JobStateCancelled, m.now)
			sweep()
		}, 0, 0},
		{"ends before it began, by another clock", func(m *rows, j *rivertype.JobRow, sweep func()) {
			sweep()
			m.start(j, m.now)
			m.end(j, rivertype.JobStateCompleted, m.now.Add(-time.Second))
			sweep()
		}, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, s := newRows(t, Config{})
			j := m.insert(sleepArgs{"a", "job", 0})
			tt.do(m, j, func() {
				m.sweep(s)
				m.now = m.now.Add(step)
			})
			got, _ := s.queue.History().Estimate(attributes(j), m.now)
			if n := s.queue.History().Observed(); n != tt.n || got != tt.want {
				t.Errorf("learned from %d jobs, and predicts %v s; want %d and %v", n, got, tt.n, tt.want)
			}
			m.sweep(s)
			if got, want := s.lessons.since, m.now.Add(-overlap); !got.Equal(want) {
				t.Errorf("reads rows since %v, want %v", got, want)
			}
			if missing := s.missing(m.view(s.lessons.since)); len(missing) > 0 {
				t.Errorf("reads jobs %v again", missing)
			}
			var left []int64
			for _, j := range m.jobs {
				if j.State == rivertype.JobStateAvailable || j.State == rivertype.JobStateRunning {
					left = append(left, j.ID)
				}
			}
			if diff := cmp.Diff(left, slices.Sorted(maps.Keys(s.tasks))); diff != "" {
				t.Errorf("has jobs (-want +got):\n%s", diff)
			}
			if stats := s.queue.Stats(); stats.Waiting+stats.Running != len(left) {
				t.Errorf("the queue has %+v, want %d jobs", stats, len(left))
			}
		})
	}
}

// Rows teach in the order in which they finished, each once.
func TestFresh(t *testing.T) {
	at := time.Unix(1e9, 0)
	l := newLessons(nil, nil)
	v := view{rows: []row{{id: 1, finalized: at.Add(2)}, {id: 2}, {id: 4, finalized: at}, {id: 3, finalized: at}}}
	if got, want := ids(l.fresh(v)), []int64{3, 4, 1}; !slices.Equal(got, want) {
		t.Errorf("jobs %v are fresh, want %v", got, want)
	}
	l.note(4, at)
	if got, want := ids(l.fresh(v)), []int64{3, 1}; !slices.Equal(got, want) {
		t.Errorf("without job 4 %v are fresh, want %v", got, want)
	}
	l.forget(at.Add(2 + overlap))
	if got, want := ids(l.fresh(v)), []int64{1}; !slices.Equal(got, want) || len(l.seen) > 0 {
		t.Errorf("later %v are fresh, want %v; it keeps %v, want nothing", got, want, l.seen)
	}
}

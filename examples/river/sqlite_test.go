package augurriver

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"
	_ "modernc.org/sqlite"
)

// quiet is a log that nobody reads.
var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// openSQLite makes a database with River's tables.
func openSQLite(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "river.db")+"?_pragma=journal_mode(WAL)&_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1) // as River recommends
	t.Cleanup(func() { db.Close() })
	m, err := rivermigrate.New(riversqlite.New(db), &rivermigrate.Config{Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Migrate(t.Context(), rivermigrate.DirectionUp, nil); err != nil {
		t.Fatal(err)
	}
	return db
}

// sleepArgs is a job that sleeps.
type sleepArgs struct {
	Customer string  `json:"customer"`
	Report   string  `json:"report"`
	Seconds  float64 `json:"seconds"`
}

func (sleepArgs) Kind() string { return "sleep" }

// A sleeper works jobs, and keeps the order in which they started.
type sleeper struct {
	river.WorkerDefaults[sleepArgs]
	mu      sync.Mutex
	started []string
}

func (s *sleeper) Work(ctx context.Context, job *river.Job[sleepArgs]) error {
	s.mu.Lock()
	s.started = append(s.started, job.Args.Report)
	s.mu.Unlock()
	time.Sleep(time.Duration(job.Args.Seconds * 1e9))
	return nil
}

func (s *sleeper) order() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.started)
}

// newSQLiteClient makes a client with a plug-in. Without a sleeper it only inserts.
func newSQLiteClient(t *testing.T, db *sql.DB, s *sleeper, plugin rivertype.Plugin) *river.Client[*sql.Tx] {
	t.Helper()
	c := &river.Config{Logger: quiet, FetchCooldown: 10 * time.Millisecond, FetchPollInterval: 50 * time.Millisecond}
	if plugin != nil {
		c.Plugins = []rivertype.Plugin{plugin}
	}
	if s != nil {
		c.Workers = river.NewWorkers()
		river.AddWorker(c.Workers, s)
		c.Queues = map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 1}}
	}
	client, err := river.NewClient(riversqlite.New(db), c)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// insert inserts a job.
func insert(t *testing.T, client *river.Client[*sql.Tx], args sleepArgs, opts *river.InsertOpts) *rivertype.JobRow {
	t.Helper()
	result, err := client.Insert(t.Context(), args, opts)
	if err != nil {
		t.Fatal(err)
	}
	return result.Job
}

// change changes rows behind River's back.
func change(t *testing.T, db *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// retain inserts a job, and makes it one that took so long and completed a minute ago.
func retain(t *testing.T, db *sql.DB, client *river.Client[*sql.Tx], args sleepArgs, took time.Duration, state rivertype.JobState) {
	t.Helper()
	job := insert(t, client, args, nil)
	at := time.Now().Add(-time.Minute)
	change(t, db, `update river_job set state = ?, attempt = 1, attempted_at = ?, finalized_at = ? where id = ?`,
		string(state), sqlite.instant(at.Add(-took)), sqlite.instant(at), job.ID)
}

// priorities returns the priorities of jobs that are available, by report.
func priorities(t *testing.T, db *sql.DB) map[string]int {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `select json_extract(args, '$.report'), priority from river_job where state = 'available'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	got := make(map[string]int)
	for rows.Next() {
		var name string
		var priority int
		if err := rows.Scan(&name, &priority); err != nil {
			t.Fatal(err)
		}
		got[name] = priority
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return got
}

// With one worker, jobs start in the order of the marks, and each next leader has learned from the rows.
func TestSQLite(t *testing.T) {
	db := openSQLite(t)
	order, err := New(Config{Features: []string{"report"}, Every: 50 * time.Millisecond, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	s := new(sleeper)
	client := newSQLiteClient(t, db, s, order.Plugin())
	retain(t, db, client, sleepArgs{Report: "long"}, time.Minute, rivertype.JobStateCompleted)
	retain(t, db, client, sleepArgs{Report: "short"}, time.Second, rivertype.JobStateCompleted)
	retain(t, db, client, sleepArgs{Report: "middle"}, 5*time.Second, rivertype.JobStateDiscarded)
	for _, report := range []string{"long", "middle", "short", "long"} {
		insert(t, client, sleepArgs{Report: report, Seconds: .3}, nil)
	}
	insert(t, client, sleepArgs{Report: "later", Seconds: .3}, &river.InsertOpts{ScheduledAt: time.Now().Add(time.Hour)})
	insert(t, client, sleepArgs{Report: "background"}, &river.InsertOpts{Priority: 2})
	if got, want := priorities(t, db), (map[string]int{"long": 4, "middle": 4, "short": 4, "background": 2}); !maps.Equal(got, want) {
		t.Errorf("inserted with priorities %v, want %v", got, want)
	}
	for range 2 { // leaders
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- order.RunSQLite(ctx, db) }()
		eventually(t, 10*time.Second, "the short one has the mark", func() bool { return priorities(t, db)["short"] == next })
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("RunSQLite = %v, want that the context is cancelled", err)
		}
	}
	go order.RunSQLite(t.Context(), db)
	if err := client.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, 20*time.Second, "all start", func() bool { return len(s.order()) == 5 })
	if err := client.Stop(context.WithoutCancel(t.Context())); err != nil {
		t.Error(err)
	}
	if got, want := s.order(), []string{"short", "middle", "long", "long", "background"}; !slices.Equal(got, want) {
		t.Errorf("started %v, want %v: middle has failed after 5 s, so it is longer than short", got, want)
	}
}

// An Aging learns from the rows, and River fetches by its stamps.
func TestAgingSQLite(t *testing.T) {
	db := openSQLite(t)
	aging, err := NewAging(Config{Features: []string{"report"}, Every: 50 * time.Millisecond, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	s := new(sleeper)
	client := newSQLiteClient(t, db, s, aging.Plugin())
	retain(t, db, client, sleepArgs{Report: "long"}, time.Minute, rivertype.JobStateCompleted)
	go aging.LearnSQLite(t.Context(), db)
	eventually(t, 10*time.Second, "one is learned", func() bool { return aging.lessons.history.Observed() == 1 })
	retain(t, db, client, sleepArgs{Report: "old"}, time.Second, rivertype.JobStateCompleted) // not since the last look
	job := insert(t, client, sleepArgs{Report: "short"}, nil)
	change(t, db, `update river_job set state = 'completed', attempted_at = created_at, finalized_at = datetime('now', 'subsec') where id = ?`, job.ID)
	eventually(t, 10*time.Second, "another one is learned", func() bool { return aging.lessons.history.Observed() == 2 })
	time.Sleep(200 * time.Millisecond) // some looks, in which nothing is new
	if got := aging.lessons.history.Observed(); got != 2 {
		t.Errorf("learned from %d rows, want 2", got)
	}
	for _, report := range []string{"unknown", "long", "short"} {
		insert(t, client, sleepArgs{Report: report}, nil)
	}
	if err := client.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, 20*time.Second, "all start", func() bool { return len(s.order()) == 3 })
	if err := client.Stop(context.WithoutCancel(t.Context())); err != nil {
		t.Error(err)
	}
	if got, want := s.order(), []string{"short", "long", "unknown"}; !slices.Equal(got, want) {
		t.Errorf("started %v, want %v", got, want)
	}
}

// Only jobs that are available have their priority changed, and only from the one that they are believed to have.
func TestMarkSQLite(t *testing.T) {
	db := openSQLite(t)
	client := newSQLiteClient(t, db, nil, nil)
	table := newTable(db, sqlite, Config{Queue: river.QueueDefault})
	var ids []int64
	for _, state := range []string{"available", "running", "scheduled", "available"} {
		job := insert(t, client, sleepArgs{Report: state}, &river.InsertOpts{Priority: wait})
		change(t, db, `update river_job set state = ? where id = ?`, state, job.ID)
		ids = append(ids, job.ID)
	}
	change(t, db, `update river_job set priority = 2 where id = ?`, ids[3])
	at := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)
	var list []mark
	for i, id := range ids {
		list = append(list, mark{id, next, at.Add(time.Duration(i) * time.Hour)})
	}
	if n, err := table.mark(t.Context(), list); n != 1 || err != nil {
		t.Errorf("marked %d jobs, %v, want the first one", n, err)
	}
	if v, err := table.all(t.Context(), time.Now()); err != nil || len(v.rows) != 3 || v.rows[0].priority != next || !v.rows[0].scheduled.Equal(at) {
		t.Errorf("rows %+v, %v, want the first one with a mark of %v", v.rows, err, at)
	}
	change(t, db, `update river_job set priority = 1 where id = ?`, ids[2])
	if n, err := table.mark(t.Context(), []mark{{ids[1], wait, time.Time{}}, {ids[2], wait, time.Time{}}}); n != 1 || err != nil {
		t.Errorf("took the marks of %d jobs, %v, want that of the one that is scheduled", n, err)
	}
	change(t, db, `update river_job set scheduled_at = datetime('now', '+1 minute') where id = ?`, ids[0])
	if v, err := table.all(t.Context(), time.Now()); err != nil || len(v.rows) != 2 {
		t.Errorf("rows %+v, %v, want the one that runs and the last one", v.rows, err)
	}
}

// A table in another schema, as river.Config.Schema has it.
func TestSchema(t *testing.T) {
	got := newTable(nil, postgres, Config{Schema: `a"b`}).sql("select from TABLE")
	if want := `select from "a""b".river_job`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

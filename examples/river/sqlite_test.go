package augurriver

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
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

func TestSmoke(t *testing.T) {
	db := openSQLite(t)
	order, err := New(Config{Features: []string{"report"}, Log: slog.Default(), Every: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	s := new(sleeper)
	client := newSQLiteClient(t, db, s, order.Plugin())
	retain(t, db, client, sleepArgs{Report: "long"}, time.Minute, rivertype.JobStateCompleted)
	retain(t, db, client, sleepArgs{Report: "short"}, time.Second, rivertype.JobStateCompleted)
	for range 3 {
		insert(t, client, sleepArgs{Report: "long", Seconds: .2}, nil)
	}
	insert(t, client, sleepArgs{Report: "short", Seconds: .1}, nil)
	fmt.Println(priorities(t, db))
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	go order.RunSQLite(ctx, db)
	time.Sleep(200 * time.Millisecond)
	fmt.Println(priorities(t, db))
	if err := client.Start(ctx); err != nil {
		t.Fatal(err)
	}
	time.Sleep(1500 * time.Millisecond)
	fmt.Println(s.order())
	client.Stop(t.Context())
}

package augurriver

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river/rivertype"
)

// A table is River's table of jobs, as far as the order reads and writes it.
type table struct {
	db      database
	dialect dialect
	name    string
	queue   string
}

// A database is a *sql.DB or a *sql.Conn.
type database interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// A dialect is how a database says what the order asks of it. TABLE stands for the name of the table, and the arguments are
// numbered.
type dialect struct {
	waiting  string // rows that may start or that run, of queue $1
	finished string // rows that have finished since $2, at most $3, of queue $1
	jobs     string // what attributes are made of, of ids $1
	mark     string // writes marks, see marks, on those that are available and have the priority of the order
	marks    func([]mark) []any
	now      string // the clock; "": that of this process
	ids      func([]int64) any
	instant  func(time.Time) any
}

// On Postgres the mark skips rows that are locked: a worker is about to have them, and to wait for it could be a deadlock.
var postgres = dialect{
	now: `select clock_timestamp()`,
	waiting: `
		select id, state::text, priority, scheduled_at, attempted_at, finalized_at from TABLE
		where queue = $1 and (state = 'available' and scheduled_at <= now() or state = 'running')`,
	finished: `
		(select id, state::text, priority, scheduled_at, attempted_at, finalized_at from TABLE
		where queue = $1 and state = 'completed' and finalized_at >= $2 order by finalized_at desc limit $3)
		union all
		(select id, state::text, priority, scheduled_at, attempted_at, finalized_at from TABLE
		where queue = $1 and state = 'discarded' and finalized_at >= $2 order by finalized_at desc limit $3)`,
	jobs: `
		select id, kind, args::text, metadata::text, to_json(tags)::text, max_attempts, attempt, priority,
			state::text, created_at, scheduled_at, attempted_at, finalized_at
		from TABLE where id = any($1)`,
	mark: `
		with mark as (select * from unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) as m (id, priority, scheduled_at)),
		free as materialized (
			select job.id from TABLE job join mark using (id)
			where job.state = 'available' and job.priority in (1, 4)
				or mark.priority = 4 and job.state in ('retryable', 'scheduled') and job.priority = 1
			for update of job skip locked
		)
		update TABLE job set priority = mark.priority,
			scheduled_at = case job.state when 'available' then coalesce(mark.scheduled_at, job.scheduled_at) else job.scheduled_at end
		from free join mark using (id) where job.id = free.id`,
	marks: func(list []mark) []any {
		var ids, priorities []int64
		var instants []sql.NullTime
		for _, m := range list {
			ids, priorities = append(ids, m.id), append(priorities, int64(m.priority))
			instants = append(instants, sql.NullTime{Time: m.scheduled, Valid: !m.scheduled.IsZero()})
		}
		return []any{ids, priorities, instants}
	},
	ids:     func(ids []int64) any { return ids },
	instant: func(t time.Time) any { return t },
}

// SQLite has one writer at a time, and keeps instants as text, to the millisecond.
var sqlite = dialect{
	waiting: `
		select id, state, priority, scheduled_at, attempted_at, finalized_at from TABLE
		where queue = ?1 and (state = 'available' and scheduled_at <= datetime('now', 'subsec') or state = 'running')`,
	finished: `
		select * from (select id, state, priority, scheduled_at, attempted_at, finalized_at from TABLE
		where queue = ?1 and state = 'completed' and finalized_at >= ?2 order by finalized_at desc limit ?3)
		union all
		select * from (select id, state, priority, scheduled_at, attempted_at, finalized_at from TABLE
		where queue = ?1 and state = 'discarded' and finalized_at >= ?2 order by finalized_at desc limit ?3)`,
	jobs: `
		select id, kind, json(args), json(metadata), json(tags), max_attempts, attempt, priority,
			state, created_at, scheduled_at, attempted_at, finalized_at
		from TABLE where id in (select value from json_each(?1))`,
	mark: `
		update TABLE as job set priority = mark.priority,
			scheduled_at = case job.state when 'available' then coalesce(mark.scheduled_at, job.scheduled_at) else job.scheduled_at end
		from (select value ->> 0 as id, value ->> 1 as priority, value ->> 2 as scheduled_at from json_each(?1)) as mark
		where job.id = mark.id and (job.state = 'available' and job.priority in (1, 4)
			or mark.priority = 4 and job.state in ('retryable', 'scheduled') and job.priority = 1)`,
	marks: func(list []mark) []any {
		var rows [][]any
		for _, m := range list {
			var at any
			if !m.scheduled.IsZero() {
				at = instantSQLite(m.scheduled)
			}
			rows = append(rows, []any{m.id, m.priority, at})
		}
		b, _ := json.Marshal(rows)
		return []any{string(b)}
	},
	ids: func(ids []int64) any {
		list, _ := json.Marshal(ids)
		return string(list)
	},
	instant: func(t time.Time) any { return instantSQLite(t) },
}

func instantSQLite(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.000") }

func newTable(db database, d dialect, c Config) *table {
	t := &table{db: db, dialect: d, name: "river_job", queue: c.Queue}
	if c.Schema != "" {
		t.name = `"` + strings.ReplaceAll(c.Schema, `"`, `""`) + `".river_job`
	}
	return t
}

// retained is how many rows of finished jobs a new leader learns from at most, the latest ones.
const retained = 100_000

// all returns the rows that wait, run, or have finished since an instant. A job that goes on meanwhile may be there twice:
// the later row holds.
func (t *table) all(ctx context.Context, since time.Time) (v view, err error) {
	waiting, err := t.rows(ctx, t.dialect.waiting, t.queue)
	if err != nil {
		return v, err
	}
	if v, err = t.finished(ctx, since); err != nil {
		return v, err
	}
	done := make(map[int64]bool, len(v.rows))
	for _, r := range v.rows {
		done[r.id] = true
	}
	v.rows = append(v.rows, slices.DeleteFunc(waiting, func(r row) bool { return done[r.id] })...)
	return v, nil
}

// finished returns the rows that have finished since an instant.
func (t *table) finished(ctx context.Context, since time.Time) (v view, err error) {
	if v.now, err = t.now(ctx); err != nil {
		return v, err
	}
	v.rows, err = t.rows(ctx, t.dialect.finished, t.queue, t.dialect.instant(since), retained)
	return v, err
}

func (t *table) now(ctx context.Context) (now time.Time, err error) {
	if t.dialect.now == "" {
		return time.Now(), nil
	}
	err = t.query(ctx, t.dialect.now, nil, func(rows *sql.Rows) error { return rows.Scan(&now) })
	return now, err
}

func (t *table) rows(ctx context.Context, query string, args ...any) (list []row, err error) {
	err = t.query(ctx, query, args, func(rows *sql.Rows) error {
		var r row
		var attempted, finalized sql.NullTime
		err := rows.Scan(&r.id, &r.state, &r.priority, &r.scheduled, &attempted, &finalized)
		r.attempted, r.finalized = attempted.Time, finalized.Time
		list = append(list, r)
		return err
	})
	return list, err
}

// jobs returns what attributes are made of. Rows that have gone are not in it.
func (t *table) jobs(ctx context.Context, ids []int64) (map[int64]*rivertype.JobRow, error) {
	jobs := make(map[int64]*rivertype.JobRow, len(ids))
	for some := range slices.Chunk(ids, 10_000) {
		err := t.query(ctx, t.dialect.jobs, []any{t.dialect.ids(some)}, func(rows *sql.Rows) error {
			j := &rivertype.JobRow{Queue: t.queue}
			var args, metadata, tags string
			if err := rows.Scan(&j.ID, &j.Kind, &args, &metadata, &tags, &j.MaxAttempts, &j.Attempt, &j.Priority,
				&j.State, &j.CreatedAt, &j.ScheduledAt, &j.AttemptedAt, &j.FinalizedAt); err != nil {
				return err
			}
			j.EncodedArgs, j.Metadata = []byte(args), []byte(metadata)
			jobs[j.ID] = j
			return json.Unmarshal([]byte(tags), &j.Tags)
		})
		if err != nil {
			return nil, err
		}
	}
	return jobs, nil
}

// mark writes marks on jobs that are still available, and returns how many were.
func (t *table) mark(ctx context.Context, list []mark) (int64, error) {
	if len(list) == 0 {
		return 0, nil
	}
	result, err := t.db.ExecContext(ctx, t.sql(t.dialect.mark), t.dialect.marks(list)...)
	if err != nil {
		return 0, fmt.Errorf("mark %d jobs: %w", len(list), err)
	}
	return result.RowsAffected()
}

func (t *table) sql(query string) string { return strings.ReplaceAll(query, "TABLE", t.name) }

// query calls scan for each row.
func (t *table) query(ctx context.Context, query string, args []any, scan func(*sql.Rows) error) error {
	rows, err := t.db.QueryContext(ctx, t.sql(query), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

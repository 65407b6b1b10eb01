package bench

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	cmpx "github.com/google/go-cmp/cmp"
	"github.com/marcboeker/go-duckdb"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/lab/paper"
)

var full = flag.Bool("full", false, "BenchmarkFind over larger logs")

// The rules of provenance.Find in SQL. What users do has no job. Each text makes the table uses,
// with the job that wrote and the one that read, or none if it is a download.
var joins = []struct{ name, sql string }{
	// Of writes at one instant the later row is left; then each read finds the last one.
	{"asof", `
		CREATE TABLE uses AS
		WITH writes AS (
			SELECT file, time, arg_max(coalesce(job, -1), row) AS job FROM ops WHERE write GROUP BY file, time
		), read AS (
			SELECT file, time, job FROM ops WHERE NOT write
		)
		SELECT w.job AS "from", r.job AS "to", r.file, w.time AS written, r.time AS read
		FROM read r ASOF JOIN writes w ON r.file = w.file AND r.time >= w.time
		WHERE w.job >= 0 AND r.time - w.time <= ` + window},
	// Each read looks back over its file, with writes first in an instant.
	{"over", `
		CREATE TABLE uses AS
		WITH after AS (
			SELECT write, file, time, job,
				last_value(CASE WHEN write THEN coalesce(job, -1) END IGNORE NULLS) OVER o AS writer,
				last_value(CASE WHEN write THEN time END IGNORE NULLS) OVER o AS written
			FROM ops
			WINDOW o AS (PARTITION BY file ORDER BY time, NOT write, row ROWS UNBOUNDED PRECEDING)
		)
		SELECT writer AS "from", job AS "to", file, written, time AS read
		FROM after
		WHERE NOT write AND writer >= 0 AND time - written <= ` + window},
}

const (
	window = "2592000000000000" // 30 days in ns
	// count makes of the uses what provenance.Find returns. The planner takes J4 for a way to join,
	// and pairs all jobs with all, unless it is told by a difference.
	count = `
		CREATE TABLE dependencies AS
		SELECT "from", "to", count(DISTINCT file) AS files, count(*) AS reads, min(read) AS first
		FROM uses JOIN jobs u ON "from" = u.job JOIN jobs d ON "to" = d.job
		WHERE d.submitted - u.submitted > 0
		GROUP BY "from", "to";
		CREATE TABLE downloads AS
		SELECT "from" AS job, file, written, read AS time FROM uses WHERE "to" IS NULL`
	drop = `DROP TABLE IF EXISTS uses; DROP TABLE IF EXISTS dependencies; DROP TABLE IF EXISTS downloads`
)

// A duck is a database in memory with the rows of a log.
type duck struct{ conn *sql.Conn }

func newDuck(t testing.TB, ops []provenance.Op, submitted []provenance.Time) duck {
	t.Helper()
	ctx := context.Background()
	connector, err := duckdb.NewConnector("", nil)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector) // closes the connector too
	t.Cleanup(func() { db.Close() })
	conn, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	d := duck{conn}
	// More than that is on disk.
	d.exec(t, fmt.Sprintf("SET memory_limit = '8GB'; SET temp_directory = '%s'", t.TempDir()))
	d.exec(t, `CREATE TABLE ops (row BIGINT, time BIGINT, job BIGINT, file BIGINT, write BOOLEAN);
		CREATE TABLE jobs (job BIGINT, submitted BIGINT)`)
	d.fill(t, "ops", len(ops), func(i int) []driver.Value {
		op := ops[i]
		row := []driver.Value{int64(i), int64(op.Time), int64(op.Job), int64(op.File), op.Kind == provenance.Write}
		if op.Job == provenance.User {
			row[2] = nil
		}
		return row
	})
	d.fill(t, "jobs", len(submitted), func(i int) []driver.Value {
		return []driver.Value{int64(i), int64(submitted[i])}
	})
	return d
}

func (d duck) exec(t testing.TB, text string) {
	t.Helper()
	if _, err := d.conn.ExecContext(context.Background(), text); err != nil {
		t.Fatal(err)
	}
}

func (d duck) fill(t testing.TB, table string, rows int, row func(i int) []driver.Value) {
	t.Helper()
	err := d.conn.Raw(func(c any) error {
		a, err := duckdb.NewAppenderFromConn(c.(driver.Conn), "", table)
		if err != nil {
			return err
		}
		for i := range rows {
			if err := a.AppendRow(row(i)...); err != nil {
				return err
			}
		}
		return a.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
}

// found reads what the last join has made.
func (d duck) found(t testing.TB) (deps []provenance.Dependency, downloads []provenance.Download) {
	t.Helper()
	each := func(query string, scan func(*sql.Rows) error) {
		rows, err := d.conn.QueryContext(context.Background(), query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			if err := scan(rows); err != nil {
				t.Fatal(err)
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	each(`SELECT * FROM dependencies ORDER BY "from", "to"`, func(rows *sql.Rows) error {
		var x provenance.Dependency
		err := rows.Scan(&x.From, &x.To, &x.Files, &x.Reads, &x.First)
		deps = append(deps, x)
		return err
	})
	each(`SELECT job, time FROM downloads ORDER BY job, time`, func(rows *sql.Rows) error {
		var x provenance.Download
		err := rows.Scan(&x.Job, &x.Time)
		downloads = append(downloads, x)
		return err
	})
	return deps, downloads
}

// check compares what a join in SQL has made with ours.
func (d duck) check(t testing.TB, want *provenance.Lineage) {
	t.Helper()
	deps, downloads := d.found(t)
	if !slices.Equal(deps, want.Dependencies) {
		t.Fatalf("%d dependencies in SQL, %d of ours; -ours +SQL:\n%s", len(deps), len(want.Dependencies), few(want.Dependencies, deps))
	}
	if !slices.Equal(downloads, want.Downloads) {
		t.Fatalf("%d downloads in SQL, %d of ours; -ours +SQL:\n%s", len(downloads), len(want.Downloads), few(want.Downloads, downloads))
	}
}

// few shows the first of two lists from where they differ.
func few[T comparable](a, b []T) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return cmpx.Diff(a[i:min(i+5, len(a))], b[i:min(i+5, len(b))])
}

func find(t testing.TB, ops []provenance.Op, submitted []provenance.Time) *provenance.Lineage {
	t.Helper()
	found, err := provenance.Find(ops, submitted, 0)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// The join in SQL finds the same as ours in logs where much happens at one instant, users
// overwrite what jobs wrote, and writes are older than the window.
func TestFindLikeSQL(t *testing.T) {
	const day = 24 * time.Hour
	dependencies, downloads := 0, 0
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 7))
		submitted := make([]provenance.Time, 40)
		for i := range submitted {
			submitted[i] = provenance.Time(rng.IntN(20)) * provenance.Time(day)
		}
		ops := make([]provenance.Op, 1500)
		for i := range ops {
			ops[i] = provenance.Op{
				Time: provenance.Time(rng.IntN(100)) * provenance.Time(day), Job: uint32(rng.IntN(len(submitted) + 3)),
				File: uint32(rng.IntN(30)), Kind: provenance.OpKind(rng.IntN(4) / 3),
			}
			if int(ops[i].Job) >= len(submitted) {
				ops[i].Job = provenance.User
			}
		}
		slices.SortStableFunc(ops, func(a, b provenance.Op) int { return cmp.Compare(a.Time, b.Time) })
		want := find(t, ops, submitted)
		dependencies, downloads = dependencies+len(want.Dependencies), downloads+len(want.Downloads)
		d := newDuck(t, ops, submitted)
		for _, join := range joins {
			d.exec(t, drop+";"+join.sql+";"+count)
			d.check(t, want)
		}
	}
	if min(dependencies, downloads) == 0 {
		t.Errorf("the logs have %d dependencies and %d downloads, want some", dependencies, downloads)
	}
}

// lake returns the operations of a generated data lake, and when its jobs were submitted.
func lake(t testing.TB, days, jobs int) (ops []provenance.Op, submitted []provenance.Time) {
	t.Helper()
	l := paper.DefaultLake()
	l.JobsPerDay = jobs / days
	l.Days = min(7, days-1)
	l.HistoryDays = days - l.Days
	l.Organisations = max(2, 150*l.JobsPerDay/40_000)
	l.Users = max(l.Organisations, 1300*l.JobsPerDay/40_000)
	l.Cores = 5 * l.JobsPerDay
	log, err := l.Log()
	if err != nil {
		t.Fatal(err)
	}
	known := log.Provenance()
	for i := range known.Jobs {
		submitted = append(submitted, known.Jobs[i].Submitted)
	}
	return known.Ops, submitted
}

// BenchmarkFind finds the dependencies and downloads of a log in memory, on one thread, and then
// has DuckDB do so with the same rows in tables in memory, on one thread and on two. Both must
// find the same. With -full the logs are a week of the paper's cluster, and 90 days with a tenth of
// its jobs. The time of processors is told beside, which is what counts where others use them too.
//
// Of a week an operation takes 0.8 µs of one processor, and 1.1 to 1.6 (over) or 1.3 µs (asof) in DuckDB
// 1.1.3; of the 90 days 0.9 µs, and 1.8 µs (asof).
func BenchmarkFind(b *testing.B) {
	sizes := []struct{ days, jobs int }{{7, 28_000}}
	if *full {
		sizes = append(sizes, []struct{ days, jobs int }{{7, 280_000}, {90, 400_000}}...)
	}
	for _, size := range sizes {
		b.Run(fmt.Sprintf("days=%d/jobs=%d", size.days, size.jobs), func(b *testing.B) {
			ops, submitted := lake(b, size.days, size.jobs)
			report := func(b *testing.B, busy float64) {
				n := float64(b.N) * float64(len(ops))
				b.ReportMetric(float64(len(ops)), "ops")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/n, "ns/operation")
				b.ReportMetric(1e9*busy/n, "cpu-ns/operation")
			}
			var want *provenance.Lineage
			b.Run("of=augur/threads=1", func(b *testing.B) {
				busy := processor()
				for b.Loop() {
					want = find(b, ops, submitted)
				}
				report(b, processor()-busy)
				b.ReportMetric(float64(len(want.Dependencies)), "dependencies")
			})
			if want == nil {
				want = find(b, ops, submitted)
			}
			d := newDuck(b, ops, submitted)
			for _, join := range joins {
				for threads := 1; threads <= 2; threads++ {
					b.Run(fmt.Sprintf("of=duckdb-%s/threads=%d", join.name, threads), func(b *testing.B) {
						d.exec(b, fmt.Sprintf("SET threads = %d", threads))
						busy := 0.0
						for b.Loop() {
							b.StopTimer()
							d.exec(b, drop)
							b.StartTimer()
							begin := processor()
							d.exec(b, join.sql+";"+count)
							busy += processor() - begin
						}
						d.check(b, want)
						report(b, busy)
					})
				}
			}
		})
	}
}

// processor returns how long, in seconds, processors have worked for this process, and 0 if the
// system does not tell.
func processor() float64 {
	stat, _ := os.ReadFile("/proc/self/stat")
	_, rest, _ := strings.Cut(string(stat), ") ") // the name of the program may have spaces
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100 // of all systems with this file
}

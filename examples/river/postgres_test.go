package augurriver

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// A server is a Postgres of a test, on a socket in a folder of its own.
type server struct {
	bin, dir string
	as       *syscall.Credential
	stdin    io.Closer // the server ends when that is closed, also if the test dies
	done     chan struct{}
}

// startPostgres starts a server with River's tables, which ends with the test. Without an installed Postgres it skips the test.
func startPostgres(t *testing.T) (*server, *pgxpool.Pool) {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		t.Skip("no initdb, neither in PATH nor in /usr/lib/postgresql: apt-get install postgresql")
	}
	dir, err := os.MkdirTemp("", "river")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &server{bin: filepath.Dir(found[len(found)-1]), dir: dir}
	if os.Getuid() == 0 { // as which Postgres refuses to run
		s.as = nobody(t)
		if err := os.Chown(dir, int(s.as.Uid), int(s.as.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	initdb := s.command(filepath.Join(s.bin, "initdb"), "-D", filepath.Join(dir, "data"), "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C")
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	s.start(t)
	t.Cleanup(s.stop)
	pool, err := pgxpool.New(t.Context(), s.dsn())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	s.await(t, pool)
	m, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Migrate(t.Context(), rivermigrate.DirectionUp, nil); err != nil {
		t.Fatal(err)
	}
	return s, pool
}

// nobody returns a user who is not root.
func nobody(t *testing.T) *syscall.Credential {
	t.Helper()
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, _ := strconv.ParseUint(u.Uid, 10, 32)
			gid, _ := strconv.ParseUint(u.Gid, 10, 32)
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		}
	}
	t.Skip("runs as root, as which Postgres refuses to run, and there is neither a user postgres nor nobody")
	return nil
}

func (s *server) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = s.dir
	c.SysProcAttr = &syscall.SysProcAttr{Credential: s.as}
	return c
}

func (s *server) dsn() string { return "host=" + s.dir + " user=postgres dbname=postgres" }

// start starts the server.
func (s *server) start(t *testing.T) {
	t.Helper()
	c := s.command("sh", "-c", `"$@" & cat >/dev/null; kill -QUIT $! 2>/dev/null; wait`, "sh",
		filepath.Join(s.bin, "postgres"), "-D", filepath.Join(s.dir, "data"), "-k", s.dir, "-c", "listen_addresses=")
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	c.Stdout, c.Stderr = log, log
	if s.stdin, err = c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	s.done = done
	go func() {
		c.Wait()
		close(done)
	}()
}

func (s *server) stop() {
	s.stdin.Close()
	<-s.done
}

// await waits until the server answers.
func (s *server) await(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	var err error
	for range 300 {
		if err = pool.Ping(t.Context()); err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
	t.Fatalf("no answer: %v\n%s", err, log)
}

// kill ends the server, its backends and all, as kill -9 does.
func (s *server) kill(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatal(err)
	}
	children, _ := exec.Command("pgrep", "-P", first).Output()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for child := range strings.FieldsSeq(string(children)) {
		if pid, err := strconv.Atoi(child); err == nil {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	s.stop()
}

// one returns the single value that a query has.
func one[T any](t *testing.T, pool *pgxpool.Pool, query string, args ...any) (value T) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), query, args...).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}

// eventually waits until ok, and fails the test if that takes longer than a limit.
func eventually(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after %v not: %s", limit, what)
		}
	}
}

// leader returns the backend that holds the lock, 0 if there is none, and -1 if there are several.
func leader(t *testing.T, pool *pgxpool.Pool) int {
	t.Helper()
	return one[int](t, pool, `select case when count(*) > 1 then -1 else coalesce(max(pid), 0) end from pg_locks
		where locktype = 'advisory' and granted and mode = 'ExclusiveLock'`)
}

// leads waits until one leads that is not another one, and returns it.
func leads(t *testing.T, pool *pgxpool.Pool, other int) (pid int) {
	t.Helper()
	eventually(t, 20*time.Second, "one leads", func() bool {
		pid = leader(t, pool)
		return pid > 0 && pid != other
	})
	return pid
}

// One of several leads; when it stops, and when its connection ends, another one does.
func TestElection(t *testing.T) {
	_, pool := startPostgres(t)
	order, err := New(Config{Every: 50 * time.Millisecond, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- order.Run(ctx, pool) }()
	first := leads(t, pool, 0)
	go order.Run(t.Context(), pool)
	time.Sleep(300 * time.Millisecond)
	if got := leader(t, pool); got != first {
		t.Errorf("with a second one %d leads, want %d", got, first)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want that the context is cancelled", err)
	}
	second := leads(t, pool, first)
	if _, err := pool.Exec(t.Context(), `select pg_terminate_backend($1)`, second); err != nil {
		t.Fatal(err)
	}
	leads(t, pool, second)
	if got, want := settingOfLeader(t, order, pool), "10s"; got != want {
		t.Errorf("the connection may be silent for %q, want %q", got, want)
	}
}

// settingOfLeader returns for how long a leader may be silent.
func settingOfLeader(t *testing.T, order *Order, pool *pgxpool.Pool) (setting string) {
	t.Helper()
	other := &Order{order.config}
	other.config.Queue = "other"
	err := connected(t.Context(), other.config, pool, func(table *table) error {
		if err := other.elected(t.Context(), table); err != nil {
			return err
		}
		rows, err := table.db.QueryContext(t.Context(), `show idle_session_timeout`)
		if err != nil {
			return err
		}
		defer rows.Close()
		rows.Next()
		return errors.Join(rows.Scan(&setting), rows.Err())
	})
	if err != nil {
		t.Fatal(err)
	}
	return setting
}

// The lock is that of a table's queue, however the table is named: by Config.Schema, or by the search_path of the connection.
func TestElectionOfTable(t *testing.T) {
	_, pool := startPostgres(t)
	if _, err := pool.Exec(t.Context(), `create schema other; create table other.river_job (like river_job)`); err != nil {
		t.Fatal(err)
	}
	settings := pool.Config()
	settings.ConnConfig.RuntimeParams["search_path"] = "other"
	other, err := pgxpool.NewWithConfig(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	first, err := New(Config{Every: 50 * time.Millisecond, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	go first.Run(t.Context(), pool)
	leads(t, pool, 0)
	tests := []struct {
		name   string
		pool   *pgxpool.Pool
		config Config
		want   bool // it leads, too
	}{
		{"the same table by its schema", pool, Config{Schema: "public"}, false},
		{"the same table by its schema, with another search_path", other, Config{Schema: "public"}, false},
		{"another table, by search_path", other, Config{}, true},
		{"another table, by its schema", pool, Config{Schema: "other"}, true},
		{"another queue", pool, Config{Queue: "other"}, true},
	}
	for _, tt := range tests {
		tt.config.Every, tt.config.Log = 50*time.Millisecond, quiet
		order, err := New(tt.config)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		err = connected(t.Context(), order.config, tt.pool, func(table *table) error { return order.elected(ctx, table) })
		cancel()
		if (err == nil) != tt.want {
			t.Errorf("%s: %v; want that it leads: %v", tt.name, err, tt.want)
		}
	}
}

// A job whose row somebody has locked, as a fetch has, is passed over and not waited for.
func TestMarkPostgres(t *testing.T) {
	_, pool := startPostgres(t)
	order, err := New(Config{Features: []string{"report"}, Tenant: "customer", Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	client := newClient(t, pool, order.Plugin())
	retainOnPostgres(t, pool, sleepArgs{Report: "short", Seconds: 1})
	retainOnPostgres(t, pool, sleepArgs{Report: "long", Seconds: 60})
	var ids []int64
	for _, report := range []string{"long", "short"} {
		result, err := client.Insert(t.Context(), sleepArgs{Report: report}, &river.InsertOpts{Tags: []string{"tag"}})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, result.Job.ID)
	}
	err = connected(t.Context(), order.config, pool, func(table *table) error {
		q, err := order.queue()
		if err != nil {
			return err
		}
		s := newSweeper(order.config, q)
		marks := func() []int64 {
			return one[[]int64](t, pool, `select coalesce(array_agg(id), '{}') from river_job where priority = 1 and state = 'available'`)
		}
		tx, err := pool.Begin(t.Context())
		if err != nil {
			return err
		}
		defer tx.Rollback(t.Context())
		if _, err := tx.Exec(t.Context(), `select from river_job where id = $1 for update`, ids[1]); err != nil {
			return err
		}
		if err := s.sweep(t.Context(), table); err != nil {
			return err
		}
		if got := marks(); len(got) > 0 {
			t.Errorf("with the row of job %d locked, %v have a mark, want none", ids[1], got)
		}
		if err := tx.Rollback(t.Context()); err != nil {
			return err
		}
		if err := s.sweep(t.Context(), table); err != nil {
			return err
		}
		if got := marks(); len(got) != 1 || got[0] != ids[1] {
			t.Errorf("%v have a mark, want %d", got, ids[1])
		}
		for _, row := range []string{`state = 'running'`, `state = 'available', scheduled_at = now() + interval '1 minute'`} {
			if _, err := pool.Exec(t.Context(), `update river_job set `+row+` where id = $1`, ids[0]); err != nil {
				return err
			}
			n, err := table.mark(t.Context(), []mark{{ids[0], next, time.Now().Add(time.Minute)}})
			if waits := strings.Contains(row, "available"); err != nil || (n == 1) != waits {
				t.Errorf("%s: marked %d, %v", row, n, err)
			}
		}
		if _, err := pool.Exec(t.Context(), `update river_job set state = 'retryable' where id = $1`, ids[0]); err != nil {
			return err
		}
		for _, tt := range []struct {
			to   int
			want int64
		}{{wait, 1}, {next, 0}} {
			if n, err := table.mark(t.Context(), []mark{{ids[0], tt.to, time.Time{}}}); n != tt.want || err != nil {
				t.Errorf("of a job that is to be retried, to %d: %d, %v, want %d", tt.to, n, err, tt.want)
			}
		}
		v, err := table.all(t.Context(), time.Now())
		if err != nil || len(v.rows) != 1 || v.rows[0].id != ids[1] {
			t.Errorf("rows %+v, %v, want job %d: the other one may not start yet", v.rows, err, ids[1])
		}
		jobs, err := table.jobs(t.Context(), ids)
		if err == nil && (len(jobs) != 2 || jobs[ids[0]].Tags[0] != "tag") {
			t.Errorf("read jobs %v, want 2 with a tag", jobs)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

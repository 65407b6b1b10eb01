package augurriver

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// noops inserts jobs that do nothing, and returns how many the processes do in a second.
func noops(t *testing.T, n int, w worker, processes int) float64 {
	t.Helper()
	s, pool := startPostgres(t)
	var plugins []rivertype.Plugin
	if w.Order != nil {
		order, err := New(w.Order.config())
		if err != nil {
			t.Fatal(err)
		}
		plugins = append(plugins, order.Plugin())
	}
	client := newClient(t, pool, plugins...)
	for batch := range slices.Chunk(make([]river.InsertManyParams, n), 1000) {
		for i := range batch {
			batch[i].Args = sleepArgs{Customer: fmt.Sprint(i % 7), Report: fmt.Sprint(i % 5)}
		}
		if _, err := client.InsertManyFast(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	w.DSN = s.dsn()
	for range processes {
		w.start(t)
	}
	drain(t, pool, 3*time.Minute)
	return float64(n) / one[float64](t, pool, `select extract(epoch from max(finalized_at) - min(attempted_at))::float8 from river_job`)
}

// What jobs that do nothing are bound by: River's FetchCooldown, with the order and without. The table is that of the README.
func TestThroughput(t *testing.T) {
	needMeasure(t)
	order := &orderOptions{Tenant: "customer", Features: []string{"report"}}
	for _, c := range []struct {
		name      string
		n         int
		w         worker
		processes int
		bound     float64 // jobs/s
	}{
		{"1 process, 10 workers, 100 ms", 1000, worker{Workers: 10}, 1, 100},
		{"3 processes, 100 workers each, 100 ms", 20_000, worker{Workers: 100}, 3, 3000},
		{"1 process, 10 workers, 10 ms", 5000, worker{Workers: 10, Cooldown: 10 * time.Millisecond}, 1, 1000},
	} {
		t.Run(c.name, func(t *testing.T) {
			plain := noops(t, c.n, c.w, c.processes)
			c.w.Order = order
			ordered := noops(t, c.n, c.w, c.processes)
			t.Logf("%-40s bound %5.0f  River %5.0f  Order %5.0f jobs/s", c.name, c.bound, plain, ordered)
			if plain > 1.1*c.bound {
				t.Errorf("River does %.0f jobs/s, which FetchCooldown should bound at %.0f", plain, c.bound)
			}
			if ordered < .8*plain {
				t.Errorf("with the order %.0f jobs/s, want at least .8 of River's %.0f", ordered, plain)
			}
		})
	}
}

// Kill -9 of the leader, of a worker, and of Postgres, while jobs come: all complete, each once, and without a leader they go on in
// River's order.
func TestKill(t *testing.T) {
	needMeasure(t)
	s, pool := startPostgres(t)
	if _, err := pool.Exec(t.Context(), `create table completed (job bigint primary key)`); err != nil {
		t.Fatal(err)
	}
	options := &orderOptions{Tenant: "customer", Features: []string{"report"}}
	order, err := New(options.config())
	if err != nil {
		t.Fatal(err)
	}
	client := newClient(t, pool, order.Plugin())
	reports, jobs := flood(1)
	for report, seconds := range reports {
		retainOnPostgres(t, pool, sleepArgs{"small0", report, seconds})
	}
	// The first two processes may lead, and the others only work.
	var workers []*process
	for i := range 4 {
		w := worker{DSN: s.dsn(), Workers: 3, Once: true}
		if i < 2 {
			w.Order = options
		}
		workers = append(workers, w.start(t))
		if i == 0 {
			leads(t, pool, 0)
		}
	}
	insertAll := func(some []arrival) {
		var batch []river.InsertManyParams
		for _, a := range some {
			batch = append(batch, river.InsertManyParams{Args: a.args})
		}
		if _, err := client.InsertMany(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	third := len(jobs) / 3
	insertAll(jobs[:third])
	marks := func() bool {
		return one[int](t, pool, `select count(*) from river_job where state = 'available' and priority = 1`) > 0
	}
	eventually(t, 10*time.Second, "jobs have marks", marks)

	first := leader(t, pool)
	workers[0].kill()
	leads(t, pool, first)
	workers[1].kill()
	eventually(t, 10*time.Second, "nobody leads", func() bool { return leader(t, pool) == 0 })
	insertAll(jobs[third : 2*third])
	since := one[time.Time](t, pool, `select clock_timestamp()`)
	eventually(t, 60*time.Second, "30 jobs start without a leader", func() bool {
		return started(t, pool, since) >= 30
	})
	// Fetches of two processes may overlap, so by a batch of 3 jobs each the order need not be exact.
	if late := one[int](t, pool, outOfOrder, since); late > 6 {
		t.Errorf("%d jobs without a mark started out of River's order, want at most two fetches of 3", late)
	}
	workers = append(workers[2:], (&worker{DSN: s.dsn(), Workers: 3, Once: true, Order: options}).start(t))
	leads(t, pool, 0)
	workers[0].kill() // only works

	s.kill(t)
	s.start(t)
	s.await(t, pool)
	leads(t, pool, 0)
	insertAll(jobs[2*third:])
	drain(t, pool, 3*time.Minute) // with those that River rescues
	n := len(jobs)
	if got := one[int](t, pool, `select count(*) from river_job where state = 'completed' and id > 12`); got != n {
		t.Errorf("%d jobs have completed, want %d", got, n)
	}
	if got := one[int](t, pool, `select count(*) from completed`); got != n {
		t.Errorf("%d jobs have committed their completion, want %d", got, n)
	}
	t.Logf("%d jobs, of which %d were rescued", n, one[int](t, pool, `select count(*) from river_job where metadata ? 'river:rescue_count'`))
}

// started returns how many jobs have started since.
func started(t *testing.T, pool *pgxpool.Pool, since time.Time) int {
	t.Helper()
	return one[int](t, pool, `select count(*) from river_job where attempted_at > $1`, since)
}

// outOfOrder counts the jobs that started since, without a mark, while one had waited for longer without a mark.
const outOfOrder = `
	select count(*) from river_job job where priority = 4 and attempted_at > $1 and exists (
		select from river_job other where other.priority = 4 and other.attempt <= 1
		and (other.scheduled_at, other.id) < (job.scheduled_at, job.id)
		and (other.state = 'available' or other.attempted_at > job.attempted_at))`

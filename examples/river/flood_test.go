package augurriver

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
)

var measure = flag.Bool("postgres", false, "run the measurements with worker processes on Postgres, about 15 minutes")

func needMeasure(t *testing.T) {
	t.Helper()
	if !*measure {
		t.Skip("takes minutes: run it with -postgres")
	}
}

// An arrival is a job that comes at an instant.
type arrival struct {
	at   time.Duration
	args sleepArgs
}

// flood draws a workload: a customer inserts 450 jobs within three seconds, and five others insert one now and then. There are 12 reports,
// of .03 to 3 s, and each job takes its report's time, more or less.
func flood(seed uint64) (reports map[string]float64, jobs []arrival) {
	r := rand.New(rand.NewPCG(seed, 0))
	reports = make(map[string]float64)
	names := make([]string, 12)
	for i := range names {
		names[i] = fmt.Sprintf("report%d", i)
		reports[names[i]] = .03 * math.Pow(100, float64(i)/11)
	}
	draw := func(at float64, customer string) {
		report := names[r.IntN(len(names))]
		jobs = append(jobs, arrival{time.Duration(at * 1e9), sleepArgs{customer, report, reports[report] * math.Exp(.2*r.NormFloat64())}})
	}
	for range 450 {
		draw(3*r.Float64(), "flood")
	}
	for i := range 5 {
		for at := r.ExpFloat64(); at < 25; at += r.ExpFloat64() {
			draw(at, fmt.Sprintf("small%d", i))
		}
	}
	slices.SortFunc(jobs, func(a, b arrival) int { return cmp.Compare(a.at, b.at) })
	return reports, jobs
}

// newClient makes a client that inserts.
func newClient(t *testing.T, pool *pgxpool.Pool, plugins ...rivertype.Plugin) *river.Client[pgx.Tx] {
	t.Helper()
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Logger: quiet, Plugins: plugins})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// retainOnPostgres makes a row of a job that has completed a minute ago.
func retainOnPostgres(t *testing.T, pool *pgxpool.Pool, args sleepArgs) {
	t.Helper()
	client := newClient(t, pool)
	result, err := client.Insert(t.Context(), args, nil)
	if err != nil {
		t.Fatal(err)
	}
	const complete = `update river_job set state = 'completed', attempt = 1, finalized_at = now() - interval '1 minute',
		attempted_at = now() - interval '1 minute' - make_interval(secs => $2) where id = $1`
	if _, err := pool.Exec(t.Context(), complete, result.Job.ID, args.Seconds); err != nil {
		t.Fatal(err)
	}
}

// play inserts jobs when they come, and waits until all have completed.
func play(t *testing.T, pool *pgxpool.Pool, client *river.Client[pgx.Tx], jobs []arrival) {
	t.Helper()
	start := time.Now()
	for len(jobs) > 0 {
		time.Sleep(time.Until(start.Add(jobs[0].at)))
		now := time.Since(start)
		var batch []river.InsertManyParams
		for len(jobs) > 0 && jobs[0].at <= now {
			batch = append(batch, river.InsertManyParams{Args: jobs[0].args})
			jobs = jobs[1:]
		}
		if _, err := client.InsertMany(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	drain(t, pool, 3*time.Minute)
}

// drain waits until all jobs are finished.
func drain(t *testing.T, pool *pgxpool.Pool, limit time.Duration) {
	t.Helper()
	eventually(t, limit, "all jobs have finished", func() bool {
		time.Sleep(100 * time.Millisecond)
		return one[int](t, pool, `select count(*) from river_job where finalized_at is null`) == 0
	})
}

// A result is what the jobs of a run waited, in seconds, and how often their rows were written.
type result struct {
	small, smallP99, all, allP99 float64
	updates                      float64 // a job
}

// A form is a way to order jobs.
type form struct {
	name  string
	order *orderOptions
	aging *Config
}

func (f form) run(t *testing.T, seed uint64) (r result) {
	s, pool := startPostgres(t)
	reports, jobs := flood(seed)
	for report, seconds := range reports {
		retainOnPostgres(t, pool, sleepArgs{"small0", report, seconds})
	}
	var plugins []rivertype.Plugin
	switch {
	case f.order != nil:
		order, err := New(f.order.config())
		if err != nil {
			t.Fatal(err)
		}
		plugins = append(plugins, order.Plugin())
	case f.aging != nil:
		aging, err := NewAging(*f.aging)
		if err != nil {
			t.Fatal(err)
		}
		plugins = append(plugins, aging.Plugin())
		go aging.Learn(t.Context(), pool)
		eventually(t, 10*time.Second, "it has learned", func() bool { return aging.lessons.history.Observed() == 12 })
	}
	for range 3 {
		(&worker{DSN: s.dsn(), Workers: 4, Order: f.order}).start(t)
	}
	const updates = `select n_tup_upd from pg_stat_user_tables where relname = 'river_job'`
	time.Sleep(2 * time.Second)
	before := one[int64](t, pool, updates)
	play(t, pool, newClient(t, pool, plugins...), jobs)
	time.Sleep(2 * time.Second) // until the backends report
	r.updates = float64(one[int64](t, pool, updates)-before) / float64(len(jobs))
	const waits = `select coalesce(avg(w), 0)::float8, coalesce(percentile_cont(.99) within group (order by w), 0)::float8
		from (select extract(epoch from attempted_at - created_at) w from river_job
		where id > 12 and args->>'customer' like $1) jobs`
	for _, of := range []struct {
		customers string
		mean, p99 *float64
	}{{"small%", &r.small, &r.smallP99}, {"%", &r.all, &r.allP99}} {
		if err := pool.QueryRow(t.Context(), waits, of.customers).Scan(of.mean, of.p99); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// One tenant floods three worker processes. The table is that of the README.
func TestFlood(t *testing.T) {
	needMeasure(t)
	by := []string{"report"}
	forms := []form{
		{name: "River"},
		{name: "Order", order: &orderOptions{Tenant: "customer", Features: by}},
		{name: "Aging", aging: &Config{Features: by, Log: quiet}},
	}
	var table strings.Builder
	table.WriteString("waits, s          seed  small mean   P99   all mean   P99   updates a job\n")
	var results [3][3]result
	for seed := range uint64(3) {
		for i, f := range forms {
			t.Run(fmt.Sprintf("%s/%d", f.name, seed+1), func(t *testing.T) {
				r := f.run(t, seed+1)
				results[i][seed] = r
				fmt.Fprintf(&table, "%-17s %4d %11.1f %5.1f %10.1f %5.1f %10.2f\n", f.name, seed+1, r.small, r.smallP99, r.all, r.allP99, r.updates)
			})
		}
	}
	t.Log("\n" + table.String())
	for seed := range results[0] {
		plain, order, aging := results[0][seed], results[1][seed], results[2][seed]
		if order.small > plain.small/4 || order.smallP99 > plain.smallP99/2 || order.all > .8*plain.all || aging.all > .7*plain.all {
			t.Errorf("seed %d: want small tenants' waits by the order below a quarter (P99: half) of River's, and all means below .8 and, by aging, .7", seed+1)
		}
	}
}

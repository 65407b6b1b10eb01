package augurriver_test

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"
	_ "modernc.org/sqlite"

	augurriver "example.com/augur/examples/river"
)

// A Report is a job as any other of River.
type Report struct {
	Customer string `json:"customer"`
	Name     string `json:"name"`
}

func (Report) Kind() string { return "report" }

type reporter struct {
	river.WorkerDefaults[Report]
}

func (reporter) Work(ctx context.Context, job *river.Job[Report]) error {
	fmt.Println(job.Args.Customer, job.Args.Name)
	time.Sleep(map[string]time.Duration{"year": 800 * time.Millisecond, "day": 300 * time.Millisecond}[job.Args.Name])
	return nil
}

// Customers share one worker. When it is known that the report of a year takes longer than that of a day, the short ones go first,
// and the customers in turn.
func Example() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	migrator, err := rivermigrate.New(riversqlite.New(db), &rivermigrate.Config{Logger: quiet})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		log.Fatal(err)
	}

	order, err := augurriver.New(augurriver.Config{
		Tenant:   "customer",
		Features: []string{"name"},
		Every:    50 * time.Millisecond, // as these jobs take so little
		Log:      quiet,
	})
	if err != nil {
		log.Fatal(err)
	}
	workers := river.NewWorkers()
	river.AddWorker(workers, reporter{})
	client, err := river.NewClient(riversqlite.New(db), &river.Config{
		Plugins:       []rivertype.Plugin{order.Plugin()},
		Queues:        map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 1}},
		Workers:       workers,
		FetchCooldown: 10 * time.Millisecond,
		Logger:        quiet,
	})
	if err != nil {
		log.Fatal(err)
	}
	done, stop := client.Subscribe(river.EventKindJobCompleted)
	defer stop()
	go order.RunSQLite(ctx, db)
	if err := client.Start(ctx); err != nil {
		log.Fatal(err)
	}
	defer client.Stop(ctx)
	insert := func(reports ...Report) {
		for _, r := range reports {
			if _, err := client.Insert(ctx, r, nil); err != nil {
				log.Fatal(err)
			}
		}
	}
	insert(Report{"a", "year"})
	<-done
	insert(Report{"a", "day"})
	<-done
	insert(Report{"c", "year"})
	time.Sleep(200 * time.Millisecond) // while this one runs, others come
	insert(Report{"a", "year"}, Report{"a", "year"}, Report{"a", "day"}, Report{"b", "day"})
	for range 5 {
		<-done
	}
	// Output:
	// a year
	// a day
	// c year
	// a day
	// b day
	// a year
	// a year
}

// With Postgres, in every process.
func ExampleOrder_Run() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "postgres://localhost/app")
	if err != nil {
		log.Fatal(err)
	}
	order, err := augurriver.New(augurriver.Config{Tenant: "customer", Weights: map[string]float64{"acme": 2}})
	if err != nil {
		log.Fatal(err)
	}
	workers := river.NewWorkers()
	river.AddWorker(workers, reporter{})
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Plugins: []rivertype.Plugin{order.Plugin()},
		Queues:  map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 10}},
		Workers: workers,
	})
	if err != nil {
		log.Fatal(err)
	}
	go order.Run(ctx, pool)
	if err := client.Start(ctx); err != nil {
		log.Fatal(err)
	}
	<-client.Stopped()
}

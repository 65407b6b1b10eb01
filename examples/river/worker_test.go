package augurriver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
)

// A worker is a process of its own: this test binary, started with AUGURRIVER_WORKER.
type worker struct {
	DSN      string
	Workers  int
	Cooldown time.Duration // 0: River's default
	Order    *orderOptions // nil: it does not run an order
	Once     bool          // jobs complete in the transaction in which they take note of that
}

// orderOptions are what of a Config goes to another process.
type orderOptions struct {
	Tenant   string
	Features []string
	Every    time.Duration
}

func (o orderOptions) config() Config {
	return Config{Tenant: o.Tenant, Features: o.Features, Every: o.Every, Log: quiet}
}

func TestMain(m *testing.M) {
	if text := os.Getenv("AUGURRIVER_WORKER"); text != "" {
		var w worker
		if err := json.Unmarshal([]byte(text), &w); err != nil {
			panic(err)
		}
		if err := w.run(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// run works jobs until standard input ends.
func (w *worker) run() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	pool, err := pgxpool.New(ctx, w.DSN)
	if err != nil {
		return err
	}
	defer pool.Close()
	c := &river.Config{
		Logger: quiet, Workers: river.NewWorkers(), FetchCooldown: w.Cooldown,
		Queues:     map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: w.Workers}},
		JobTimeout: 20 * time.Second, RescueStuckJobsAfter: 21 * time.Second,
	}
	river.AddWorker(c.Workers, &work{once: w.Once, pool: pool})
	if w.Order != nil {
		order, err := New(w.Order.config())
		if err != nil {
			return err
		}
		c.Plugins = []rivertype.Plugin{order.Plugin()}
		go order.Run(ctx, pool)
	}
	client, err := river.NewClient(riverpgxv5.New(pool), c)
	if err != nil {
		return err
	}
	if err := client.Start(ctx); err != nil {
		return err
	}
	fmt.Println("ready")
	io.Copy(io.Discard, os.Stdin)
	return client.Stop(ctx)
}

// A work sleeps for as long as the job says.
type work struct {
	river.WorkerDefaults[sleepArgs]
	once bool
	pool *pgxpool.Pool
}

func (w *work) Work(ctx context.Context, job *river.Job[sleepArgs]) error {
	time.Sleep(time.Duration(job.Args.Seconds * 1e9))
	if !w.once {
		return nil
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `insert into completed values ($1)`, job.ID); err != nil {
			return err
		}
		_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		return err
	})
}

// start starts the process, and returns what ends it. It ends with the test, and if the test dies.
func (w *worker) start(t *testing.T) *process {
	t.Helper()
	text, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "AUGURRIVER_WORKER="+string(text))
	c.Stderr = os.Stderr
	stdin, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{c, stdin}
	t.Cleanup(p.stop)
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatalf("worker: %v", err)
	}
	return p
}

type process struct {
	*exec.Cmd
	stdin io.Closer
}

// stop lets the process end what it does.
func (p *process) stop() {
	if p.ProcessState == nil {
		p.stdin.Close()
		p.Wait()
	}
}

// kill ends the process as kill -9 does.
func (p *process) kill() {
	p.Process.Kill()
	p.Wait()
}

// Package augurriver orders the jobs of River (https://riverqueue.com), a job queue on Postgres or SQLite, by predicted runtimes
// and shares of tenants. The workers stay as they are: River fetches, runs and retries jobs.
//
//	order, err := augurriver.New(augurriver.Config{Tenant: "customer"}) // a field of the arguments
//	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
//		Plugins: []rivertype.Plugin{order.Plugin()}, // in every process that inserts jobs
//		...
//	})
//	go order.Run(ctx, pool) // in every process that may decide: one of them does
//
// # How it works
//
// River fetches jobs by priority, then scheduled_at, then id. The plug-in inserts jobs with priority 4, the last. One
// process is the leader. Every Config.Every it looks at the rows of the queue, and gives priority 1 to the few jobs that
// should start next: as many as are likely to start before it looks again. It takes them in the order of [pool.Queue]: tenants
// share by weight, the shortest job of a tenant goes first, and none waits for ever. Jobs that overtake older ones also get
// another scheduled_at, next to a neighbour's.
//
// The leader learns from the rows of jobs that have finished. It keeps no file: the next leader may be on another machine, and it
// learns from the same rows, as far back as River retains them (24 hours by default).
//
// Without a leader, jobs start in River's own order, by scheduled_at. No worker ever waits for the leader.
//
// [Aging] is the alternative without a leader and without tenants: it orders jobs when they are inserted.
package augurriver

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

// Config describes an [Order] or an [Aging]. The zero Config orders the queue "default" by the kinds of its jobs.
type Config struct {
	Queue  string // River's queue that is ordered; "" means "default". Other queues are left alone
	Schema string // of River's tables; "" means that of the connection. As in river.Config

	// Features say what makes jobs alike: names of attributes, as kind, or kind+customer for both together. See
	// predict.Config. Empty means kind+tenant and kind.
	Features []string
	// Attrs returns the attributes of a job; nil means its kind, and the fields of its arguments that are strings, numbers
	// or booleans, by their JSON names. It may read ID, Kind, EncodedArgs, Metadata, Tags, Queue, Priority, MaxAttempts and times. For a
	// job that is inserted now, ID and the times are zero.
	Attrs func(job *rivertype.JobRow) predict.Job

	// Tenant is the attribute that tells tenants apart. "" means that all jobs are of one tenant.
	Tenant string
	// Weights are the shares of tenants, 1e-100 to 1e100; 1 for those that are not here.
	Weights map[string]float64

	// MaxWait is how long a job of a tenant may be overtaken by shorter ones, above 0; 0 means 4 hours: see pool.Config. For
	// Aging it is τ, and a job is overtaken for τ·ln(its prediction / that of the other).
	MaxWait time.Duration
	// Longest is the prediction from which on Aging does not tell jobs apart, at least 1 ms; 0 means 1 day.
	Longest time.Duration

	Every time.Duration // between two looks at the rows, at least 50 ms; 0 means 500 ms
	Log   *slog.Logger  // says who leads, and at level Debug what each look did; nil means slog.Default()
}

func (c Config) withDefaults() (Config, error) {
	c.Queue = cmp.Or(c.Queue, river.QueueDefault)
	c.MaxWait = cmp.Or(c.MaxWait, 4*time.Hour)
	c.Longest = cmp.Or(c.Longest, 24*time.Hour)
	c.Every = cmp.Or(c.Every, 500*time.Millisecond)
	c.Log = cmp.Or(c.Log, slog.Default())
	if len(c.Features) == 0 {
		c.Features = []string{"kind"}
		if c.Tenant != "" {
			c.Features = []string{"kind+" + c.Tenant, "kind"}
		}
	}
	if c.Attrs == nil {
		c.Attrs = attributes
	}
	switch {
	case c.Every < 50*time.Millisecond:
		return c, fmt.Errorf("augurriver: Config.Every is %v, want at least 50ms, or 0 for 500ms", c.Every)
	case c.MaxWait < 0:
		return c, fmt.Errorf("augurriver: Config.MaxWait is %v, want more than 0, or 0 for 4h", c.MaxWait)
	case c.Longest < floor:
		return c, fmt.Errorf("augurriver: Config.Longest is %v, want at least %v, or 0 for 24h", c.Longest, floor)
	}
	return c, nil
}

// An Order is the order of one queue of River. Make it with [New]. Its methods may be called by any number of goroutines
// at once.
type Order struct{ config Config }

// New makes an Order. The error names the field of Config that is outside its range.
func New(c Config) (*Order, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	o := &Order{c}
	if _, err := o.queue(); err != nil {
		return nil, fmt.Errorf("augurriver: %w", err)
	}
	return o, nil
}

// queue returns a queue without jobs that has learned nothing.
func (o *Order) queue() (*pool.Queue[int64], error) {
	c := o.config
	return pool.NewQueue[int64](pool.Config{Features: c.Features, Tenant: c.Tenant, Weights: c.Weights, MaxWait: c.MaxWait})
}

// The priorities of River's fetch.
const (
	next = 1 // of jobs that the leader has marked
	wait = 4 // of all others
)

// Plugin returns what belongs into river.Config.Plugins of every client that inserts jobs. It changes the priorities of jobs of
// the queue: from 1, River's default, to 4, in which they wait for a mark. Jobs with a lower priority, 2 to 4 in River, stay
// behind those, and 4 becomes 3.
func (o *Order) Plugin() rivertype.Plugin { return &plugin{queue: o.config.Queue} }

type plugin struct {
	river.PluginDefaults
	queue string
}

func (p *plugin) InsertBegin(_ context.Context, job *rivertype.JobInsertParams) error {
	switch {
	case job.Queue != p.queue:
	case job.Priority == next:
		job.Priority = wait
	case job.Priority == wait:
		job.Priority = wait - 1
	}
	return nil
}

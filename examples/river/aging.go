package augurriver

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"example.com/augur/predict"
	"example.com/augur/queue"
)

// An Aging orders jobs when they are inserted, without a leader: it sets their scheduled_at, by which River fetches, to
//
//	now - MaxWait·ln(Longest/prediction)
//
// so a job is overtaken only by shorter jobs that are inserted less than MaxWait·ln(its prediction / theirs) later. See
// [queue.Aging]. A job without a prediction counts as Longest, so at the beginning the order is first come, first served.
// Priorities stay as they are: River starts jobs of priority 1 before those of priority 2. There are no tenants.
//
//	aging, err := augurriver.NewAging(augurriver.Config{})
//	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Plugins: []rivertype.Plugin{aging.Plugin()}, ...})
//	go aging.Learn(ctx, pool) // only reads
//
// Make it with [NewAging]. Its methods may be called by any number of goroutines at once.
type Aging struct {
	config  Config
	keys    queue.Aging
	lessons *lessons
}

// floor is the shortest prediction that counts.
const floor = time.Millisecond

// NewAging makes an Aging that has learned nothing. The error names the field of Config that is outside its range, or is not
// for an Aging.
func NewAging(c Config) (*Aging, error) {
	if c.Tenant != "" || len(c.Weights) > 0 {
		return nil, errors.New("augurriver: Config has Tenant or Weights, which are for an Order: an Aging looks at no other job")
	}
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	a := &Aging{config: c}
	if a.keys, err = queue.NewAging(c.MaxWait, floor.Seconds()); err == nil {
		var history *predict.Predictor
		history, err = predict.New(predict.Config{Features: c.Features})
		a.lessons = newLessons(history, c.Attrs)
	}
	if err != nil {
		return nil, fmt.Errorf("augurriver: %w", err)
	}
	return a, nil
}

// Plugin returns the plug-in for river.Config.Plugins of every client that inserts jobs. It changes jobs of the queue that
// may start at once. Jobs that are scheduled for later keep their instant.
func (a *Aging) Plugin() rivertype.Plugin { return &agingPlugin{aging: a} }

type agingPlugin struct {
	river.PluginDefaults
	aging *Aging
}

func (p *agingPlugin) InsertBegin(_ context.Context, job *rivertype.JobInsertParams) error {
	p.aging.stamp(job, time.Now())
	return nil
}

func (a *Aging) stamp(job *rivertype.JobInsertParams, now time.Time) {
	if job.Queue != a.config.Queue || job.State != rivertype.JobStateAvailable {
		return
	}
	predicted, ok := a.lessons.history.Estimate(a.config.Attrs(&rivertype.JobRow{
		EncodedArgs: job.EncodedArgs, Kind: job.Kind, MaxAttempts: job.MaxAttempts, Metadata: job.Metadata,
		Priority: job.Priority, Queue: job.Queue, State: job.State, Tags: job.Tags,
	}), now)
	if !ok {
		return // River's own now, that of the database
	}
	at := a.keys.Time(predicted, a.config.Longest.Seconds(), now)
	job.ScheduledAt = &at
}

// Learn reads the rows of jobs that have finished, those that River retains and then new ones, until ctx ends, and returns its
// error. Call it in every process that inserts jobs. It writes nothing, and where it ends or never runs, jobs are inserted all the same.
func (a *Aging) Learn(ctx context.Context, pool *pgxpool.Pool) error {
	return again(ctx, a.config, func(ctx context.Context) error {
		return connected(ctx, a.config, pool, func(t *table) error { return a.learn(ctx, t) })
	})
}

// LearnSQLite is Learn for SQLite.
func (a *Aging) LearnSQLite(ctx context.Context, db *sql.DB) error {
	return again(ctx, a.config, func(ctx context.Context) error { return a.learn(ctx, newTable(db, sqlite, a.config)) })
}

// learn reads the rows time and again until it fails.
func (a *Aging) learn(ctx context.Context, t *table) error {
	return every(ctx, a.config.Every, func(ctx context.Context) error {
		v, err := t.finished(ctx, a.lessons.since)
		if err != nil {
			return err
		}
		rows := a.lessons.fresh(v)
		jobs, err := t.jobs(ctx, ids(rows))
		if err != nil {
			return err
		}
		for _, r := range rows {
			a.lessons.teach(r, jobs[r.id], v.now)
		}
		a.lessons.forget(v.now)
		return nil
	})
}

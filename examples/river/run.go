package augurriver

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// Run decides the order until ctx ends, and returns its error. Call it in every process that may decide: an advisory lock
// elects one, and another takes over when that ends. It opens one connection of its own, with the settings of the pool,
// which holds the lock and does all writes, so a process that has lost the lock cannot write. Errors go to Config.Log,
// and Run tries again.
func (o *Order) Run(ctx context.Context, pool *pgxpool.Pool) error {
	return again(ctx, o.config, func(ctx context.Context) error {
		return connected(ctx, o.config, pool, func(t *table) error {
			if err := o.elected(ctx, t); err != nil {
				return err
			}
			return o.lead(ctx, t)
		})
	})
}

// RunSQLite is Run for SQLite. All of River is one process there, so there is no election. A database with
// SetMaxOpenConns(1), as River recommends, is enough.
func (o *Order) RunSQLite(ctx context.Context, db *sql.DB) error {
	return again(ctx, o.config, func(ctx context.Context) error { return o.lead(ctx, newTable(db, sqlite, o.config)) })
}

// lead looks at the rows time and again until it fails.
func (o *Order) lead(ctx context.Context, t *table) error {
	q, err := o.queue()
	if err != nil {
		return err // not after New
	}
	s := newSweeper(o.config, q)
	return every(ctx, o.config.Every, func(ctx context.Context) error { return s.sweep(ctx, t) })
}

// sweep looks at the rows once, and marks.
func (s *sweeper) sweep(ctx context.Context, t *table) error {
	v, err := t.all(ctx, s.lessons.since)
	if err != nil {
		return err
	}
	jobs, err := t.jobs(ctx, s.missing(v))
	if err != nil {
		return err
	}
	first := s.last.IsZero()
	written, err := t.mark(ctx, s.step(v, jobs))
	stats, level := s.queue.Stats(), slog.LevelDebug
	if first {
		level = slog.LevelInfo
	}
	s.config.Log.Log(ctx, level, "augurriver: looked", "queue", s.config.Queue, "waiting", stats.Waiting, "running", stats.Running,
		"learned", s.queue.History().Observed(), "written", written)
	return err
}

// connected calls f with a connection of its own, with the settings of a pool.
func connected(ctx context.Context, c Config, pool *pgxpool.Pool, f func(*table) error) error {
	settings := pool.Config()
	var options []stdlib.OptionOpenDB
	if settings.BeforeConnect != nil {
		options = append(options, stdlib.OptionBeforeConnect(settings.BeforeConnect))
	}
	if settings.AfterConnect != nil {
		options = append(options, stdlib.OptionAfterConnect(settings.AfterConnect))
	}
	db := stdlib.OpenDB(*settings.ConnConfig, options...)
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return f(newTable(conn, postgres, c))
}

// elected waits until the connection has the lock. Postgres ends a connection that is silent for silence, so that who is stopped,
// or cut off, does not keep the lock; before version 14 that takes as long as TCP takes.
func (o *Order) elected(ctx context.Context, t *table) error {
	const limit = `select set_config(name, $1, false) from pg_settings where name = 'idle_session_timeout'`
	if _, err := t.db.ExecContext(ctx, limit, fmt.Sprint(silence(o.config.Every).Milliseconds())); err != nil {
		return err
	}
	const lock = `select pg_try_advisory_lock(hashtextextended('augurriver ' || $1::text::regclass::oid || ' ' || $2::text, 0))`
	errElected := errors.New("elected")
	err := every(ctx, o.config.Every, func(ctx context.Context) (err error) {
		var leads bool
		err = t.query(ctx, lock, []any{t.name, t.queue}, func(rows *sql.Rows) error { return rows.Scan(&leads) })
		if leads {
			return errElected
		}
		return err
	})
	if errors.Is(err, errElected) {
		o.config.Log.Info("augurriver: leads", "queue", o.config.Queue)
		return nil
	}
	return err
}

// silence is for how long the connection of a leader may do nothing.
func silence(period time.Duration) time.Duration { return max(20*period, 10*time.Second) }

// every calls f until it fails or ctx ends. A call has 2 minutes. After a call that took long the pause is longer, so that four
// fifths of the time the database has nothing to do with it; but at most half of the silence after which Postgres ends the connection.
func every(ctx context.Context, period time.Duration, f func(context.Context) error) error {
	for {
		began := time.Now()
		call, cancel := context.WithTimeout(ctx, 2*time.Minute)
		err := f(call)
		cancel()
		if err != nil {
			return err
		}
		took := time.Since(began)
		if err := sleep(ctx, max(period-took, min(4*took, silence(period)/2))); err != nil {
			return err
		}
	}
}

// again calls f until ctx ends.
func again(ctx context.Context, c Config, f func(context.Context) error) error {
	for {
		err := f(ctx)
		if ctx.Err() == nil {
			c.Log.Warn("augurriver: starts again", "queue", c.Queue, "error", err)
		}
		if err := sleep(ctx, c.Every); err != nil {
			return err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

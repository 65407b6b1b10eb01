package pool_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

func contexts(t *testing.T) {
	inPool(t, pool.Config{Queue: 2}, func(t *testing.T, b *bench) {
		tired := errors.New("tired")
		ctx, cancel := context.WithCancelCause(t.Context())
		runs := b.submitIn(ctx, "runs", time.Hour)
		waits := b.submitIn(ctx, "waits", time.Hour)
		other := b.submit("other", time.Second)
		var group sync.WaitGroup
		group.Go(func() {
			if _, err := b.Submit(ctx, attrs("blocked"), sleep(0)); err != tired {
				t.Errorf("the blocked task has error %v, want %v", err, tired)
			}
		})
		time.Sleep(time.Minute)
		cancel(tired)
		group.Wait()
		for name, task := range map[string]*pool.Task{"ran": runs, "waited": waits} {
			if err := task.Wait(); err != tired {
				t.Errorf("the task that %s has error %v, want %v", name, err, tired)
			}
		}
		if err := other.Wait(); err != nil {
			t.Error(err)
		}
		if _, err := b.Submit(ctx, attrs("never"), sleep(0)); err != tired {
			t.Errorf("error %v, want %v", err, tired)
		}
		b.want("runs", "other")
	})
}

// A task that is given up frees its place in the queue at once, also one that was blocked before.
func TestGivenUpTasksLeaveTheQueue(t *testing.T) {
	inPool(t, pool.Config{Queue: 1}, func(t *testing.T, b *bench) {
		waits, cancel := context.WithCancel(t.Context())
		b.submit("a", time.Hour)
		b.submitIn(waits, "b", time.Hour)
		if _, err := b.TrySubmit(t.Context(), attrs("c"), sleep(0)); err != pool.ErrFull {
			t.Errorf("error %v, want %v", err, pool.ErrFull)
		}
		time.AfterFunc(time.Second, cancel)
		begin := time.Now()
		blocked, cancel := context.WithCancel(t.Context())
		task := b.submitIn(blocked, "d", time.Hour) // waits for room
		cancel()
		if err := task.Wait(); err != context.Canceled || time.Since(begin) != time.Second {
			t.Errorf("error %v after %v, want %v after the 1s in which there was no room", err, time.Since(begin), context.Canceled)
		}
		b.want("a")
	})
}

// A task that submits others to its own pool is told at once that there is no room, also by Submit, if it passes a context
// that is made of its own. Another pool may block it.
func TestTasksSubmit(t *testing.T) {
	inPool(t, pool.Config{Queue: 1}, func(t *testing.T, b *bench) {
		other := open(t, pool.Config{Queue: 1})
		for range 3 {
			go other.submit("x", time.Minute)
		}
		synctest.Wait()
		for i, submit := range []func(context.Context, predict.Job, func(context.Context) error) (*pool.Task, error){b.TrySubmit, b.Submit} {
			begin := time.Now()
			task := b.do(attrs("a"), func(ctx context.Context) error {
				ctx, cancel := context.WithCancel(ctx)
				defer cancel()
				if _, err := submit(context.WithoutCancel(ctx), attrs("b"), sleep(0)); err != nil {
					t.Error(err)
				}
				_, err := submit(ctx, attrs("c"), sleep(0))
				return err
			})
			if err := task.Wait(); err != pool.ErrFull || time.Since(begin) > 0 {
				t.Errorf("error %v after %v, want %v at once", err, time.Since(begin), pool.ErrFull)
			}
			if i == 0 {
				continue
			}
			if err := b.do(attrs("a"), func(ctx context.Context) error {
				_, err := other.Submit(ctx, attrs("x"), sleep(0))
				return err
			}).Wait(); err != nil || time.Since(begin) == 0 {
				t.Errorf("the other pool has error %v after %v", err, time.Since(begin))
			}
		}
		other.drain()
		b.want("a", "b", "a", "b", "a")
	})
}

// A task's context is its submitter's: deadline, values and end, also after the task has ended.
func TestContextOfATask(t *testing.T) {
	inPool(t, pool.Config{}, func(t *testing.T, b *bench) {
		type key struct{}
		ctx, cancel := context.WithTimeout(context.WithValue(t.Context(), key{}, 7), time.Hour)
		defer cancel()
		var kept context.Context
		task, err := b.Submit(ctx, attrs("x"), func(ctx context.Context) error { kept = ctx; return nil })
		if err := errors.Join(err, task.Wait()); err != nil {
			t.Fatal(err)
		}
		deadline, ok := kept.Deadline()
		if want, _ := ctx.Deadline(); kept.Value(key{}) != 7 || deadline != want || !ok || kept.Err() != nil {
			t.Errorf("value %v, deadline %v, error %v", kept.Value(key{}), deadline, kept.Err())
		}
		cancel()
		<-kept.Done()
		if kept.Err() != context.Canceled {
			t.Errorf("error %v", kept.Err())
		}
		b.drain()
	})
}

// A typed task returns what its function did, with its error, and its interval.
func TestGo(t *testing.T) {
	inPool(t, pool.Config{Features: byKind}, func(t *testing.T, b *bench) {
		for range 30 {
			b.teach("a", 10*time.Second)
		}
		failed := errors.New("failed")
		r, err := pool.Go(t.Context(), b.Pool, attrs("a"), func(context.Context) (string, error) { time.Sleep(time.Second); return "some", failed })
		if err != nil {
			t.Fatal(err)
		}
		low, high, ok := r.Interval(0.8)
		if low.Round(time.Millisecond) != 10*time.Second || high.Round(time.Millisecond) != 10*time.Second || !ok {
			t.Errorf("interval of %v to %v, %v, want 10s", low, high, ok)
		}
		if got, err := r.Value(); got != "some" || err != failed {
			t.Errorf("got %q and error %v", got, err)
		}
		var none func(context.Context) (int, error)
		if _, err := pool.Go(t.Context(), b.Pool, nil, none); err == nil {
			t.Error("no function has no error")
		}
		b.started = nil
		b.drain()
		if _, err := pool.Go(t.Context(), b.Pool, attrs("x"), func(context.Context) (int, error) { return 0, nil }); err != pool.ErrClosed {
			t.Errorf("error %v, want %v", err, pool.ErrClosed)
		}
	})
}

// A task whose context ends in the very moment in which a worker becomes free does not run, and the next one does.
func TestCancelledByTheTaskBefore(t *testing.T) {
	for range 50 {
		inPool(t, pool.Config{}, func(t *testing.T, b *bench) {
			ctx, cancel := context.WithCancel(t.Context())
			if _, err := b.Submit(ctx, attrs("a"), func(context.Context) error {
				time.Sleep(time.Second)
				cancel()
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			b.submitIn(ctx, "b", 0)
			b.submit("c", 0)
			b.want("a", "c")
		})
	}
}

// A watched is a context that counts who wants to know of its end.
type watched struct {
	context.Context
	n atomic.Int32
}

func (w *watched) Value(any) any { return nil } // else package context sees what is in it, and asks that

func (w *watched) AfterFunc(f func()) func() bool {
	w.n.Add(1)
	stop := context.AfterFunc(w.Context, f)
	return func() bool { w.n.Add(-1); return stop() }
}

// A context outlives its tasks, and keeps nothing of them.
func TestContextForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w := &watched{Context: ctx}
		b := open(t, pool.Config{})
		b.submitIn(w, "a", time.Second)
		b.submitIn(w, "b", time.Hour)
		b.submitIn(w, "c", time.Hour)
		if got := w.n.Load(); got != 2 {
			t.Errorf("the context knows %d tasks, want the two that wait", got)
		}
		time.Sleep(time.Minute)
		over, end := context.WithCancel(t.Context())
		end()
		if err := b.Close(over); err != context.Canceled {
			t.Errorf("Close has error %v", err)
		}
		if got := w.n.Load(); got != 0 {
			t.Errorf("the context knows %d tasks, want none", got)
		}
		b.want("a", "b")
	})
}

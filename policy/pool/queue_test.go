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

// A task that submits others to its own pool is told at once that there is no room, by TrySubmit.
func TestTasksSubmit(t *testing.T) {
	inPool(t, pool.Config{Queue: 1}, func(t *testing.T, b *bench) {
		begin := time.Now()
		task := b.do(attrs("a"), func(ctx context.Context) error {
			if _, err := b.TrySubmit(ctx, attrs("b"), sleep(0)); err != nil {
				t.Error(err)
			}
			_, err := b.TrySubmit(ctx, attrs("c"), sleep(0))
			return err
		})
		if err := task.Wait(); err != pool.ErrFull || time.Since(begin) > 0 {
			t.Errorf("error %v after %v, want %v at once", err, time.Since(begin), pool.ErrFull)
		}
		b.want("a", "b")
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

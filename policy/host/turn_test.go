package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Submits that wait for room get it in their order, but for those that have given up.
func TestSubmitsTakeTurns(t *testing.T) {
	ended := []string{}
	on(t, Config{Limit: 2, Ended: func(s Status) { ended = append(ended, s.Name) }}, func(b *bed) {
		b.machine("m1", 1)
		var submits sync.WaitGroup
		for i := range 8 {
			patience := 2500 * time.Millisecond
			if i%3 == 0 {
				patience = time.Hour
			}
			submits.Go(func() {
				ctx, cancel := context.WithTimeout(b.ctx, patience)
				defer cancel()
				if _, err := b.Submit(ctx, jobOf(fmt.Sprint(i), "1s")); err != nil && !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		submits.Wait()
		time.Sleep(time.Minute)
		synctest.Wait()
		if want := []string{"0", "1", "2", "3", "6"}; !slices.Equal(ended, want) {
			t.Errorf("%q have ended, want %q: the rest waited for longer than it wanted", ended, want)
		}
	})
}

// Submits that have given up take no turn.
func TestSubmitsGivenUp(t *testing.T) {
	on(t, Config{Limit: 1}, func(b *bed) {
		b.submit(jobOf("first", "1s"))
		ctx, cancel := context.WithTimeout(b.ctx, time.Second)
		defer cancel()
		var submits sync.WaitGroup
		for range 50 {
			submits.Go(func() {
				if _, err := b.Submit(ctx, jobOf("", "")); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("error %v, want a deadline", err)
				}
			})
		}
		submits.Wait()
		submits.Go(func() { b.submit(jobOf("last", "1s")) })
		synctest.Wait()
		rounds := 0
		_ = b.do(b.ctx, func() error {
			b.point = func() { rounds++ }
			return nil
		})
		b.machine("m1", 1)
		submits.Wait()
		if rounds > 25 {
			t.Errorf("the last Submit waits for %d rounds, want at most 25", rounds)
		}
	})
}

// A Wait that was given up leaves nothing behind.
func TestWaitGivenUp(t *testing.T) {
	on(t, Config{}, func(b *bed) {
		id := b.submit(jobOf("", "1s"))
		ctx, cancel := context.WithTimeout(b.ctx, time.Second)
		defer cancel()
		if _, err := b.Wait(ctx, id); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want a deadline", err)
		}
		err := b.do(b.ctx, func() error {
			if n := len(b.waiters[id]); n > 0 {
				t.Errorf("%d calls wait", n)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

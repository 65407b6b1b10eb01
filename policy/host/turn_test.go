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

package augurriver

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// After a look that took long the leader pauses for longer, but never until Postgres ends its connection.
func TestPause(t *testing.T) {
	errDone := errors.New("done")
	for took, want := range map[time.Duration]time.Duration{
		10 * time.Millisecond: 490 * time.Millisecond, time.Second: 4 * time.Second, 15 * time.Second: 5 * time.Second,
	} {
		synctest.Test(t, func(t *testing.T) {
			var ended time.Time
			err := every(t.Context(), 500*time.Millisecond, func(ctx context.Context) error {
				if !ended.IsZero() {
					if got := time.Since(ended); got != want || got >= silence(500*time.Millisecond) {
						t.Errorf("after a look of %v pauses %v, want %v", took, got, want)
					}
					return errDone
				}
				time.Sleep(took)
				ended = time.Now()
				return ctx.Err()
			})
			if !errors.Is(err, errDone) {
				t.Error(err)
			}
		})
	}
}

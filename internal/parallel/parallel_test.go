package parallel_test

import (
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/internal/parallel"
)

func TestEach(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	early, late := errors.New("early"), errors.New("late")
	synctest.Test(t, func(t *testing.T) {
		var running, most, calls atomic.Int64
		if err := parallel.Each(100, 0, func(i int) error {
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(time.Second)
			running.Add(-1)
			calls.Add(1)
			return nil
		}); err != nil || calls.Load() != 100 || most.Load() != 4 {
			t.Errorf("got error %v, %d calls, %d at a time; want 100, 4 at a time", err, calls.Load(), most.Load())
		}
		most.Store(0)
		if err := parallel.Each(9, 2, func(int) error {
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(time.Second)
			running.Add(-1)
			return nil
		}); err != nil || most.Load() != 2 {
			t.Errorf("got error %v, %d at a time; want 2 at a time", err, most.Load())
		}
		// The first error is not the first to come.
		calls.Store(0)
		err := parallel.Each(100, 0, func(i int) error {
			calls.Add(1)
			switch i {
			case 4:
				time.Sleep(time.Minute)
				return early
			case 5:
				return late
			}
			return nil
		})
		if err != early || calls.Load() > 20 {
			t.Errorf("got error %v after %d calls, want %v after few", err, calls.Load(), early)
		}
	})
	if err := parallel.Each(0, 0, func(int) error { return early }); err != nil {
		t.Errorf("got error %v of nothing", err)
	}
}

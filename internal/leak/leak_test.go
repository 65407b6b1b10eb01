package leak

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// A goroutine that is just about to end is not counted, and one that stays is, in the end.
func TestGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before, begin := runtime.NumGoroutine(), time.Now()
		go time.Sleep(time.Second)
		if got := Goroutines(before); got != before {
			t.Errorf("%d goroutines, want %d as before", got, before)
		}
		if waited := time.Since(begin); waited < time.Second || waited > 2*time.Second {
			t.Errorf("it waited for %v, want about 1s", waited)
		}
		stay := make(chan struct{})
		go func() { <-stay }()
		begin = time.Now()
		if got := Goroutines(before); got != before+1 {
			t.Errorf("%d goroutines, want %d, as one stays", got, before+1)
		}
		if waited := time.Since(begin); waited < patience || waited > 2*patience {
			t.Errorf("it waited for %v, want %v", waited, patience)
		}
		close(stay)
	})
}

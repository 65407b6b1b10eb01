// Package leak counts the goroutines that are left, for tests of what must not leave any.
package leak

import (
	"runtime"
	"time"
)

// patience is how long goroutines have to end.
const patience = 5 * time.Second

// Goroutines waits until there are no more than there were before, since some may be just about to end, and returns
// how many there are. After five seconds it waits no longer.
func Goroutines(before int) int {
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if n := runtime.NumGoroutine(); n <= before || time.Since(begin) > patience {
			return n
		}
	}
}

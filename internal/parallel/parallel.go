// Package parallel does many like things side by side, such that nothing but the time that it takes depends on the number of cores.
package parallel

import (
	"cmp"
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls do(0), do(1) and so on up to do(n-1), most at a time, or as many as there are cores if most is 0, and returns when all have returned. After an
// error it begins no more. All that come before the first error have been begun then, so the error that it returns, that of the
// least number, is always the same.
func Each(n, most int, do func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(cmp.Or(most, runtime.GOMAXPROCS(0)), n) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = do(i); errs[i] != nil {
					next.Store(int64(n))
				}
			}
		})
	}
	wg.Wait()
	return cmp.Or(errs...)
}

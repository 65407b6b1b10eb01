package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/augur/internal/heap"
	"example.com/augur/internal/leak"
	"example.com/augur/predict"
)

var soak = flag.Int("soak", 4000, "`jobs` of all goroutines of the soak together")

// Eight goroutines hand in jobs of all kinds, up to a hundred each before they wait for the results: some
// panic, end their goroutines, fail, hand in others, or are given up before they start. Each is answered once, what
// the pool learns is saved meanwhile, and when it is closed it has no goroutines and holds no jobs.
func TestSoak(t *testing.T) {
	const workers, together, kinds = 8, 100, 50
	goroutines := runtime.NumGoroutine()
	begin := time.Now()
	var ran, gaveUp, panics, exits, failed, most atomic.Int64
	var pool *Pool
	bytes := heap.Of(func() *Pool {
		var err error
		if pool, err = Open(Config{Workers: 4, Features: []string{"kind"}, File: t.TempDir() + "/runtimes", Every: 500, Patience: time.Millisecond}); err != nil {
			t.Fatal(err)
		}
		failure := errors.New("the job failed")
		do := func(what int) func(context.Context) error {
			return func(ctx context.Context) error {
				ran.Add(1)
				switch what {
				case 0:
					panic(what)
				case 1:
					runtime.Goexit()
				case 2:
					return failure
				case 3:
					pool.Submit(ctx, predict.Attrs{"kind": "another"}, func(context.Context) error { return nil })
				case 4:
					sleep(ctx, 10*time.Microsecond)
				}
				return nil
			}
		}
		var submitting sync.WaitGroup
		for w := range workers {
			submitting.Go(func() {
				rng := rand.New(rand.NewPCG(1, uint64(w)))
				for left := *soak / workers; left > 0; {
					var results []<-chan Result
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rng.IntN(20_000))*time.Microsecond)
					for range min(left, 1+rng.IntN(together)) {
						kind := rng.IntN(kinds)
						results = append(results, pool.Submit(ctx, predict.Attrs{"kind": fmt.Sprint(kind)}, do(kind)))
						left--
					}
					if n := int64(runtime.NumGoroutine()); n > most.Load() {
						most.Store(n)
					}
					for _, result := range results {
						r := <-result
						_, panicked := errors.AsType[*PanicError](r.Err)
						switch {
						case panicked:
							panics.Add(1)
						case errors.Is(r.Err, ErrExit):
							exits.Add(1)
						case errors.Is(r.Err, failure):
							failed.Add(1)
						case errors.Is(r.Err, context.DeadlineExceeded):
							gaveUp.Add(1)
						case r.Err != nil:
							t.Errorf("a job ended with %v", r.Err)
						}
					}
					cancel()
				}
			})
		}
		submitting.Wait()
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
		return pool
	})
	if got := int(ran.Load() + gaveUp.Load()); got != *soak/workers*workers {
		t.Errorf("%d jobs ran, and %d were given up; want %d together", ran.Load(), gaveUp.Load(), *soak/workers*workers)
	}
	if panics.Load() == 0 || exits.Load() == 0 || failed.Load() == 0 {
		t.Errorf("%d jobs panicked, %d ended their goroutines and %d failed, want some of each", panics.Load(), exits.Load(), failed.Load())
	}
	left := leak.Goroutines(goroutines)
	if left > goroutines {
		t.Errorf("%d goroutines, want %d as before", left, goroutines)
	}
	if bytes > 1<<20 {
		t.Errorf("a pool without jobs takes %d bytes, want less than 1 MiB", bytes)
	}
	t.Logf("%d jobs ran and %d were given up in %.1f s (%d panicked, %d ended their goroutines, %d failed); %d goroutines before, at most %d, and %d after; %d bytes",
		ran.Load(), gaveUp.Load(), time.Since(begin).Seconds(), panics.Load(), exits.Load(), failed.Load(), goroutines, most.Load(), left, bytes)
}

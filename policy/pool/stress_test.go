package pool_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/internal/leak"
	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

var soak = flag.Int("soak", 10_000, "`tasks` of TestSoak")

// A count is Metrics that count.
type count struct{ submitted, started, finished, failed atomic.Int64 }

func (c *count) Submitted(pool.Status) { c.submitted.Add(1) }
func (c *count) Started(pool.Status)   { c.started.Add(1) }
func (c *count) Finished(s pool.Status) {
	c.finished.Add(1)
	if s.Err != nil {
		c.failed.Add(1)
	}
}

// Eight goroutines submit tasks of three tenants that do nothing, fail, panic or are cancelled, to a pool that is saved
// meanwhile, and after half of them to another one that loads what the first one learned. Each accepted task ends
// once, runs at most once, and runs if nothing is wrong with it; no goroutine is left.
func TestSoak(t *testing.T) {
	goroutines := runtime.NumGoroutine()
	const submitters = 8
	var saved bytes.Buffer
	begin := time.Now()
	for half := range 2 {
		m := new(count)
		p, err := pool.New(pool.Config{
			Workers: 4, Queue: 64, Order: pool.Order(2 + half), Features: []string{"customer+kind", "kind"},
			Tenant: "customer", Weights: map[string]float64{"a": 2, "b": 1}, Metrics: m,
		})
		if err != nil {
			t.Fatal(err)
		}
		if half == 1 {
			if err := p.History().Restore(&saved); err != nil {
				t.Fatal(err)
			}
		}
		n := *soak / 2 / submitters
		ran := make([]atomic.Int32, n*submitters)
		var submitted sync.WaitGroup
		for s := range submitters {
			submitted.Go(func() {
				rng := rand.New(rand.NewPCG(uint64(half), uint64(s)))
				tasks, wants := make([]*pool.Task, n), make([]error, n)
				for i := range n {
					id := s*n + i
					var want error
					ctx := t.Context()
					attrs := predict.Attrs{"customer": string(rune('a' + rng.IntN(3))), "kind": fmt.Sprint(rng.IntN(20))}
					switch rng.IntN(20) {
					case 0:
						want = errFails
					case 1:
						want = errPanic
					case 2:
						want = pool.ErrExit
					case 3:
						c, cancel := context.WithCancel(ctx)
						ctx, want = c, context.Canceled
						time.AfterFunc(time.Duration(rng.IntN(50))*time.Microsecond, cancel)
					}
					task, err := p.Submit(ctx, attrs, func(context.Context) error {
						ran[id].Add(1)
						switch want {
						case errPanic:
							panic("panic")
						case pool.ErrExit:
							runtime.Goexit()
						case errFails:
							return want
						}
						return nil
					})
					if err != nil {
						if err != want {
							t.Errorf("Submit has error %v", err)
						}
						ran[id].Add(1) // as it would
						continue
					}
					tasks[i], wants[i] = task, want
				}
				for i, task := range tasks {
					if task == nil {
						continue
					}
					got, want := task.Wait(), wants[i]
					switch _, panicked := errors.AsType[*pool.PanicError](got); {
					case want == context.Canceled && got == nil: // it ran before it was cancelled
					case want == errPanic && panicked:
					case got != want:
						t.Errorf("error %v, want %v", got, want)
					case want == context.Canceled:
						ran[s*n+i].Add(1) // as it would
					}
				}
			})
		}
		submitted.Go(func() {
			for range 5 {
				time.Sleep(time.Millisecond)
				saved.Reset()
				if err := p.History().Snapshot(&saved); err != nil {
					t.Error(err)
				}
			}
		})
		submitted.Wait()
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
		for id := range ran {
			if k := ran[id].Load(); k != 1 {
				t.Fatalf("task %d ran %d times, want once", id, k)
			}
		}
		if s, f := m.submitted.Load(), m.finished.Load(); s != f || s != int64(len(ran)) {
			t.Errorf("Metrics heard of %d tasks submitted and %d finished, want %d", s, f, len(ran))
		}
		saved.Reset()
		if err := p.History().Snapshot(&saved); err != nil {
			t.Fatal(err)
		}
		t.Logf("%d tasks, of which %d failed, in %.1f s in all", len(ran), m.failed.Load(), time.Since(begin).Seconds())
	}
	if left := leak.Goroutines(goroutines); left > goroutines {
		t.Errorf("%d goroutines, want %d as before", left, goroutines)
	}
}

var errFails, errPanic = errors.New("fails"), errors.New("panics")

// Whatever is submitted, cancelled and closed in whatever order, each task ends once and the pool comes to an end.
func FuzzLife(f *testing.F) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		script := make([]byte, 60)
		for i := range script {
			script[i] = byte(rng.Uint32())
		}
		f.Add(script)
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) < 4 {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			b := open(t, pool.Config{
				Workers: 1 + int(script[0]%3), Queue: 1 + int(script[1]%4), Order: pool.Order(1 + script[2]%3), Features: byKind,
				Tenant: "customer", Weights: map[string]float64{"0": 2},
			})
			var calls sync.WaitGroup
			var accepted, ran atomic.Int32
			for _, op := range script[3:] {
				if op%16 == 0 {
					calls.Go(func() {
						ctx, cancel := context.WithTimeout(t.Context(), time.Duration(op)*time.Second)
						defer cancel()
						_ = b.Close(ctx)
					})
				}
				time.Sleep(time.Duration(op%3) * time.Second)
				calls.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(op)*time.Second/2)
					defer cancel()
					submit := b.Submit
					if op%8 == 1 {
						submit = b.TrySubmit
					}
					started := false
					task, err := submit(ctx, shop(fmt.Sprint(op%4), fmt.Sprint(op/64)), func(ctx context.Context) error {
						if started {
							t.Error("a task runs twice")
						}
						started = true
						ran.Add(1)
						return sleep(time.Duration(op/16) * time.Second)(ctx)
					})
					if err != nil {
						return
					}
					accepted.Add(1)
					if err := task.Wait(); (err == nil) && !started {
						t.Error("a task has no error and did not run")
					}
				})
			}
			calls.Wait()
			if err := b.Close(t.Context()); err != nil {
				t.Error(err)
			}
			if b.submitted != b.finished || len(b.started) != int(ran.Load()) || ran.Load() > accepted.Load() {
				t.Errorf("%d tasks submitted, %d finished, %d started, %d ran, %d accepted", b.submitted, b.finished, len(b.started), ran.Load(), accepted.Load())
			}
		})
	})
}

package pool_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/internal/heap"
	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

// shop is the attributes of a task of a customer.
func shop(customer, kind string) predict.Attrs {
	return predict.Attrs{"customer": customer, "kind": kind, "name": customer}
}

// give submits tasks of a customer, and returns the last of them.
func (b *bench) give(customer string, n int, takes time.Duration) (last *pool.Task) {
	b.Helper()
	for range n {
		last = b.do(shop(customer, ""), sleep(takes))
	}
	return last
}

// count returns how many tasks of each customer have started since it was called last.
func (b *bench) count() map[string]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := map[string]int{}
	for _, customer := range b.started {
		n[customer]++
	}
	b.started = nil
	return n
}

func weightsOfTenants(t *testing.T) {
	for _, learns := range []bool{false, true} {
		for _, workers := range []int{1, 4} {
			t.Run(fmt.Sprintf("learns=%v/workers=%d", learns, workers), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := pool.Config{Workers: workers, Tenant: "customer", Weights: map[string]float64{"a": 3, "b": 1}}
					if learns {
						c.Order, c.Features = pool.Shortest, []string{"customer"}
					}
					b := open(t, c)
					takes := map[string]time.Duration{"a": time.Second, "b": 5 * time.Second, "c": 200 * time.Millisecond} // c has weight 1
					for customer, d := range takes {
						b.give(customer, int(2000*time.Second/d), d)
					}
					const span = 500 * time.Second
					time.Sleep(span)
					n := b.count()
					total := span.Seconds() * float64(workers)
					for customer, share := range map[string]float64{"a": 0.6, "b": 0.2, "c": 0.2} {
						had := float64(n[customer]) * takes[customer].Seconds()
						// Each worker may have a task of 5 s, by which a tenant is ahead, and another one behind.
						if slack := 5 * float64(workers+1); math.Abs(had-share*total) > slack {
							t.Errorf("customer %s had %v s of %v s, want a share of %v, within %v s", customer, had, total, share, slack)
						}
					}
					b.drain()
				})
			})
		}
	}
}

func floodBlocksNobodyElse(t *testing.T) {
	inPool(t, pool.Config{Queue: 5, Tenant: "customer"}, func(t *testing.T, b *bench) {
		var flood sync.WaitGroup
		for range 20 {
			flood.Go(func() {
				if _, err := b.Submit(t.Context(), shop("flood", ""), sleep(time.Minute)); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if _, err := b.TrySubmit(t.Context(), shop("flood", ""), sleep(0)); err != pool.ErrFull {
			t.Errorf("error %v, want %v", err, pool.ErrFull)
		}
		other, err := b.TrySubmit(t.Context(), shop("other", ""), sleep(time.Second))
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Wait(); err != nil {
			t.Error(err)
		}
		if n := b.count(); n["flood"]+n["other"] > 3 {
			t.Errorf("%v tasks had started before the other customer's was done, want at most 3", n)
		}
		flood.Wait()
		b.drain()
	})
}

// Workers that become free at the same instant go to several tenants, and one that has had more waits until the others
// have had as much: what runs counts with what is expected of it.
func TestWhatRunsCounts(t *testing.T) {
	inPool(t, pool.Config{Workers: 4, Tenant: "customer"}, func(t *testing.T, b *bench) {
		b.give("a", 4, 10*time.Second)
		time.Sleep(5 * time.Second)
		b.give("a", 8, 10*time.Second)
		b.give("b", 8, 10*time.Second)
		for round, want := range []map[string]int{{"a": 4}, {"b": 4}, {"a": 2, "b": 2}, {"a": 2, "b": 2}} {
			if got := b.count(); !maps.Equal(got, want) {
				t.Errorf("round %d: %v tasks started, want %v", round, got, want)
			}
			time.Sleep(10 * time.Second)
		}
		b.drain()
	})
}

// A tenant owes what it had in excess, although it has had no tasks for a moment, whether or not it has a weight of its
// own. When a worker is free and nobody waits, all debts are forgiven.
func TestDebts(t *testing.T) {
	for name, test := range map[string]struct {
		weights map[string]float64
		idle    bool
		want    time.Duration
	}{
		"listed":            {map[string]float64{"a": 1}, false, 99 * time.Second},
		"not listed":        {nil, false, 99 * time.Second},
		"listed, idle":      {map[string]float64{"a": 1}, true, 1 * time.Second},
		"not listed, idle ": {nil, true, 1 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inPool(t, pool.Config{Tenant: "customer", Weights: test.weights}, func(t *testing.T, b *bench) {
				first := b.give("a", 1, 100*time.Second)
				if test.idle {
					if err := first.Wait(); err != nil {
						t.Error(err)
					}
				}
				b.give("b", 200, time.Second)
				if err := first.Wait(); err != nil {
					t.Error(err)
				}
				time.Sleep(500 * time.Millisecond)
				begin := time.Now()
				if err := b.give("a", 1, 0).Wait(); err != nil {
					t.Error(err)
				}
				if waited := time.Since(begin); waited < test.want-time.Second || waited > test.want+time.Second {
					t.Errorf("a waited %v, want %v", waited, test.want)
				}
				b.drain()
			})
		})
	}
}

// A tenant without a weight of its own, whose tasks are long and come one at a time, has as much as one whose tasks are
// short and always wait.
func TestLongTasksOneAtATime(t *testing.T) {
	inPool(t, pool.Config{Tenant: "customer"}, func(t *testing.T, b *bench) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		had := map[string]time.Duration{}
		var clients sync.WaitGroup
		client := func(customer string, takes time.Duration) {
			for ctx.Err() == nil {
				if task, err := b.Submit(ctx, shop(customer, ""), sleep(takes)); err == nil && task.Wait() == nil {
					b.mu.Lock()
					had[customer] += takes
					b.mu.Unlock()
				}
			}
		}
		clients.Go(func() { client("long", time.Second) })
		for range 4 {
			clients.Go(func() { client("short", 10*time.Millisecond) })
		}
		clients.Wait()
		if got := had["long"]; got < 29*time.Minute || got > 31*time.Minute {
			t.Errorf("the tenants had %v, want half an hour each", had)
		}
		b.drain()
	})
}

// What runs for longer than was expected counts, also before it has ended: a burst of long tasks of one tenant does not
// take all workers while another one has tasks waiting.
func TestWhatOverrunsCounts(t *testing.T) {
	inPool(t, pool.Config{Workers: 8, Tenant: "customer"}, func(t *testing.T, b *bench) {
		begin := time.Now()
		var last *pool.Task
		for range 400 {
			b.give("long", 1, 10*time.Minute)
			last = b.give("short", 1, time.Second)
		}
		if err := last.Wait(); err != nil {
			t.Error(err)
		}
		if took := time.Since(begin); took > 2*time.Minute {
			t.Errorf("400 s of short tasks took %v of 8 workers, want at most 2m: half of them run the long ones", took)
		}
		over, end := context.WithCancel(t.Context())
		end()
		_ = b.Close(over)
	})
}

// Tenants that come once take no memory.
func TestTenantsAreForgotten(t *testing.T) {
	bytes := heap.Of(func() *pool.Pool {
		p, err := pool.New(pool.Config{Workers: 2, Tenant: "customer"})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20_000 {
			task, err := p.Submit(t.Context(), predict.Attrs{"customer": fmt.Sprint(i)}, sleep(0))
			if err != nil {
				t.Fatal(err)
			}
			if err := task.Wait(); err != nil {
				t.Error(err)
			}
		}
		return p
	})
	if bytes > 100_000 {
		t.Errorf("a pool takes %d bytes after 20,000 tenants, want at most 100,000", bytes)
	}
}

// Close gives up the tasks of many tenants. It forgets tenants that have none left while it does so.
func TestCloseForgetsTenants(t *testing.T) {
	p, err := pool.New(pool.Config{Workers: 1, Tenant: "t"})
	if err != nil {
		t.Fatal(err)
	}
	submit := func(tenant string, do func(context.Context) error) *pool.Task {
		task, err := p.Submit(t.Context(), predict.Attrs{"t": tenant}, do)
		if err != nil {
			t.Fatal(err)
		}
		return task
	}
	nothing := func(context.Context) error { return nil }
	for i := range 40 {
		_ = submit(fmt.Sprintf("b%02d", i), nothing).Wait()
	}
	release := make(chan struct{})
	submit("a", func(context.Context) error { <-release; return nil })
	for i := range 60 {
		submit(fmt.Sprintf("a%02d", i), nothing)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Close(ctx); err != context.Canceled {
		t.Errorf("got error %v, want that of the context", err)
	}
	close(release)
}

package pool_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

// What a pool promises.
func TestPromises(t *testing.T) {
	t.Run("with one worker and known predictions, tasks start as in a sorted list", orderIsThatOfASortedList)
	t.Run("it learns from the tasks that end, while others wait", learnsWhileTasksWait)
	t.Run("a long task is overtaken by those that come soon after it, however many come in all", overtakingIsBounded)
	t.Run("tenants share the time of the workers by their weights, whatever their tasks take", weightsOfTenants)
	t.Run("a tenant with a full queue blocks itself and nobody else", floodBlocksNobodyElse)
	t.Run("a task that fails or panics is told so, and harms no other", tasksThatFail)
	t.Run("a task whose context ends does not start, and is told if it runs", contexts)
	t.Run("Close waits until its context ends, then gives up what waits", closing)
	t.Run("what is learned outlives the pool, and only what is whole is loaded", restarts)
	t.Run("a task allocates nothing but itself", allocations)
}

var byKind = []string{"kind"}

// A bench is a pool under test, in a bubble with a clock of its own, which fails if a goroutine is left. It notes the
// names of tasks in the order in which they start, and what Metrics hears.
type bench struct {
	*testing.T
	*pool.Pool
	mu                  sync.Mutex
	started             []string
	submitted, finished int
	last                pool.Status
}

func open(t *testing.T, c pool.Config) *bench {
	t.Helper()
	b := &bench{T: t}
	c.Workers = cmp.Or(c.Workers, 1)
	c.Metrics = b
	var err error
	if b.Pool, err = pool.New(c); err != nil {
		t.Fatal(err)
	}
	return b
}

// inPool runs a test of a pool in a bubble.
func inPool(t *testing.T, c pool.Config, test func(t *testing.T, b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, open(t, c)) })
}

func (b *bench) Submitted(pool.Status) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.submitted++
}

func (b *bench) Started(s pool.Status) {
	b.mu.Lock()
	defer b.mu.Unlock()
	name, _ := s.Attrs.Attr("name")
	b.started = append(b.started, name)
}

func (b *bench) Finished(s pool.Status) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.finished++
	b.last = s
}

// submit submits a task that sleeps for so long. Its name begins with its kind.
func (b *bench) submit(name string, takes time.Duration) *pool.Task {
	b.Helper()
	return b.submitIn(b.Context(), name, takes)
}

func (b *bench) submitIn(ctx context.Context, name string, takes time.Duration) *pool.Task {
	b.Helper()
	task, err := b.Submit(ctx, attrs(name), sleep(takes))
	if err != nil {
		b.Error(err)
	}
	return task
}

// attrs are those of a task with a name such as "mail 3".
func attrs(name string) predict.Attrs {
	kind, _, _ := strings.Cut(name, " ")
	return predict.Attrs{"kind": kind, "name": name}
}

// do submits what a task does.
func (b *bench) do(attrs predict.Attrs, do func(context.Context) error) *pool.Task {
	b.Helper()
	task, err := b.Submit(b.Context(), attrs, do)
	if err != nil {
		b.Fatal(err)
	}
	return task
}

// drain closes the pool when all is done.
func (b *bench) drain() {
	b.Helper()
	if err := b.Close(b.Context()); err != nil {
		b.Error(err)
	}
}

// sleep returns a function that sleeps, unless its context ends.
func sleep(d time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(d):
			return nil
		}
	}
}

// teach runs a task of a kind.
func (b *bench) teach(kind string, takes time.Duration) {
	b.Helper()
	if err := b.submit(kind, takes).Wait(); err != nil {
		b.Fatal(err)
	}
	b.started = nil
}

// want closes the pool, and compares the order in which tasks started.
func (b *bench) want(names ...string) {
	b.Helper()
	b.drain()
	if got := strings.Join(b.started, ", "); got != strings.Join(names, ", ") {
		b.Errorf("tasks started in the order %s, want %s", got, strings.Join(names, ", "))
	}
	if b.submitted != b.finished {
		b.Errorf("Metrics heard of %d tasks that were submitted and of %d that finished", b.submitted, b.finished)
	}
}

func tasksThatFail(t *testing.T) {
	failure := errors.New("no paper")
	for i, test := range []struct {
		name string
		do   func(context.Context) error
		want func(error) bool
	}{
		{"error", func(context.Context) error { return failure }, func(err error) bool { return err == failure }},
		{"panic", func(context.Context) error { panic("no ink") }, func(err error) bool {
			p, ok := errors.AsType[*pool.PanicError](err)
			return ok && p.Value == "no ink" && strings.Contains(string(p.Stack), "tasksThatFail") && strings.Contains(err.Error(), "no ink")
		}},
		{"panic of an error", func(context.Context) error { panic(failure) }, func(err error) bool { return errors.Is(err, failure) && err != failure }},
		{"goexit", func(context.Context) error { runtime.Goexit(); return nil }, func(err error) bool { return err == pool.ErrExit }},
	} {
		t.Run(test.name, func(t *testing.T) {
			inPool(t, pool.Config{Order: pool.Order(1 + i%2), Features: byKind}, func(t *testing.T, b *bench) {
				bad := b.do(attrs("a"), func(ctx context.Context) error {
					time.Sleep(time.Minute)
					return test.do(ctx)
				})
				good := b.submit("a good", time.Second)
				if err := bad.Wait(); !test.want(err) {
					t.Errorf("got %v", err)
				}
				if err := good.Wait(); err != nil {
					t.Error(err)
				}
				if got := b.last.Predicted; got != 2*time.Minute {
					t.Errorf("after a task that failed after 1m the next one was predicted to take %v, want 2m", got)
				}
				b.want("a", "a good")
			})
		})
	}
}

func TestRefusals(t *testing.T) {
	inPool(t, pool.Config{}, func(t *testing.T, b *bench) {
		var none context.Context
		if _, err := b.Submit(none, nil, sleep(0)); err == nil || !strings.Contains(err.Error(), "ctx is nil") {
			t.Errorf("error %v", err)
		}
		if _, err := b.Submit(t.Context(), nil, nil); err == nil || !strings.Contains(err.Error(), "do is nil") {
			t.Errorf("error %v", err)
		}
		if err := b.Close(none); err == nil {
			t.Error("Close has no error")
		}
		if err := b.Save(); err == nil || !strings.Contains(err.Error(), "Features") {
			t.Errorf("Save has error %v", err)
		}
		if err := b.Resize(0); err == nil || !strings.Contains(err.Error(), "0 workers") {
			t.Errorf("Resize has error %v", err)
		}
		if err := b.SetWeight("a", 1); err == nil || !strings.Contains(err.Error(), "Tenant") {
			t.Errorf("SetWeight has error %v", err)
		}
		b.want()
		if _, err := b.Submit(t.Context(), attrs("a"), sleep(0)); err != pool.ErrClosed {
			t.Errorf("error %v, want %v", err, pool.ErrClosed)
		}
	})
}

func closing(t *testing.T) {
	inPool(t, pool.Config{Queue: 1}, func(t *testing.T, b *bench) {
		runs, waits := b.submit("a", time.Hour), b.submit("b", time.Hour)
		var group sync.WaitGroup
		group.Go(func() {
			if _, err := b.Submit(t.Context(), attrs("c"), sleep(0)); err != pool.ErrClosed {
				t.Errorf("the blocked task has error %v, want %v", err, pool.ErrClosed)
			}
		})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := b.Close(ctx); err != context.DeadlineExceeded {
			t.Errorf("Close has error %v, want %v", err, context.DeadlineExceeded)
		}
		group.Wait()
		if err := waits.Wait(); err != pool.ErrClosed {
			t.Errorf("the task that waited has error %v, want %v", err, pool.ErrClosed)
		}
		select {
		case <-runs.Done():
			t.Error("the task that runs is over")
		default:
		}
		b.want("a")
		for range 20 { // by a context that has ended
			if err := b.Close(ctx); err != nil {
				t.Errorf("Close of a pool that is at its end has error %v", err)
			}
		}
	})
}

func restarts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runtimes")
	synctest.Test(t, func(t *testing.T) {
		b := &bench{T: t}
		c := pool.Config{Workers: 1, Features: byKind, Metrics: b}
		reopen := func() (err error) {
			b.started = nil
			b.Pool, err = pool.Open(file, c)
			return err
		}
		if err := reopen(); err != nil {
			t.Fatal(err)
		}
		b.teach("long", time.Hour)
		if err := b.Save(); err != nil { // before the end
			t.Error(err)
		}
		b.teach("short", time.Second)
		b.want()
		if err := reopen(); err != nil {
			t.Fatal(err)
		}
		if got, ok := b.Predict(attrs("long")); got != time.Hour || !ok {
			t.Errorf("a long task is predicted to take %v, %v, want 1h", got, ok)
		}
		for _, name := range []string{"first", "long", "short"} {
			b.submit(name, time.Second)
		}
		b.want("first", "short", "long")
		saved, err := os.ReadFile(file)
		if err := errors.Join(err, os.WriteFile(file, saved[:len(saved)/2], 0o600)); err != nil {
			t.Fatal(err)
		}
		if err := reopen(); !errors.Is(err, predict.ErrFormat) || !strings.Contains(err.Error(), file) {
			t.Errorf("half a file has error %v, want one that names it", err)
		}
	})
}

// In the steady state a task allocates nothing but itself. Index keeps memory in a sync.Pool, which loses some of it
// under the race detector.
func allocations(t *testing.T) {
	for order := pool.FirstCome; order < pool.Index; order++ {
		p, err := pool.New(pool.Config{Workers: 1, Queue: 100, Order: order, Features: byKind})
		if err != nil {
			t.Fatal(err)
		}
		kinds := []predict.Attrs{{"kind": "a"}, {"kind": "b"}}
		do := func(context.Context) error { return nil }
		i := 0
		ctx := context.Background() // cannot end
		submit := func() {
			i++
			if _, err := p.Submit(ctx, kinds[i%2], do); err != nil {
				t.Error(err)
			}
		}
		for range 10_000 {
			submit()
		}
		if allocs := testing.AllocsPerRun(10_000, submit); allocs > 1 {
			t.Errorf("a task by %v allocates %v times, want once", order, allocs)
		}
		if err := p.Close(ctx); err != nil {
			t.Error(err)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, test := range []struct {
		c    pool.Config
		want string
	}{
		{pool.Config{Workers: -1}, "Config.Workers is -1"},
		{pool.Config{Queue: -1}, "Config.Queue is -1"},
		{pool.Config{Order: 4}, "Config.Order is 4"},
		{pool.Config{Order: pool.Index}, "Index goes by predictions"},
		{pool.Config{MaxWait: -1}, "Config.MaxWait is -1ns"},
		{pool.Config{Features: []string{""}}, `Features has ""`},
		{pool.Config{Limits: []pool.Limit{{Running: 1}}}, "Config.Limits[0].Attr is empty"},
		{pool.Config{Limits: []pool.Limit{{Attr: "kind"}}}, "Config.Limits[0].Running is 0"},
		{pool.Config{Limits: []pool.Limit{{Attr: "kind+customer", Running: 1}}}, `Config.Limits[0].Attr is "kind+customer"`},
		{pool.Config{Tenant: "kind+customer"}, `Config.Tenant is "kind+customer"`},
		{pool.Config{Limits: []pool.Limit{{Attr: "kind", Running: 1}, {Attr: "kind", Running: 2}}}, "twice"},
		{pool.Config{Weights: map[string]float64{"a": 1}}, "Config.Tenant"},
		{pool.Config{Tenant: "user", Weights: map[string]float64{"a": 0}}, `tenant "a"`},
		{pool.Config{Tenant: "user", Weights: map[string]float64{"a": math.SmallestNonzeroFloat64}}, `tenant "a"`},
	} {
		if p, err := pool.New(test.c); err == nil || p != nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("New(%+v) has error %v, want one with %q", test.c, err, test.want)
		}
	}
	for path, c := range map[string]pool.Config{"": {Features: byKind}, "x": {}} {
		if _, err := pool.Open(path, c); err == nil {
			t.Errorf("Open(%q, %+v) has no error", path, c)
		}
		if _, err := pool.OpenQueue[int](path, c); err == nil {
			t.Errorf("OpenQueue(%q, %+v) has no error", path, c)
		}
	}
	if _, err := pool.NewQueue[int](pool.Config{Workers: 1}); err == nil || !strings.Contains(err.Error(), "for a Pool") {
		t.Errorf("NewQueue with workers has error %v", err)
	}
}

package pool_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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

var byKind = predict.Config{Features: []string{"kind"}}

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
	if err := b.Close(b.Context()); err != nil {
		b.Error(err)
	}
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
			synctest.Test(t, func(t *testing.T) {
				b := open(t, pool.Config{Order: pool.Order(i % 2), Predict: byKind})
				bad, err := b.Submit(t.Context(), attrs("a"), func(ctx context.Context) error {
					time.Sleep(time.Minute)
					return test.do(ctx)
				})
				if err != nil {
					t.Fatal(err)
				}
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

func contexts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, pool.Config{Queue: 2})
		tired := errors.New("tired")
		ctx, cancel := context.WithCancelCause(t.Context())
		runs := b.submitIn(ctx, "runs", time.Hour)
		waits := b.submitIn(ctx, "waits", time.Hour)
		other := b.submit("other", time.Second)
		var group sync.WaitGroup
		group.Go(func() {
			if _, err := b.Submit(ctx, attrs("blocked"), sleep(0)); err != tired {
				t.Errorf("the blocked task has error %v, want %v", err, tired)
			}
		})
		time.Sleep(time.Minute)
		cancel(tired)
		group.Wait()
		for name, task := range map[string]*pool.Task{"ran": runs, "waited": waits} {
			if err := task.Wait(); err != tired {
				t.Errorf("the task that %s has error %v, want %v", name, err, tired)
			}
		}
		if err := other.Wait(); err != nil {
			t.Error(err)
		}
		if _, err := b.Submit(ctx, attrs("never"), sleep(0)); err != tired {
			t.Errorf("error %v, want %v", err, tired)
		}
		b.want("runs", "other")
	})
}

// A task that is given up frees its place in the queue at once.
func TestGivenUpTasksLeaveTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, pool.Config{Queue: 1})
		ctx, cancel := context.WithCancel(t.Context())
		b.submit("a", time.Hour)
		b.submitIn(ctx, "b", time.Hour)
		if _, err := b.TrySubmit(t.Context(), attrs("c"), sleep(0)); err != pool.ErrFull {
			t.Errorf("error %v, want %v", err, pool.ErrFull)
		}
		time.AfterFunc(time.Second, cancel)
		begin := time.Now()
		b.submit("d", time.Second) // waits for room
		if waited := time.Since(begin); waited != time.Second {
			t.Errorf("there was room after %v, want 1s", waited)
		}
		b.want("a", "d")
	})
}

// A task that submits others to its own pool is told at once that there is no room, by TrySubmit.
func TestTasksSubmit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, pool.Config{Queue: 1})
		begin := time.Now()
		task, err := b.Submit(t.Context(), attrs("a"), func(ctx context.Context) error {
			if _, err := b.TrySubmit(ctx, attrs("b"), sleep(0)); err != nil {
				t.Error(err)
			}
			_, err := b.TrySubmit(ctx, attrs("c"), sleep(0))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := task.Wait(); err != pool.ErrFull || time.Since(begin) > 0 {
			t.Errorf("error %v after %v, want %v at once", err, time.Since(begin), pool.ErrFull)
		}
		b.want("a", "b")
	})
}

// A task that was blocked leaves the queue too when its context ends.
func TestAdmittedTasksAreWatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, pool.Config{Queue: 1})
		ctx, cancel := context.WithCancel(t.Context())
		b.submit("a", time.Second)
		b.submit("b", time.Hour)
		task := b.submitIn(ctx, "c", time.Hour) // there is room when b starts
		cancel()
		begin := time.Now()
		if err := task.Wait(); err != context.Canceled || time.Since(begin) != 0 {
			t.Errorf("error %v after %v, want %v at once", err, time.Since(begin), context.Canceled)
		}
		b.want("a", "b")
	})
}

// A task whose context ends in the very moment in which a worker becomes free does not run, and the next one does.
func TestCancelledByTheTaskBefore(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			b := open(t, pool.Config{})
			ctx, cancel := context.WithCancel(t.Context())
			if _, err := b.Submit(ctx, attrs("a"), func(context.Context) error {
				time.Sleep(time.Second)
				cancel()
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			b.submitIn(ctx, "b", 0)
			b.submit("c", 0)
			b.want("a", "c")
		})
	}
}

// A watched is a context that counts who wants to know of its end.
type watched struct {
	context.Context
	n atomic.Int32
}

func (w *watched) Value(any) any { return nil } // else package context sees what is in it, and asks that

func (w *watched) AfterFunc(f func()) func() bool {
	w.n.Add(1)
	stop := context.AfterFunc(w.Context, f)
	return func() bool { w.n.Add(-1); return stop() }
}

// A context outlives its tasks, and keeps nothing of them.
func TestContextForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w := &watched{Context: ctx}
		b := open(t, pool.Config{})
		b.submitIn(w, "a", time.Second)
		b.submitIn(w, "b", time.Hour)
		b.submitIn(w, "c", time.Hour)
		if got := w.n.Load(); got != 2 {
			t.Errorf("the context knows %d tasks, want the two that wait", got)
		}
		time.Sleep(time.Minute)
		over, end := context.WithCancel(t.Context())
		end()
		if err := b.Close(over); err != context.Canceled {
			t.Errorf("Close has error %v", err)
		}
		if got := w.n.Load(); got != 0 {
			t.Errorf("the context knows %d tasks, want none", got)
		}
		b.want("a", "b")
	})
}

func TestRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, pool.Config{})
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
		for name, err := range map[string]error{"Save": b.Save(io.Discard), "Load": b.Load(strings.NewReader(""))} {
			if err == nil || !strings.Contains(err.Error(), "Features") {
				t.Errorf("%s has error %v", name, err)
			}
		}
		b.want()
		if _, err := b.Submit(t.Context(), attrs("a"), sleep(0)); err != pool.ErrClosed {
			t.Errorf("error %v, want %v", err, pool.ErrClosed)
		}
	})
}

func closing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, pool.Config{Queue: 1})
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
	synctest.Test(t, func(t *testing.T) {
		c := pool.Config{Order: pool.Shortest, Predict: byKind}
		first, second := open(t, c), open(t, c)
		first.teach("long", time.Hour)
		first.teach("short", time.Second)
		first.want()
		var saved bytes.Buffer
		if err := first.Save(&saved); err != nil {
			t.Fatal(err)
		}
		if err := second.Load(bytes.NewReader(saved.Bytes()[:saved.Len()/2])); !errors.Is(err, predict.ErrFormat) {
			t.Errorf("half a snapshot has error %v, want %v", err, predict.ErrFormat)
		}
		other := open(t, pool.Config{Order: pool.Shortest, Predict: predict.Config{Features: []string{"kind", "size"}}})
		if err := other.Load(bytes.NewReader(saved.Bytes())); !errors.Is(err, predict.ErrConfig) {
			t.Errorf("a snapshot of other features has error %v, want %v", err, predict.ErrConfig)
		}
		if err := second.Load(&saved); err != nil {
			t.Fatal(err)
		}
		if missing := first.Missing(); len(missing) > 0 {
			t.Errorf("features %q are missing", missing)
		}
		if missing := other.Missing(); !slices.Equal(missing, []string{"kind", "size"}) {
			t.Errorf("features %q are missing, want both of a pool that has learned nothing", missing)
		}
		for _, name := range []string{"first", "long", "short"} {
			second.submit(name, time.Second)
		}
		second.want("first", "short", "long")
	})
}

// In the steady state a task allocates nothing but itself. Index keeps memory in a sync.Pool, which loses some of it
// under the race detector.
func allocations(t *testing.T) {
	for order := range pool.Index {
		p, err := pool.New(pool.Config{Workers: 1, Queue: 100, Order: order, Predict: byKind})
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

func orderIsThatOfASortedList(t *testing.T) {
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			order := pool.Order(seed % 3)
			maxWait := time.Duration(float64(3000*time.Second) * (1 + 10*rng.Float64()))
			b := open(t, pool.Config{Order: order, Predict: byKind, MaxWait: maxWait})
			begin := time.Now()
			var takes [8]time.Duration
			for i := range takes {
				takes[i] = time.Duration(float64(10*time.Second) * (1 + 0.1*rng.Float64())) // so that age matters
				b.teach(fmt.Sprint(i), takes[i])
			}
			b.submit("first", 1000*time.Second)
			type entry struct {
				name string
				key  float64
			}
			var list []entry
			for i := range 60 {
				kind := rng.IntN(len(takes))
				time.Sleep(time.Duration(rng.IntN(2)*rng.IntN(30)) * time.Second)
				e := entry{fmt.Sprint(kind, " ", i), 0}
				if order != pool.FirstCome {
					e.key = math.Log(takes[kind].Seconds()) + time.Since(begin).Seconds()/maxWait.Seconds()
				}
				list = append(list, e)
				b.submit(e.name, takes[kind])
			}
			slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
			want := []string{"first"}
			for _, e := range list {
				want = append(want, e.name)
			}
			b.want(want...)
			if t.Failed() {
				t.Logf("seed %d, %v", seed, order)
			}
		})
	}
}

// Of a kind that takes a second nine times of ten, and else an hour, the point is a second and the mean is not.
func TestIndexLooksAtTheWholeDistribution(t *testing.T) {
	for order, want := range map[pool.Order][]string{pool.Shortest: {"a", "mixed", "minute"}, pool.Index: {"a", "minute", "mixed"}} {
		synctest.Test(t, func(t *testing.T) {
			b := open(t, pool.Config{Order: order, Predict: byKind})
			b.teach("minute", time.Minute)
			for i := range 40 {
				takes := time.Second
				if i%10 == 5 {
					takes = time.Hour
				}
				b.teach("mixed", takes)
			}
			b.submit("a", time.Second)
			b.submit("mixed", time.Second)
			b.submit("minute", time.Minute)
			b.want(want...)
		})
	}
}

// Tasks of two kinds of which nothing is known run as they came, until one of a kind has ended: the others of that kind
// go back to where they belong.
func learnsWhileTasksWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, pool.Config{Order: pool.Shortest, Predict: byKind})
		for _, name := range []string{"long 1", "long 2", "long 3"} {
			b.submit(name, time.Hour)
		}
		b.submit("short 1", time.Second)
		b.submit("short 2", time.Second)
		b.want("long 1", "short 1", "short 2", "long 2", "long 3")
	})
}

// Tasks of which nothing is known go before known ones one at a time, and the next only after shorter known ones have
// had as much time. They are not held back when no known one waits. Those without a feature share the workers with the
// others by their numbers. New ones take 100 s.
func TestExploring(t *testing.T) {
	for _, test := range []struct {
		name    string
		workers int
		submit  string   // while all workers are busy
		want    []string // those that start at the same instant, by name
	}{
		{"one at a time", 2, "new1 new2 new3 mail mail mail mail", []string{"mail new1", "mail", "mail", "mail", "new2", "new3"}},
		{"others are passed", 1, "new1 new2 mail mail", []string{"new1", "mail", "mail", "new2"}},
		{"but not by longer ones", 1, "new1 new2 long long", []string{"new1", "new2", "long", "long"}},
		{"nobody is held back", 3, "new1 new2 new3", []string{"new1 new2 new3"}},
		{"of a kind that is known meanwhile", 1, "new new mail mail new", []string{"new", "mail", "mail", "new", "new"}},
		{"of one of two kinds", 1, "quick new1 new2 quick long", []string{"quick", "new1", "quick", "new2", "long"}},
		{"without features", 4, "none none none none mail mail mail mail", []string{"mail mail none none", "mail mail", "none none"}},
		{"few without features", 4, "none none mail mail mail mail mail", []string{"mail mail mail none", "mail mail none"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := open(t, pool.Config{Workers: test.workers, Order: pool.Shortest, Predict: byKind})
				takes := map[string]time.Duration{"mail": time.Second, "quick": time.Second, "long": 200 * time.Second}
				b.teach("mail", takes["mail"])
				b.teach("long", takes["long"])
				for range test.workers {
					b.submit("mail", time.Second)
				}
				started := map[time.Time][]string{}
				for name := range strings.FieldsSeq(test.submit) {
					a := attrs(name)
					if name == "none" {
						delete(a, "kind")
					}
					if _, err := b.Submit(t.Context(), a, func(context.Context) error {
						b.mu.Lock()
						started[time.Now()] = append(started[time.Now()], name)
						b.mu.Unlock()
						time.Sleep(cmp.Or(takes[name], 100*time.Second))
						return nil
					}); err != nil {
						t.Fatal(err)
					}
				}
				if err := b.Close(t.Context()); err != nil {
					t.Error(err)
				}
				var got []string
				for _, at := range slices.SortedFunc(maps.Keys(started), time.Time.Compare) {
					slices.Sort(started[at])
					got = append(got, strings.Join(started[at], " "))
				}
				if !slices.Equal(got, test.want) {
					t.Errorf("tasks started as %q, want %q", got, test.want)
				}
			})
		})
	}
}

// A task goes back if its prediction has more than doubled while it waited, and otherwise not.
func TestGoesBackWhenItsPredictionHasDoubled(t *testing.T) {
	for name, test := range map[string]struct {
		takes time.Duration // of a task of kind a, which was predicted to take 10s
		want  string
	}{"grows a little": {15 * time.Second, "a 1, a 2, b"}, "grows much": {time.Hour, "a 1, b, a 2"}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := open(t, pool.Config{Order: pool.Shortest, Predict: byKind})
				b.teach("a", 10*time.Second)
				b.teach("b", 11*time.Second)
				b.submit("a 1", test.takes)
				b.submit("a 2", time.Second)
				b.submit("b", time.Second)
				b.want(strings.Split(test.want, ", ")...)
			})
		})
	}
}

func overtakingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, pool.Config{Order: pool.Shortest, Predict: byKind, MaxWait: 80 * time.Second})
		b.teach("long", 50*time.Second)
		b.teach("short", time.Second)
		b.submit("long 1", 50*time.Second)
		b.submit("long 2", 50*time.Second)
		for i := range 200 {
			b.submit(fmt.Sprint("short ", i), time.Second)
		}
		if err := b.Close(t.Context()); err != nil {
			t.Error(err)
		}
		const want = 1 + 30 // "long 1", and then the short ones that start before 80 s
		if got := slices.Index(b.started, "long 2"); got != want {
			t.Errorf("%d tasks went before the long one, want %d", got, want)
		}
	})
}

func TestWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, pool.Config{Workers: 3})
		for range 10 {
			b.submit("a", time.Second)
		}
		begin := time.Now()
		if err := b.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if took := time.Since(begin); took != 4*time.Second {
			t.Errorf("10 tasks of 1s on 3 workers took %v, want 4s", took)
		}
	})
}

func TestNewRefuses(t *testing.T) {
	for _, test := range []struct {
		c    pool.Config
		want string
	}{
		{pool.Config{Workers: -1}, "Config.Workers is -1"},
		{pool.Config{Queue: -1}, "Config.Queue is -1"},
		{pool.Config{Order: 3}, "Config.Order is 3"},
		{pool.Config{Order: pool.Index}, "Index goes by predictions"},
		{pool.Config{MaxWait: -1}, "Config.MaxWait is -1ns"},
		{pool.Config{Predict: predict.Config{Features: []string{""}}}, "Config.Predict"},
		{pool.Config{Weights: map[string]float64{"a": 1}}, "Config.Tenant"},
		{pool.Config{Tenant: "user", Weights: map[string]float64{"a": 0}}, `tenant "a"`},
		{pool.Config{Tenant: "user", Weights: map[string]float64{"a": math.SmallestNonzeroFloat64}}, `tenant "a"`},
	} {
		if p, err := pool.New(test.c); err == nil || p != nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("New(%+v) has error %v, want one with %q", test.c, err, test.want)
		}
	}
}

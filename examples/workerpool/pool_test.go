package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/predict"
	"example.com/augur/queue"
)

// A shop that has sent mail and made reports before knows which is the shorter. Of two jobs that wait
// the report came first, and the mail goes first.
func ExamplePool() {
	pool, err := Open(Config{Workers: 1, Features: []string{"kind"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	submit := func(kind string, takes time.Duration) <-chan Result {
		return pool.Submit(context.Background(), predict.Attrs{"kind": kind}, func(context.Context) error {
			fmt.Println(kind)
			time.Sleep(takes)
			return nil
		})
	}
	submit("report", 100*time.Millisecond)
	<-submit("mail", 0)

	fmt.Println("and then:")
	submit("report", 100*time.Millisecond) // has the worker
	submit("report", 100*time.Millisecond)
	submit("mail", 0)
	if err := pool.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// report
	// mail
	// and then:
	// report
	// mail
	// report
}

// Tests run in a bubble with a clock of its own. It fails if a goroutine is left when they end.

// bench is a pool under test that notes the names of jobs in the order in which they start.
type bench struct {
	*testing.T
	*Pool
	mu      sync.Mutex
	started []string
}

func open(t *testing.T, c Config) *bench {
	t.Helper()
	if c.Workers == 0 {
		c.Workers = 1
	}
	if c.Features == nil {
		c.Features = []string{"kind"}
	}
	p, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return &bench{T: t, Pool: p}
}

// submit hands over a job that sleeps.
func (b *bench) submit(name, kind string, takes time.Duration) <-chan Result {
	return b.submitIn(b.Context(), name, kind, takes)
}

func (b *bench) submitIn(ctx context.Context, name, kind string, takes time.Duration) <-chan Result {
	return b.Submit(ctx, predict.Attrs{"kind": kind}, func(ctx context.Context) error {
		b.mu.Lock()
		b.started = append(b.started, name)
		b.mu.Unlock()
		if !sleep(ctx, takes) {
			return context.Cause(ctx)
		}
		return nil
	})
}

// teach runs a job of a kind.
func (b *bench) teach(kind string, takes time.Duration) {
	b.Helper()
	if r := <-b.submit("", kind, takes); r.Err != nil {
		b.Fatal(r.Err)
	}
	b.started = nil
}

// want closes the pool, and compares the order in which jobs started.
func (b *bench) want(names ...string) {
	b.Helper()
	if err := b.Close(); err != nil {
		b.Error(err)
	}
	if got := strings.Join(b.started, " "); got != strings.Join(names, " ") {
		b.Errorf("jobs started in the order %s, want %s", got, strings.Join(names, " "))
	}
}

func TestShorterGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Config{})
		b.teach("long", time.Hour)
		b.teach("middling", time.Minute)
		b.teach("short", time.Second)
		first := b.submit("a", "long", time.Hour)
		last := b.submit("b", "long", time.Hour)
		b.submit("c", "middling", time.Minute)
		b.submit("d", "short", time.Second)
		b.submit("e", "middling", time.Minute)
		b.submit("f", "short", time.Second)
		b.want("a", "d", "f", "c", "e", "b")
		if r := <-first; r != (Result{Ran: time.Hour, Predicted: time.Hour, Known: true}) {
			t.Errorf("the first has %+v, want no wait and an hour, as predicted", r)
		}
		if r := <-last; r.Waited != time.Hour+2*time.Minute+2*time.Second {
			t.Errorf("the last waited %v, want 1h2m2s", r.Waited)
		}
	})
}

// A pool whose runtimes are exact and known starts jobs as a list does that is sorted by level.
func TestOrderIsThatOfASortedList(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			b := open(t, Config{Growth: 1.5 + 2*rng.Float64(), Levels: 1 + rng.IntN(12)})
			levels, err := queue.NewMultilevel[int](queue.MultilevelConfig{Levels: b.config.Levels, First: 0.001, Growth: b.config.Growth})
			if err != nil {
				t.Fatal(err)
			}
			var takes [8]time.Duration
			for k := range takes {
				takes[k] = time.Duration(1 + rng.Int64N(1<<(10+3*k)))
				b.teach(fmt.Sprint(k), takes[k])
			}
			b.submit("first", "0", takes[0])
			type entry struct {
				name  string
				level int
			}
			var list []entry
			for i := range 40 {
				k := rng.IntN(len(takes))
				level, _ := levels.Level(takes[k].Seconds())
				list = append(list, entry{fmt.Sprint(i), level})
				b.submit(fmt.Sprint(i), fmt.Sprint(k), takes[k])
			}
			slices.SortStableFunc(list, func(a, b entry) int { return a.level - b.level })
			want := []string{"first"}
			for _, e := range list {
				want = append(want, e.name)
			}
			b.want(want...)
			if t.Failed() {
				t.Logf("seed %d", seed)
			}
		})
	}
}

// Jobs of two kinds of which nothing is known run as they came, until one of a kind has ended: the
// others of that kind go down to where they belong.
func TestLearnsWhileJobsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Config{})
		for _, name := range []string{"long 1", "long 2", "long 3", "short 1", "short 2"} {
			kind, _, _ := strings.Cut(name, " ")
			b.submit(name, kind, map[string]time.Duration{"long": time.Hour, "short": time.Second}[kind])
		}
		b.want("long 1", "short 1", "short 2", "long 2", "long 3")
	})
}

// Short jobs keep a worker busy for ever, and a long one waits for as long as the patience.
func TestPatience(t *testing.T) {
	for _, patience := range []time.Duration{0, time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			b := open(t, Config{Patience: patience})
			b.teach("long", time.Hour)
			b.teach("short", time.Second)
			b.submit("", "short", time.Second)
			long := b.submit("", "long", time.Hour)
			for range 300 { // one more than one second's work each second
				b.submit("", "short", time.Second)
				time.Sleep(time.Second)
			}
			if err := b.Close(); err != nil {
				t.Error(err)
			}
			switch r := <-long; {
			case patience == 0 && r.Waited < 300*time.Second:
				t.Errorf("without patience the long job waited %v, want until all short ones are over", r.Waited)
			case patience > 0 && (r.Waited < patience || r.Waited > patience+time.Second):
				t.Errorf("with a patience of %v the long job waited %v, want that and at most the short job that runs", patience, r.Waited)
			}
		})
	}
}

// Of jobs that have lost their patience the one goes first that has waited longest, not the shortest.
func TestLongestWaitFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Config{Patience: time.Minute})
		b.teach("long", time.Hour)
		b.teach("middling", 10*time.Minute)
		b.teach("short", time.Second)
		b.submit("a", "long", time.Hour)
		for _, name := range []string{"b long", "c short", "d middling", "e short"} {
			time.Sleep(time.Second)
			_, kind, _ := strings.Cut(name, " ")
			b.submit(name[:1], kind, time.Second)
		}
		time.Sleep(time.Hour - 5*time.Second)
		b.submit("f", "short", time.Second) // has just come
		b.want("a", "b", "c", "d", "e", "f")
	})
}

func TestWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Config{Workers: 3})
		var running, most atomic.Int32
		for range 10 {
			b.Submit(t.Context(), nil, func(context.Context) error {
				most.Store(max(most.Load(), running.Add(1)))
				time.Sleep(time.Second)
				running.Add(-1)
				return nil
			})
		}
		begin := time.Now()
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(begin); took != 4*time.Second || most.Load() != 3 {
			t.Errorf("10 jobs of 1s took %v, %d at a time; want 4s, 3 at a time", took, most.Load())
		}
	})
}

func TestClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Config{})
		b.submit("a", "", time.Second)
		b.want("a")
		if r := <-b.submit("b", "", time.Second); r != (Result{Err: ErrClosed}) {
			t.Errorf("a closed pool has %+v for a job, want %v", r, ErrClosed)
		}
		b.want("a") // closing it again does no harm
	})
}

// Many goroutines use a pool at once, by the real clock: each job has one result.
func TestConcurrentUse(t *testing.T) {
	p, err := Open(Config{Workers: 4, Features: []string{"kind"}, File: t.TempDir() + "/runtimes", Every: 10, Patience: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	var ran, gaveUp atomic.Int64
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 2))
			for i := range 100 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rng.IntN(1000))*time.Microsecond)
				r := p.Submit(ctx, predict.Attrs{"kind": fmt.Sprint(i % 7)}, func(ctx context.Context) error {
					ran.Add(1)
					if i%20 == 0 {
						panic(i)
					}
					sleep(ctx, time.Duration(i%7)*10*time.Microsecond)
					return nil
				})
				if i%3 == 0 {
					cancel()
				}
				if x := <-r; x.Ran == 0 {
					gaveUp.Add(1)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if ran.Load()+gaveUp.Load() != 800 || ran.Load() == 0 || gaveUp.Load() == 0 {
		t.Errorf("%d jobs ran and %d did not, want some of each, of 800", ran.Load(), gaveUp.Load())
	}
}

// What it costs to submit a job, to start it and to end it, with so many longer ones that wait.
func BenchmarkPool(b *testing.B) {
	for _, n := range []int{0, 1000, 100_000} {
		b.Run(fmt.Sprintf("waiting=%d", n), func(b *testing.B) {
			p, err := Open(Config{Workers: 1, Features: []string{"kind+customer", "kind"}})
			if err != nil {
				b.Fatal(err)
			}
			mail, report := predict.Attrs{"kind": "mail", "customer": "acme"}, predict.Attrs{"kind": "report", "customer": "acme"}
			nap := func(context.Context) error { time.Sleep(50 * time.Millisecond); return nil }
			<-p.Submit(b.Context(), mail, func(context.Context) error { return nil })
			<-p.Submit(b.Context(), report, nap)
			// Each job has the worker until the next one is there, so that the long ones go on waiting.
			var failure error
			submit := func() (release chan struct{}, result <-chan Result) {
				release = make(chan struct{})
				return release, p.Submit(b.Context(), mail, func(context.Context) error { <-release; return failure })
			}
			failure = errors.New("waited for the others") // which is not learned
			release, result := submit()
			ctx, cancel := context.WithCancel(b.Context())
			for range n {
				p.Submit(ctx, report, nap)
			}
			b.ReportAllocs()
			for b.Loop() {
				last, ended := release, result
				release, result = submit()
				close(last)
				<-ended
				failure = nil
			}
			if got := p.waiting.Len(); got != n {
				b.Errorf("%d jobs wait, want %d", got, n)
			}
			cancel()
			close(release)
			if err := p.Close(); err != nil {
				b.Error(err)
			}
		})
	}
}

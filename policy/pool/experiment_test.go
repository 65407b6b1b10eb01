package pool_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

// An arrival is a task of an experiment.
type arrival struct {
	at, takes time.Duration
	kind      string
	fails     bool
}

// arrivals draws the tasks of a kind that come in a span of time, at random. Each takes about as long as it says.
func arrivals(rng *rand.Rand, span time.Duration, kind string, every, takes time.Duration) (list []arrival) {
	for at := time.Duration(0); ; {
		at += time.Duration(rng.ExpFloat64() * float64(every))
		if at >= span {
			return list
		}
		list = append(list, arrival{at: at, takes: time.Duration(float64(takes) * (0.9 + 0.2*rng.Float64())), kind: kind})
	}
}

// play gives tasks to a pool that has seen one of each kind in teach, and returns how long those of each kind waited.
func play(t *testing.T, c pool.Config, teach []arrival, lists ...[]arrival) (waits map[string][]time.Duration) {
	waits = map[string][]time.Duration{}
	var mu sync.Mutex
	synctest.Test(t, func(t *testing.T) {
		c.Queue = 1 << 30
		if c.Order != pool.FirstCome {
			c.Features = byKind
		}
		p, err := pool.New(c)
		if err != nil {
			t.Fatal(err)
		}
		submit := func(a arrival, count bool) *pool.Task {
			submitted := time.Now()
			task, err := p.Submit(t.Context(), predict.Attrs{"kind": a.kind}, func(context.Context) error {
				if count {
					mu.Lock()
					waits[a.kind] = append(waits[a.kind], time.Since(submitted))
					mu.Unlock()
				}
				time.Sleep(a.takes)
				if a.fails {
					return errors.New("no")
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return task
		}
		for _, a := range teach {
			_ = submit(a, false).Wait()
		}
		begin := time.Now()
		all := slices.Concat(lists...)
		slices.SortStableFunc(all, func(a, b arrival) int { return cmp.Compare(a.at, b.at) })
		for _, a := range all {
			time.Sleep(time.Until(begin.Add(a.at)))
			submit(a, true)
		}
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	return waits
}

func meanOf(waits []time.Duration) time.Duration {
	sum := 0.0
	for _, w := range waits {
		sum += w.Seconds()
	}
	return time.Duration(sum / float64(len(waits)) * 1e9)
}

// What a pool does where it knows little, beside first come, first served. With -v it prints the figures.
func TestExperiments(t *testing.T) {
	if testing.Short() {
		t.Skip("days of tasks")
	}
	type tasks = map[string][]time.Duration // by kind, how long they waited
	const day = 24 * time.Hour
	draw := func(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 100)) }
	teach := func(kind string, takes time.Duration) []arrival { return []arrival{{takes: takes, kind: kind}} }
	burst := func(kind func(i int) string) (list []arrival) {
		for i := range 20 {
			list = append(list, arrival{at: 10 * time.Minute, takes: 10 * time.Minute, kind: kind(i)})
		}
		return list
	}
	mails := arrivals(draw(1), time.Hour, "mail", time.Second*10/48, time.Second) // 0.6 of 8 workers
	failing := arrivals(draw(2), day, "failing", 10500*time.Millisecond, 10*time.Second)
	for i := range failing {
		failing[i].fails = true
	}
	for _, test := range []struct {
		name    string
		workers int
		known   []arrival
		lists   [][]arrival
		figure  func(tasks) time.Duration
		what    string
		atMost  func(firstCome time.Duration) time.Duration
	}{
		{
			"a kind that always fails, load 1.05", 1, teach("mail", time.Second),
			[][]arrival{failing, arrivals(draw(3), day, "mail", 10*time.Second, time.Second)},
			func(w tasks) time.Duration { return meanOf(w["mail"]) }, "mean wait of mail of 1 s",
			func(time.Duration) time.Duration { return 20 * time.Second },
		}, {
			"20 tasks of 10 min of a new kind", 8, teach("mail", time.Second),
			[][]arrival{mails, burst(func(int) string { return "new" })},
			func(w tasks) time.Duration { return slices.Max(w["mail"]) }, "longest wait of mail of 1 s",
			func(firstCome time.Duration) time.Duration { return firstCome / 3 },
		}, {
			"20 tasks of 10 min of 20 new kinds", 8, teach("mail", time.Second),
			[][]arrival{mails, burst(func(i int) string { return fmt.Sprint("new ", i) })},
			func(w tasks) time.Duration { return slices.Max(w["mail"]) }, "longest wait of mail of 1 s",
			func(firstCome time.Duration) time.Duration { return firstCome / 3 },
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var firstCome time.Duration
			for _, order := range []pool.Order{pool.FirstCome, pool.Shortest, pool.Index} {
				waits := play(t, pool.Config{Workers: test.workers, Order: order}, test.known, test.lists...)
				got := test.figure(waits)
				t.Logf("%-9v %s: %v; means %v", order, test.what, got.Round(100*time.Millisecond), means(waits))
				if order == pool.FirstCome {
					firstCome = got
				} else if most := test.atMost(firstCome); got > most {
					t.Errorf("%v: %s is %v, want at most %v", order, test.what, got, most)
				}
			}
		})
	}
}

// What MaxWait costs where half of the work is in tasks of 1 s, and a quarter each in those of 20 s and of 10 min. With -v it prints the figures.
func TestExperimentsMaxWait(t *testing.T) {
	if testing.Short() {
		t.Skip("days of tasks")
	}
	for _, load := range []float64{0.95, 1.2} {
		var known []arrival
		var lists [][]arrival
		for i, takes := range []time.Duration{time.Second, 20 * time.Second, 10 * time.Minute} {
			every := time.Duration(float64(takes) / []float64{0.5, 0.25, 0.25}[i] / load)
			known = append(known, arrival{takes: takes, kind: takes.String()})
			lists = append(lists, arrivals(rand.New(rand.NewPCG(1, uint64(i))), 24*time.Hour, takes.String(), every, takes))
		}
		var firstCome time.Duration
		for _, maxWait := range []time.Duration{0, time.Hour, 4 * time.Hour, 12 * time.Hour, 1000 * time.Hour} {
			c := pool.Config{Workers: 1, Order: pool.Shortest, MaxWait: maxWait}
			if maxWait == 0 {
				c.Order = pool.FirstCome
			}
			waits := play(t, c, known, lists...)
			longest := slices.Max(waits["10m0s"])
			firstCome = cmp.Or(firstCome, longest)
			all := meanOf(slices.Concat(slices.Collect(maps.Values(waits))...))
			t.Logf("load %v, %v, MaxWait %v: mean wait %.0f s, longest of 10 min %.1f h", load, c.Order, maxWait, all.Seconds(), longest.Hours())
			if most := max(firstCome, maxWait) + time.Hour; longest > most {
				t.Errorf("load %v, MaxWait %v: a task of 10 min waits for %v, want at most %v", load, maxWait, longest, most)
			}
		}
	}
}

func means(waits map[string][]time.Duration) map[string]time.Duration {
	m := map[string]time.Duration{}
	for kind, w := range waits {
		m[kind] = meanOf(w).Round(100 * time.Millisecond)
	}
	return m
}

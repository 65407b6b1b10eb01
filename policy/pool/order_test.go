package pool_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy/pool"
)

func orderIsThatOfASortedList(t *testing.T) {
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			order := pool.Order(1 + seed%3)
			maxWait := time.Duration(float64(3000*time.Second) * (1 + 10*rng.Float64()))
			b := open(t, pool.Config{Order: order, Features: byKind, MaxWait: maxWait})
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
		inPool(t, pool.Config{Order: order, Features: byKind}, func(t *testing.T, b *bench) {
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
	inPool(t, pool.Config{Order: pool.Shortest, Features: byKind}, func(t *testing.T, b *bench) {
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
			inPool(t, pool.Config{Workers: test.workers, Order: pool.Shortest, Features: byKind}, func(t *testing.T, b *bench) {
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
					b.do(a, func(context.Context) error {
						b.mu.Lock()
						started[time.Now()] = append(started[time.Now()], name)
						b.mu.Unlock()
						time.Sleep(cmp.Or(takes[name], 100*time.Second))
						return nil
					})
				}
				b.drain()
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
			inPool(t, pool.Config{Order: pool.Shortest, Features: byKind}, func(t *testing.T, b *bench) {
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
	inPool(t, pool.Config{Order: pool.Shortest, Features: byKind, MaxWait: 80 * time.Second}, func(t *testing.T, b *bench) {
		b.teach("long", 50*time.Second)
		b.teach("short", time.Second)
		b.submit("long 1", 50*time.Second)
		b.submit("long 2", 50*time.Second)
		for i := range 200 {
			b.submit(fmt.Sprint("short ", i), time.Second)
		}
		b.drain()
		const want = 1 + 30 // "long 1", and then the short ones that start before 80 s
		if got := slices.Index(b.started, "long 2"); got != want {
			t.Errorf("%d tasks went before the long one, want %d", got, want)
		}
	})
}

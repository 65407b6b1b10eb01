package value

import (
	"flag"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/augur/internal/heap"
	"example.com/augur/internal/leak"
)

var soak = flag.Int("soak", 100, "`stores` that are put into use in the soak")

// One goroutine puts store after store into use, of 200 profiles each, while eight look up. All that is looked up in one
// store is of that store, and none of an older one than before. Of the stores that were in use none but the last is kept.
func TestSoak(t *testing.T) {
	const readers, profiles = 8, 200
	store := func(x int) *Store {
		records := make([]Record, profiles)
		for i := range records {
			records[i] = Record{Template: strconv.Itoa(i), User: "u", Recurring: true, Known: true, Aggregate: Worth{float64(x), 1}}
		}
		s, err := Build(records, Config{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	goroutines := runtime.NumGoroutine()
	begin := time.Now()
	var lookups atomic.Int64
	one := heap.Of(func() *Store { return store(1) })
	live := heap.Of(func() *Live {
		live := new(Live)
		live.Swap(store(1))
		var reading sync.WaitGroup
		for r := range readers {
			reading.Go(func() {
				for last, n := 0.0, r; last < float64(*soak); {
					s := live.Load()
					first, known := s.Priority(strconv.Itoa(n%profiles), "")
					for range 10 {
						n++
						if next, ok := s.Priority(strconv.Itoa(n%profiles), ""); !known || !ok || next.Efficiency != first.Efficiency {
							t.Errorf("one store says %v and %v", first, next)
							return
						}
					}
					if first.Efficiency < last {
						t.Errorf("got store %v after %v", first.Efficiency, last)
						return
					}
					last = first.Efficiency
					lookups.Add(11)
				}
			})
		}
		for x := 2; x <= *soak; x++ {
			live.Swap(store(x))
		}
		reading.Wait()
		return live
	})
	if live > one+one/2+4096 {
		t.Errorf("after %d stores %d bytes are in use, want those of one, %d", *soak, live, one)
	}
	left := leak.Goroutines(goroutines)
	if left > goroutines {
		t.Errorf("%d goroutines, want %d as before", left, goroutines)
	}
	t.Logf("%d stores, %d lookups in %.1f s; %d bytes, and %d of one store; %d goroutines before and %d after",
		*soak, lookups.Load(), time.Since(begin).Seconds(), live, one, goroutines, left)
}

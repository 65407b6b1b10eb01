package pool_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

// BenchmarkLimit is what a task costs that starts, ends and is added again while as many kinds as there are wait, all of them under
// the limits: each task reaches them, and lets them have room again.
func BenchmarkLimit(b *testing.B) {
	for _, limits := range [][]pool.Limit{
		nil,
		{{Attr: "tenant", Running: 1}},
		{{Attr: "class", Running: 1}, {Attr: "tenant", Running: 2}},
		{{Attr: "kind", Running: 1}, {Attr: "tenant", Running: 1}},
	} {
		var names []string
		for _, l := range limits {
			names = append(names, l.Attr)
		}
		for _, kinds := range []int{10, 100, 1000, 8000} {
			b.Run(fmt.Sprintf("limits=%s/kinds=%d", strings.Join(names, "+"), kinds), func(b *testing.B) {
				q, err := pool.NewQueue[int](pool.Config{Features: []string{"kind"}, Tenant: "tenant", Limits: limits})
				if err != nil {
					b.Fatal(err)
				}
				attrs := func(id int) predict.Attrs {
					return predict.Attrs{"tenant": "a", "kind": strconv.Itoa(id), "class": strconv.Itoa(id % 3)}
				}
				now := time.Unix(0, 0)
				for id := range kinds {
					q.Add(id, attrs(id), now)
					q.Ended(id, time.Second, nil, now)
				}
				for id := range kinds {
					q.Add(id, attrs(id), now)
				}
				b.ReportAllocs()
				for b.Loop() {
					now = now.Add(time.Second)
					next := q.Next(1, now)
					if len(next) != 1 || !q.Started(next[0], now) || !q.Ended(next[0], time.Second, nil, now) {
						b.Fatalf("%v is next", next)
					}
					q.Add(next[0], attrs(next[0]), now)
				}
			})
		}
	}
}

// BenchmarkTask is what a task costs that does nothing: submitted while a thousand others wait, until it has ended.
func BenchmarkTask(b *testing.B) {
	for _, order := range []pool.Order{pool.FirstCome, pool.Shortest, pool.Index} {
		for _, workers := range []int{1, 8} {
			b.Run(fmt.Sprintf("order=%v/workers=%d", order, workers), func(b *testing.B) {
				c := pool.Config{Workers: workers, Queue: 1000, Order: order}
				if order != pool.FirstCome {
					c.Features = []string{"kind+customer", "kind"}
				}
				p, err := pool.New(c)
				if err != nil {
					b.Fatal(err)
				}
				var kinds [40]predict.Attrs
				for i := range kinds {
					kinds[i] = predict.Attrs{"kind": strconv.Itoa(i % 10), "customer": strconv.Itoa(i / 10)}
				}
				var ran atomic.Int64
				do := func(context.Context) error { ran.Add(1); return nil }
				b.ReportAllocs()
				n := int64(0)
				for b.Loop() {
					if _, err := p.Submit(context.Background(), kinds[n%40], do); err != nil {
						b.Fatal(err)
					}
					n++
				}
				if err := p.Close(context.Background()); err != nil || ran.Load() != n {
					b.Fatalf("%d tasks ran of %d, error %v", ran.Load(), n, err)
				}
			})
		}
	}
}

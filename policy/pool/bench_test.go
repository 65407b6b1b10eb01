package pool_test

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

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

// BenchmarkReview is the worst turn: of a kind that was unknown 100,000 tasks wait, and one has turned out to be long.
func BenchmarkReview(b *testing.B) {
	const n = 100_000
	now := time.Unix(0, 0)
	for b.Loop() {
		b.StopTimer()
		p, err := pool.New(pool.Config{Workers: 1, Queue: n + 1, Order: pool.Shortest, Features: byKind, Now: func() time.Time { return now }})
		if err != nil {
			b.Fatal(err)
		}
		begin, second := make(chan struct{}), make(chan struct{})
		for i := range n {
			if _, err := p.Submit(b.Context(), predict.Attrs{"kind": "a"}, func(context.Context) error {
				switch i {
				case 0:
					<-begin
					now = now.Add(time.Hour)
				case 1:
					close(second)
				}
				return nil
			}); err != nil {
				b.Fatal(err)
			}
		}
		b.StartTimer()
		close(begin)
		<-second
		b.StopTimer()
		if err := p.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

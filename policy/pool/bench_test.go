package pool_test

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"

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

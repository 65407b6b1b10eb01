package host

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"example.com/augur/policy"
)

// BenchmarkEngine is a job of one task from Submit to its end: 64 callers submit to machines of 4 cores whose tasks do nothing.
func BenchmarkEngine(b *testing.B) {
	for _, line := range []string{"fifo", "index"} {
		for _, kept := range []string{"memory", "journal"} {
			for _, size := range []int{16, 1000, 5000} {
				if kept == "memory" || size == 16 {
					b.Run(fmt.Sprintf("policy=%s/kept=%s/machines=%d", line, kept, size), func(b *testing.B) { benchmarkEngine(b, line, kept, size) })
				}
			}
		}
	}
}

func benchmarkEngine(b *testing.B, line, kept string, size int) {
	b.ReportAllocs()
	c := Config{New: byLine, Policy: line}
	if kept == "journal" {
		c.Dir = b.TempDir()
	}
	e, err := Open(c)
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	var machines, callers sync.WaitGroup
	for i := range size {
		m := &Machine{Name: fmt.Sprint(i), Node: policy.Node{Cores: 4}, Do: func(context.Context, Order) error { return nil }}
		machines.Go(func() { _ = m.Run(ctx, e) })
	}
	for all, err := e.Nodes(ctx); len(all) < size; all, err = e.Nodes(ctx) {
		if err != nil {
			b.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	work := make(chan int)
	for range 64 {
		callers.Go(func() {
			for i := range work {
				job := Job{Job: policy.Job{Attrs: []policy.Attr{{Name: "user", Value: fmt.Sprint(i % 7)}}, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}}
				id, err := e.Submit(ctx, job)
				if err != nil {
					b.Error(err)
					return
				}
				if o, err := e.Wait(ctx, id); err != nil || o.Outcome != policy.Done {
					b.Error(o, err)
				}
			}
		})
	}
	for i := 0; b.Loop(); i++ {
		work <- i
	}
	close(work)
	callers.Wait()
	b.StopTimer()
	if c.Dir != "" {
		b.ReportMetric(float64(e.journal.Size())/float64(b.N), "journal-B/op")
	}
	stop()
	machines.Wait()
	if err := e.Close(); err != nil {
		b.Error(err)
	}
}

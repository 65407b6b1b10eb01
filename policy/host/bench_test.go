package host

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"example.com/augur/policy"
)

// BenchmarkEngine is a job of one task from Submit to its end: 64 callers submit to 16 machines of 4 cores whose tasks do nothing.
func BenchmarkEngine(b *testing.B) {
	for _, line := range []string{"fifo", "index"} {
		for _, kept := range []string{"memory", "journal"} {
			b.Run(fmt.Sprintf("policy=%s/kept=%s", line, kept), func(b *testing.B) {
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
				for i := range 16 {
					m := &Machine{Name: fmt.Sprint(i), Node: policy.Node{Cores: 4}, Do: func(context.Context, Order) error { return nil }}
					machines.Go(func() { _ = m.Run(ctx, e) })
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
			})
		}
	}
}

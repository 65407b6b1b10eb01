package host

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
)

func fifo(string) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }

func TestFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := Open(Config{New: fifo})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		m := Machine{Name: "m1", Node: policy.Node{Cores: 2}, Do: func(context.Context, Order) error {
			time.Sleep(time.Second)
			return nil
		}}
		ran := make(chan error)
		go func() { ran <- m.Run(ctx, e) }()
		began := time.Now()
		id, err := e.Submit(ctx, Job{Name: "count", Job: policy.Job{Stages: []policy.Stage{{Tasks: 9, Cores: 1}}}})
		if err != nil {
			t.Fatal(err)
		}
		o, err := e.Wait(ctx, id)
		if err != nil || o != policy.Done || time.Since(began) != 5*time.Second {
			t.Fatal(o, err, time.Since(began))
		}
		stop()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

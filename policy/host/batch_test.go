package host

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"example.com/augur/policy"
)

// A machine may report between two calls of Next, in one goroutine: over a connection too, where orders may have come before the
// answer.
func TestReportBetweenTwoOrders(t *testing.T) {
	e, err := Open(Config{New: fifo})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	l, err := Dialer(func() (io.ReadWriteCloser, error) {
		here, there := net.Pipe()
		go func() { _ = e.Serve(t.Context(), there) }()
		return here, nil
	}).Join("m", policy.Node{Cores: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	id, err := e.Submit(t.Context(), Job{Job: policy.Job{Stages: []policy.Stage{{Tasks: 9, Cores: 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	for range 9 {
		o, err := l.Next(ctx)
		if err == nil {
			err = l.Report(ctx, Report{Copy: o.Copy, Kind: policy.Finished, Service: time.Second})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if o, err := e.Wait(ctx, id); o != policy.Done || err != nil {
		t.Error(o, err)
	}
}

package host

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A caller of Keep hears why a worker has ended that cannot join, and may give it up.
func TestKeepSaysWhy(t *testing.T) {
	e, err := Open(Config{New: fifo})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var reasons []error
	err = e.Keep(t.Context(), func(last error) *exec.Cmd {
		if reasons = append(reasons, last); len(reasons) == 3 {
			return nil
		}
		return exec.Command(os.Args[0], "worker", "") // without a name it ends at once
	})
	if err == nil || len(reasons) != 3 || err != reasons[2] || reasons[0] != nil || !strings.Contains(err.Error(), "exit status 1") {
		t.Errorf("reasons %v, and error %v, want none and two of exit status 1, and the last", reasons, err)
	}
}

// Serve ends with its context, or with the engine, though the machine says nothing, or takes nothing.
func TestServeEnds(t *testing.T) {
	for _, said := range []string{" ", `{"Join":{"Name":"m1","Node":{"Cores":1}}}`} {
		for _, want := range []error{context.Canceled, ErrClosed} {
			on(t, Config{}, func(b *bed) {
				conn, other := net.Pipe()
				ctx, end := context.WithCancel(b.ctx)
				defer end()
				served := make(chan error, 1)
				go func() { served <- b.Serve(ctx, other) }()
				if _, err := conn.Write([]byte(said)); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if want == ErrClosed {
					_ = b.Close()
				} else {
					end()
				}
				if err := <-served; !errors.Is(err, want) {
					t.Errorf("%q: error %v, want %v", said, err, want)
				}
			})
		}
	}
}

// Keep ends with its context though a process of the worker's holds its output.
func TestKeepEndsWithChildren(t *testing.T) {
	e, err := Open(Config{New: fifo})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ctx, end := context.WithCancel(t.Context())
	began := time.Now()
	err = e.Keep(ctx, func(error) *exec.Cmd {
		time.AfterFunc(100*time.Millisecond, end)
		return exec.Command("sh", "-c", "sleep 8 & wait")
	})
	if took := time.Since(began); err != nil || took > 5*time.Second {
		t.Errorf("error %v after %v, want none at once", err, took)
	}
}

package host

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy"
)

// A caller of Keep hears in one line why a worker has ended that cannot join, or that hangs before it does, and may give it up.
func TestKeepSaysWhy(t *testing.T) {
	for _, worker := range []struct {
		patience time.Duration
		command  []string
		want     string
	}{
		{time.Minute, []string{os.Args[0], "worker", ""}, `host: machine "": a Machine requires Name, Node and Do`},
		{time.Minute, []string{"false"}, "host: a machine joins: EOF; exit status 1"},
		{time.Second / 2, []string{"sleep", "60"}, "host: a machine joins: it has said nothing for 500ms; signal: killed"},
		{time.Minute, []string{"sh", "-c", "echo hello; sleep 1"}, "host: a machine joins: what it writes is no message; a worker behind pipes must not print to its standard output"},
		{time.Minute, []string{"sh", "-c", "echo; sleep 1; exit 3"}, "host: a machine joins: EOF; exit status 3"},
	} {
		e, err := Open(Config{New: fifo, Patience: worker.patience})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		var reasons []error
		err = e.Keep(t.Context(), func(last error) *exec.Cmd {
			if reasons = append(reasons, last); len(reasons) == 2 {
				return nil
			}
			return exec.Command(worker.command[0], worker.command[1:]...)
		})
		if err == nil || len(reasons) != 2 || err != reasons[1] || reasons[0] != nil || !strings.HasPrefix(err.Error(), worker.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: reasons %q, and error %v, want none and %s, and the last", worker.command, reasons, err, worker.want)
		}
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

// A machine that waits for the answer to its Join ends with its context, though a pipe like standard input cannot be interrupted.
func TestJoinEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, engine := io.Pipe()
		defer engine.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		m := Machine{Name: "m", Node: policy.Node{ID: 1, Cores: 1, Speed: 1}, Do: func(context.Context, Order) error { return nil }}
		if err := m.Run(ctx, Conn(in, nowhere{})); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want that of the context", err)
		}
	})
}

type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (nowhere) Close() error                { return nil }

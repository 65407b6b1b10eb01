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

// Serve ends with its context though the machine says nothing.
func TestServeOfOneThatSaysNothing(t *testing.T) {
	on(t, Config{}, func(b *bed) {
		_, other := net.Pipe()
		ctx, end := context.WithCancel(b.ctx)
		served := make(chan error, 1)
		go func() { served <- b.Serve(ctx, other) }()
		synctest.Wait()
		end()
		if err := <-served; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want that of the context", err)
		}
	})
}

//go:build unix

package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

const programOf = "CLI_PROGRAM"

func TestMain(m *testing.M) {
	switch os.Getenv(programOf) {
	case "":
		os.Exit(m.Run())
	case "heeds":
		Main("heeds", func(ctx context.Context, _ []string, stdout, _ io.Writer) error {
			fmt.Fprintln(stdout, "runs")
			<-ctx.Done()
			return ctx.Err()
		})
	case "deaf":
		Main("deaf", func(_ context.Context, _ []string, stdout, _ io.Writer) error {
			fmt.Fprintln(stdout, "runs")
			time.Sleep(time.Minute)
			return nil
		})
	}
}

// The first interrupt ends the context, and a program that does not heed that is ended by further ones.
func TestInterrupts(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		program string
		signals int
		want    func(syscall.WaitStatus) bool
	}{
		{"heeds", 1, func(s syscall.WaitStatus) bool { return s.ExitStatus() == 1 }},
		{"deaf", 1000, func(s syscall.WaitStatus) bool { return s.Signaled() && s.Signal() == syscall.SIGINT }},
	} {
		cmd := exec.CommandContext(t.Context(), self)
		cmd.Env = append(os.Environ(), programOf+"="+test.program)
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		said := bufio.NewReader(stdout)
		if line, err := said.ReadString('\n'); line != "runs\n" {
			t.Fatalf("%s says %q, error %v, want that it runs", test.program, line, err)
		}
		over := make(chan struct{})
		go func() {
			_, _ = said.ReadByte() // the pipe is closed when the program ends
			close(over)
		}()
		for range test.signals {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			select {
			case <-over:
			case <-time.After(10 * time.Millisecond): // the first one may not have been heard
				continue
			}
			break
		}
		_ = cmd.Wait()
		if s := cmd.ProcessState.Sys().(syscall.WaitStatus); !test.want(s) {
			t.Errorf("%s, interrupted up to %d times, ended with %v", test.program, test.signals, cmd.ProcessState)
		}
	}
}

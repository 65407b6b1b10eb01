//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An interrupt ends a run under a policy that takes long for each event, in the middle and not when it is
// through: the run is of fewer events than a fast policy takes in an instant.
func TestInterrupt(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-policies", "conservative", "-jobs", "4000", "-load", "1.5"},
		{"-policies", "3sigma", "-jobs", "1000", "-workload", "e2e"},
	} {
		record := filepath.Join(t.TempDir(), "record")
		cmd := exec.CommandContext(t.Context(), self, append(args, "-record", record)...)
		cmd.Env = append(os.Environ(), programOf+"=1")
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		runs := func() bool { // and has done so for a while, since the record is written in blocks
			info, err := os.Stat(record)
			return err == nil && info.Size() > 0
		}
		for deadline := time.Now().Add(time.Minute); !runs(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%v: nothing recorded within a minute", args)
			}
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if !strings.Contains(stderr.String(), "context canceled") || cmd.ProcessState.ExitCode() != 1 || stdout.Len() > 0 {
			t.Errorf("%v, interrupted, ended with %v, printed %q and said %q, want status 1, nothing printed, and that it was cancelled", args, cmd.ProcessState, stdout.String(), stderr.String())
		}
	}
}

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The end of its context ends a run under a policy that takes long for each event, in the middle and not when it is
// through: the run is of fewer events than a fast policy takes in an instant.
func TestInterrupt(t *testing.T) {
	for _, args := range [][]string{
		{"-policies", "conservative", "-jobs", "4000", "-load", "1.5"},
		{"-policies", "3sigma", "-jobs", "1000", "-workload", "e2e"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		record := filepath.Join(t.TempDir(), "record")
		var stdout bytes.Buffer
		ended := make(chan error)
		go func() { ended <- run(ctx, append(args, "-record", record), &stdout, io.Discard) }()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			if info, err := os.Stat(record); err == nil && info.Size() > 0 { // it is written in blocks, so the run has begun a while ago
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%v: nothing recorded within a minute", args)
			}
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) || stdout.Len() > 0 {
			t.Errorf("%v, interrupted, has error %v and printed %q, want that it was cancelled, and nothing", args, err, stdout.String())
		}
	}
}

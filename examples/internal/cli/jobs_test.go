package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Jobs are read, and generated, no further when the context has ended.
func TestReadEndsWithItsContext(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace.csv")
	if err := os.WriteFile(trace, []byte("submit,runtime\n0,1\n1,1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	for _, f := range []JobFlags{
		{Trace: trace, Format: "csv", Columns: "submit=submit,runtime=runtime"},
		{Workload: "facebook", Jobs: 2},
	} {
		if js, err := f.Read(t.Context(), 1); err != nil || len(js.List) != 2 {
			t.Errorf("%+v: got %d jobs and error %v, want 2", f, len(js.List), err)
		}
		if _, err := f.Read(ended, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: got error %v, want %v", f, err, context.Canceled)
		}
	}
}

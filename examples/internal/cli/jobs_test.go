package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// Jobs are skipped in order of submission, whatever the order of the rows, and before those of -jobs are counted.
func TestSkip(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace.csv")
	if err := os.WriteFile(trace, []byte("submit,runtime\n2,30\n0,10\n3,40\n1,20\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		skip, jobs int
		want       []float64 // runtimes
	}{
		{0, 0, []float64{10, 20, 30, 40}},
		{1, 2, []float64{20, 30}},
		{3, 5, []float64{40}},
		{4, 0, nil},
		{9, 1, nil},
	} {
		f := JobFlags{Trace: trace, Format: "csv", Columns: "submit=submit,runtime=runtime", Skip: test.skip, Jobs: test.jobs}
		js, err := f.Read(t.Context(), 1)
		var got []float64
		for _, j := range js.List {
			got = append(got, MeanTask(j))
		}
		if !slices.Equal(got, test.want) || (err != nil) != (test.want == nil) {
			t.Errorf("skip %d, jobs %d: got runtimes %v and error %v, want %v", test.skip, test.jobs, got, err, test.want)
		}
	}
}

// A job waits for those that precede it in the log, but not for those that -skip has left out.
func TestPreceding(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace.swf")
	var text strings.Builder
	for n, preceding := range []string{"-1", "0", "0&1", "1"} {
		fmt.Fprintf(&text, "%d %d -1 7 1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 %s 5\n", n, n, preceding)
	}
	if err := os.WriteFile(trace, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		flags JobFlags
		want  []int // inputs
		note  string
	}{
		{JobFlags{}, []int{0, 0, 0, 0}, ""},
		{JobFlags{Preceding: true}, []int{0, 1, 2, 1}, "3 of 4 jobs wait for preceding jobs; think times are left out"},
		{JobFlags{Preceding: true, Skip: 1, Jobs: 2}, []int{0, 1}, "1 of 2 jobs wait for preceding jobs; think times are left out"},
	} {
		test.flags.Trace = trace
		js, err := test.flags.Read(t.Context(), 1)
		var got []int
		for _, j := range js.List {
			n := 0
			if j.Inputs != nil {
				n = len(j.Inputs.Jobs)
			}
			got = append(got, n)
		}
		if note := strings.Join(js.Notes(), "\n"); err != nil || !slices.Equal(got, test.want) || note != test.note {
			t.Errorf("%+v: got inputs %v, notes %q and error %v, want %v and %q", test.flags, got, note, err, test.want, test.note)
		}
	}
}

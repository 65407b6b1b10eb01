package trace_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/workload/trace"
)

func TestHostileNumbersOfReaders(t *testing.T) {
	text := string(swimText(3))
	path := filepath.Join(t.TempDir(), "x.swim")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	throughput := hostile.Arg{Name: "c", Value: trace.ReaderConfig{Format: "swim"}, Rules: hostile.Rules{"Throughput": hostile.AtLeast(1).Or(func(x float64) bool { return x == 0 }, hostile.Takes), "Budget": hostile.AtLeast(0)}}
	hostile.Test(t,
		hostile.Call{Name: "NewReader", New: hostile.Func(func(c trace.ReaderConfig) error {
			r, err := trace.NewReader("x", strings.NewReader(text), c)
			if err != nil {
				return err
			}
			return jobtest.Draw(r.Jobs(), nil)
		}), Args: []hostile.Arg{throughput}},
		hostile.Call{Name: "Open", New: hostile.Func(func(c trace.ReaderConfig) error {
			r, err := trace.Open(path, c)
			if err != nil {
				return err
			}
			return errors.Join(jobtest.Draw(r.Jobs(), nil), r.Close())
		}), Args: []hostile.Arg{throughput}},
	)
}

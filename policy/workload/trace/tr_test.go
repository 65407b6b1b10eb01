package trace_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

func TestTR(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []*workload.Job
	}{
		{"a row", "1.5 2 3 2.5 3.5\n", []*workload.Job{jobtest.Bag(1, 1500*s/1000, 2500*s/1000, 3500*s/1000)}},
		{"two rows", "0 1 1 1\n2 1 4 4\n", []*workload.Job{jobtest.Bag(1, 0, s), jobtest.Bag(2, 2*s, 4*s)}},
		{"order of the file", "2 1 1 1\n1 1 1 1\n", []*workload.Job{jobtest.Bag(1, 2*s, s), jobtest.Bag(2, s, s)}},
		{"tabs and runs of blanks", " \t0  1\t1 \t 1  \n", []*workload.Job{jobtest.Bag(1, 0, s)}},
		{"runtime 0", "0 1 0 0\n", []*workload.Job{jobtest.Bag(1, 0, 0)}},
		{"mean not used", "0 1 1e300 1\n", []*workload.Job{jobtest.Bag(1, 0, s)}},
		{"exponents", "1e1 1 1 2.5E-1\n", []*workload.Job{jobtest.Bag(1, 10*s, s/4)}},
		{"the largest times", "1e9 1 1 1000000000\n", []*workload.Job{jobtest.Bag(1, 1e18, 1e18)}},
		{"half a nanosecond is rounded up", "0.0000000005 1 1 0.0000000015\n", []*workload.Job{jobtest.Bag(1, 1, 2)}},
		{"less is rounded down", "0.0000000004 1 1 0.00000000149\n", []*workload.Job{jobtest.Bag(1, 0, 1)}},
		{"minus 0", "-0 1 1 -0.0\n", []*workload.Job{jobtest.Bag(1, 0, 0)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := jobtest.All(t, reader(t, []byte(test.text), trace.ReaderConfig{}).Jobs())
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestTRBadRows(t *testing.T) {
	badRows(t, trace.ReaderConfig{Format: "tr"}, "0 1 1 1", 1, "5 1 2 2", []badRow{
		{"arrival is no number", "x 1 1 1", "arrival is not a number", `"x"`},
		{"arrival negative", "-1 1 1 1", "arrival is negative", `"-1"`},
		{"arrival beyond float64", "1e400 1 1 1", "arrival is above 1e9 s", `"1e400"`},
		{"arrival alone", "7", "number of tasks is not in 1 to 2^28", `""`},
		{"no tasks", "7 0 1", "number of tasks is not in 1 to 2^28", `"0"`},
		{"tasks negative", "7 -1 1 1", "number of tasks is not in 1 to 2^28", `"-1"`},
		{"tasks broken", "7 1.0 1 1", "number of tasks is not in 1 to 2^28", `"1.0"`},
		{"tasks beyond 32 bits", "7 4294967297 1 1", "number of tasks is not in 1 to 2^28", `"4294967297"`},
		{"tasks above 2^28", "7 268435457 1 1", "number of tasks is not in 1 to 2^28", `"268435457"`},
		{"no mean", "7 1", "mean runtime is not in 0 to 1.797693e+308", `""`},
		{"mean negative", "7 1 -1 1", "mean runtime is not in 0 to 1.797693e+308", `"-1"`},
		{"no runtimes", "7 1 1", "fewer runtimes than tasks", "got 0, want 1"},
		{"a runtime is missing", "7 3 1 1.25 1.25", "fewer runtimes than tasks", "got 2, want 3"},
		{"most runtimes are missing", "7 268435456 1 1 1", "fewer runtimes than tasks", "got 2, want 268435456"},
		{"a runtime too many", "7 2 1 1 1 1", "more runtimes than tasks", "want 2"},
		{"runtime is no number", "7 2 1 1 1s", "runtime is not a number", `task 1: "1s"`},
		{"runtime negative", "7 2 1 1 -2.5", "runtime is negative", `task 1: "-2.5"`},
		{"runtime a little above the largest", "7 1 1 1000000000.0000002", "runtime is above 1e9 s", `task 0: "1000000000.0000002"`},
		{"a long word is cut", strings.Repeat("9", 60) + "z 1 1 1", "arrival is not a number", `"` + strings.Repeat("9", 40) + `"`},
	})
}
